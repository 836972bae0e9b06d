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

}  // namespace
}  // namespace vertigo::host::test
