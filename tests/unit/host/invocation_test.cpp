// Whole calls: graph in, result out, exit codes and what is left in the directory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

using nlohmann::json;

// 1 -> 2 -> 3, 1 -> 3, 9 alone with a self loop; ids have gaps.
constexpr const char* kGraph = "1 2 5\n2 3 7\n1 3 100\n9 9 1\n";

class Invocation : public testing::Test {
 protected:
  Invocation() {
    check_answer = {};
    check_answer.checked = {"4 vertices"};
    checks = runs = 0;
    seen = {};
  }
  TemporaryDirectory directory;
  std::string graph = directory.write("g.el", kGraph);
};

TEST_F(Invocation, OneStateIsWrittenAsIdAndValue) {
  const Outcome outcome =
      call(bfs(), {graph, "--source", "1", "--output", directory.path("d.txt")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(read(directory.path("d.txt")), "1 0\n2 1\n3 1\n9 inf\n");
  EXPECT_EQ(directory.files(), (std::vector<std::string>{"d.txt", "g.el"}));
}

TEST_F(Invocation, SeveralColumnsHaveAHeader) {
  const Outcome outcome = call(everything(), {graph, "-o", "-", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "# vertex value pair.0 pair.1 flag\n"
            "1 0 inf none false\n"
            "2 5 1 1 true\n"
            "3 107 2 1 true\n"
            "9 1 3 9 true\n");
}

TEST_F(Invocation, OutputFormatFollowsTheNameOrTheOption) {
  EXPECT_EQ(call(everything(), {graph, "-o", directory.path("r.csv")}).code, 0);
  EXPECT_EQ(read(directory.path("r.csv")).substr(0, 54),
            "vertex,value,pair.0,pair.1,flag\n1,0,inf,none,false\n2,5");
  EXPECT_EQ(call(everything(), {graph, "-o", directory.path("r.json")}).code, 0);
  const json result = json::parse(read(directory.path("r.json")));
  EXPECT_EQ(result["vertex"], json({1, 2, 3, 9}));
  EXPECT_EQ(result["pair.0"], json({"inf", 1, 2, 3}));
  EXPECT_EQ(result["pair.1"], json({nullptr, 1, 1, 9}));
  EXPECT_EQ(result["flag"], json({false, true, true, true}));
  EXPECT_EQ(result["total"], 113);
  EXPECT_EQ(call(everything(), {graph, "-o", directory.path("x.csv"), "--output-format=json"}).code,
            0);
  EXPECT_TRUE(json::accept(read(directory.path("x.csv"))));
}

TEST_F(Invocation, ParametersArriveTypedAndAsInternalIds) {
  const std::string list = directory.write("list", "# roots\n9 2\n\n2\n");
  const Outcome outcome = call(with_gpu(""), {graph,
                                              "--root=9",
                                              "--sources",
                                              "@" + list,
                                              "--far",
                                              "inf",
                                              "--count=4294967295",
                                              "--scale-by",
                                              "-0.5",
                                              "--fancy",
                                              "true",
                                              "--parameter-threads",
                                              "-2",
                                              "--threads",
                                              "1",
                                              "--step-limit",
                                              "9",
                                              "--device-memory",
                                              "1.5KiB",
                                              "--deterministic"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(seen.arguments.get<Vertex>("root"), 3u);
  EXPECT_EQ(std::vector<Vertex>(seen.arguments.list("sources").begin(),
                                seen.arguments.list("sources").end()),
            (std::vector<Vertex>{1, 3}));
  EXPECT_EQ(seen.arguments.get<std::int64_t>("far"), kInfinity<std::int64_t>);
  EXPECT_EQ(seen.arguments.get<std::uint32_t>("count"), 4294967295u);
  EXPECT_EQ(seen.arguments.get<float>("scale_by"), -0.5f);
  EXPECT_TRUE(seen.arguments.get<bool>("fancy"));
  EXPECT_EQ(seen.arguments.get<int>("threads"), -2);
  EXPECT_EQ(seen.threads, 1);
  EXPECT_EQ(seen.step_limit, 9u);
  EXPECT_EQ(seen.device_memory, 1536u);
  EXPECT_TRUE(seen.deterministic);
  EXPECT_FALSE(seen.traced);
}

TEST_F(Invocation, DefaultsServeWhereNothingIsGiven) {
  EXPECT_EQ(call(everything(), {graph}).code, 0);
  EXPECT_EQ(seen.arguments.get<Vertex>("root"), kNoVertex);
  EXPECT_EQ(seen.arguments.list("sources").size(), 1u);
  EXPECT_EQ(seen.arguments.input("seed"), nullptr);
  EXPECT_TRUE(seen.schedule.empty());
}

TEST_F(Invocation, VerticesOutOfRangeAreRefusedWithIdsThatAreThere) {
  Outcome outcome = call(bfs(), {graph, "--source", "0"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(
      outcome.err.find("error: --source: the graph has no vertex 0; its ids run from 1 to 9\n"),
      std::string::npos)
      << outcome.err;
  outcome = call(bfs(), {graph, "--source", "5"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("run from 1 to 9, next to it 3 and 9"), std::string::npos)
      << outcome.err;
  outcome = call(bfs(), {graph, "--source", "99999999999999999999999"});
  EXPECT_EQ(outcome.code, 3);
}

TEST_F(Invocation, VertexInputsAreReadByInputId) {
  const std::string seeds = directory.write("seeds", "# vertex value\n9 0.5\n2,1e3\n");
  const Outcome outcome = call(everything(), {graph, "--seed", seeds});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto values = seen.arguments.input("seed")->as<double>();
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()),
            (std::vector<double>{0, 1000, 0, 0.5}));
}

TEST_F(Invocation, MalformedVertexInputsNameFileAndLine) {
  const auto refused = [&](const std::string& option, const std::string& text) {
    const Outcome outcome = call(everything(), {graph, option, directory.write("in", text), "-q"});
    EXPECT_EQ(outcome.code, 3);
    return outcome.err;
  };
  const std::string in = directory.path("in");
  EXPECT_EQ(refused("--seed", "1 2\n2 x\n"), "error: " + in + ":2: --seed: 'x' is not a number\n");
  EXPECT_EQ(refused("--seed", "1\n"),
            "error: " + in + ":1: --seed: a line is `vertex value`, this one has 1 word\n");
  EXPECT_EQ(refused("--seed", "1 1\n1 2\n"),
            "error: " + in + ":2: --seed: vertex 1 has a value already\n");
  EXPECT_EQ(
      refused("--seed", "4 1\n"),
      "error: " + in +
          ":1: --seed: the graph has no vertex 4; its ids run from 1 to 9, next to it 3 and 9\n");
  EXPECT_EQ(
      refused("--full", "1 1\n2 1\n9 1\n"),
      "error: " + in +
          ": --full: vertex 3 has no value, and the program's initial value is no constant\n");
  const Outcome missing = call(everything(), {graph, "--seed", directory.path("nothing"), "-q"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("nothing: cannot open: No such file"), std::string::npos);
}

TEST_F(Invocation, ScheduleReachesTheRun) {
  EXPECT_EQ(
      call(everything(), {graph, "--schedule",
                          "forward.timing=asynchronous,forward.direction=pull,backward.variant="
                          "sync-pull-data"})
          .code,
      0);
  EXPECT_EQ(seen.schedule, (std::map<std::string, std::string>{{"forward", "async-pull-topology"},
                                                               {"backward", "sync-pull-data"}}));
  EXPECT_EQ(call(everything(), {graph, "--schedule", "direction=push,activation=data-driven"}).code,
            0);
  EXPECT_EQ(seen.schedule["forward"], "async-push-data");  // the preferred one of two that fit
}

TEST_F(Invocation, RunsAreRepeatedAndSummedUp) {
  const Outcome outcome = call(everything(), {graph, "--runs", "3", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(runs, 3);
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["runs"]["seconds"], json({0.125, 0.25, 0.375}));
  EXPECT_EQ(summary["runs"]["median"], 0.25);
  EXPECT_EQ(summary["seconds"]["transfer"], 0.5);
  EXPECT_NE(outcome.err.find("minimum 125 ms, median 250 ms, maximum 375 ms"), std::string::npos);
}

TEST_F(Invocation, JsonIsOneObjectAlsoForErrors) {
  Outcome outcome = call(everything(), {graph, "--json", "--quiet"});
  EXPECT_EQ(outcome.err, "");
  json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["exit_code"], 0);
  EXPECT_EQ(summary["target"], "cpu");
  EXPECT_EQ(summary["phases"][0]["edges"], 4);
  EXPECT_EQ(summary["phases"][0]["reason"], "preferred by the test");
  EXPECT_EQ(summary["graph"]["edges"], 4);
  outcome = call(everything(), {directory.path("none\n'\xff"), "--json"});
  EXPECT_EQ(outcome.code, 3);
  summary = json::parse(outcome.out);
  EXPECT_EQ(summary["exit_code"], 3);
  EXPECT_FALSE(summary["error"]["message"].get<std::string>().empty());
}

TEST_F(Invocation, CheckPassesOrIsExitCodeEightAndWritesNothing) {
  Outcome outcome = call(bfs(), {graph, "--source", "1", "--check", "-o", directory.path("d")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(checks, 1);
  EXPECT_NE(outcome.err.find("checked     4 vertices\ncheck       passed"), std::string::npos);
  EXPECT_EQ(read(directory.path("d")), "1 0\n2 1\n3 1\n9 inf\n");

  directory.write("d", "before");
  check_answer.passed = false;
  check_answer.failures = {"vertex 3 has 1, expected 2"};
  outcome = call(bfs(), {graph, "--source", "1", "--check", "-o", directory.path("d"), "-q"});
  EXPECT_EQ(outcome.code, 8);
  EXPECT_EQ(outcome.err,
            "error: the check failed\n  vertex 3 has 1, expected 2\n  nothing was written\n");
  EXPECT_EQ(read(directory.path("d")), "before");
}

TEST_F(Invocation, InterpreterRunsWithoutATarget) {
  const Outcome outcome = call(bfs(), {graph, "--source", "2", "--interpret", "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "1 inf\n2 0\n3 1\n9 inf\n");
  EXPECT_NE(outcome.err.find("target      interpreter"), std::string::npos);
}

TEST_F(Invocation, StepLimitIsExitCodeSixAndTheResultIsWritten) {
  const Outcome outcome =
      call(bfs(), {graph, "--source", "1", "--step-limit", "1", "--check", "-o", "-", "-q"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(checks, 0);
  EXPECT_EQ(outcome.out, "1 0\n2 1\n3 1\n9 inf\n");
  EXPECT_EQ(outcome.err,
            "error: --step-limit ended the run before it converged; the result was not checked\n");
}

struct Failure {
  const char* mode;
  int code;
  const char* message;
};

void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.message; }

class FailingRun : public Invocation, public testing::WithParamInterface<Failure> {};

TEST_P(FailingRun, HasItsExitCodeAndLeavesNothing) {
  const Outcome outcome = call(everything(), {graph, "--mode", GetParam().mode, "--quiet", "-o",
                                              directory.path("d"), "--trace", directory.path("t")});
  EXPECT_EQ(outcome.code, GetParam().code);
  EXPECT_EQ(outcome.err, std::string("error: ") + GetParam().message + "\n");
  EXPECT_EQ(directory.files(), std::vector<std::string>{"g.el"});
}

INSTANTIATE_TEST_SUITE_P(
    Modes, FailingRun,
    testing::Values(
        Failure{"1", 1,
                "the result is not a number: value of vertex 9 is NaN; nothing was written"},
        Failure{"2", 5, "out of memory on the host"},
        Failure{"3", 6, "a negative cycle goes through 2"}, Failure{"6", 1, "something\\nelse"},
        Failure{"7", 1, "the target delivered no proper column 'pair.1'"}));

TEST_F(Invocation, ComparesEverySchedule) {
  const Outcome outcome =
      call(everything(), {graph, "--compare-schedules", "--mode", "8", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  ASSERT_EQ(summary["comparisons"].size(), 6u);
  EXPECT_EQ(summary["comparisons"][0]["schedule"],
            "forward=async-push-data, backward=sync-push-data");
  EXPECT_EQ(summary["compared_all"], true);
  EXPECT_EQ(summary["comparisons"][3]["rounds"], 6);
  // 8 bytes an edge and 20 an activation, of the one phase that test_programs.cpp gives widths for.
  EXPECT_EQ(summary["comparisons"][3]["bytes"],
            8 * summary["comparisons"][3]["edges"].get<int>() / 2 + 20 * 10);
  EXPECT_EQ(runs, 6);
}

// The table is what was asked for, and nobody pinned what it begins with.
TEST_F(Invocation, ComparesQuietlyToo) {
  Outcome outcome = call(everything(), {graph, "--compare-schedules", "--mode", "8", "--quiet"});
  EXPECT_EQ(outcome.err.find("schedule "), 0) << outcome.err;
  EXPECT_NE(outcome.err.find("forward=async-push-data"), std::string::npos);
  EXPECT_EQ(outcome.err.find("target"), std::string::npos);
  outcome = call(everything(), {graph, "--compare-schedules", "--mode", "8"});
  EXPECT_NE(outcome.err.find("(the first that was compared)"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("pinned by --schedule"), std::string::npos);
}

TEST_F(Invocation, ComparesWithTheFirstScheduleThatFits) {
  const std::vector<std::string> arguments{graph, "--compare-schedules", "--mode", "9"};
  Outcome outcome = call(everything(), arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("does not fit: 9 GiB are needed for async-push-data"),
            std::string::npos)
      << outcome.err;
  outcome = call(everything(), {graph, "--compare-schedules", "--mode", "9", "--json"});
  const json rows = json::parse(outcome.out)["comparisons"];
  ASSERT_EQ(rows.size(), 6u);
  std::vector<bool> ran, agree;
  for (const json& row : rows) {
    ran.push_back(row["refused"] == "");
    agree.push_back(row["agrees"]);
  }
  EXPECT_EQ(ran, (std::vector<bool>{false, true, true, false, true, true}));
  EXPECT_EQ(agree, ran);
  outcome = call(everything(), {graph, "--compare-schedules", "--mode", "10", "-o", "none"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.err.find("no schedule fits; the preferred one: 9 GiB"), std::string::npos)
      << outcome.err;
}

// Each run of this program takes an eighth of a second longer than the one before: 0.25 is the
// fastest median, and what takes over 1.25 is not repeated.
TEST_F(Invocation, SlowSchedulesAreNotRepeated) {
  const Outcome outcome =
      call(everything(), {graph, "--compare-schedules", "--mode", "8", "--runs", "3", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  std::vector<int> counts;
  for (const json& row : summary["comparisons"]) counts.push_back(row["runs"]);
  EXPECT_EQ(counts, (std::vector<int>{3, 3, 3, 2, 1, 1}));
}

TEST_F(Invocation, DisagreeingSchedulesAreExitCodeEight) {
  const Outcome outcome =
      call(everything(), {graph, "--compare-schedules", "--mode", "4", "-o", directory.path("d")});
  EXPECT_EQ(outcome.code, 8);
  EXPECT_EQ(directory.files(), std::vector<std::string>{"g.el"});
  EXPECT_NE(outcome.err.find("NO: pair.0 of vertex 9: -5 instead of 3"), std::string::npos)
      << outcome.err;
}

TEST_F(Invocation, DryRunCountsBytesAndRunsNothing) {
  const Outcome outcome = call(with_gpu(""), {graph, "--dry-run", "--device-memory", "1MiB"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(runs, 0);
  EXPECT_NE(outcome.out.find("out-edges: offsets"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("strategy            resident: everything fits"), std::string::npos);
  EXPECT_NE(outcome.out.find("device budget       1.0 MiB"), std::string::npos) << outcome.out;
  const Outcome machine = call(everything(), {graph, "--dry-run", "--json"});
  EXPECT_EQ(json::parse(machine.out)["device_bytes"], 0);
}

TEST_F(Invocation, AutoTakesTheGpuWhereItIsUsable) {
  Outcome outcome = call(with_gpu(""), {graph});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("target      gpu, Test GPU 0, 1 GiB (auto: a usable GPU is there)"),
            std::string::npos)
      << outcome.err;
  outcome = call(with_gpu("no driver"), {graph});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("target      cpu (auto: no driver)"), std::string::npos)
      << outcome.err;
}

TEST_F(Invocation, AnUnusableGpuIsNeverReplacedWhenAskedFor) {
  Outcome outcome = call(with_gpu("no driver"), {graph, "--target", "gpu"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.err, "error: no driver\n");
  outcome = call(everything(), {graph, "--target", "gpu"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("this binary has no GPU code"), std::string::npos);
  outcome = call(gpu_alone("the driver is too old"), {graph});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("the driver is too old; this binary has no CPU code"),
            std::string::npos);
  EXPECT_EQ(runs, 0);
}

TEST_F(Invocation, OnlyEnginesOfTheGpuHaveAFormForLargeDiameters) {
  EXPECT_EQ(call(with_gpu(""), {graph, "--diameter", "large"}).code, 0);
  EXPECT_EQ(runs, 1);
  Outcome outcome = call(with_gpu("no driver"), {graph, "--diameter", "large"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.err.starts_with("error: --diameter: on the CPU every engine has one form\n"))
      << outcome.err;
  outcome = call(with_gpu(""), {graph, "--diameter", "larg"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find("--diameter: 'larg' is not auto, small or large; did you mean 'large'?"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(runs, 1);
}

TEST_F(Invocation, OnlyProgramsWithColourClassesAndARestTakeANumberOfThem) {
  const auto said = [&](const char* colours) {
    const Outcome outcome = call(with_gpu(""), {graph, "--colours", colours});
    return outcome.code == 2 ? outcome.err : "exit code";
  };
  EXPECT_TRUE(said("3").starts_with("error: --colours: no phase of this program runs in colour "));
  EXPECT_TRUE(said("251").starts_with("error: --colours: '251' is not auto, all, or a whole "));
  EXPECT_EQ(runs, 0);
}

TEST_F(Invocation, OnlyKernelsOfTheGpuThatLeaveItOpenAreBalancedAnotherWay) {
  EXPECT_EQ(call(with_gpu(""), {graph, "--balance", "mixed"}).code, 0);
  EXPECT_EQ(runs, 1);
  Outcome outcome = call(with_gpu("no driver"), {graph, "--balance", "mixed"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.err.starts_with(
      "error: --balance: on the CPU one thread follows the edges of a list\n"))
      << outcome.err;
  outcome = call(with_gpu(""), {graph, "--balance", "edge"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--balance: 'edge' is not auto or mixed"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(runs, 1);
}

TEST_F(Invocation, UnwritableOutputIsFoundBeforeTheGraphIsRead) {
  const auto refused = [&](const std::string& path) {
    const Outcome outcome =
        call(bfs(), {directory.path("no-such-graph"), "--source", "1", "-o", path});
    EXPECT_EQ(outcome.code, 7) << path << outcome.err;
  };
  refused(directory.path("missing/d"));
  refused(directory.path(""));
  refused("/dev/full");
  ASSERT_EQ(symlink("target", directory.path("link").c_str()), 0);
  refused(directory.path("link"));
  EXPECT_EQ(call(bfs(), {graph, "--source", "1", "-o", directory.path("link"), "--force"}).code, 0);
  EXPECT_EQ(read(directory.path("target")), "1 0\n2 1\n3 1\n9 inf\n");
  EXPECT_EQ(call(bfs(), {graph, "--source", "1", "-o", "/dev/full", "--force"}).code, 7);
}

TEST_F(Invocation, HostileNamesAreNamesAndNothingElse) {
  for (const std::string name :
       {"$(touch x)", "a'b\"c", "new\nline", "`touch x`", "-rf", "\xff\xfe", ";touch x"}) {
    const std::string path = directory.write(name, kGraph);
    const std::string out = directory.path("out " + name);
    const Outcome outcome =
        call(bfs(), {"--source", "1", "-o", out, "--report", directory.path("r"), "--", path});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read(out), "1 0\n2 1\n3 1\n9 inf\n");
    const Outcome lost = call(bfs(), {"--source", "1", "--quiet", path + "\nlost"});
    EXPECT_EQ(lost.code, 3);
    EXPECT_EQ(std::count(lost.err.begin(), lost.err.end(), '\n'), 1) << lost.err;
  }
  EXPECT_FALSE(std::filesystem::exists("x"));
  EXPECT_FALSE(std::filesystem::exists(directory.path("x")));
}

TEST_F(Invocation, TraceAndReportAreWritten) {
  EXPECT_EQ(call(bfs(), {graph, "--source", "1", "--trace", directory.path("t"), "--report",
                         directory.path("r.html"), "--runs", "2"})
                .code,
            0);
  const std::string trace = read(directory.path("t"));
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 2);  // of the last run alone
  EXPECT_NE(read(directory.path("r.html")).find("sync-push-data"), std::string::npos);
  EXPECT_EQ(call(bfs(), {graph, "--source", "1", "--trace", directory.path("c"), "--trace-format",
                         "chrome"})
                .code,
            0);
  EXPECT_TRUE(json::accept(read(directory.path("c"))));
}

TEST_F(Invocation, BrokenRequirementIsToldWithTheProgramsReason) {
  Targets targets = everything();
  ProgramInfo info = targets.info();
  info.requirements = {{RequirementInfo::Kind::NonNegativeWeights, "value adds up weights"},
                       {RequirementInfo::Kind::Symmetric, "asked for by the program"}};
  Target target = *targets.cpu;
  target.info = &info;
  targets.cpu = &target;
  Outcome outcome = call(targets, {graph, "-q"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("(asked for by the program); --symmetrize adds the missing reverse"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(call(targets, {graph, "-q", "--symmetrize"}).code, 0);
  outcome = call(targets, {directory.write("n.el", "1 2 5\n2 1 -7\n"), "-q"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("(value adds up weights)"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("n.el:2"), std::string::npos) << outcome.err;
}

TEST_F(Invocation, ReadingOptionsReachTheReader) {
  Outcome outcome = call(bfs(), {graph, "--source", "3", "--undirected", "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "1 1\n2 1\n3 0\n9 inf\n");
  outcome = call(everything(), {graph, "--self-loops", "drop", "--json"});
  EXPECT_EQ(json::parse(outcome.out)["graph"]["edges"], 3);
  outcome = call(everything(), {graph, "--self-loops", "drop", "--strict"});
  EXPECT_EQ(outcome.code, 3);
  outcome = call(everything(), {graph, "--format", "dimacs"});
  EXPECT_EQ(outcome.code, 3);
  outcome = call(everything(), {graph, "--format", "dimcas"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'dimacs'?"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace vertigo::host::test
