// --cache and VERTIGO_CACHE, from the command line to what is said.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

using nlohmann::json;

class Cache : public testing::Test {
 protected:
  Cache() { setenv("XDG_CACHE_HOME", directory.path("home").c_str(), 1); }
  ~Cache() override {
    for (const char* name : {"VERTIGO_CACHE", "VERTIGO_CACHE_SIZE", "XDG_CACHE_HOME"})
      unsetenv(name);
  }
  // Each run has the same answer, whatever the cache does.
  Outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), {graph, "--source", "1", "-o", directory.path("out.txt")});
    const Outcome outcome = call(bfs(), words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string answer = read(directory.path("out.txt"));
    if (first_answer.empty()) first_answer = answer;
    EXPECT_EQ(answer, first_answer);
    return outcome;
  }
  static bool says(const Outcome& outcome, const std::string& words) {
    return outcome.err.find(words) != std::string::npos;
  }

  TemporaryDirectory directory;
  std::string first_answer;
  // A file that has not just been written.
  std::string graph = VERTIGO_SOURCE_DIR "/tests/graphs/karate.mtx";
};

TEST_F(Cache, IsAskedForByOptionOrByTheEnvironment) {
  EXPECT_FALSE(says(run({}), "\ncache "));
  EXPECT_TRUE(says(run({"--cache"}), "\ncache       stored as " + directory.path("home/vertigo/")));
  EXPECT_TRUE(says(run({"--cache"}), "\ncache       read from " + directory.path("home/vertigo/")));
  EXPECT_FALSE(says(run({}), "\ncache "));
  setenv("VERTIGO_CACHE", directory.path("mine").c_str(), 1);
  EXPECT_TRUE(says(run({}), "\ncache       stored as " + directory.path("mine/")));
  EXPECT_TRUE(says(run({}), "\ncache       read from " + directory.path("mine/")));
  EXPECT_FALSE(says(run({"--no-cache"}), "\ncache "));
  const json said = json::parse(run({"--json", "--quiet"}).out);
  EXPECT_EQ(said["graph"]["cache"]["state"], "read");
  EXPECT_EQ(said["graph"]["format"], "matrix-market");
  EXPECT_EQ(said["graph"]["path"], graph);
}

TEST_F(Cache, CannotMakeARunFail) {
  setenv("VERTIGO_CACHE", (graph + "/below").c_str(), 1);
  EXPECT_TRUE(says(run({}), "\ncache       not stored: "));
  setenv("VERTIGO_CACHE", directory.path("small").c_str(), 1);
  setenv("VERTIGO_CACHE_SIZE", "1K", 1);
  EXPECT_TRUE(says(run({}), "VERTIGO_CACHE_SIZE"));
}

TEST_F(Cache, ViolationsAreStillNamedByTheirLine) {
  ProgramInfo info = bfs().info();
  info.requirements = {{RequirementInfo::Kind::Symmetric, "asked for by the program"}};
  Target target = *bfs().cpu;
  target.info = &info;
  const std::string one_way = directory.write("one_way.el", "1 2\n2 1\n2 3\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));  // until it may be kept
  for (int times = 0; times < 2; ++times) {
    const Outcome outcome =
        call({&target, nullptr}, {one_way, "--source", "1", "--cache", "--quiet"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(says(outcome, one_way + ":3: ")) << outcome.err;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path("home/vertigo")),
                            std::filesystem::directory_iterator()),
              1);
  }
}

TEST_F(Cache, MistakesInItsOptionsAreOfUsage) {
  EXPECT_EQ(call(bfs(), {graph, "--source", "1", "--cache", "--no-cache"}).code, 2);
  setenv("VERTIGO_CACHE_SIZE", "much", 1);
  const Outcome outcome = call(bfs(), {graph, "--source", "1", "--cache"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome, "VERTIGO_CACHE_SIZE: 'much' is no size")) << outcome.err;
  EXPECT_EQ(call(bfs(), {graph, "--source", "1"}).code, 0);
}

}  // namespace
}  // namespace vertigo::host::test
