// The controllers choose by numbers alone, so a few numbers tell whether they choose as SEP-Graph
// (section 4.3) says.

#include "vertigo/execute/controller.h"

#include <gtest/gtest.h>

namespace vertigo::execute {
namespace {

constexpr Path kPush{.variant = 4, .pull = false, .data_driven = true};
constexpr Path kPushAll{.variant = 5, .pull = false, .data_driven = false};
constexpr Path kPull{.variant = 3, .pull = true, .data_driven = false};

Controller controller(Control control, std::initializer_list<Path> paths, std::uint64_t vertices,
                      std::uint64_t edges) {
  Controller made{};
  for (const Path& path : paths) made.paths[made.path_count++] = path;
  made.begin(control, vertices, edges);
  return made;
}

TEST(TraversalController, PushesThenPullsThenPushes) {
  Controller c = controller(Control::Traversal, {kPush, kPull}, 10000, 200000);
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_FALSE(c.needs_out_edges(9));
  c.next({.active = 1, .out_edges = 20}, {.vertices = 9, .out_edges = 0});
  EXPECT_EQ(c.path().variant, kPush.variant);
  // Few vertices, but hubs: their edges decide.
  EXPECT_TRUE(c.needs_out_edges(100));
  c.next({.active = 9, .out_edges = 980}, {.vertices = 100, .out_edges = 30000});
  EXPECT_EQ(c.path().variant, kPush.variant);
  c.next({.active = 100, .out_edges = 30000}, {.vertices = 400, .out_edges = 70000});
  EXPECT_EQ(c.path().variant, kPull.variant);
  EXPECT_EQ(c.why, Why::FrontierHeavy);
  c.next({.active = 400}, {.vertices = 6000});
  EXPECT_EQ(c.path().variant, kPull.variant);
  EXPECT_EQ(c.why, Why::StillPull);
  c.next({.active = 6000}, {.vertices = 50});
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::FrontierLight);
  // All is touched, and little left.
  c.next({.active = 50, .out_edges = 150000}, {.vertices = 40, .out_edges = 2000});
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::StillPush);
}

TEST(TraversalController, NeverPullsOverASparseGraph) {
  Controller c = controller(Control::Traversal, {kPush, kPull}, 1000, 2400);
  EXPECT_EQ(c.why, Why::Sparse);
  EXPECT_FALSE(c.needs_out_edges(900));
  c.next({.active = 500, .out_edges = 1200}, {.vertices = 900, .out_edges = 2200});
  EXPECT_EQ(c.path().variant, kPush.variant);
}

TEST(IterativeController, TriesThePathsThenTakesTheFastest) {
  Controller c = controller(Control::Iterative, {kPull, kPushAll, kPush}, 1 << 20, 1 << 24);
  constexpr std::uint64_t kAll = 1 << 20;
  constexpr std::uint64_t kEdges = 1 << 24;
  EXPECT_EQ(c.path().variant, kPull.variant);
  c.next({.active = kAll, .out_edges = kEdges, .nanoseconds = 1e6F}, {});
  EXPECT_EQ(c.path().variant, kPushAll.variant);
  EXPECT_EQ(c.why, Why::Trial);
  c.next({.active = kAll, .out_edges = kEdges, .nanoseconds = 2e6F}, {});
  EXPECT_EQ(c.path().variant, kPush.variant);
  c.next({.active = kAll, .out_edges = kEdges, .nanoseconds = 3e6F}, {});
  EXPECT_EQ(c.path().variant, kPull.variant);
  EXPECT_EQ(c.why, Why::Predicted);
  EXPECT_NEAR(c.predicted, 1e6F, 1e4F);
  // A pull still gathers over all edges when few vertices are active; a list does not.
  c.next({.active = 100, .out_edges = 1600, .nanoseconds = 1e6F}, {});
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_LT(c.predicted, 1e5F);
}

