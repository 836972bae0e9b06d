// A signal in the middle of a run: the process ends by it, and no file is left.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

class Interruption : public testing::TestWithParam<int> {};

TEST_P(Interruption, EndsTheProcessAndLeavesNoFile) {
  const TemporaryDirectory directory;
  const std::string graph = directory.write("g.el", "1 2\n");
  const std::string output = directory.path("out.txt"), trace = directory.path("t.jsonl");
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Under nohup or in the background of a shell the test would inherit that they are ignored.
    signal(GetParam(), SIG_DFL);
    dup2(ends[1], STDOUT_FILENO);
    const std::string binary = INTERRUPTION_PROGRAM;
    execl(binary.c_str(), binary.c_str(), graph.c_str(), "--output", output.c_str(), "--trace",
          trace.c_str(), "--quiet", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::array<char, 8> said{};
  ASSERT_EQ(::read(ends[0], said.data(), said.size()), 8) << "the run never began";
  EXPECT_EQ(directory.files().size(), 1u);  // the graph: unfinished files have no names
  kill(child, GetParam());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  close(ends[0]);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_EQ(directory.files(), std::vector<std::string>{"g.el"});
}

INSTANTIATE_TEST_SUITE_P(Signals, Interruption, testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace vertigo::host::test
