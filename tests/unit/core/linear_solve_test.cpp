#include "vertigo/engines/solve/linear_solve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vertigo::linear {
namespace {

constexpr double kEdges = 1000;
constexpr unsigned kRoom = 100;
constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

/// What a sweep adds up where `above` rows, with `edges` in-edges, exceed their tolerance.
void sweep(Control& control, double residual, unsigned above, double edges) {
  control.listed = above;
  const double totals[kTotals] = {residual, static_cast<double>(above), edges, 0, 0, 0};
  decide(control, totals, kEdges, kRoom, kNoLimit);
}

TEST(LinearSolve, EndsWhereNoResidualIsAboveItsTolerance) {
  Control control;
  sweep(control, 1, 50, kEdges);
  EXPECT_EQ(control.outcome, Outcome::Running);
  EXPECT_EQ(control.current, 1u);
  sweep(control, 0.1, 0, 0);
  EXPECT_EQ(control.outcome, Outcome::Done);
  EXPECT_EQ(control.current, 1u) << "the iterate that was measured";
}

TEST(LinearSolve, PushesFromTheIterateThatWasMeasured) {
  Control control;
  control.push_rows = kRoom;
  sweep(control, 1, 5, 8);
  ASSERT_EQ(control.step, Step::Push);
  EXPECT_EQ(control.push_unit * kPushUnits, 1);
  decide_push(control, 8, 0, kEdges);
  EXPECT_EQ(control.step, Step::Push);
  EXPECT_EQ(control.current, 0u);
  conclude_push(control);
  EXPECT_EQ(control.outcome, Outcome::Done);
}

TEST(LinearSolve, SweepsOnWhereThereIsTooMuchToPush) {
  Control control;
  control.push_rows = kRoom;
  sweep(control, 1, 40, 8);
  ASSERT_EQ(control.step, Step::Push);
  decide_push(control, 500, 0, kEdges);
  EXPECT_EQ(control.step, Step::Plain);
  EXPECT_EQ(control.current, 1u);
  EXPECT_EQ(control.push_rows, kRoom / 2) << "looked at again where fewer are left";
}

TEST(LinearSolve, NeverPushesWhereResidualsMayGrow) {
  Control control;
  sweep(control, 1, 5, 8);
  EXPECT_EQ(control.step, Step::Local);
}

TEST(LinearSolve, MeasuresAgainWherePushesRanOutOfRoom) {
  Control control;
  control.push_rows = kRoom;
  sweep(control, 1, 5, 8);
  decide_push(control, 8, 0, kEdges);
  control.push_failed[1] = 1;
  conclude_push(control);
  EXPECT_EQ(control.outcome, Outcome::Running);
  EXPECT_EQ(control.step, Step::Plain);
  EXPECT_EQ(control.push_rows, 0u);
}

TEST(LinearSolve, LeavesAnAccelerationThatIsSlowerThanPlainSteps) {
  Control control;
  control.bound = 0.85;
  double residual = 1;
  unsigned accelerated = 0;
  for (unsigned i = 0; i < 200; ++i) {
    residual *= 0.95;
    control.listed = kRoom + 1;
    const double totals[kTotals] = {residual, 100, kEdges, 1, 0.1, 1};
    decide(control, totals, kEdges, kRoom, kNoLimit);
    accelerated += control.step == Step::Chebyshev;
  }
  EXPECT_GT(accelerated, 0u);
  EXPECT_LT(accelerated, 20u);
  EXPECT_FALSE(control.chebyshev_allowed);
}

/// A sweep after which the residual is `mode` times the one before, everywhere.
void sweep_one_mode(Control& control, double residual, double mode) {
  control.listed = kRoom + 1;
  const double totals[kTotals] = {residual, 100, kEdges, mode * mode, mode, 1};
  decide(control, totals, kEdges, kRoom, kNoLimit);
}

TEST(LinearSolve, SumsTheSeriesOfOneMode) {
  Control control;
  control.bound = 0.85;
  sweep_one_mode(control, 1, 0.8);
  EXPECT_EQ(control.step, Step::Plain) << "one sweep does not show a ratio";
  sweep_one_mode(control, 0.8, 0.8);
  EXPECT_EQ(control.step, Step::Extrapolate);
  EXPECT_NEAR(control.factor, 4, 1e-12);
}

TEST(LinearSolve, TakesNoModeThatTheCoefficientsForbid) {
  Control control;
  control.bound = 0.85;
  sweep_one_mode(control, 1, 0.98);
  sweep_one_mode(control, 0.98, 0.98);
  EXPECT_EQ(control.step, Step::Plain);
}

TEST(LinearSolve, WaitsLongerAfterEveryExtrapolationThatFailed) {
  Control control;
  control.bound = 0.85;
  double residual = 1;
  std::vector<unsigned> rounds;
  for (unsigned i = 0; i < 100; ++i) {
    residual = control.step == Step::Extrapolate ? 5 * control.least : 0.8 * residual;
    sweep_one_mode(control, residual, 0.8);
    if (control.step == Step::Extrapolate) rounds.push_back(control.rounds);
  }
  ASSERT_GE(rounds.size(), 4u);
  for (std::size_t i = 2; i < rounds.size(); ++i)
    EXPECT_GT(rounds[i] - rounds[i - 1], rounds[i - 1] - rounds[i - 2]);
}

TEST(LinearSolve, PushesOnlyWhatItCanCount) {
  Control control;
  control.push_rows = 64;
  control.step = Step::Push;
  decide_push(control, 8, 2 * kMostKept, kEdges);
  EXPECT_EQ(control.step, Step::Plain);
  EXPECT_EQ(control.push_rows, 32u);
}

TEST(LinearSolve, KeepsWhatTheGuardDoesNotLetThrough) {
  EXPECT_EQ(most_kept(0.5, false), 0.5);
  EXPECT_EQ(most_kept(-0.5, false), 0);
  EXPECT_EQ(most_kept(0.0, true), 0);
  EXPECT_LT(most_kept(0.5, true), 0.5);
  EXPECT_GT(most_kept(0.5, true), 0.49999999);
  EXPECT_EQ(most_kept(std::numeric_limits<float>::denorm_min(), true), 0);
  EXPECT_EQ(most_kept(double{INFINITY}, false), INFINITY);
  EXPECT_EQ(most_kept(double{NAN}, false), INFINITY);
}

TEST(LinearSolve, AVertexTakesPartOnceTheGuardLetsItIn) {
  EXPECT_FALSE(takes_part(0.0, 0.5, 0.5));
  EXPECT_TRUE(takes_part(0.0, 0.6, 0.5));
  EXPECT_TRUE(takes_part(0.0, -0.6, 0.5));
  EXPECT_TRUE(takes_part(0.1, 0.2, 0.5));
  EXPECT_FALSE(takes_part(0.0, double{INFINITY}, double{INFINITY}));
}

}  // namespace
}  // namespace vertigo::linear
