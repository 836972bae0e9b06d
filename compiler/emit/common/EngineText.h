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

  /// The struct with one member function per operator; `qualifier`: before each function, with a
  /// blank behind it.
  void print_operators(Writer& out, const std::string& qualifier) const;

  /// `levels::Engine<MainLevels, Graph>`.
  std::string type() const;
  /// The member that holds the engine.
  std::string object() const;
  /// An object of the struct, made of members of the program's class.
  std::string operators() const;
  /// What run() takes behind phase, operators and graph: ", depth, asked".
  std::string buffers() const;

 private:
  struct Member {
    std::string type;
    std::string name;
  };

  const plan::Plan& plan_;
  const plan::Engine& engine_;
  std::string struct_;
  std::string object_;
  std::vector<Member> members_;  ///< what the operators read besides their parameters
};

/// Names of the engines that the plan uses, each once.
std::vector<std::string> engines_of(const plan::Plan& plan);

}  // namespace vertigo::compiler::emit
