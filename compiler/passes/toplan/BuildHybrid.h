#pragma once
// A variant that changes between paths: how the phase begins, and what stands between a step that
// asks listed vertices and one that asks all. Part of build-kernels.
//
// Between two steps, all paths that share inboxes keep the same in the same places: states and
// inboxes say everything but who is to be asked. A path that looks at all vertices finds them by
// the guard (or by the bitmap `pending`), one that takes a list needs it written. Nothing else
// outlives a step: lists and marks of active vertices are cleared by those who use them. So
//   list -> all: nothing, or `pending` becomes what `queued` says;
//   all -> list: one kernel lists the vertices whose guard holds.
// Asynchronous pulls read messages from the neighbours' states and leave inboxes behind; they are
// none of the paths.

#include <string>
#include <vector>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// `built`: the phase's other variants. Returns why there is nothing to change between, else "".
std::string build_hybrid(PhaseKernels& kernels, const std::vector<plan::Variant>& built,
                         plan::Variant& variant);

}  // namespace vertigo::compiler::toplan
