#pragma once
// Engines in emitted code: the struct that gives an engine the program's expressions, and the names
// of the engine's object.

#include <string>
#include <vector>

#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

class EngineText {
 public:
  /// `variant` runs on an engine.
  EngineText(const plan::Plan& plan, const plan::PhasePlan& phase, const plan::Variant& variant);

  /// The struct with one member function per operator. Before each function stands, with a blank
  /// behind it, `anywhere`, or `of_device` where it asks what only the device can answer.
  void print_operators(Writer& out, const std::string& anywhere,
                       const std::string& of_device) const;

  /// `levels::Engine<MainLevels, Graph>`.
  std::string type() const;
  /// The member that holds the engine.
  std::string object() const;
  /// An object of the struct, made of members of the program's class.
  std::string operators() const;
  /// What run() takes behind phase, operators and graph: ", depth, asked"; for a loop also its
  /// variable and its end.
  std::string arguments() const;
  /// The member that holds the end of the loop over host variable `variable`.
  static std::string loop_end(const plan::Plan& plan, const std::string& variable);

 private:
  struct Member {
    std::string type;
    std::string name;
  };

  void collect_members();

  const plan::Plan& plan_;
  const plan::Engine& engine_;
  std::string struct_;
  std::string object_;
  std::vector<Member> members_;  ///< what the operators read besides their parameters
};

/// Names of the engines that the plan uses, each once, in alphabetical order.
std::vector<std::string> engines_of(const plan::Plan& plan);

}  // namespace vertigo::compiler::emit
