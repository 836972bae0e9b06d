#pragma once
// Reads expressions of textual IR. Syntax only: types that the text does not state are left empty
// for the typing that follows (Typing.h).

#include <unordered_map>

#include "compiler/ir/program/Lexer.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

class ExprReader {
 public:
  explicit ExprReader(TokenStream& tokens) : tokens_(tokens) {}

  /// operand [infix operand]. Throws ReadError.
  ExprPtr read();
  /// "int32" or "(int32, vertex)".
  Type read_type();
  ScalarKind read_scalar();

  /// Where in the text an expression began, for messages about its type.
  const Token* place_of(const Expr& expr) const;
  unsigned& depth() { return depth_; }

 private:
  ExprPtr read_operand();
  ExprPtr read_bare_operand();
  ExprPtr read_parenthesised();
  ExprPtr read_number(bool negative);
  ExprPtr read_word();
  ExprPtr read_state();
  ExprPtr read_state_at();
  ExprPtr read_bound_vertex();
  ExprPtr read_constant(const std::string& word);
  ExprPtr read_cast();
  ExprPtr read_element_of_tuple();
  ExprPtr read_function(Op op);
  ExprPtr read_slot(Op op);
  ExprPtr read_edge_at_hand();
  ExprPtr read_sigil(Op op);
  ExprPtr read_degree_or_count(Op op);
  ExprPtr read_call(Op op);
  ExprPtr read_element(Op op);
  ExprPtr read_reduction(Reduction reduction);
  Type read_type_argument();
  void read_arguments(Expr& expr);
  void read_location(Expr& expr);
  ExprPtr make(Op op);

  TokenStream& tokens_;
  unsigned depth_ = 0;
  std::unordered_map<const Expr*, Token> places_;
};

}  // namespace vertigo::ir
