// Binaries with several programs.
#include <gtest/gtest.h>

#include <sstream>

#include "test_programs.h"
#include "vertigo/core/error.h"

namespace vertigo::host::test {
namespace {

/// As `call`, with a binary of that name which holds both programs.
Outcome call_both(const std::string& binary, const std::vector<std::string>& words) {
  const Targets programs[] = {bfs(), everything()};
  std::vector<const char*> argv{binary.c_str()};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out, err;
  Outcome outcome;
  outcome.code = run_main(static_cast<int>(argv.size()), argv.data(), {out, err},
                          std::span<const Targets>(programs));
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

class ProgramChoice : public testing::Test {
 protected:
  TemporaryDirectory directory;
  std::string graph = directory.write("g.el", "1 2\n2 3\n");
};

TEST_F(ProgramChoice, IsMadeByTheOption) {
  const Outcome outcome =
      call_both("tool", {"--program", "bfs", graph, "--source", "1", "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "1 0\n2 1\n3 2\n");
  EXPECT_EQ(call_both("tool", {graph, "-q", "--program=everything"}).code, 0);
}

TEST_F(ProgramChoice, IsMadeByTheNameOfTheBinary) {
  const Outcome outcome = call_both("/usr/bin/bfs", {graph, "--source", "1", "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "1 0\n2 1\n3 2\n");
  EXPECT_EQ(call_both("/usr/bin/bfs", {graph, "-q", "--program", "everything"}).code, 0)
      << "the option says more than the name";
}

TEST_F(ProgramChoice, IsAskedForWhereNothingSays) {
  const Outcome outcome = call_both("tool", {graph, "--source", "1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err.substr(0, outcome.err.find('\n')),
            "error: which program of this binary? --program bfs or everything");
  EXPECT_EQ(call_both("tool", {graph, "--", "--program=bfs"}).code, 2)
      << "what follows -- is no option";
}

TEST_F(ProgramChoice, OfAnUnknownNameIsRefused) {
  const Outcome outcome = call_both("tool", {"--program", "everythin", graph});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--program: 'everythin' is not bfs or everything; did you mean "
                             "'everything'?"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(call_both("tool", {graph, "--program"}).code, 2);
  EXPECT_EQ(call_both("tool", {graph, "--program="}).code, 2);
  EXPECT_EQ(call_both("tool", {"--program", "bfs", "--program", "bfs", graph}).code, 2);
  EXPECT_EQ(call(bfs(), {"--program", "other", graph, "--source", "1"}).code, 2)
      << "also where there is one program";
  EXPECT_EQ(call(bfs(), {"--program", "bfs", graph, "--source", "1"}).code, 0);
}

TEST_F(ProgramChoice, HelpAndVersionNameAllPrograms) {
  const Outcome help = call_both("tool", {"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("usage: tool --program NAME GRAPH [options]"), std::string::npos);
  EXPECT_NE(help.out.find("  bfs"), std::string::npos);
  EXPECT_NE(help.out.find("  everything"), std::string::npos);
  const Outcome version = call_both("tool", {"--version"});
  EXPECT_NE(version.out.find("bfs from bfs.vg"), std::string::npos);
  EXPECT_NE(version.out.find("everything from"), std::string::npos);
  const Outcome one = call_both("tool", {"--program", "bfs", "--help"});
  EXPECT_NE(one.out.find("--source"), std::string::npos);
  EXPECT_NE(one.out.find("--program NAME"), std::string::npos);
}

// The registry of this binary has bfs alone, until a test adds others.
TEST(Registry, HoldsSeveralProgramsAndRefusesTwins) {
  static ProgramInfo second = bfs().info();
  second.name = "second";
  const Target* const first = find_target("bfs", TargetKind::Cpu);
  ASSERT_NE(first, nullptr);
  Target other = *first;
  other.info = &second;
  const RegisterTarget registration(other);
  EXPECT_EQ(find_target("bfs", TargetKind::Cpu), first) << "it stays where it is";
  ASSERT_NE(find_target("second", TargetKind::Cpu), nullptr);
  EXPECT_EQ(find_target("second", TargetKind::Cpu)->info->name, "second");
  EXPECT_EQ(find_target("second", TargetKind::Gpu), nullptr);
  EXPECT_EQ(find_target("third", TargetKind::Cpu), nullptr);
  EXPECT_EQ(program_names(), (std::vector<std::string_view>{"bfs", "second"}));
  try {
    find_target(TargetKind::Cpu);
    ADD_FAILURE() << "it is not said which";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_EQ(error.message(), "which program of this binary? bfs or second");
  }

  const RegisterTarget twin(other);
  try {
    find_target("second", TargetKind::Cpu);
    ADD_FAILURE() << "two have the name";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_EQ(error.message(),
              "two programs of this binary are called 'second': bfs.vg and bfs.vg");
  }
}

}  // namespace
}  // namespace vertigo::host::test
