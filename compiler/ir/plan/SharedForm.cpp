#include "compiler/ir/plan/SharedForm.h"

#include <algorithm>
#include <set>

namespace vertigo::plan {

bool declares(const KernelStmt& stmt) {
  return stmt.op == KernelOp::Let || stmt.op == KernelOp::Accumulator || stmt.op == KernelOp::Take;
}

namespace {

template <class Visit>
void for_each_expr(const KernelStmt& stmt, const Visit& visit) {
  for (const auto* expr : {&stmt.index, &stmt.value, &stmt.identity})
    if (*expr) ir::walk(**expr, visit);
}

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

/// Has an identity that generated code can spell.
bool folds(ir::Combine combine) {
  return combine != ir::Combine::Any && combine != ir::Combine::Function;
}

bool mentions(const KernelStmt& stmt, const std::string& symbol) {
  if (reads(stmt, symbol) || stmt.symbol == symbol || stmt.changed == symbol) return true;
  const auto in = [&](const Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [&](const auto& inside) { return mentions(*inside, symbol); });
  };
  return in(stmt.body) || in(stmt.otherwise);
}

class Analysis {
 public:
  Analysis(const Kernel& kernel, const KernelStmt& loop) : kernel_(kernel), loop_(loop) {}

  std::optional<SharedEdges> run() {
    if (loop_.vertex != kernel_.vertex) return std::nullopt;
    collect_inner(loop_.body);
    scan(loop_.body, false);
    if (!possible_ || (leaves_ && shared_.accumulator.empty())) return std::nullopt;
    if (!shared_.accumulator.empty() && writes_) return std::nullopt;
    collect_kept();
    return shared_;
  }

 private:
  void collect_inner(const Block& block) {
    walk_statements(block, [&](const KernelStmt& stmt) {
      if (declares(stmt) || stmt.op == KernelOp::ForEdges) inner_.insert(stmt.symbol);
    });
  }

  void scan(const Block& block, bool nested) {
    for (const auto& stmt : block) {
      check(*stmt, nested);
      scan(stmt->body, nested || stmt->op == KernelOp::ForEdges);
      scan(stmt->otherwise, nested || stmt->op == KernelOp::ForEdges);
    }
  }

  void check(const KernelStmt& stmt, bool nested) {
    switch (stmt.op) {
      case KernelOp::Accumulate:
        return accumulate(stmt);
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
      case KernelOp::Append:
      case KernelOp::SetBit:
      case KernelOp::ClearBit:
        writes_ = true;
        return;
      default:
        return;
    }
  }

  /// Of this edge's message, which nobody else writes.
  bool is_slot(const KernelStmt& stmt) const {
    return !loop_.slot.empty() && stmt.index->op == ir::Op::Local &&
           stmt.index->symbol == loop_.slot;
  }

  void accumulate(const KernelStmt& stmt) {
    if (inner_.contains(stmt.symbol)) return;
    const bool same = shared_.accumulator == stmt.symbol && shared_.combine == stmt.combine;
    possible_ = possible_ && folds(stmt.combine) && (shared_.accumulator.empty() || same);
    shared_.accumulator = stmt.symbol;
    shared_.combine = stmt.combine;
    if (!stmt.changed.empty()) shared_.changed = stmt.changed;
    // A thread sees its own part of the fold, which is enough to leave early and for nothing else.
    walk_statements(loop_.body, [&](const KernelStmt& inside) {
      if (reads(inside, stmt.symbol) && !is_exit(inside)) possible_ = false;
      if (!stmt.changed.empty() && reads(inside, stmt.changed)) possible_ = false;
    });
  }

  void collect_kept() {
    walk_statements(kernel_.body, [&](const KernelStmt& stmt) {
      if (!declares(stmt) || inner_.contains(stmt.symbol)) return;
      if (stmt.symbol == shared_.accumulator) {
        shared_.accumulator_type = stmt.type;
        return;
      }
      const bool used = std::any_of(loop_.body.begin(), loop_.body.end(), [&](const auto& inside) {
        return inside->op != KernelOp::Accumulate ? mentions(*inside, stmt.symbol)
                                                  : reads(*inside, stmt.symbol);
      });
      if (used && stmt.symbol != shared_.changed) shared_.kept.push_back({stmt.symbol, stmt.type});
    });
  }

  const Kernel& kernel_;
  const KernelStmt& loop_;
  SharedEdges shared_;
  std::set<std::string> inner_;
  bool possible_ = true;
  bool leaves_ = false;
  bool writes_ = false;
};

}  // namespace

std::optional<SharedEdges> shared_form(const Kernel& kernel, const KernelStmt& loop) {
  return Analysis(kernel, loop).run();
}

}  // namespace vertigo::plan
