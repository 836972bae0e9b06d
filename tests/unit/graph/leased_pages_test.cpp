// Graphs whose arrays are pages of the file they were read from.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support.h"
#include "vertigo/core/descriptor.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"

namespace vertigo::graph {
namespace {

ReadOptions in_place() {
  ReadOptions options;
  options.in_place = true;
  return options;
}

// Whether a line of /proc/self/maps names the file.
bool is_mapped(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with(path)) return true;
  return false;
}

// Of several megabytes, so that it is worth mapping; in a folder whose file system has leases.
class InPlace : public testing::Test {
 protected:
  InPlace() : graph_(generate(parse_generator("kron:15:32"))) {
    write_cached(graph_, path_);
    const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    (void)::fcntl(file.get(), F_SETSIG, SIGURG);
    has_leases_ = ::fcntl(file.get(), F_SETLEASE, F_RDLCK) == 0;
  }
  void SetUp() override {
    if (!has_leases_) GTEST_SKIP() << "the file system of the temporary folder has no leases";
  }

  const Graph graph_;
  const test::Folder folder_;
  const std::string path_ = folder_ / "g";
  bool has_leases_ = false;
};

TEST_F(InPlace, IsTheSameGraphAndUnmappedWithIt) {
  {
    const Graph back = load_graph(path_, in_place()).graph;
    EXPECT_TRUE(is_mapped(path_));
    EXPECT_EQ(fingerprint(back), fingerprint(graph_));
    EXPECT_EQ(back.out.weights, graph_.out.weights);
  }
  EXPECT_FALSE(is_mapped(path_));
  const Graph copied = load_graph(path_).graph;
  EXPECT_FALSE(is_mapped(path_));
  EXPECT_EQ(fingerprint(copied), fingerprint(graph_));
}

TEST_F(InPlace, OutlivesWhoeverWritesOrCutsTheFile) {
  for (const int way : {O_WRONLY, O_WRONLY | O_TRUNC}) {
    ::unlink(path_.c_str());
    write_cached(graph_, path_);
    const Graph back = load_graph(path_, in_place()).graph;
    ASSERT_TRUE(is_mapped(path_));
    const Descriptor writer(::open(path_.c_str(), way | O_CLOEXEC));  // waits until it is copied
    ASSERT_TRUE(writer);
    EXPECT_FALSE(is_mapped(path_));
    const std::vector<char> rubbish(std::size_t{1} << 20, '\x55');
    for (int i = 0; i < 4; ++i)
      ASSERT_EQ(::write(writer.get(), rubbish.data(), rubbish.size()),
                static_cast<ssize_t>(rubbish.size()));
    ASSERT_EQ(::ftruncate(writer.get(), 4096), 0);
    EXPECT_EQ(fingerprint(back), fingerprint(graph_));
  }
}

// Readers see the same values before, during and after.
TEST_F(InPlace, IsCopiedWhileItIsRead) {
  const Graph back = load_graph(path_, in_place()).graph;
  ASSERT_TRUE(is_mapped(path_));
  const std::uint64_t expected = fingerprint(graph_);
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      while (!done) EXPECT_EQ(fingerprint(back), expected);
    });
  EXPECT_EQ(::truncate(path_.c_str(), 0), 0);
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(fingerprint(back), expected);
}

TEST_F(InPlace, IsCopiedWhereSomebodyHasTheFileOpenForWriting) {
  const Descriptor writer(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(writer);
  const Graph back = load_graph(path_, in_place()).graph;
  EXPECT_FALSE(is_mapped(path_));
  ASSERT_EQ(::ftruncate(writer.get(), 0), 0);
  EXPECT_EQ(fingerprint(back), fingerprint(graph_));
}

TEST_F(InPlace, RefusesADamagedSectionAsACopyIsRefused) {
  Descriptor writer(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  const off_t at = ::lseek(writer.get(), 0, SEEK_END) / 2;
  char byte = 0;
  ASSERT_EQ(::pread(writer.get(), &byte, 1, at), 1);
  byte ^= 1;
  ASSERT_EQ(::pwrite(writer.get(), &byte, 1, at), 1);
  const auto said = [&](const ReadOptions& options) -> std::string {
    try {
      load_graph(path_, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string expected = said({});
  EXPECT_NE(expected.find("its checksum differs"), std::string::npos) << expected;
  writer.reset();
  EXPECT_EQ(said(in_place()), expected);
}

}  // namespace
}  // namespace vertigo::graph
