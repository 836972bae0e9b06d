// Runs build/bin/vertigo-graph and looks at exit codes, standard output and standard error.

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support.h"
#include "vertigo/core/kept_text.h"
#include "vertigo/graph/graph_cache.h"

namespace vertigo::graph {
namespace {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

class ToolTest : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) const {
    const std::string command = std::string(VERTIGO_GRAPH_TOOL) + " " + arguments + " >" +
                                folder_ / "out" + " 2>" + folder_ / "err";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), content("out"), content("err")};
  }
  std::string content(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  std::string file(const std::string& name, std::string_view text) const {
    return folder_.write(name, text);
  }
  std::string at(const std::string& name) const { return folder_ / name; }

  test::Folder folder_;
};

void expect_one_line(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST_F(ToolTest, InfoPrintsTextOrJson) {
  const std::string path = file("g", "1 2 5\n2 3 6\n");
  EXPECT_NE(run("info " + path).out.find("format      edge-list"), std::string::npos);
  const auto json = nlohmann::json::parse(run("info --json " + path).out);
  EXPECT_EQ(json["intake"]["vertices"], 3);
  EXPECT_EQ(json["statistics"]["components"], 1);
}

TEST_F(ToolTest, ShowsAndDrawsPaths) {
  const std::string text = run("sketch generate:kron:8:8").out;
  EXPECT_NE(text.find("hubs       "), std::string::npos) << text;
  const auto json = nlohmann::json::parse(run("sketch --json generate:kron:8:8").out);
  EXPECT_EQ(json["hub_share_wanted"], 0.025);
  EXPECT_EQ(json["edges"],
            json["hub_paths"]["edges"].get<int>() + json["cold_paths"]["edges"].get<int>());
  const std::string dot = run("sketch --dot --hub-share 0.34 " + file("g", "7 8\n8 9\n")).out;
  EXPECT_NE(dot.find("digraph {"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\"8\" [style=filled"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\"7\" -> \"8\" [label="), std::string::npos) << dot;
  expect_one_line(run("sketch --hub-share 2 generate:star:5"), 2, "hub-share");
  expect_one_line(run("sketch --dot --json generate:star:5"), 2, "dot");
}

TEST_F(ToolTest, ShowsAndDrawsColourClasses) {
  const auto json = nlohmann::json::parse(run("colour --json generate:star:5").out);
  EXPECT_EQ(json["sizes"], nlohmann::json({1, 4}));
  EXPECT_NE(run("colour generate:star:5").out.find("classes    2"), std::string::npos);
  const std::string dot = run("colour --dot generate:star:3").out;
  EXPECT_NE(dot.find("graph {"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\"0\" -- \"2\""), std::string::npos) << dot;
  EXPECT_EQ(dot.find("\"2\" -- \"0\""), std::string::npos) << dot;
}

TEST_F(ToolTest, KeepsPathsAndColoursWithTheGraph) {
  const Outcome made = run("convert generate:kron:8:8 " + at("g.vgg") +
                           " --prepare paths,colours,few-colours --hub-share 0.1");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("prepared:  paths in "), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("need not make any more: paths between 26 hubs (share 0.1)"),
            std::string::npos)
      << made.err;
  EXPECT_NE(made.err.find("colour classes and a rest"), std::string::npos) << made.err;
  const std::string info = run("info --no-statistics " + at("g.vgg")).out;
  for (const char* name : {"prepared: paths (", "prepared: colours (", "prepared: few-colours ("})
    EXPECT_NE(info.find(name), std::string::npos) << info;
  EXPECT_EQ(run("check " + at("g.vgg")).code, 0);
  // The same bytes once more, and nothing where it is not asked for.
  EXPECT_EQ(run("convert --quiet generate:kron:8:8 " + at("same.vgg") +
                " --prepare paths,colours,few-colours --hub-share 0.1")
                .code,
            0);
  EXPECT_TRUE(content("same.vgg") == content("g.vgg"));
  const std::string again = "convert --quiet " + at("g.vgg") + " ";
  EXPECT_EQ(run(again + at("plain.vgg")).code, 0);
  EXPECT_EQ(run("info --no-statistics " + at("plain.vgg")).out.find("prepared"), std::string::npos);
  expect_one_line(run("convert generate:star:5 " + at("g.vgg") + " --hub-share 0.1"), 2,
                  "of --prepare paths");
  expect_one_line(run("convert generate:star:5 " + at("g.el") + " --prepare paths"), 2, ".vgg");
}

