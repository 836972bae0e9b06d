#pragma once
// The controller of a variant and its paths, as an emitted program hands them to its runtime.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// `execute::Control::Fixed, {{.variant = 3, .pull = true, .data_driven = false}}`; a path is its
/// own.
std::string control_text(const plan::PhasePlan& phase, const plan::Variant& variant);

}  // namespace vertigo::compiler::emit
