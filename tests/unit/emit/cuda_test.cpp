// The CUDA of every example and test program: the same bytes each time, accepted by Clang. Whether
// it computes the right thing is for tests/gpu, on a machine with a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "compiler/driver/EmittedCode.h"
#include "compiler/passes/Schedule.h"
#include "cuda_text.h"

namespace vertigo::compiler {
namespace {

namespace fs = std::filesystem;

class EmittedCuda : public testing::TestWithParam<fs::path> {};

TEST_P(EmittedCuda, IsTheSameTwiceAndAcceptedByClang) {
  diag::DiagnosticEngine diagnostics;
  const std::string text = emitted(GetParam(), "", diagnostics);
  if (text.empty()) {
    ASSERT_TRUE(diagnostics.has_errors());
    GTEST_SKIP() << "for the interpreter alone";
  }
  EXPECT_EQ(text, emitted(GetParam()));
  const std::string formatted = driver::format_emitted(text, "program.cu");
  EXPECT_EQ(driver::check_cuda(formatted, kInclude), "");
  EXPECT_EQ(driver::format_emitted(formatted, "program.cu"), formatted);
}

std::vector<fs::path> programs() {
  std::vector<fs::path> found;
  for (const char* folder : {"/dsl-examples", "/tests/unit/emit/programs"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource + folder))
      if (entry.path().extension() == ".vg") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

INSTANTIATE_TEST_SUITE_P(Programs, EmittedCuda, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.stem().string(); });

class EmittedCudaBalance : public testing::TestWithParam<std::string> {};

std::vector<std::string> balances() {
  for (const passes::ScheduleKey& key : passes::schedule_keys())
    if (std::string(key.key) == "balance") return key.values;
  return {};
}

// A program of minima, and one that gathers sums.
TEST_P(EmittedCudaBalance, IsAcceptedByClang) {
  const std::string& balance = GetParam();
  // Rows are for updates that read all neighbours.
  const bool rows = balance == "rows";
  std::vector<std::string> names = {"sssp", "pagerank"};
  if (rows) names = {"pagerank_graphalytics"};
  for (const std::string& program : names) {
    SCOPED_TRACE(program);
    const std::string text = emitted(example(program), "balance=" + balance);
    ASSERT_NE(text, "");
    EXPECT_EQ(driver::check_cuda(text, kInclude), "");
    const bool by_thread = balance == "thread" || balance == "sorted";
    EXPECT_EQ(text.find("expand_") == std::string::npos, by_thread || rows);
    EXPECT_EQ(text.find("gather_rows(") != std::string::npos, rows);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, EmittedCudaBalance, testing::ValuesIn(balances()),
                         [](const auto& info) { return info.param; });

TEST(CheckCuda, ReportsWhatNvccWouldRefuse) {
  const std::string text = emitted(example("sssp"));
  const auto planted = [&](const std::string& from, const std::string& to) {
    std::string faulty = text;
    const std::size_t at = faulty.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    faulty.replace(at, from.size(), to);
    return driver::check_cuda(faulty, kInclude);
  };
  EXPECT_NE(planted("combine_min(", "combine_least(").find("combine_least"), std::string::npos);
  EXPECT_NE(planted("const Graph graph", "const Graf graph").find("Graf"), std::string::npos);
  EXPECT_NE(planted("session.execute(program)", "session.execute(program, 1)"), "");
  EXPECT_NE(planted("<<<", "<<"), "");
}

TEST(FormatEmitted, LineDirectivesNameTheLineThatFollows) {
  std::istringstream lines(driver::format_emitted(emitted(example("bc")), "program.cu"));
  unsigned number = 0;
  unsigned seen = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.starts_with("#line ") || !line.ends_with("\"program.cu\"")) continue;
    ++seen;
    EXPECT_EQ(line, "#line " + std::to_string(number + 1) + " \"program.cu\"");
  }
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace vertigo::compiler
