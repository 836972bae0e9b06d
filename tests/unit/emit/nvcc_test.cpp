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

struct CompileTime {
  const char* name;
  double most_seconds;  ///< of CPU time; half of that is usual, the rest is for busy machines
  const char* arch = "sm_90";
};

class CompiledByNvcc : public testing::TestWithParam<CompileTime> {};

TEST_P(CompiledByNvcc, WithinSeconds) {
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "nvcc is missing";
  const fs::path folder = fs::path(testing::TempDir()) /
                          (std::string("vertigo-nvcc-") + GetParam().name + GetParam().arch);
  fs::create_directories(folder);
  std::ofstream(folder / "program.cu")
      << driver::format_emitted(emitted(example(GetParam().name)), "program.cu");
  const double before = children_seconds();
  const std::string command = "cd '" + folder.string() + "' && nvcc -I'" + kInclude +
                              "' -O3 -std=c++20 -fmad=false -lineinfo -arch=" + GetParam().arch +
                              " -c program.cu -o program.o";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_LT(children_seconds() - before, GetParam().most_seconds) << "seconds of CPU time";
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Examples, CompiledByNvcc,
                         testing::Values(CompileTime{"sssp", 8}, CompileTime{"bc", 12},
                                         CompileTime{"sssp_parents", 8}, CompileTime{"kcore", 6},
                                         CompileTime{"last_edges", 8},
                                         CompileTime{"sssp_parents_float64", 12},
                                         // 128 bits under locks.
                                         CompileTime{"sssp_parents_float64", 12, "sm_80"}),
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