TEST_F(ToolTest, ShowsAndDrawsFewColourClasses) {
  const auto json = nlohmann::json::parse(run("colour --colours auto --json generate:star:5").out);
  EXPECT_EQ(json["sizes"], nlohmann::json({4}));
  EXPECT_EQ(json["rest"], 1);
  EXPECT_NE(run("colour --colours 1 generate:star:5").out.find("rest       1 vertex"),
            std::string::npos);
  const std::string ids = file("ids", "70 80\n70 90\n");
  const std::string dot = run("colour --dot --colours 1 " + ids).out;
  EXPECT_NE(dot.find("\"70\" [shape=box"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\"90\" [style=filled"), std::string::npos) << dot;
  expect_one_line(run("colour --colours 0 generate:star:5"), 2, "'0' is not auto, all, or a whole");
}

TEST_F(ToolTest, ValidatesByRule) {
  const std::string reference = file("reference", "1 7\n3 9223372036854775807\n2 8\n");
  const auto outcome = [&](const std::string& text, const std::string& options) {
    return run("validate " + file("result", text) + " " + reference + " " + options);
  };
  EXPECT_EQ(outcome("# any order\n3 inf\n2 8.0\n1 7\n", "").out,
            at("result") + ": 3 vertices agree exactly\n");
  expect_one_line(outcome("1 7\n2 9\n3 inf\n", ""), 8,
                  "1 of 3 vertices differ: vertex 2 has 9, not 8");
  EXPECT_EQ(outcome("1 a\n2 b\n3 c\n", "--rule equivalence").code, 0);
  EXPECT_EQ(outcome("1 a\n2 b\n3 b\n", "--rule equivalence").code, 8);
  EXPECT_EQ(outcome("1 7.0006\n2 8\n3 Infinity\n", "--rule epsilon").code, 0);
  EXPECT_EQ(outcome("1 7.0008\n2 8\n3 inf\n", "--rule epsilon").code, 8);
  EXPECT_EQ(outcome("1 7.0008\n2 8\n3 inf\n", "--rule epsilon --epsilon 1e-3").code, 0);
  EXPECT_EQ(outcome("1 7\n2 8\n3 4\n", "--rule epsilon").code, 8);
  expect_one_line(outcome("1 7\n2 8\n", ""), 8, "vertex 3 is missing");
  expect_one_line(outcome("1 7\n2 8\n3 inf\n4 1\n", ""), 8, "the reference has no vertex 4");
  expect_one_line(outcome("1 7\n1 8\n", ""), 3, "vertex 1 stands there twice");
  expect_one_line(outcome("1 7 8\n", ""), 3, "result:1: a line is a vertex and one value");
  expect_one_line(outcome("1 7\n", "--rule near"), 2, "'near' is not one of");
}

TEST_F(ToolTest, ConvertsGeneratesAndChecks) {
  EXPECT_EQ(run("generate road 30x20 " + at("r.gr.zst")).code, 0);
  EXPECT_EQ(run("generate kron 8 4 " + at("k.wsg")).code, 0);
  EXPECT_EQ(run("convert " + at("r.gr.zst") + " " + at("r.vgg")).code, 0);
  EXPECT_EQ(
      run("check --symmetric --non-negative --no-duplicates --no-self-loops " + at("r.vgg")).code,
      0);
  EXPECT_EQ(run("check generate:path:5 --symmetric").code, 0);
}

