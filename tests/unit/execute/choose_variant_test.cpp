#include "vertigo/execute/choose_variant.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vertigo/core/error.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/graph/graph.h"

namespace vertigo::execute {
namespace {

/// `levels` is preferred; a sum along `async-push-data` depends on the order of threads.
const host::PhaseInfo kPhase{
    .name = "main",
    .variants = {{.name = "levels", .reason = ""},
                 {.name = "sync-pull-topology", .reason = ""},
                 {.name = "async-push-topology", .reason = ""},
                 {.name = "async-push-data", .reason = "", .deterministic = false}},
    .preferred = 0};

/// What the chooser is asked for, and by which target: the GPU's says what pays, the CPU's does
/// not.
struct Asked {
  std::string pinned = "";
  bool deterministic = false;
  std::vector<std::string> poor = {};  ///< variants that do not pay
  bool has_payoff = true;
};

Chosen choose(const Asked& asked, const host::PhaseInfo& phase = kPhase) {
  const graph::Graph graph;
  const host::Arguments arguments;
  host::RunRequest request{.graph = graph, .arguments = arguments};
  if (!asked.pinned.empty()) request.schedule["main"] = asked.pinned;
  request.deterministic = asked.deterministic;
  if (!asked.has_payoff) return choose_variant(phase, request);
  return choose_variant(phase, request, [&](const host::VariantInfo& variant) {
    const bool poor = std::ranges::find(asked.poor, variant.name) != asked.poor.end();
    return poor ? Payoff{false, "too dear"} : Payoff{true, "pays"};
  });
}

TEST(ChooseVariant, TakesThePreferredOneAndSaysWhy) {
  EXPECT_EQ(choose({}).name, "levels");
  EXPECT_EQ(choose({}).reason, "pays");
  EXPECT_EQ(choose({.has_payoff = false}).name, "levels");
  EXPECT_EQ(choose({.has_payoff = false}).reason, "preferred by the plan");
}

TEST(ChooseVariant, TakesThePinnedOneWhateverItCosts) {
  const Chosen pinned = choose({.pinned = "sync-pull-topology", .poor = {"sync-pull-topology"}});
  EXPECT_EQ(pinned.variant, 1);
  EXPECT_EQ(pinned.reason, "pinned by --schedule");
}

TEST(ChooseVariant, TakesTheBestPathWhereTheEngineDoesNotPay) {
  EXPECT_EQ(choose({.poor = {"levels"}}).name, "async-push-data");
  EXPECT_EQ(choose({.poor = {"levels"}}).reason, "too dear");
  EXPECT_EQ(choose({.deterministic = true, .poor = {"levels"}}).name, "async-push-topology");
  EXPECT_EQ(choose({.poor = {"levels", "async-push-data", "async-push-topology"}}).name,
            "sync-pull-topology");
  const Asked nothing_pays{
      .poor = {"levels", "sync-pull-topology", "async-push-data", "async-push-topology"}};
  EXPECT_EQ(choose(nothing_pays).name, "levels");
  EXPECT_EQ(choose(nothing_pays).reason, "preferred by the plan");
}

TEST(ChooseVariant, TakesWhatIsForTheGraphAtHand) {
  const host::PhaseInfo phase{
      .name = "main",
      .variants = {{.name = "hook", .reason = "", .symmetric = true},
                   {.name = "distances", .reason = "", .non_negative = true},
                   {.name = "async-push-data", .reason = "", .deterministic = false},
                   {.name = "sync-pull-topology", .reason = ""},
                   {.name = "hybrid", .reason = "", .deterministic = false}},
      .preferred = 0};
  graph::Graph graph;
  const host::Arguments arguments;
  host::RunRequest request{.graph = graph, .arguments = arguments};
  EXPECT_EQ(choose_variant(phase, request).name, "hybrid");
  EXPECT_EQ(choose_variant(phase, request).reason, "the preferred one needs a symmetric graph");
  // Where nothing pays, it stands in for the preferred one all the same.
  const auto nothing_pays = [](const host::VariantInfo&) { return Payoff{false, "too dear"}; };
  EXPECT_EQ(choose_variant(phase, request, nothing_pays).name, "hybrid");
  EXPECT_EQ(choose_variant(phase, request, nothing_pays).reason,
            "the preferred one needs a symmetric graph");
  // Who calls an entry point may pin what the graph rules out.
  request.schedule = {{"main", "hook"}};
  EXPECT_THROW(choose_variant(phase, request), Error);
  request.schedule.clear();
  // The controller needs the whole graph on the device.
  const auto in_parts = [](const host::VariantInfo& variant) {
    return Payoff{variant.name != "hybrid", "too large"};
  };
  EXPECT_EQ(choose_variant(phase, request, in_parts).name, "async-push-data");
  EXPECT_EQ(choose_variant(phase, request, in_parts).reason, "too large");
  request.deterministic = true;
  EXPECT_EQ(choose_variant(phase, request).name, "distances");
  request.negative_weights = true;
  EXPECT_EQ(choose_variant(phase, request).name, "sync-pull-topology");
  graph.symmetric = true;
  EXPECT_EQ(choose_variant(phase, request).name, "hook");
  EXPECT_EQ(choose_variant(phase, request).reason, "preferred by the plan");
  // What is for other graphs is never a stand-in.
  const host::PhaseInfo two{.name = "main",
                            .variants = {{.name = "hook", .reason = "", .symmetric = true},
                                         {.name = "distances", .reason = "", .non_negative = true}},
                            .preferred = 0};
  graph.symmetric = false;
  EXPECT_THROW(choose_variant(two, request), Error);
  request.negative_weights = false;
  EXPECT_EQ(choose_variant(two, request).name, "distances");
}

TEST(ChooseVariant, TakesNoVariantForGraphsWithoutParallelEdgesWhereThereMayBeSome) {
  const host::PhaseInfo phase{
      .name = "main",
      .variants = {{.name = "wedges", .reason = "", .symmetric = true, .no_duplicates = true},
                   {.name = "sync-pull-topology", .reason = ""}},
      .preferred = 0};
  graph::Graph graph;
  const host::Arguments arguments;
  const host::RunRequest request{.graph = graph, .arguments = arguments};
  EXPECT_EQ(choose_variant(phase, request).name, "sync-pull-topology");
  EXPECT_EQ(choose_variant(phase, request).reason, "the preferred one needs a symmetric graph");
  graph.symmetric = true;
  EXPECT_EQ(choose_variant(phase, request).name, "sync-pull-topology");
  EXPECT_EQ(choose_variant(phase, request).reason,
            "the preferred one needs a graph without parallel edges");
  graph.no_duplicates = true;
  EXPECT_EQ(choose_variant(phase, request).name, "wedges");
  graph.symmetric = false;
  EXPECT_EQ(choose_variant(phase, request).name, "sync-pull-topology");
}

TEST(ChooseVariant, PassesOverWhatCannotBeDeterministic) {
  host::PhaseInfo phase = kPhase;
  phase.preferred = 3;
  EXPECT_EQ(choose({}, phase).name, "async-push-data");
  const Chosen other = choose({.deterministic = true}, phase);
  EXPECT_EQ(other.variant, 0);
  EXPECT_EQ(other.reason, "the first that --deterministic permits");
}

std::string refusal(const Asked& asked, const host::PhaseInfo& phase = kPhase) {
  try {
    choose(asked, phase);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ChooseVariant, RefusesWhatCannotBeHad) {
  EXPECT_EQ(refusal({.pinned = "sync-push-dat"}), "phase 'main' has no schedule 'sync-push-dat'");
  EXPECT_EQ(refusal({.pinned = "async-push-data", .deterministic = true}),
            "phase 'main': 'async-push-data' adds floating values in no fixed order, which "
            "--deterministic rules out");
  const host::PhaseInfo only{.name = "main", .variants = {kPhase.variants[3]}, .preferred = 0};
  EXPECT_EQ(refusal({.deterministic = true}, only),
            "phase 'main' has no schedule that --deterministic permits");
}

TEST(PhaseRun, CarriesTheReasonToTheTrace) {
  PhaseTotals totals{.phase = "main"};
  trace::Recorder trace;
  PhaseRun run(totals, choose({}), kNoLimit, 0, PhaseRun::Clock::now(), &trace);
  ASSERT_TRUE(run.next(true));
  run.done(3, 7);
  EXPECT_EQ(totals.reason, "pays");
  ASSERT_EQ(trace.iterations().size(), 1);
  EXPECT_EQ(trace.iterations().front().reason, "pays");
}

}  // namespace
}  // namespace vertigo::execute
