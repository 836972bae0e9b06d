#pragma once
// Properties of expressions that infer-algebra proves things with. All of them err on the side of
// "not known".

#include <functional>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

using ir::Trend;

/// What is known of a phase while it runs.
struct Surroundings {
  const ir::Program& program;
  const ir::Phase& phase;
  std::string inbox;  ///< the message whose inbox is the variable of the proof
  bool inbox_nonnegative = false;
  bool weights_nonnegative = false;
  bool inputs_nonnegative = false;  ///< of vertices, where the user gives them
};

/// True where `expr` reads nothing that an activation or a message can change: no inbox, no `step`,
/// no state that the phase writes. "" or a description of the first thing that it does read.
std::string changing_read(const ir::Expr& expr, const Surroundings& around);

/// The trend of `expr` in the inbox, everything else fixed. Rounding and saturation keep an order,
/// so both are allowed; what could give NaN is not.
Trend trend(const ir::Expr& expr, const Surroundings& around);

/// True where no input makes `expr` negative.
bool nonnegative(const ir::Expr& expr, const Surroundings& around);

/// `expr` as coefficient * inbox + constant, where neither reads anything that changes. Null parts:
/// coefficient: not linear; constant: zero.
struct LinearForm {
  ir::ExprPtr coefficient;
  ir::ExprPtr constant;
};
LinearForm linear_form(const ir::Expr& expr, const Surroundings& around);

/// True where the expression has one value for all vertices and edges, known before a phase begins:
/// it is made of literals, parameters, variables of the host level and counts of the graph.
bool is_same_for_all(const ir::Expr& expr);

bool is_zero(const ir::Expr& expr);
bool is_one(const ir::Expr& expr);
/// True where the expression reads inbox `message`.
bool reads_inbox(const ir::Expr& expr, const std::string& message);
bool is_inbox(const ir::Expr& expr, const std::string& message);
bool is_element_of_inbox(const ir::Expr& expr, const std::string& message, unsigned index);

}  // namespace vertigo::compiler::passes
