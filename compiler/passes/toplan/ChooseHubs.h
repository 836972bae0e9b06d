#pragma once
// choose-hubs
//
// Does: decides whether what neighbours read of a vertex lies in the order of degrees, so that the
// values of hubs, which most edges read, are side by side and stay in the first-level cache. The
// lists that such updates follow then call neighbours by their places (vertex_order of
// vertigo/device/hub_order.cuh). Which arrays can lie so is a matter of the kernels: whoever reads
// one must read nothing else of the neighbour.
// Needs: kernels, with the balance of choose-balance and the arrays of choose-senders.
// Guarantees: a loop that goes by hubs uses its neighbour for nothing but values that lie by hubs,
// and these are read in no other loop.
// Why here: after build-kernels, because it depends on what they do.
// Source: the idea is that of hub vertices in frequency-based clustering (Y. Zhang, V. Kiriansky,
// C. Mendis, M. Zaharia, S. Amarasinghe, Making caches work for graph analytics, 2017).

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_hubs(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
