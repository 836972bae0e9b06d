#include "compiler/ir/plan/SharedForm.h"

#include <map>

namespace vertigo::plan {

bool declares(const KernelStmt& stmt) {
  return stmt.op == KernelOp::Let || stmt.op == KernelOp::Accumulator || stmt.op == KernelOp::Take;
}

namespace {

bool reads(const KernelStmt& stmt, const std::string& symbol) {
  bool found = false;
  for_each_expr(stmt, [&](const ir::Expr& e) {
    found = found || (e.op == ir::Op::Local && e.symbol == symbol);
  });
  return found;
}

bool is_exit(const KernelStmt& stmt) {
  return stmt.op == KernelOp::If && stmt.otherwise.empty() && stmt.body.size() == 1 &&
         stmt.body.front()->op == KernelOp::LeaveEdges;
}

/// Locals that the statement reads.
void collect_read(const KernelStmt& stmt, std::set<std::string>& names) {
  for_each_expr(stmt, [&](const ir::Expr& e) {
    if (e.op == ir::Op::Local) names.insert(e.symbol);
  });
}

class Analysis {
 public:
  explicit Analysis(const KernelStmt& loop) : loop_(loop) {}

  std::optional<SharedEdges> run() {
    collect_inner(loop_.body);
    scan(loop_.body, false);
    if (!possible_ || (leaves_ && shared_.accumulator.empty())) return std::nullopt;
    if (!shared_.accumulator.empty() && writes_) return std::nullopt;
    shared_.leaves = leaves_;
    return shared_;
  }

  /// Locals of the loop's own.
  const std::set<std::string>& inner() const { return inner_; }

 private:
  void collect_inner(const Block& block) {
    walk_statements(block, [&](const KernelStmt& stmt) {
      if (declares(stmt) || stmt.op == KernelOp::ForEdges) inner_.insert(stmt.symbol);
    });
  }

  void scan(const Block& block, bool nested) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const KernelStmt& stmt = *block[i];
      check(stmt, i + 1 < block.size() ? block[i + 1].get() : nullptr, nested);
      scan(stmt.body, nested || stmt.op == KernelOp::ForEdges);
      scan(stmt.otherwise, nested || stmt.op == KernelOp::ForEdges);
    }
  }

  void check(const KernelStmt& stmt, const KernelStmt* next, bool nested) {
    switch (stmt.op) {
      case KernelOp::Accumulate:
        return accumulate(stmt, !nested && next != nullptr && is_exit(*next));
      case KernelOp::Vote:
      case KernelOp::Distinguish:
        possible_ = possible_ && shared_.accumulator.empty();
        shared_.accumulator = stmt.symbol;
        shared_.ballots = stmt.op;
        return;
      case KernelOp::LeaveEdges:
        leaves_ = leaves_ || !nested;
        return;
      case KernelOp::Take:
      case KernelOp::ReduceInto:
        possible_ = false;
        return;
      case KernelOp::Store:
        possible_ = possible_ && (stmt.atomic || is_slot(stmt));
        writes_ = true;
        return;
      case KernelOp::CombineInto:
        possible_ = possible_ && stmt.atomic;
        writes_ = true;
        return;
      case KernelOp::Uncount:
      case KernelOp::Append:
      case KernelOp::SetBit:
      case KernelOp::ClearBit:
        writes_ = true;
        return;
      default:
        return;
    }
  }

  /// Of this edge's message, or of an edge that is named by its ends, which nobody else writes.
  bool is_slot(const KernelStmt& stmt) const {
    if (stmt.index->op == ir::Op::EdgePlace) return true;
    return !loop_.slot.empty() && stmt.index->op == ir::Op::Local &&
           stmt.index->symbol == loop_.slot;
  }

