#include "vertigo/trace/recorder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using nlohmann::json;
using vertigo::trace::Recorder;

Recorder two_steps() {
  Recorder recorder;
  recorder.add({.phase = "main",
                .variant = "sync-push-data",
                .reason = "few are active",
                .step = 0,
                .active_vertices = 1,
                .edges = 3,
                .start = 0.5,
                .duration = 0.25});
  recorder.add({.phase = "main",
                .variant = "sync-pull-topology",
                .reason = "a \"quoted\" </script> reason",
                .step = 1,
                .active_vertices = 3,
                .edges = 12,
                .out_edges = 9,
                .in_edges = 20,
                .start = 0.75,
                .duration = 0.125,
                .predicted = 0.25,
                .moved = {{"filter", 2, 4096, 96}, {"zero-copy", 1, 256, 64}}});
  return recorder;
}

TEST(Recorder, WritesOneJsonObjectPerLine) {
  std::istringstream lines(two_steps().to_json_lines());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(json::parse(line), json({{"phase", "main"},
                                     {"variant", "sync-push-data"},
                                     {"reason", "few are active"},
                                     {"step", 0},
                                     {"active_vertices", 1},
                                     {"edges", 3},
                                     {"start", 0.5},
                                     {"duration", 0.25}}));
  ASSERT_TRUE(std::getline(lines, line));
  const json second = json::parse(line);
  EXPECT_EQ(second["reason"], "a \"quoted\" </script> reason");
  EXPECT_EQ(second["out_edges"], 9);
  EXPECT_EQ(second["in_edges"], 20);
  EXPECT_EQ(second["predicted"], 0.25);
  EXPECT_EQ(second["moved"],
            json({{"filter", {{"partitions", 2}, {"bytes", 4096}, {"read", 96}}},
                  {"zero-copy", {{"partitions", 1}, {"bytes", 256}, {"read", 64}}}}));
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Recorder, WritesNothingForNoSteps) { EXPECT_EQ(Recorder().to_json_lines(), ""); }

TEST(Recorder, ChromeTraceHasCompleteEventsInMicroseconds) {
  const json trace = json::parse(two_steps().to_chrome_trace());
  std::vector<json> complete;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X") complete.push_back(event);
  ASSERT_EQ(complete.size(), 2u);
  EXPECT_EQ(complete[0]["name"], "sync-push-data");
  EXPECT_EQ(complete[0]["ts"], 500000.0);
  EXPECT_EQ(complete[0]["dur"], 250000.0);
  EXPECT_EQ(complete[1]["args"]["active_vertices"], 3);
  EXPECT_EQ(complete[1]["args"]["predicted"], 0.25);
  EXPECT_FALSE(complete[0]["args"].contains("predicted"));
}

TEST(Recorder, ChromeTraceShowsStagesBesideTheSteps) {
  Recorder recorder = two_steps();
  recorder.set_stages({{"load", 0, 2}, {"start device", 1, 3}, {"run", 3, 4}});
  const json trace = json::parse(recorder.to_chrome_trace());
  std::vector<json> stages;
  std::vector<json> steps;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X") (event["cat"] == "stage" ? stages : steps).push_back(event);
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[1]["name"], "start device");
  EXPECT_EQ(stages[1]["ts"], 1e6);
  EXPECT_EQ(stages[1]["dur"], 2e6);
  EXPECT_NE(stages[0]["tid"], stages[1]["tid"]) << "they overlap";
  EXPECT_EQ(steps.at(0)["ts"], 3.5e6) << "steps stand where the run was";
}

TEST(Stages, ThatFollowEachOtherByOneNameBecomeOne) {
  using vertigo::trace::Stage;
  const auto merged = vertigo::trace::in_order(
      {{"run", 2, 3}, {"load", 0, 2}, {"run", 3, 4}, {"fetch", 4, 5}, {"run", 5, 6}});
  ASSERT_EQ(merged.size(), 4u);
  EXPECT_EQ(merged[1].name, "run");
  EXPECT_EQ(merged[1].begin, 2);
  EXPECT_EQ(merged[1].end, 4);
  EXPECT_EQ(merged[3].name, "run");
}

TEST(Recorder, ChromeTraceOfNoStepsIsStillJson) {
  EXPECT_TRUE(json::accept(Recorder().to_chrome_trace()));
}

std::string data_block(const std::string& page) {
  const std::string open = "<script id=\"data\" type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(Recorder, ReportPageHoldsItsDataAndLoadsNothing) {
  const std::string page = two_steps().to_html("bfs on road.gr");
  const json data = json::parse(data_block(page));
  EXPECT_EQ(data["variants"], json({"sync-push-data", "sync-pull-topology"}));
  EXPECT_EQ(data["rows"][1], json({0,
                                   1,
                                   1,
                                   1,
                                   3,
                                   12,
                                   0.75,
                                   0.125,
                                   0.25,
                                   9,
                                   20,
                                   {{"filter", 2, 4096, 96}, {"zero-copy", 1, 256, 64}}}));
  EXPECT_EQ(data["rows"][0].size(), 11u) << "nothing was moved";
  EXPECT_NE(page.find("<title>bfs on road.gr</title>"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("href="), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
}

TEST(Recorder, ReportPageIsSafeFromHostileNames) {
  const std::string page = two_steps().to_html("<script>alert(1)</script> @DATA@ @TITLE@ \"x\" &");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt; @DATA@ @TITLE@ &quot;x&quot; &amp;"),
            std::string::npos);
  EXPECT_TRUE(json::accept(data_block(page)));
}

}  // namespace
