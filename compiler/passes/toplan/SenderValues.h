#pragma once
// What the neighbours of a vertex read of it, where that is worth computing once a vertex instead
// of once an edge: expressions in reductions over neighbours that depend on the neighbour alone.

#include <set>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// One such expression.
struct SenderValue {
  const ir::Expr* expr = nullptr;  ///< where it stands in the phase
  /// `expr` is the reduction itself and stands for its value and its condition together: what it
  /// folds is the value where the condition holds, else what changes nothing.
  bool is_fold = false;
  std::string neighbour;  ///< the program's name of the neighbour there
  ir::Type type;
  std::string state;  ///< a state that it reads; "" where it reads none
};

struct SenderValues {
  std::vector<SenderValue> values;  ///< in the order of the text
  bool gathers = false;             ///< the body reduces over neighbours
  std::string problem;              ///< where there are none: why not, for a reader
};

/// Whether an expression of the neighbour takes more than one plain read.
bool is_worth_storing(const ir::Expr& expr, const std::string& neighbour);

/// Of an update's body. Nothing is said of its guard: it is asked of every vertex.
SenderValues find_sender_values(const ir::Phase& phase);

/// Those that the kernel which assigns a vertex can compute for the next update. With them plain
/// reads, too, where the update assigns what it reads at neighbours: the array then stands for the
/// copy of that state.
SenderValues find_carried_values(const plan::Plan& plan, const ir::Phase& phase);

/// Whether the update has every vertex send, and receivers gather: they read neighbours, too.
bool pulls_messages(const plan::Plan& plan, const ir::Phase& phase);

/// What the value is, as an expression of the neighbour.
ir::ExprPtr expression_of(const SenderValue& value);

/// Whether two of them are the same, whatever the neighbour is called.
bool same(const SenderValue& a, const SenderValue& b);

/// Why the arrays cannot be kept from one run of the update to the next, which computes them with
/// what it has just assigned; "" where they can.
std::string problem_of_carrying(const plan::Plan& plan, const ir::Phase& phase,
                                const std::vector<SenderValue>& values);

/// States that the body reads at neighbours elsewhere than in `values`.
std::set<std::string> read_besides(const ir::Phase& phase, const std::vector<SenderValue>& values);

}  // namespace vertigo::compiler::toplan
