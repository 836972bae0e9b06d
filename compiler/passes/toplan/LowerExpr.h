#pragma once
// Expressions of Program IR as expressions over buffers: states become loads, neighbourhood
// reductions become loops in front of the statement that uses them.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/passes/toplan/KernelContext.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/RepeatedSets.h"

namespace vertigo::compiler::toplan {

/// An element of an array for every neighbour.
struct StoredValue {
  std::string buffer;
  std::string neighbour;  ///< the program's name of the vertex whose element it is
  ir::Type type;
  bool is_fold = false;  ///< what a reduction folds, its condition included
};

/// What the names of an expression stand for in the kernel that it is lowered into.
struct Bindings {
  std::string own;  ///< the kernel's name of the vertex whose states may be newer than a snapshot
  std::map<std::string, std::string> vertices;  ///< program's vertex variable -> kernel's
  std::map<std::string, std::string> locals;    ///< program's `let` -> kernel's
  std::set<std::string> snapshots;              ///< states read from their snapshot at neighbours
  std::map<std::string, std::string> assigned;  ///< states whose new values go to another buffer
  /// Where only vertices of a slice change: snapshots are of these alone.
  std::shared_ptr<const passes::SlicedDomain> slice;
  /// Expressions that were computed for all vertices before: where they lie.
  std::map<const ir::Expr*, StoredValue> stored;
  /// The edge at hand, by the kernel's names of its ends; empty where there is none.
  std::string edge_from, edge_to;
  std::string edge_place;  ///< a local with its place in the list of `edge_from`; empty: look it up
  /// The program's names of the ends where an update of edges runs its body, and whether the edge
  /// is known to count there.
  std::string edge_own, edge_other;
  bool edge_counts = false;
  bool own_edge = false;  ///< it is being updated: its states may be newer than a snapshot
  bool chooses = false;   ///< it is one of those that `common_neighbours` asks about
  std::set<std::string> edge_snapshots;  ///< edge states read from their snapshot at other edges
  bool in_function = false;  ///< of a common neighbour: what is read cannot be named before
  bool count_edges = false;  ///< neighbourhood reductions add to the counter of visited edges
  /// Replaces a leaf (an inbox, a state); null where it has nothing to say.
  std::function<ir::ExprPtr(const ir::Expr&)> replace;
};

class ExprLowering {
 public:
  ExprLowering(KernelContext& context, LocalNames& names, Bindings bindings)
      : context_(context), names_(names), bindings_(std::move(bindings)) {}

  /// What must run before goes to the end of `before`.
  ir::ExprPtr lower(const ir::Expr& expr, plan::Block& before);
  Bindings& bindings() { return bindings_; }
  LocalNames& names() { return names_; }
  KernelContext& context() { return context_; }

  /// Where the edge at hand stands: in the list of the end that looks at it, and in the other's.
  ir::ExprPtr place_at_hand() const;
  ir::ExprPtr place_of_reverse() const;

 private:
  class Names;
  ir::ExprPtr lower_part(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_state(const ir::Expr& expr);
  ir::ExprPtr from_before(ir::ExprPtr snapshot, ir::ExprPtr state) const;
  ir::ExprPtr lower_state_at(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_degree(const ir::Expr& expr);
  ir::ExprPtr lower_edge_state(const ir::Expr& expr);
  ir::ExprPtr lower_intersection(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_kept_count(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_start(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_reduction(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_common_reduction(const ir::Expr& expr, plan::Block& before);
  const StoredValue* stored_value(const ir::Expr& expr) const;
  ir::ExprPtr load_stored(const StoredValue& stored) const;
  ir::ExprPtr lower_connection(const ir::Expr& expr, plan::Block& before);
  ir::ExprPtr lower_children(const ir::Expr& expr, plan::Block& before);
  const std::string& vertex_name(const std::string& name) const;
  /// Of an intersection; "" where it has none.
  std::string known_name(const ir::Expr& set) const;

  KernelContext& context_;
  LocalNames& names_;
  Bindings bindings_;
  /// Intersections that have a name where the lowering stands.
  std::vector<std::pair<const ir::Expr*, std::string>> named_;
};

/// Gives the loop a local for the places of its edges; drops it again where its body names none.
/// Only edge states lie at places.
std::string name_places(KernelContext& context, LocalNames& names, const plan::KernelStmt& loop);
void settle_places(plan::KernelStmt& loop, const std::string& place);

/// Refuses what no target has code for; true where it did.
bool refuse_uncompilable(KernelContext& context, const ir::Expr& expr);

}  // namespace vertigo::compiler::toplan
