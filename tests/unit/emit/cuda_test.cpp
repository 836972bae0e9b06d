// The CUDA of every example and test program: the same bytes each time, accepted by Clang, and by
// nvcc within seconds. Whether it computes the right thing is for tests/gpu, on a machine with a
// GPU.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/EmittedCode.h"
#include "compiler/driver/Frontend.h"
#include "compiler/emit/cuda/EmitCuda.h"
#include "compiler/passes/Pipeline.h"
#include "compiler/passes/Schedule.h"

namespace vertigo::compiler {
namespace {

namespace fs = std::filesystem;

const std::string kSource = VERTIGO_SOURCE_DIR;
const std::string kInclude = kSource + "/runtime/include";

/// The program's CUDA; "" where no target has code for it (`diagnostics` says why).
std::string emitted(const fs::path& path, const std::string& schedule_text,
                    diag::DiagnosticEngine& diagnostics) {
  const auto file = driver::read_source(path.string(), driver::SourceKind::Program, diagnostics);
  auto program = file ? driver::front_end(*file, diagnostics) : std::nullopt;
  if (!program) return "";
  passes::Schedule schedule;
  schedule.pin("", "schedules", "all");
  if (!schedule_text.empty())
    schedule.add(passes::Schedule::read(diagnostics.add_source("--schedule", schedule_text),
                                        *program, diagnostics));
  passes::PassContext context{diagnostics, schedule};
  passes::PassRunner runner(context, {});
  plan::Plan plan;
  if (!passes::make_plan(std::move(*program), runner, plan)) return "";
  return emit::emit_cuda(plan, {.version = "test",
                                .options = "",
                                .source_name = "program.vg",
                                .output_name = "program.cu",
                                .source_text = diagnostics.source(*file).str()});
}

std::string emitted(const fs::path& path, const std::string& schedule = "") {
  diag::DiagnosticEngine diagnostics;
  return emitted(path, schedule, diagnostics);
}

fs::path example(const std::string& name) {
  for (const char* folder : {"/dsl-examples", "/tests/run/programs"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource + folder))
      if (entry.path().filename() == name + ".vg") return entry.path();
  return {};
}

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

/// Seconds of CPU time that ended children took: what a busy machine does not change.
double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct CompileTime {
  const char* name;
  double most_seconds;  ///< of CPU time; half of that is usual, the rest is for busy machines
};

class CompiledByNvcc : public testing::TestWithParam<CompileTime> {};

TEST_P(CompiledByNvcc, WithinSeconds) {
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "nvcc is missing";
  const fs::path folder =
      fs::path(testing::TempDir()) / (std::string("vertigo-nvcc-") + GetParam().name);
  fs::create_directories(folder);
  std::ofstream(folder / "program.cu")
      << driver::format_emitted(emitted(example(GetParam().name)), "program.cu");
  const double before = children_seconds();
  const std::string command =
      "cd '" + folder.string() + "' && nvcc -I'" + kInclude +
      "' -O3 -std=c++20 -fmad=false -lineinfo -arch=sm_90 -c program.cu -o " + "program.o";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_LT(children_seconds() - before, GetParam().most_seconds) << "seconds of CPU time";
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Examples, CompiledByNvcc,
                         testing::Values(CompileTime{"sssp", 8}, CompileTime{"bc", 12},
                                         CompileTime{"sssp_parents", 8}, CompileTime{"kcore", 6},
                                         CompileTime{"last_edges", 8}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace vertigo::compiler
