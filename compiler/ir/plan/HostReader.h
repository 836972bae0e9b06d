#pragma once
// The parts of textual Plan IR that say what runs when: actions, loops over steps in one launch,
// the host class.

#include <string>
#include <vector>

#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/ir/program/ExprReader.h"
#include "compiler/ir/program/Lexer.h"

namespace vertigo::plan {

template <class Kind, std::size_t size>
Kind read_one_of(ir::TokenStream& tokens, const Spellings<Kind, size>& table, const char* what) {
  const auto kind = find_spelling(table, tokens.peek().text);
  if (!kind || tokens.peek().kind != ir::Token::Kind::Word) tokens.fail_expected(what);
  tokens.take();
  return *kind;
}

class HostReader {
 public:
  HostReader(ir::TokenStream& tokens, ir::ExprReader& exprs) : tokens_(tokens), exprs_(exprs) {}

  ir::EdgeDirection read_direction();
  /// `because "…"`, or nothing.
  std::string read_because();
  /// `loc(line:column)`, or nothing.
  Location read_location();
  /// Words joined by '-': choose-direction, async-push-data.
  std::string read_dashed(const char* what);
  /// `a, b, c`, one at least.
  std::vector<std::string> read_names(const char* what);
  std::vector<KernelArgument> read_arguments();
  std::vector<Action> read_actions();
  /// After "loop".
  StepLoop read_loop();
  /// After "rounds".
  Rounds read_rounds();
  /// After "host".
  HostClass read_host();

 private:
  Rounds::Part read_part();
  Preparation read_preparation();
  HostVariable read_variable();

  ir::TokenStream& tokens_;
  ir::ExprReader& exprs_;
};

}  // namespace vertigo::plan
