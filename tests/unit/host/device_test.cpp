// --device: which GPU runs.
#include <gtest/gtest.h>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

TEST(Device, IsTakenOrRefused) {
  const TemporaryDirectory directory;
  const std::string graph = directory.write("g.el", "1 2\n2 3\n");
  Outcome outcome = call(with_gpu(""), {graph, "--device", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(seen.device, 1u);
  EXPECT_NE(outcome.err.find("gpu, Test GPU 1, 1 GiB"), std::string::npos) << outcome.err;

  outcome = call(with_gpu(""), {graph, "--device", "2"});
  EXPECT_EQ(outcome.code, 4) << "no other one takes its place";
  EXPECT_EQ(outcome.err, "error: there is no GPU 2\n");
  outcome = call(with_gpu("no driver"), {graph, "--device", "0"});
  EXPECT_EQ(outcome.code, 4) << "nor does the CPU";
  EXPECT_EQ(outcome.err, "error: no driver\n");
  EXPECT_EQ(call(everything(), {graph, "--device", "0"}).code, 4) << "no GPU code";

  EXPECT_EQ(call(with_gpu(""), {graph, "--device", "-1"}).code, 2);
  EXPECT_EQ(call(with_gpu(""), {graph, "--device", "one"}).code, 2);
  outcome = call(with_gpu(""), {graph, "--device", "0", "--target", "cpu"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--device and --target cpu exclude each other"), std::string::npos);
}

}  // namespace
}  // namespace vertigo::host::test
