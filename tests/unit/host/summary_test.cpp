// What a run says about itself on stderr.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "host/console.h"
#include "host/timeline.h"
#include "test_programs.h"

namespace vertigo::host::test {
namespace {

// 1 -> 2 -> 3, 1 -> 3, 9 alone with a self loop; ids have gaps.
constexpr const char* kGraph = "1 2 5\n2 3 7\n1 3 100\n9 9 1\n";

class Summary : public testing::Test {
 protected:
  TemporaryDirectory directory;
  std::string graph = directory.write("g.el", kGraph);
};

TEST_F(Summary, NamesScheduleAndSeparatesTimes) {
  const Outcome outcome = call(bfs(), {graph, "--source", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("main: sync-push-data, 2 steps, 3 edges visited"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("cpu (auto: this binary has no GPU code"), std::string::npos);
#ifdef VERTIGO_HAS_GPU_RUNTIME
  EXPECT_NE(outcome.err.find("(compile with --target=gpu)"), std::string::npos);
#else  // no compilation would help
  EXPECT_EQ(outcome.err.find("--target=gpu"), std::string::npos) << outcome.err;
#endif
  EXPECT_NE(outcome.err.find("report      reached = 3"), std::string::npos);
  EXPECT_NE(outcome.err.find("depth (int32): 3 finite, 0 .. 1"), std::string::npos);
  EXPECT_NE(outcome.err.find("time        load "), std::string::npos);
  EXPECT_NE(outcome.err.find("since the process began\n"), std::string::npos);
}

TEST_F(Summary, WhoAsksHearsOfTheGraphAndTheResult) {
  const std::string alone = directory.write("alone.el", "# Nodes: 5 Edges: 1\n0 1\n");
  const Outcome said = call(bfs(), {alone, "--source", "0"});
  EXPECT_NE(said.err.find("3 isolated"), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("2 finite"), std::string::npos) << said.err;
  const Outcome outcome = call(bfs(), {alone, "--source", "0", "--quiet", "--json"});
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["graph"]["isolated_vertices"], 3);
  EXPECT_EQ(summary["results"][0]["finite"], 2);
}

TEST_F(Summary, ManyLinesAreWrittenInOrder) {
  const Outcome outcome =
      call(bfs(), {"generate:star:100000", "--source", "0", "-o", directory.path("d.txt"), "-q"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string written = read(directory.path("d.txt"));
  std::string ids;
  for (std::size_t at = 0; at < written.size(); at = written.find('\n', at) + 1)
    ids += written.substr(at, written.find(' ', at) - at) + ' ';
  std::string all;
  for (int v = 0; v < 100000; ++v) all += std::to_string(v) + ' ';
  EXPECT_TRUE(ids == all) << "a line is missing or stands elsewhere";
}

TEST(Progress, SaysHowMuchHowFastAndHowLong) {
  EXPECT_EQ(progress_text(250'000'000, 1'000'000'000, 0.5), ", 25%, 500.0 MB/s, 1.50 s left");
  EXPECT_EQ(progress_text(0, 1'000, 1), "") << "nothing is known yet";
  EXPECT_EQ(progress_text(1'000, 1'000, 1), "") << "all is read; what follows is something else";
  EXPECT_EQ(progress_text(1'000, 0, 1), "") << "a generated graph";
}

TEST(Timeline, ShowsWhatRanWhen) {
  EXPECT_EQ(
      timeline_text({{"load", 0, 1}, {"start", 0.5, 1.5}, {"blink", 1, 1.001}, {"run", 1.5, 2}}, 2),
      "wall        2.00 s since the process began\n"
      "  load  |====================                     | 1.00 s\n"
      "  start |          ====================           | 1.00 s\n"
      "  run   |                              ========== | 500 ms");
  EXPECT_EQ(timeline_text({}, 0.5), "wall        500 ms since the process began");
}

TEST_F(Summary, CountsOneAsOne) {
  const std::string one = directory.write("one.el", "1 2 5\n");
  const Outcome outcome = call(bfs(), {one, "--source", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("1 read, 1 directed edge in the graph"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("1 edge visited"), std::string::npos) << outcome.err;
  const std::string loop = directory.write("loop.el", "1 1\n1 1\n");
  const Outcome found = call(bfs(), {loop, "--source", "1", "--duplicates", "first"});
  EXPECT_NE(found.err.find("2 self loops, 1 duplicate\n"), std::string::npos) << found.err;
  EXPECT_NE(found.err.find("1 duplicate merged\n"), std::string::npos) << found.err;
}

}  // namespace
}  // namespace vertigo::host::test
