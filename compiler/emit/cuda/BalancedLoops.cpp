#include "compiler/emit/cuda/BalancedLoops.h"

#include <algorithm>
#include <set>

#include "compiler/emit/common/KernelArguments.h"

namespace vertigo::compiler::emit {

using plan::KernelOp;
using plan::KernelStmt;

namespace {

bool declares(const KernelStmt& stmt) {
  return stmt.op == KernelOp::Let || stmt.op == KernelOp::Accumulator || stmt.op == KernelOp::Take;
}

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

class Analysis {
 public:
  Analysis(const plan::Kernel& kernel, const KernelStmt& loop) : kernel_(kernel), loop_(loop) {}

  std::optional<SharedLoop> run() {
    if (loop_.vertex != kernel_.vertex) return std::nullopt;
    collect_inner(loop_.body);
    scan(loop_.body, false);
    if (!possible_ || (leaves_ && shared_.accumulator.empty())) return std::nullopt;
    if (!shared_.accumulator.empty() && writes_) return std::nullopt;
    collect_kept();
    return shared_;
  }

 private:
  void collect_inner(const plan::Block& block) {
    plan::walk_statements(block, [&](const KernelStmt& stmt) {
      if (declares(stmt) || stmt.op == KernelOp::ForEdges) inner_.insert(stmt.symbol);
    });
  }

  void scan(const plan::Block& block, bool nested) {
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
    plan::walk_statements(loop_.body, [&](const KernelStmt& inside) {
      if (reads(inside, stmt.symbol) && !is_exit(inside)) possible_ = false;
      if (!stmt.changed.empty() && reads(inside, stmt.changed)) possible_ = false;
    });
  }

  void collect_kept() {
    plan::walk_statements(kernel_.body, [&](const KernelStmt& stmt) {
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

  const plan::Kernel& kernel_;
  const KernelStmt& loop_;
  SharedLoop shared_;
  std::set<std::string> inner_;
  bool possible_ = true;
  bool leaves_ = false;
  bool writes_ = false;
};

}  // namespace

bool mentions(const KernelStmt& stmt, const std::string& symbol) {
  if (reads(stmt, symbol) || stmt.symbol == symbol || stmt.changed == symbol) return true;
  const auto in = [&](const plan::Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [&](const auto& inside) { return mentions(*inside, symbol); });
  };
  return in(stmt.body) || in(stmt.otherwise);
}

std::optional<SharedLoop> shared_form(const plan::Kernel& kernel, const KernelStmt& loop) {
  return Analysis(kernel, loop).run();
}

bool has_shared_loop(const plan::Kernel& kernel, const plan::Block& block) {
  return std::any_of(block.begin(), block.end(), [&](const auto& stmt) {
    if (stmt->op == KernelOp::ForEdges) return shared_form(kernel, *stmt).has_value();
    if (stmt->op != KernelOp::If) return false;
    return has_shared_loop(kernel, stmt->body) || has_shared_loop(kernel, stmt->otherwise);
  });
}

bool is_balanced_by_graph(const plan::Plan& plan, const plan::PhasePlan& phase,
                          const plan::Variant& variant) {
  const std::set<std::string> kernels = kernels_of(phase, variant);
  return std::any_of(kernels.begin(), kernels.end(), [&](const std::string& name) {
    const plan::Kernel& kernel = *plan.find_kernel(name);
    return kernel.balance == plan::Balance::Auto && has_shared_loop(kernel, kernel.body);
  });
}

}  // namespace vertigo::compiler::emit
