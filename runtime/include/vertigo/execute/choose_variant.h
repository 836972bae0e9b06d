#pragma once
// Which variant of a phase runs: one chooser for every target.

#include <cstddef>
#include <functional>
#include <string_view>

#include "vertigo/host/program.h"

namespace vertigo::execute {

/// Whether a variant pays on the graph and the device at hand, and why, in static words.
struct Payoff {
  bool worth = true;
  std::string_view reason = "preferred by the plan";
};

/// What a variant needs of the graph or of the inputs, where a run does not give it.
struct Lack {
  std::string_view need;
  std::string_view found;
  std::string_view reason;  ///< for another variant
};
/// Null where the variant is for the graph and the inputs of the request.
const Lack* lack_of(const host::VariantInfo& variant, const host::RunRequest& request);

/// The variant that the plan prefers; where that is not for the graph and the inputs of the
/// request, the next best that is. Throws Error(Usage) where there is none.
const host::VariantInfo& preferred_of(const host::PhaseInfo& phase,
                                      const host::RunRequest& request);

/// The variant that a phase runs.
struct Chosen {
  std::size_t variant = 0;  ///< of those listed
  std::string_view name = {};
  std::string_view reason = {};
};

/// The variant that the schedule of `request` names. Else preferred_of(); where it does not pay, or
/// adds floating values in no fixed order and the request is to be deterministic, the next best
/// that pays, and the next best at all where none does. Throws Error(Usage) for a name that the
/// phase does not have, and where nothing can be deterministic.
Chosen choose_variant(const host::PhaseInfo& phase, const host::RunRequest& request,
                      const std::function<Payoff(const host::VariantInfo&)>& payoff = {});

/// The best of the variants for which `fits` holds, where the preferred one is ruled out; null
/// where there is none. The plan does not rank the others: a controller is the best where it is
/// compiled, and of the paths an asynchronous push, from a list where it can be had, on most
/// graphs.
const host::VariantInfo* next_best(const host::PhaseInfo& phase,
                                   const std::function<bool(const host::VariantInfo&)>& fits);

}  // namespace vertigo::execute
