// Usage: what is refused before anything is read, and how that is worded.
#include <gtest/gtest.h>

#include "host/schedule.h"
#include "host/summary.h"
#include "test_programs.h"

namespace vertigo::host::test {
namespace {

struct Refused {
  std::vector<std::string> words;
  std::string message;  // the first line, without "error: "
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.message; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class BadUsage : public testing::TestWithParam<Refused> {};

TEST_P(BadUsage, IsOneLineAndExitCodeTwo) {
  const int runs_before = runs;
  const Outcome outcome = call(everything(), GetParam().words);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(first_line(outcome.err), "error: " + GetParam().message);
  if (outcome.out != "") {  // with --json, the error as an object
    EXPECT_NE(outcome.out.find("\"exit_code\":2"), std::string::npos);
    EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
  }
  EXPECT_EQ(runs, runs_before);
}

INSTANTIATE_TEST_SUITE_P(
    Options, BadUsage,
    testing::Values(
        Refused{{}, "which graph? name a file or a generator expression"},
        Refused{{""}, "the name of the graph is empty"},
        Refused{{"g", "h"}, "unexpected argument 'h'; one graph is read"},
        Refused{{"--", "g", "--quiet"},
                "unexpected argument '--quiet': what stands behind -- is no option"},
        Refused{{"g", "--outptu", "x"}, "unknown option --outptu; did you mean '--output'?"},
        Refused{{"g", "--scale-bye=3"}, "unknown option --scale-bye; did you mean '--scale_by'?"},
        Refused{{"g", "--zzzzzzzz"}, "unknown option --zzzzzzzz"},
        Refused{{"g", "-Z"}, "unknown option -Z"},
        Refused{{"g", "-output", "x"},
                "unknown option -output; long options have two dashes: --output"},
        Refused{{"g", "--output"}, "--output needs a value: --output FILE"},
        Refused{{"g", "--output", "--quiet"}, "--output needs a value: --output FILE"},
        Refused{{"g", "--output=", "other"}, "--output needs a value: --output FILE"},
        Refused{{"g", "--root=", "-q"}, "--root needs a value: --root ID"},
        Refused{{"g", "--step-limit="}, "--step-limit needs a value: --step-limit N"},
        Refused{{"g", "--output", ""}, "--output: the file name is empty"},
        Refused{{"g", "--output", "a", "--output", "b"}, "--output is given twice"},
        Refused{{"g", "--mode", "1", "--mode", "2"}, "--mode is given twice"},
        Refused{{"g", "--quiet", "--quiet"}, "--quiet is given twice"},
        Refused{{"g", "-q", "--check", "--quiet"}, "--quiet is given twice"},
        Refused{{"g", "-qq"}, "--quiet is given twice"},
        Refused{{"g", "--quiet=maybe"}, "--quiet takes no value"},
        Refused{{"g", "--json", "--output", "-"},
                "--json and --output - exclude each other: both write to standard output"},
        Refused{{"g", "--output", "x", "--trace", "x"}, "--output and --trace name the same file"},
        Refused{{"g", "--report", "-"}, "--report: only --output can be standard output"},
        Refused{{"g", "--output-format", "csv"}, "--output-format needs --output"},
        Refused{{"g", "--trace-format", "chrome"}, "--trace-format needs --trace"},
        Refused{{"g", "-o", "x", "--output-format", "jsn"},
                "--output-format: 'jsn' is not text, csv, json, npy or bin; did you mean 'json'?"},
        Refused{{"g", "--trace", "x", "--trace-format", "CHROME"},
                "--trace-format: 'CHROME' is not jsonl or chrome"},
        Refused{{"g", "--target", "gpo"},
                "--target: 'gpo' is not auto, gpu or cpu; did you mean 'gpu'?"},
        Refused{{"g", "--target", ""}, "--target: '' is not auto, gpu or cpu"},
        Refused{{"g", "--runs", "0"}, "--runs: '0' is not a whole number from 1 to 1000000"},
        Refused{{"g", "--runs", "-1"}, "--runs: '-1' is not a whole number from 1 to 1000000"},
        Refused{{"g", "--runs", "2x"}, "--runs: '2x' is not a whole number from 1 to 1000000"},
        Refused{{"g", "--runs", "99999999999999999999"},
                "--runs: '99999999999999999999' is not a whole number from 1 to 1000000"},
        Refused{{"g", "--threads", "many"},
                "--threads: 'many' is not a whole number from 1 to 4096"},
        Refused{{"g", "--step-limit", "1.5"},
                "--step-limit: '1.5' is not a whole number from 1 to 18446744073709551615"},
        Refused{{"g", "--device-memory", "8 gigs"},
                "--device-memory: '8 gigs' is no size; write 8GiB, 500MB or a number of bytes"},
        Refused{{"g", "--device-memory", "-8GiB"},
                "--device-memory: '-8GiB' is no size; write 8GiB, 500MB or a number of bytes"},
        Refused{{"g", "--device-memory", "nan"},
                "--device-memory: 'nan' is no size; write 8GiB, 500MB or a number of bytes"},
        Refused{{"g", "--device-memory", "1e300T"},
                "--device-memory: '1e300T' is no size; write 8GiB, 500MB or a number of bytes"},
        Refused{{"g", "--self-loops", "remove"}, "--self-loops: 'remove' is not keep or drop"},
        Refused{{"g", "--duplicates", "mix"},
                "--duplicates: 'mix' is not keep, first, min, max or sum; did you mean 'min'?"},
        Refused{{"g", "--directed", "--undirected"},
                "--directed and --undirected exclude each other: the graph is read one way"},
        Refused{{"g", "--dry-run", "--check"},
                "--dry-run and --check exclude each other: nothing is run"},
        Refused{{"g", "--interpret", "--schedule", "timing=sync"},
                "--interpret and --schedule exclude each other: the interpreter has one schedule"},
        Refused{{"g", "--compare-schedules", "--trace", "t"},
                "--compare-schedules and --trace exclude each other: a trace records one run"},
        Refused{{"--help", "--json"}, "--help has no machine-readable form"},
        Refused{{"--dump-cuda"}, "this binary has no CUDA code to print"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, BadUsage,
    testing::Values(Refused{{"g", "--mode", "one"}, "--mode: 'one' is not a whole number"},
                    Refused{{"g", "--mode", "3000000000"},
                            "--mode: '3000000000' does not fit int32"},
                    Refused{{"g", "--mode", ""}, "--mode: the value is empty"},
                    Refused{{"g", "--count", "-1"}, "--count: '-1' is not a whole number from 0"},
                    Refused{{"g", "--wide", "18446744073709551616"},
                            "--wide: '18446744073709551616' does not fit uint64"},
                    Refused{{"g", "--scale_by", "nan"}, "--scale_by: 'nan' is not a number"},
                    Refused{{"g", "--scale-by", "1e99"}, "--scale_by: '1e99' does not fit float32"},
                    Refused{{"g", "--exact", "0.1.2"}, "--exact: '0.1.2' is not a number"},
                    Refused{{"g", "--fancy", "yes"}, "--fancy: 'yes' is neither true nor false"},
                    Refused{{"generate:path:9", "--root", "-3"},
                            "--root: '-3' is no vertex id (a whole number from 0)"},
                    Refused{{"g", "--sources", "1,,2"}, "--sources: a vertex id is empty"},
                    Refused{{"g", "--sources", "none"},
                            "--sources: 'none' is no vertex id (a whole number from 0)"},
                    Refused{{"generate:path:9", "--sources", "1,$(touch x)"},
                            "--sources: '$(touch x)' is no vertex id (a whole number from 0)"},
                    Refused{{"g", "--mode", "1\n2\x1b[31m"},
                            "--mode: '1\\n2\\x1b[31m' is not a whole number"}));

INSTANTIATE_TEST_SUITE_P(
    Schedules, BadUsage,
    testing::Values(
        Refused{{"g", "--schedule", ""}, "--schedule: '' is not KEY=VALUE"},
        Refused{{"g", "--schedule", "async-push-data"},
                "--schedule: 'async-push-data' is not KEY=VALUE"},
        Refused{{"g", "--schedule", "timing="}, "--schedule: 'timing=' is not KEY=VALUE"},
        Refused{{"g", "--schedule", "timming=sync"},
                "--schedule: 'timming' is no choice of a run; these are: variant, timing, "
                "direction or activation; did you mean 'timing'?"},
        Refused{{"g", "--schedule", "balance=warp"},
                "--schedule: 'balance' is no choice of a run; these are: variant, timing, "
                "direction or activation (others are the compiler's)"},
        Refused{{"g", "--schedule", "foward.timing=sync"},
                "--schedule: there is no phase 'foward'; phases: forward or backward; did you mean "
                "'forward'?"},
        Refused{{"g", "--schedule", "backward.timing=async"},
                "--schedule: phase 'backward' cannot have backward.timing=async; legal: sync"},
        Refused{{"g", "--schedule", "timing=async"},
                "--schedule: phase 'backward' cannot have timing=async; legal: sync; "
                "forward.timing=async would speak of one phase alone"},
        Refused{{"g", "--schedule", "forward.variant=sync-push-dat"},
                "--schedule: phase 'forward' cannot have forward.variant=sync-push-dat; legal: "
                "sync-push-data, async-push-data or async-pull-topology; did you mean "
                "'sync-push-data'?"},
        Refused{{"g", "--schedule", "forward.timing=sync,forward.direction=pull"},
                "--schedule: phase 'forward' has no variant that is all of these at once; legal: "
                "sync-push-data, async-push-data or async-pull-topology"},
        Refused{{"g", "--schedule", "forward.timing=sync,forward.timing=async"},
                "--schedule: forward.timing=sync and forward.timing=async contradict each other"}));

TEST(Usage, SchedulesThatWereNotCompiledAreNoMistake) {
  host::ProgramInfo info = everything().info();
  info.all_schedules = false;
  EXPECT_NE(list_schedules(info).find("vertigo --schedules=all compiles every legal schedule"),
            std::string::npos);
  try {
    resolve_schedule(info, "backward.timing=async");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "--schedule: phase 'backward' cannot have backward.timing=async; compiled: sync "
        "(what a run comes to by itself; vertigo --schedules=all compiles every legal one)");
  }
}

TEST(Usage, RequiredParameterIsNamedWithItsForm) {
  const Outcome outcome = call(bfs(), {"g"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(first_line(outcome.err), "error: --source is required: --source ID");
}

TEST(Usage, HelpNamesEveryOptionAndParameterOnce) {
  const Outcome outcome = call(everything(), {"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* option :
       {"--scale_by float32", "--sources ID,...|@FILE", "--seed FILE", "--parameter-threads int32",
        "--output FILE", "--threads N", "--compare-schedules", "--dump-cuda"}) {
    const std::size_t at = outcome.out.find(option);
    EXPECT_NE(at, std::string::npos) << option;
  }
}

TEST(Usage, VersionNamesProgramAndTargets) {
  const Outcome outcome = call(with_gpu(""), {"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "everything from every'thing $(x).vg, compiled by vertigo 0.1.0 with --target=cpu\n"
            "targets: cpu gpu\n");
}

TEST(Usage, ListsSchedulesForPeopleAndMachines) {
  EXPECT_NE(call(everything(), {"--list-schedules"}).out.find("async-push-data      preferred"),
            std::string::npos);
  EXPECT_NE(call(everything(), {"--list-schedules", "--json"})
                .out.find(R"({"phase":"forward","variant":"async-push-data","preferred":true)"),
            std::string::npos);
}

TEST(Usage, TellsMachinesTheContractOfAnEngine) {
  ProgramInfo info;
  info.phases = {{.name = "main",
                  .variants = {{.name = "distances", .reason = "proved"},
                               {.name = "sync-push-data", .reason = "steps"}},
                  .preferred = 0}};
  const std::string text = schedules_json(info);
  for (const char* part :
       {R"("variant":"distances","preferred":true,"reason":"proved","engine":{"summary":)",
        R"("whole_graph":true,"one_device":true,"reads_copies":true)",
        R"("forms_by_diameter":true)", R"("edges_below":4294967296)",
        R"("preparation":{"what":"lists sorted by weight")",
        R"({"phase":"main","variant":"sync-push-data","preferred":false,"reason":"steps"})"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Usage, PrintsPlanAndSources) {
  EXPECT_EQ(call(everything(), {"--explain"}).out, "plan everything\n");
  EXPECT_EQ(call(with_gpu(""), {"--dump-cuda"}).out, "// CUDA\n");
  EXPECT_EQ(call(with_gpu(""), {"--dump-cpu"}).out, "// C++\n");
}

}  // namespace
}  // namespace vertigo::host::test