  /// `then_leaves`: the loop, if that settled the fold.
  void accumulate(const KernelStmt& stmt, bool then_leaves) {
    if (inner_.contains(stmt.symbol)) return;
    const bool same =
        shared_.accumulator == stmt.symbol && shared_.combine == stmt.combine && !shared_.ballots;
    // The first of any values is known by the edge at which its thread stopped.
    const bool folds =
        stmt.combine == ir::Combine::Any ? then_leaves : stmt.combine != ir::Combine::Function;
    // Of what threads fold apart nobody can say whether each value changed what was there: values
    // of several threads may cancel out.
    possible_ = possible_ && folds && stmt.changed.empty() && (shared_.accumulator.empty() || same);
    shared_.accumulator = stmt.symbol;
    shared_.combine = stmt.combine;
    // A thread sees its own part of the fold, which is enough to leave early and for nothing else.
    walk_statements(loop_.body, [&](const KernelStmt& inside) {
      if (reads(inside, stmt.symbol) && !is_exit(inside)) possible_ = false;
    });
  }

  const KernelStmt& loop_;
  SharedEdges shared_;
  std::set<std::string> inner_;
  bool possible_ = true;
  bool leaves_ = false;
  bool writes_ = false;
};

}  // namespace

SharedForms::SharedForms(const Kernel& kernel) : vertex_(kernel.vertex) {
  walk_statements(kernel.body, [&](const KernelStmt& stmt) {
    if (declares(stmt)) locals_.try_emplace(stmt.symbol, Local{locals_.size(), stmt.type});
  });
}

std::optional<SharedEdges> SharedForms::of(const KernelStmt& loop) const {
  if (loop.vertex != vertex_) return std::nullopt;
  Analysis analysis(loop);
  std::optional<SharedEdges> form = analysis.run();
  if (!form) return form;
  if (const auto known = locals_.find(form->accumulator); known != locals_.end())
    form->accumulator_type = known->second.type;
  form->kept = kept_by(loop, *form, analysis.inner());
  return form;
}

// What the loop mentions of the locals around it, in the order of their declarations.
std::vector<KeptValue> SharedForms::kept_by(const KernelStmt& loop, const SharedEdges& form,
                                            const std::set<std::string>& inner) const {
  std::set<std::string> mentioned;
  for (const KernelStmtPtr& stmt : loop.body) {
    collect_read(*stmt, mentioned);
    if (stmt->op == KernelOp::Accumulate) continue;
    mentioned.insert({stmt->symbol, stmt->changed});
    for (const Block* block : {&stmt->body, &stmt->otherwise})
      walk_statements(*block, [&](const KernelStmt& inside) {
        collect_read(inside, mentioned);
        mentioned.insert({inside.symbol, inside.changed});
      });
  }
  std::map<std::size_t, KeptValue> kept;
  for (const std::string& name : mentioned) {
    const auto known = locals_.find(name);
    if (known == locals_.end() || inner.contains(name) || name == form.accumulator) continue;
    kept.emplace(known->second.place, KeptValue{name, known->second.type});
  }
  std::vector<KeptValue> values;
  for (auto& [place, value] : kept) values.push_back(std::move(value));
  return values;
}

bool folds_rows(const Kernel& kernel, const KernelStmt& loop, const SharedEdges& form) {
  if (kernel.domain != Domain::AllVertices || !kernel.order.empty() || !loop.slot.empty() ||
      form.accumulator.empty() || form.leaves || !form.kept.empty())
    return false;
  // What the edges of a warp bring lies in shared memory, of which there is not much.
  if (ir::bytes_of(form.accumulator_type) > sizeof(std::uint64_t)) return false;
  bool knows = false;
  walk_statements(loop.body, [&](const KernelStmt& stmt) {
    knows = knows || stmt.op == KernelOp::ForEdges || uses_ballots(stmt.op);
    for_each_expr(stmt, [&](const ir::Expr& e) { knows = knows || e.vertex == kernel.vertex; });
  });
  return !knows;
}

}  // namespace vertigo::plan
