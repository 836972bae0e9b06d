// The CUDA of some programs is compiled by nvcc, where there is one, within seconds.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "compiler/driver/EmittedCode.h"
#include "cuda_text.h"

namespace vertigo::compiler {
namespace {

namespace fs = std::filesystem;

/// Seconds of CPU time that ended children took: what a busy machine does not change.
double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Seconds of CPU time in which nvcc compiles this text for this architecture, without a warning.
double seconds_of_nvcc(const std::string& text, const std::string& arch) {
  const fs::path folder = fs::path(testing::TempDir()) / ("vertigo-nvcc-" + arch);
  fs::create_directories(folder);
  std::ofstream(folder / "program.cu") << text;
  const double before = children_seconds();
  const std::string command = "cd '" + folder.string() + "' && nvcc -I'" + kInclude +
                              "' -O3 -std=c++20 -fmad=false -lineinfo -arch=" + arch +
                              " -c program.cu -o program.o > said 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const double seconds = children_seconds() - before;
  std::ifstream said(folder / "said");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(said), {}), "");
  fs::remove_all(folder);
  return seconds;
}

struct CompileTime {
  const char* name;
  /// As many times as long as the headers alone, which is what a slow or busy machine is known by.
  double most_times;
  const char* arch = "sm_90";
};

class CompiledByNvcc : public testing::TestWithParam<CompileTime> {};

TEST_P(CompiledByNvcc, InLittleTime) {
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "nvcc is missing";
  const auto [name, most_times, arch] = GetParam();
  const std::string headers =
      "#include \"vertigo/device/generated.cuh\"\n#include \"vertigo/device/session.cuh\"\n";
  const double before = seconds_of_nvcc(headers, arch);
  const double taken =
      seconds_of_nvcc(driver::format_emitted(emitted(example(name)), "program.cu"), arch);
  const double after = seconds_of_nvcc(headers, arch);
  RecordProperty("times_the_headers", std::to_string(2 * taken / (before + after)));
  EXPECT_LT(taken, most_times * (before + after) / 2) << "seconds of CPU time";
}

INSTANTIATE_TEST_SUITE_P(Examples, CompiledByNvcc,
                         testing::Values(CompileTime{"sssp", 10}, CompileTime{"bc", 10},
                                         CompileTime{"sssp_parents", 10}, CompileTime{"kcore", 10},
                                         CompileTime{"last_edges", 10},
                                         CompileTime{"sssp_parents_float64", 10},
                                         // 128 bits under locks.
                                         CompileTime{"sssp_parents_float64", 10, "sm_80"}),
                         [](const auto& info) {
                           return std::string(info.param.name) + "_" + info.param.arch;
                         });

// nvcc 13.0 took the list of a class for local memory where blocks share its hubs (vertices.cuh).
TEST(ColourClasses, AreReadFromGlobalMemory) {
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "nvcc is missing";
  const fs::path folder = fs::path(testing::TempDir()) / "vertigo-nvcc-classes";
  fs::create_directories(folder);
  std::ofstream(folder / "program.cu")
      << driver::format_emitted(emitted(example("gs_pagerank")), "program.cu");
  const std::string command = "cd '" + folder.string() + "' && nvcc -I'" + kInclude +
                              "' -std=c++20 -arch=sm_90 -ptx program.cu -o program.ptx";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(folder / "program.ptx");
  const std::string ptx{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(ptx.find("run_class"), std::string::npos);
  EXPECT_EQ(ptx.find("cvta.to.local"), std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace vertigo::compiler
