#pragma once
// One round of a loop of the host level, as expressions over the values with which the round
// begins. So `v.next = min(v.label, …); v.label = v.next;` is one thing with `v.label = min(…)`.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// The vertex that expressions of a round are about. No program can name one so.
inline constexpr const char* kOwn = "self";

struct RelaxationRound {
  std::map<std::string, ir::ExprPtr> states;  ///< what the round leaves in them
  std::map<std::string, ir::ExprPtr> host;    ///< the same of variables; vertices are `kOwn`
  std::set<std::string> written;   ///< states; those that `states` lacks are nothing that is known
  std::set<std::string> assigned;  ///< variables, likewise
  std::set<std::string> declared;  ///< variables that begin in the round
  std::vector<const ir::Phase*> phases;  ///< in the order in which they run
  ir::ExprPtr condition;  ///< of the loop, asked after the round; null where it is not asked
  ir::ExprPtr limit;      ///< the number of rounds at most, where the loop begins; null: none
  std::string problem;    ///< what else the round does; "" where there is nothing
};

/// Empty where the round is more than updates and assignments of variables.
std::optional<RelaxationRound> evaluate_round(const ir::Program& program, const ir::Stmt& loop);

/// The first phase of a round that reads neighbours.
const ir::Phase& gathering_phase(const RelaxationRound& round);

/// Folded, and truth values that are chosen spelt as operators: `c ? true : false` is `c`.
ir::ExprPtr simplified(const ir::Expr& expr);

/// With another name for a vertex.
ir::ExprPtr renamed_vertex(const ir::Expr& expr, const std::string& from, const std::string& to);

inline bool is_bool(const ir::Expr& expr) { return expr.type == ir::Type(ir::ScalarKind::Bool); }
inline bool is_own_state(const ir::Expr& expr, const std::string& state) {
  return ir::is_state_of(expr, kOwn, state);
}

}  // namespace vertigo::compiler::passes
