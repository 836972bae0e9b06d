#pragma once
// Code of a launch whose threads wait for each other: its parameters, the struct of what changes
// names in it, and the actions of the plan as statements of all its threads.

#include <set>
#include <string>
#include <vector>

#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/Writer.h"

namespace vertigo::compiler::emit {

// Names that end in an underscore are the emitter's.
inline constexpr const char* kLoop = "loop_";
inline constexpr const char* kBuffers = "b_";

class GridCode {
 public:
  /// `holds`: what the struct has.
  GridCode(const plan::Plan& plan, const std::vector<std::string>& holds)
      : plan_(plan), holds_(holds.begin(), holds.end()) {}

  /// `const Graph graph`: what such a launch takes.
  std::string parameter(const KernelArgument& argument) const;
  /// The member of the struct that holds the buffer: `Worklist asked;`.
  std::string member(const std::string& buffer) const;
  /// How the buffer is called inside.
  std::string buffer_text(const std::string& name) const;
  /// The call of a part; `before`: arguments that stand behind the graph.
  std::string call(const plan::Kernel& kernel, const std::string& before = "") const;
  void print_actions(Writer& out, const std::vector<plan::Action>& actions) const;
  /// Whether another step of the phase follows.
  static std::string next_step(const plan::PhasePlan& phase);
  /// What stands in the loop over the steps of a phase.
  void print_steps(Writer& out, const plan::PhasePlan& phase) const;

 private:
  std::string text_of(const plan::Action& action) const;

  const plan::Plan& plan_;
  std::set<std::string> holds_;
};

/// "a, b".
std::string joined(const std::vector<std::string>& parts);

/// The blocks of the host's launch that a block stands for, in a reduction that is a part.
inline constexpr const char* kGridPart = "part_";

/// What the host launches of a kernel: itself or, where it is a part of some loop, a kernel that
/// does nothing but call it.
std::string launched_name(const plan::Plan& plan, const plan::Kernel& kernel);

}  // namespace vertigo::compiler::emit
