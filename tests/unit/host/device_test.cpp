// --device: which GPU runs; --read: what else it does.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

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

TEST(Device, ThatIsNotThereIsToldBeforeWhatIsWrongWithFiles) {
  const TemporaryDirectory directory;
  const std::string none = directory.path("none.el");
  const std::string broken = directory.write("broken.el", "1 2\n2 x\n");
  for (const std::string& graph : {none, broken}) {
    for (const Targets& targets : {with_gpu("no driver"), gpu_alone("no driver")}) {
      const Outcome outcome =
          call(targets, {graph, "--target", "gpu", "-o", directory.path("no/such/folder")});
      EXPECT_EQ(outcome.code, 4);
      EXPECT_EQ(outcome.err, "error: no driver\n");
    }
    EXPECT_EQ(call(with_gpu("no driver"), {graph}).code, 3) << "the CPU runs";
    EXPECT_EQ(call(with_gpu(""), {graph, "--target", "gpu"}).code, 3);
  }
  EXPECT_EQ(call(with_gpu("no driver"), {none, "--diameter", "large"}).code, 2);
}

TEST(Device, IsStartedWhileTheGraphIsRead) {
  const TemporaryDirectory directory;
  const std::string graph = directory.write("g.el", "1 2\n2 3\n");
  started_devices.clear();
  Outcome outcome = call(with_gpu(""), {graph, "--device", "1", "--json"});
  EXPECT_EQ(outcome.code, 0) << "the run tells what fails, not the start: " << outcome.err;
  EXPECT_EQ(started_devices, std::vector<unsigned>{1});
  EXPECT_TRUE(started_elsewhere);
  EXPECT_NE(outcome.out.find("\"name\":\"start device\""), std::string::npos) << outcome.out;

  outcome = call(with_gpu(""), {directory.path("none.el")});
  EXPECT_EQ(outcome.code, 3) << "what is wrong with the graph is told";
  started_devices.clear();
  EXPECT_EQ(call(with_gpu(""), {graph, "--target", "cpu"}).code, 0);
  EXPECT_EQ(call(with_gpu("no driver"), {graph}).code, 0);
  EXPECT_TRUE(started_devices.empty());
}

TEST(Device, AloneHasMemoryThatIsLimited) {
  const TemporaryDirectory directory;
  const std::string graph = directory.write("g.el", "1 2\n2 3\n");
  EXPECT_EQ(call(with_gpu(""), {graph, "--device-memory", "1GiB"}).code, 0);
  runs = 0;
  const std::vector<Outcome> refused{
      call(with_gpu(""), {graph, "--device-memory", "1GiB", "--target", "cpu"}),
      call(with_gpu("no driver"), {graph, "--device-memory", "1GiB"}),
      call(everything(), {graph, "--device-memory=1", "--dry-run"})};
  for (const Outcome& outcome : refused) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(
        outcome.err.starts_with("error: --device-memory: the CPU computes in memory of the "
                                "host, which this option does not limit\n"))
        << outcome.err;
  }
  EXPECT_EQ(runs, 0);
}

TEST(Device, IsAskedToParseWhereTheUserWantsThat) {
  const TemporaryDirectory directory;
  const std::string graph = directory.write("g.el", "1 2\n2 3\n");
  const auto said = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{graph};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = call(with_gpu(""), arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::size_t begin = outcome.err.find("read by");
    return begin == std::string::npos
               ? ""
               : outcome.err.substr(begin, outcome.err.find('\n', begin) - begin);
  };
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({"--read", "host"}), "");
  EXPECT_EQ(said({"--format", "adjacency"}), "");
  EXPECT_EQ(said({"--read", "device"}), "read by     the host: this device doubts everything");
  EXPECT_EQ(said({"--read", "auto"}), "");
  EXPECT_EQ(said({"--read", "auto", "--device-memory", "1GiB"}), "");
  EXPECT_EQ(said({"--read", "device", "--format", "adjacency"}),
            "read by     the host: devices do not read the format adjacency");
  Outcome outcome = call(with_gpu("no driver"), {graph, "--read", "device"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.err.starts_with("error: --read device: on the CPU the host reads\n"))
      << outcome.err;
  EXPECT_EQ(call(with_gpu("no driver"), {graph, "--read", "auto"}).code, 0);
  outcome = call(with_gpu(""), {graph, "--read", "devise"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--read: 'devise' is not host, device or auto"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(call(with_gpu(""), {graph, "--interpret", "--read", "device"}).code, 2);
}

/// As GAP has it: that it is undirected, its edges, its vertices, and where each list begins.
std::string without_edges(const TemporaryDirectory& directory, std::int64_t vertices) {
  std::string bytes(1 + 2 * sizeof vertices, '\0');
  std::memcpy(bytes.data() + 1 + sizeof vertices, &vertices, sizeof vertices);
  const std::string path = directory.write("g.sg", bytes);
  std::filesystem::resize_file(path, bytes.size() + (vertices + 1) * sizeof vertices);
  return path;
}

TEST(Device, IsAskedForLargeFilesWhereNobodySaysOtherwise) {
  const TemporaryDirectory directory;
  const auto is_asked = [&](std::int64_t vertices, const std::vector<std::string>& options) {
    std::vector<std::string> arguments{without_edges(directory, vertices)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = call(with_gpu(""), arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err.find("read by     the host: this device doubts everything") !=
           std::string::npos;
  };
  directory.write("pair.v", "1\n2\n");
  const std::string pair = directory.write("pair.e", "1 2\n");
  const Outcome two_files = call(
      with_gpu(""), {pair.substr(0, pair.size() - 2), "--format", "graphalytics", "--directed"});
  EXPECT_EQ(two_files.code, 0) << two_files.err;
  constexpr std::int64_t kLarge = (64 << 20) / 8;
  EXPECT_FALSE(is_asked(kLarge - 4, {}));
  EXPECT_TRUE(is_asked(kLarge, {}));
  EXPECT_FALSE(is_asked(kLarge, {"--read", "host"}));
  EXPECT_FALSE(is_asked(kLarge, {"--target", "cpu"}));
}

}  // namespace
}  // namespace vertigo::host::test