TEST_F(ToolTest, ListsAndClearsTheCache) {
  setenv("VERTIGO_CACHE", at("kept").c_str(), 1);
  const std::string path = file("g", "1 2\n");
  const GraphCache cache(at("kept"), kMostCacheBytes, std::chrono::nanoseconds(0));
  EXPECT_EQ(cache.load(path, {}).report.cache.kind, CacheUse::Kind::Stored);
  const Outcome listed = run("cache list");
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("/g\n1 graph in " + at("kept")), std::string::npos) << listed.out;
  const auto json = nlohmann::json::parse(run("cache list --json").out);
  EXPECT_EQ(json["graphs"].size(), 1);
  EXPECT_EQ(json["graphs"][0]["bytes"], json["bytes"]);
  EXPECT_EQ(KeptTexts(at("kept"), "link").store("key", "text"), "");
  EXPECT_NE(run("cache list").out.find("\n1 graph and the speed of 1 link in "), std::string::npos);
  EXPECT_NE(run("cache clear").out.find("removed 1 graph and the speed of 1 link from "),
            std::string::npos);
  EXPECT_NE(run("cache list").out.find("0 graphs in "), std::string::npos);
  expect_one_line(run("cache clera"), 2, "did you mean 'clear'?");
  setenv("VERTIGO_CACHE_SIZE", "much", 1);
  expect_one_line(run("cache list"), 2, "VERTIGO_CACHE_SIZE");
  unsetenv("VERTIGO_CACHE_SIZE");
  unsetenv("VERTIGO_CACHE");
}

TEST_F(ToolTest, UsageErrorsExitWithTwoAndSuggest) {
  const std::string path = file("g", "1 2\n");
  expect_one_line(run("info --undirectd " + path), 2, "did you mean '--undirected'?");
  expect_one_line(run("inof " + path), 2, "");
  expect_one_line(run(""), 2, "");
  expect_one_line(run("info"), 2, "GRAPH");
  expect_one_line(run("info --self-loops drp " + path), 2, "did you mean 'drop'?");
  expect_one_line(run("info --format dimcas " + path), 2, "did you mean 'dimacs'?");
  expect_one_line(run("info --max-vertices many " + path), 2, "");
  expect_one_line(run("convert " + path + " " + at("x.unknown")), 2, "names no format");
  expect_one_line(run("generate kron 99 4 " + at("x.el")), 2, "scale");
  expect_one_line(run("generate krom 9 4 " + at("x.el")), 2, "krom");
}

TEST_F(ToolTest, RefusedGraphsExitWithThree) {
  expect_one_line(run("info " + file("g", "1 2\n1 x\n")), 3,
                  "g:2: expected a whole number, found 'x'");
  expect_one_line(run("info " + at("missing")), 3, "cannot open");
  expect_one_line(run("check --symmetric " + file("h", "1 2\n")), 3,
                  "h:1: the edge 1 -> 2 has no reverse edge");
  expect_one_line(run("info '" + file("line\nend", "") + "'"), 3, "the file is empty");
}

TEST_F(ToolTest, OutputErrorsExitWithSevenAndWriteNothing) {
  const std::string path = file("g", "1 2\n");
  expect_one_line(run("convert --quiet " + path + " " + at("missing/x.el")), 7, "cannot create");
  std::filesystem::create_symlink(file("old.el", "7 8\n"), at("link.el"));
  expect_one_line(run("convert --quiet " + path + " " + at("link.el")), 7, "symbolic link");
  EXPECT_EQ(run("convert --quiet --force " + path + " " + at("link.el")).code, 0);
  EXPECT_NE(content("old.el").find("1 2"), std::string::npos);
  EXPECT_EQ(WEXITSTATUS(std::system(
                (std::string(VERTIGO_GRAPH_TOOL) + " info generate:path:3 >/dev/full 2>/dev/null")
                    .c_str())),
            7);
}

TEST_F(ToolTest, HelpAndVersionExitWithZero) {
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("info --help").code, 0);
  EXPECT_EQ(run("--version").out.substr(0, 14), "vertigo-graph ");
}

}  // namespace
}  // namespace vertigo::graph