TEST(IterativeController, RemembersWhenThePhaseBeginsAgain) {
  Controller c = controller(Control::Iterative, {kPull, kPushAll, kPush}, 1 << 20, 1 << 24);
  // The first run of the phase is over after two steps: a path is left to be tried.
  const StepDone first{.active = 100, .out_edges = 1600, .nanoseconds = 1e6F};
  c.next(first, {});
  c.next({.active = 1, .out_edges = 16, .nanoseconds = 1e5F}, {});
  c.begin_again();
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::Trial);
  c.next({.active = 100, .out_edges = 40000, .nanoseconds = 1e4F}, {});
  // All were tried, and a first step has few active vertices: no pull over all edges again.
  c.begin_again();
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::Predicted);
  EXPECT_NEAR(c.predicted, 1e4F, 1e2F);
}

TEST(IterativeController, TriesAPathOnceAStepGivesItAChance) {
  Controller c = controller(Control::Iterative, {kPush, kPull, kPushAll}, 1 << 24, 1 << 25);
  // A pull has 50 million edges and vertices to look at, a list a million.
  const StepDone few{.active = 1 << 18, .out_edges = 3 << 18, .nanoseconds = 1e5F};
  c.next(few, {});
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::Predicted);
  c.begin_again();
  EXPECT_EQ(c.path().variant, kPush.variant);
  // Most vertices: both of the others have their turn, one after the other.
  const StepDone many{.active = 1 << 23, .out_edges = 1 << 24, .nanoseconds = 3e6F};
  c.next(many, {});
  EXPECT_EQ(c.path().variant, kPull.variant);
  EXPECT_EQ(c.why, Why::Trial);
  c.next({.active = 1 << 22, .out_edges = 1 << 23, .nanoseconds = 2e6F}, {});
  EXPECT_EQ(c.path().variant, kPushAll.variant);
  EXPECT_EQ(c.why, Why::Trial);
  c.next({.active = 1 << 22, .out_edges = 1 << 23, .nanoseconds = 5e6F}, {});
  EXPECT_EQ(c.why, Why::Predicted);
}

TEST(IterativeController, DoesNotAskForTheTimeOfShortStepsOverAList) {
  Controller c = controller(Control::Iterative, {kPull, kPush}, 1 << 20, 1 << 24);
  const StepDone small{.active = 100, .out_edges = 1600, .nanoseconds = 1e9F};
  EXPECT_TRUE(c.needs_time(small));  // of a pull, always: it looked at all edges
  c.next({.active = 1 << 20, .out_edges = 1 << 24, .nanoseconds = 1e6F}, {});
  ASSERT_EQ(c.path().variant, kPush.variant);
  EXPECT_FALSE(c.needs_time(small));
  c.next(small, {});  // whatever the time was
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::Short);
  const StepDone large{.active = 1 << 18, .out_edges = 1 << 23, .nanoseconds = 4e6F};
  EXPECT_TRUE(c.needs_time(large));
  c.next(large, {});
  EXPECT_EQ(c.path().variant, kPull.variant);
  EXPECT_EQ(c.why, Why::Predicted);
}

TEST(TraversalController, ForgetsWhatWasTouchedWhenThePhaseBeginsAgain) {
  Controller c = controller(Control::Traversal, {kPush, kPull}, 10000, 200000);
  c.next({.active = 100, .out_edges = 150000}, {.vertices = 9000, .out_edges = 45000});
  EXPECT_EQ(c.path().variant, kPull.variant);
  c.begin_again();
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::First);
  EXPECT_EQ(c.untouched, 200000);
}

TEST(IterativeController, KeepsLearning) {
  Controller c = controller(Control::Iterative, {kPull, kPush}, 1000000, 10000000);
  const StepDone all{.active = 1000000, .out_edges = 10000000, .nanoseconds = 1e6F};
  StepDone slow = all;
  slow.nanoseconds = 2e6F;
  c.next(all, {});
  c.next(slow, {});
  EXPECT_EQ(c.path().variant, kPull.variant);
  slow.nanoseconds = 9e6F;
  c.next(slow, {});
  EXPECT_EQ(c.path().variant, kPush.variant);
}

TEST(Controller, HasNothingToChooseFromOnePath) {
  Controller c = controller(Control::Iterative, {kPush}, 10, 100);
  EXPECT_EQ(c.control, Control::Fixed);
  c.next({.active = 10, .out_edges = 100, .nanoseconds = 1}, {});
  EXPECT_EQ(c.path().variant, kPush.variant);
  EXPECT_EQ(c.why, Why::Only);
}

}  // namespace
}  // namespace vertigo::execute
