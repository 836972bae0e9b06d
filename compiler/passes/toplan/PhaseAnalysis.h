#pragma once
// What build-kernels has to know of a phase beyond the legal variants: which inboxes it takes,
// which vertices a kernel that looks at all of them must ask, which values of an activation survive
// in the states. What infer-algebra proves and what phases have to do with each other is not asked
// again here: it is the phase's algebra and ir::Uses.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// How a kernel over all vertices tells those that were asked (docs/semantics.md, rule 2).
enum class Asking : std::uint8_t {
  /// The guard is false at every vertex that was not asked: it is false on an empty inbox, and an
  /// inbox that it left alone before is still left alone, as nothing it reads has changed.
  Guard,
  /// As Guard, but the guard may hold on an empty inbox: a non-empty one is asked for as well. Only
  /// for phases proved order-free, where activating on an empty inbox changes nothing.
  NonEmpty,
  /// A bitmap remembers who was asked.
  Pending,
};

/// What an update does with the inbox of a message, as far as a pull from states needs it.
enum class Absorption : std::uint8_t {
  None,
  Assigned,    ///< `v.s = m`, under the guard that m strictly improves v.s
  Bounded,     ///< the same, and the guard asks more of m alone: `m < v.s && m <= 9`
  Chosen,      ///< the same, and it asks for what the phase leaves alone: `m < v.s && v.open`
  Accumulated  ///< `v.s = v.s + m`
};

struct PhaseAnalysis {
  const ir::Program* program = nullptr;
  const ir::Phase* phase = nullptr;

  std::vector<std::string> read;    ///< messages read by guard or body, in order of declaration
  std::vector<std::string> sent;    ///< messages sent, in order of declaration
  std::set<std::string> written;    ///< states assigned by the body
  std::set<std::string> snapshots;  ///< written, and read at neighbours
  std::set<std::string> edge_snapshots;  ///< edge states that it writes and asks other edges for

  /// Message -> state that holds the taken inbox once the body is done (`v.s = m` at top level, s
  /// not assigned elsewhere).
  std::map<std::string, std::string> state_of_inbox;

  /// The single message that the phase reads and sends, with the state that absorbs it.
  Absorption absorption = Absorption::None;
  std::string message;
  std::string state;

  bool runs_once = false, alone = false;  ///< as ir::Uses has it
  Asking asking = Asking::Pending;
  /// The inbox of `message` need not be reset when it is taken: only strict improvements of the
  /// state are taken, and what stays equals the state or is worse (and filters useless messages
  /// before their atomic).
  bool absorbs = false;
  bool uniform_cost = false;  ///< all messages of one synchronous step have the same value
};

/// `proved_order_free`: by infer-algebra (or asserted; then `phase.assume_order_free`).
PhaseAnalysis analyse(const plan::Plan& plan, const ir::Phase& phase, bool proved_order_free);

/// Why other phases, or other runs of this one, have a part in what the phase finds; "" where it
/// runs once and alone.
std::string problem_of_sharing(const PhaseAnalysis& phase);

/// Why an activation is more than `v.state = inbox` under `inbox improves v.state`; "" where it is
/// that. `most`: how much else the guard may ask, up to Chosen.
std::string problem_of_assignment(const PhaseAnalysis& phase,
                                  Absorption most = Absorption::Assigned);

/// Whether the guard, or a part of it that `and` joins, says that the inbox of `message` strictly
/// improves `state`.
bool is_improvement(const ir::Expr& guard, const ir::Message& message, const std::string& state,
                    const std::string& vertex);

/// What keeps a condition from being the same as long as the phase runs: its first read that is not
/// of vertices, the edge, what is the same for all, or a state that is not `written`. Null where
/// there is none.
const ir::Expr* read_that_changes(const ir::Expr& condition, const std::set<std::string>& written);

/// True where the condition is false whenever every inbox holds its identity, whatever the rest.
bool never_on_empty_inboxes(const ir::Program& program, const ir::Expr& condition);

/// True where `expr` has an `op` anywhere.
bool mentions(const ir::Expr& expr, ir::Op op);

/// Calls `visit(expr)` for every expression of the phase's guard and body, operands included.
template <class Visit>
void for_each_expr(const ir::Phase& phase, const Visit& visit) {
  const auto each = [&](const ir::ExprPtr& expr) {
    if (expr) ir::walk(*expr, visit);
  };
  each(phase.guard);
  for_each_stmt(phase.body, [&](const ir::Stmt& stmt) {
    each(stmt.value);
    each(stmt.condition);
    each(stmt.receiver);
  });
}

}  // namespace vertigo::compiler::toplan
