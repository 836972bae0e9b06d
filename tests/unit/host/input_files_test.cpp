// Files beside the result: graphs, lists of vertices, values of vertices.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

class InputFiles : public testing::Test {
 protected:
  InputFiles() : graph(directory.write("graph", "1 2 5\n2 9 7\n")) {}

  TemporaryDirectory directory;
  std::string graph;
};

// A pipe that nobody writes to would wait for ever, and a device never ends.
TEST_F(InputFiles, AreRegularFiles) {
  const std::string pipe = directory.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    const std::vector<std::vector<std::string>> calls = {
        {path, "--quiet"},
        {graph, "--quiet", "--sources", "@" + path},
        {graph, "--quiet", "--seed", path}};
    for (const auto& words : calls) {
      const Outcome outcome = call(everything(), words);
      EXPECT_EQ(outcome.code, 3);
      EXPECT_EQ(outcome.err, "error: " + path + ": is not a regular file\n");
    }
  }
}

TEST_F(InputFiles, MayBeginWithAByteOrderMark) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string list = directory.write("list", mark + "9 2\n");
  const std::string seed = directory.write("seed", mark + "9 2\n");
  const Outcome outcome =
      call(everything(), {graph, "--quiet", "--sources", "@" + list, "--seed", seed});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(InputFiles, OptionsThatRefusalsOfAGraphRecommendExist) {
  const std::string header = directory.write("h.gr", "p sp 5000000 1\na 1 2 3\n");
  Outcome outcome = call(bfs(), {header, "--source", "1", "-q"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("--max-vertices 5000000"), std::string::npos) << outcome.err;
  outcome = call(bfs(), {header, "--source", "1", "-q", "--max-vertices", "5000000"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;

  const std::string comment = directory.write("c.el", "# Nodes: 2 Edges: 2\n1 2\n2 3\n");
  outcome = call(bfs(), {comment, "--source", "1", "-q"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("--vertices seen"), std::string::npos) << outcome.err;
  outcome = call(bfs(), {comment, "--source", "1", "-q", "--vertices", "seen"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(InputFiles, VerticesOfAnEdgeListMayBeARange) {
  const std::string gaps = directory.write("gaps.el", "1 2\n2 4\n");
  const Outcome outcome = call(bfs(), {gaps, "--source", "1", "--vertices", "range", "-qo", "-"});
  EXPECT_EQ(outcome.out, "0 inf\n1 0\n2 1\n3 inf\n4 2\n") << outcome.err;
  EXPECT_EQ(call(bfs(), {gaps, "--source", "1", "--vertices", "all"}).code, 2);
  EXPECT_EQ(call(bfs(), {gaps, "--source", "1", "--max-vertices", "0"}).code, 2);
}

TEST_F(InputFiles, FormatsThatSayWhichVerticesThereAreAreNotOverruled) {
  const std::string header = directory.write("h.gr", "p sp 5 1\na 1 2 3\n");
  const std::string words = directory.write("words.el", "a b\nb c\n");
  const auto refused = [&](const std::string& graph, const char* rule) {
    const Outcome outcome = call(bfs(), {graph, "--source", "1", "--vertices", rule, "-q"});
    EXPECT_EQ(outcome.code, 2) << graph;
    return outcome.err;
  };
  for (const char* rule : {"seen", "range"})
    EXPECT_NE(refused(header, rule).find("the format dimacs says which vertices there are"),
              std::string::npos);
  EXPECT_NE(refused("generate:path:4", "seen").find("says which vertices"), std::string::npos);
  EXPECT_NE(refused(words, "range").find("the ids of this file are text"), std::string::npos);
}

TEST_F(InputFiles, IgnoredWeightsLeaveTheDefaultOfTheProgram) {
  const Outcome plain = call(everything(), {directory.write("p.el", "1 2\n2 3\n"), "-qo", "-"});
  const Outcome ignored = call(
      everything(), {directory.write("w.el", "1 2 5\n2 3 7\n"), "-qo", "-", "--ignore-weights"});
  EXPECT_EQ(ignored.code, 0) << ignored.err;
  EXPECT_EQ(ignored.out, plain.out);
}

}  // namespace
}  // namespace vertigo::host::test
