// The page that emitters follow shows the program that these tests run.
#include <gtest/gtest.h>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

TEST(Contract, PageShowsTheSmallestGeneratedFile) {
  const std::string root = VERTIGO_SOURCE_DIR;
  std::string program = read(root + "/tests/unit/host/bfs_program.cpp");
  program = program.substr(program.find('\n') + 1);  // the comment that points to the page
  const std::string page = read(root + "/docs/generated-code-contract.md");
  ASSERT_FALSE(program.empty());
  EXPECT_NE(page.find("```cpp\n" + program + "```"), std::string::npos)
      << "docs/generated-code-contract.md and tests/unit/host/bfs_program.cpp differ";
}

}  // namespace
}  // namespace vertigo::host::test
