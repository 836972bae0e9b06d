#pragma once
// Pieces of emitted code about a controller and the paths that it changes between.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// `execute::Control::Fixed, {{.variant = 3, .pull = true, .data_driven = false}}`: the controller
/// of a variant and its paths; a path is its own.
std::string control_text(const plan::PhasePlan& phase, const plan::Variant& variant);

/// What the CPU target's loop asks of a hybrid variant's buffers. `steps_` is its
/// execute::Controlled.
class HybridText {
 public:
  HybridText(const plan::Plan& plan, const plan::PhasePlan& phase, const plan::Variant& variant);

  bool takes(const plan::Variant& path) const;
  /// Whether anything is left to ask.
  std::string pending() const;
  /// The arguments of Controlled::done().
  std::string done() const;

 private:
  std::string counted(const char* counter) const;

  const plan::Plan& plan_;
  const plan::Hybrid& hybrid_;
  std::string list_;  ///< what data-driven paths leave pending; "": there is none
  std::string flag_;  ///< what the others do
};

/// `!asked.empty()`, `changed.is_raised()`: on the CPU, whether what a path left is pending.
std::string is_pending(const plan::Plan& plan, const std::string& buffer);

}  // namespace vertigo::compiler::emit
