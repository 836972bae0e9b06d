#include <gtest/gtest.h>

#include "vertigo/core/error.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::execute {
namespace {

constexpr VariantChoice kVariants[] = {{"async-push-data", false}, {"sync-pull-topology", true}};

Chosen choose(const std::string& pinned, bool deterministic) {
  return choose_variant("main", kVariants, 0, &pinned, deterministic);
}

TEST(ChooseVariant, SaysWhy) {
  EXPECT_EQ(choose("", false).name, "async-push-data");
  EXPECT_EQ(choose("", false).reason, "preferred by the plan");
  EXPECT_EQ(choose("", true).variant, 1);
  EXPECT_EQ(choose("", true).reason, "the first that --deterministic permits");
  EXPECT_EQ(choose("sync-pull-topology", false).name, "sync-pull-topology");
  EXPECT_EQ(choose("sync-pull-topology", false).reason, "pinned by --schedule");
}

TEST(ChooseVariant, RefusesWhatCannotBeHad) {
  EXPECT_THROW(choose("sync-push-dat", false), Error);
  EXPECT_THROW(choose("async-push-data", true), Error);
  EXPECT_THROW(choose_variant("main", std::span(kVariants).first(1), 0, nullptr, true), Error);
}

TEST(PhaseRun, CarriesTheReasonToTheTrace) {
  PhaseTotals totals{.phase = "main"};
  trace::Recorder trace;
  PhaseRun run(totals, choose("", false), kNoLimit, 0, PhaseRun::Clock::now(), &trace);
  ASSERT_TRUE(run.next(true));
  run.done(3, 7);
  EXPECT_EQ(totals.reason, "preferred by the plan");
  ASSERT_EQ(trace.iterations().size(), 1);
  EXPECT_EQ(trace.iterations().front().reason, "preferred by the plan");
}

}  // namespace
}  // namespace vertigo::execute
