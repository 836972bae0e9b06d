#pragma once
// Whether a variant fits the graph, and its preparation of it is worth its time.

#include <string_view>

#include "vertigo/host/program.h"

namespace vertigo::gpu {

/// What decides for or against a variant, in words, and which way.
struct Payoff {
  bool worth;
  std::string_view reason;  ///< static
};

Payoff payoff_of_preparation(const host::VariantInfo& variant, const host::RunRequest& request);

}  // namespace vertigo::gpu
