// What `combine any` leaves open, what depends on it, and how a check follows the choice.
#include <gtest/gtest.h>

#include "fixture.h"
#include "programs.h"

namespace vertigo::test {
namespace {

using Names = std::set<std::string>;

TEST(OpenResults, AreTheChosenValuesNotWhetherThereIsOne) {
  const auto open = reference::open_results(kBfsParents);
  EXPECT_EQ(open.outputs, Names{"parent"});
  EXPECT_TRUE(reference::open_results(kSssp).empty());
}

// Each vertex takes an id that an in-neighbour sent, and keeps it, a product of it, or whether it
// is even.
std::string chosen(const std::string& update, const std::string& after = "") {
  return R"(program chosen {
  state kept: int32 = -1;
  state twice: int32 = 0;
  state even: bool = false;
  state heard: bool = false;
  message offer: int32 combine any identity -1;
  phase send: sweep v { update { send out offer = 10 + out_degree<int32>(v); } }
  phase take: sweep v when inbox(offer) != -1 {
    update {)" +
         update + R"( }
  }
  body { run send; run take; )" +
         after + R"( }
  output kept; output twice; output even; output heard;
})";
}

const char* const kAll =
    "v.kept = inbox(offer); v.twice = v.kept * 2; v.even = (v.kept % 2) == 0; v.heard = true;";

TEST(OpenResults, SpreadThroughStatesConditionsAndReports) {
  EXPECT_EQ(reference::open_results(chosen(kAll)).outputs, (Names{"even", "kept", "twice"}));
  const auto by_condition =
      reference::open_results(chosen("if inbox(offer) > 11 { v.heard = true; }"));
  EXPECT_EQ(by_condition.outputs, Names{"heard"});
  const auto by_host = reference::open_results(
      chosen(kAll,
             "let best = max<int32>(v.kept for v in vertices); report best = @best; "
             "report heard = any<bool>(v.heard for v in vertices);"));
  EXPECT_EQ(by_host.reports, Names{"best"});
}

// 0 and 1 offer 12 and 11 to 2; 0 also sends to 3.
graph::Graph offers() { return make_graph(4, {{0, 2, 1}, {0, 3, 1}, {1, 2, 1}}); }

TEST(OpenResults, AreFollowedWhereAStateShowsThem) {
  const std::string text = chosen(kAll);
  auto result = interpret(text, offers());
  EXPECT_EQ(column<int>(result, "kept"), (std::vector<int>{-1, -1, 12, 12}));
  const auto passes = [&] { return check(text, offers(), {}, result).passed; };
  EXPECT_TRUE(passes());
  set_value(result, "kept", 2, 11);
  EXPECT_FALSE(passes()) << "twice and even are of the other choice";
  set_value(result, "twice", 2, 22);
  set_value(result, "even", 2, false);
  EXPECT_TRUE(passes());
  set_value(result, "kept", 2, 13);
  EXPECT_FALSE(passes()) << "nobody sent 13";
}

TEST(OpenResults, AreLeftOutWhereNoStateShowsThem) {
  const std::string text = chosen("v.twice = inbox(offer) * 2; v.heard = true;");
  auto result = interpret(text, offers());
  set_value(result, "twice", 2, 22);
  const auto report = check(text, offers(), {}, result);
  EXPECT_TRUE(report.passed);
  EXPECT_NE(report.checked.back().find("'twice' not compared"), std::string::npos);
  set_value(result, "heard", 0, true);
  EXPECT_FALSE(check(text, offers(), {}, result).passed);
}

}  // namespace
}  // namespace vertigo::test
