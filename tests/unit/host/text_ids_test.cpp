// Ids that are text, from the command line to results, messages and the summary.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

using nlohmann::json;

// In order: New York, Ulm, none, x"y.
constexpr const char* kCities =
    "source,target,weight\nUlm,New York,5\nNew "
    "York,\"x\"\"y\",7\nUlm,\"x\"\"y\",100\nnone,none,1\n";

class TextIds : public testing::Test {
 protected:
  TextIds() {
    check_answer = {};
    check_answer.checked = {"4 vertices"};
    checks = runs = 0;
    seen = {};
  }
  Outcome run(const Targets& targets, std::vector<std::string> words) const {
    words.insert(words.begin(), {graph, "--format", "csv"});
    return call(targets, words);
  }
  TemporaryDirectory directory;
  std::string graph = directory.write("cities.csv", kCities);
};

TEST_F(TextIds, StandInTextInQuotesWhereALineWouldCutThem) {
  const Outcome outcome = run(bfs(), {"--source", "Ulm", "-o", "-", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "\"New York\" 1\nUlm 0\n\"none\" inf\n\"x\"\"y\" 1\n");
}

TEST_F(TextIds, StandInCsvAndJson) {
  EXPECT_EQ(run(bfs(), {"--source", "New York", "-o", directory.path("r.csv")}).code, 0);
  EXPECT_EQ(read(directory.path("r.csv")),
            "vertex,depth\n\"New York\",0\nUlm,inf\n\"none\",inf\n\"x\"\"y\",1\n");
  EXPECT_EQ(run(everything(), {"--sources", "Ulm", "-o", directory.path("r.json")}).code, 0);
  const json result = json::parse(read(directory.path("r.json")));
  EXPECT_EQ(result["vertex"], json({"New York", "Ulm", "none", "x\"y"}));
  EXPECT_EQ(result["pair.1"], json({"Ulm", nullptr, "none", "New York"}));
}

TEST_F(TextIds, AreParametersListsAndInputs) {
  const std::string list = directory.write("list", "# roots\n\"New York\" Ulm\n\"none\"\n");
  EXPECT_EQ(run(everything(), {"--root", "Ulm", "--sources", "@" + list}).code, 0);
  EXPECT_EQ(seen.arguments.get<Vertex>("root"), 1u);
  EXPECT_EQ(seen.arguments.list("sources").size(), 3u);
  EXPECT_EQ(run(everything(), {"--root", "none", "--sources", "Ulm, New York ,\"x\"\"y\""}).code,
            0);
  EXPECT_EQ(seen.arguments.get<Vertex>("root"), kNoVertex);
  EXPECT_EQ(seen.arguments.list("sources").size(), 3u);
  EXPECT_EQ(run(everything(), {"--root", "\"none\"", "--sources", "Ulm"}).code, 0);
  EXPECT_EQ(seen.arguments.get<Vertex>("root"), 2u);
  const std::string seeds = directory.write("seeds", "\"New York\" 0.5\nUlm,1e3\n");
  EXPECT_EQ(run(everything(), {"--sources", "Ulm", "--seed", seeds}).code, 0);
  const auto values = seen.arguments.input("seed")->as<double>();
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()),
            (std::vector<double>{0.5, 1000, 0, 0}));
}

TEST_F(TextIds, InputsMayHoldLineEnds) {
  const std::string odd =
      directory.write("odd.csv", "source,target\n\"two\nlines\",b\n\"two\nlines\",c\n");
  const std::string seeds = directory.write("seeds", "b 1\n\"two\nlines\" 2\n\nd 3\n");
  const Outcome outcome =
      call(everything(), {odd, "--format", "csv", "--sources", "b", "--seed", seeds, "-q"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "error: " + seeds +
                             ":5: --seed: the graph has no vertex 'd'; its ids run from b to "
                             "\"two\\nlines\", next to it c and \"two\\nlines\"\n");
  const std::string open = directory.write("open", "b 1\n\"c 2\nb 3\n");
  EXPECT_EQ(
      call(everything(), {odd, "--format", "csv", "--sources", "b", "--seed", open, "-q"}).err,
      "error: " + open + ":2: quotes are opened and not closed\n");
}

TEST_F(TextIds, ThatAreNotThereAreRefusedWithTheirNeighbours) {
  Outcome outcome = run(bfs(), {"--source", "Rome", "-q"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err,
            "error: --source: the graph has no vertex 'Rome'; its ids run from \"New York\" to "
            "\"x\"\"y\", next to it \"New York\" and Ulm\n");
  outcome = run(bfs(), {"--source", "1", "-q"});
  EXPECT_EQ(outcome.code, 3);
  outcome = call(bfs(), {directory.write("n.el", "1 2\n"), "--source", "Ulm", "-q"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(
      outcome.err.starts_with("error: --source: 'Ulm' is no vertex id (a whole number from 0)\n"))
      << outcome.err;
  outcome = run(bfs(), {"--source", "\"Ulm", "-q"});
  EXPECT_EQ(outcome.code, 2);
  outcome = run(everything(), {"--sources", "\"a\"b", "-q"});
  EXPECT_EQ(outcome.code, 2);
}

TEST_F(TextIds, AreInTheSummary) {
  const Outcome outcome = run(everything(), {"--sources", "Ulm", "--json", "--quiet"});
  EXPECT_EQ(outcome.code, 0);
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["graph"]["ids"], "text");
  EXPECT_EQ(summary["graph"]["smallest_id"], "New York");
  EXPECT_EQ(summary["graph"]["columns_used"], json({"source", "target", "weight"}));
}

}  // namespace
}  // namespace vertigo::host::test
