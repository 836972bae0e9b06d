#include "compiler/passes/plan/ShareLists.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "compiler/ir/plan/SharedForm.h"

namespace vertigo::compiler::passes {

namespace {

using plan::Balance;
using plan::Block;
using plan::KernelOp;
using plan::KernelStmt;
using plan::KernelStmtPtr;

void collect_mentioned(const Block& block, std::set<std::string>& names) {
  plan::walk_statements(block, [&](const KernelStmt& stmt) {
    names.insert({stmt.symbol, stmt.changed});
    plan::for_each_expr(stmt, [&](const ir::Expr& e) {
      if (e.op == ir::Op::Local) names.insert(e.symbol);
    });
  });
}

/// The body as it was before it was arranged.
Block as_written(Block block) {
  Block plain;
  for (KernelStmtPtr& stmt : block) {
    stmt->outlives = false;
    stmt->together = false;
    stmt->shared.reset();
    stmt->body = as_written(std::move(stmt->body));
    stmt->otherwise = as_written(std::move(stmt->otherwise));
    if (stmt->op == KernelOp::Alone)
      std::ranges::move(stmt->body, std::back_inserter(plain));
    else
      plain.push_back(std::move(stmt));
  }
  return plain;
}

class Arrangement {
 public:
  explicit Arrangement(plan::Kernel& kernel) : kernel_(kernel), forms_(kernel) {}

  void run() {
    if (!mark(kernel_.body, true)) return;
    kernel_.together = true;
    kernel_.body = arranged(std::move(kernel_.body));
  }

 private:
  /// Says of loops how they are shared and of branches that they hold such a loop; whether there is
  /// one. `everyone`: all vertices of the kernel come through the block.
  bool mark(Block& block, bool everyone) {
    bool any = false;
    for (const KernelStmtPtr& stmt : block) {
      if (stmt->op == KernelOp::ForEdges) {
        stmt->shared = forms_.of(*stmt);
        if (stmt->shared) stmt->shared->way = way(*stmt, everyone);
        any = any || stmt->shared;
      }
      if (stmt->op != KernelOp::If) continue;
      const bool then = mark(stmt->body, false);
      stmt->together = mark(stmt->otherwise, false) || then;
      any = any || stmt->together;
    }
    return any;
  }

  // Laying lists end to end is of use to those who send: each edge has a receiver of its own.
  plan::Sharing way(const KernelStmt& loop, bool everyone) const {
    const bool gathers = !loop.shared->accumulator.empty();
    switch (kernel_.balance) {
      case Balance::Edge:
        return gathers ? plan::Sharing::Mixed : plan::Sharing::Edge;
      case Balance::Warp:
        return plan::Sharing::Warp;
      case Balance::Block:
        return plan::Sharing::Block;
      case Balance::Rows:
        if (everyone && plan::folds_rows(kernel_, loop, *loop.shared)) return plan::Sharing::Rows;
        [[fallthrough]];
      case Balance::Auto:
        return gathers || kernel_.domain != plan::Domain::AllVertices ? plan::Sharing::Auto
                                                                      : plan::Sharing::AutoAll;
      default:
        return plan::Sharing::Mixed;
    }
  }

  static bool is_together(const KernelStmt& stmt) { return stmt.together || stmt.shared; }

  /// What stands between two statements that all threads go through is one's alone.
  static Block arranged(Block block) {
    // Backwards, because what follows says which locals outlive what is alone.
    Block reversed;
    std::set<std::string> mentioned;
    while (!block.empty()) {
      const auto last_together = std::find_if(block.rbegin(), block.rend(),
                                              [](const auto& stmt) { return is_together(*stmt); });
      Block run;
      std::move(last_together.base(), block.end(), std::back_inserter(run));
      block.erase(last_together.base(), block.end());
      if (!run.empty()) reversed.push_back(alone(std::move(run), mentioned));
      if (block.empty()) break;
      Block one;
      one.push_back(std::move(block.back()));
      block.pop_back();
      collect_mentioned(one, mentioned);
      one.front()->body = one.front()->together ? arranged(std::move(one.front()->body))
                                                : std::move(one.front()->body);
      if (one.front()->together)
        one.front()->otherwise = arranged(std::move(one.front()->otherwise));
      reversed.push_back(std::move(one.front()));
    }
    std::ranges::reverse(reversed);
    return reversed;
  }

  static KernelStmtPtr alone(Block run, std::set<std::string>& mentioned) {
    for (const KernelStmtPtr& stmt : run)
      stmt->outlives = plan::declares(*stmt) && mentioned.contains(stmt->symbol);
    collect_mentioned(run, mentioned);
    auto made = std::make_unique<KernelStmt>();
    made->op = KernelOp::Alone;
    made->body = std::move(run);
    return made;
  }

  plan::Kernel& kernel_;
  plan::SharedForms forms_;
};

}  // namespace

void share_lists(plan::Plan& plan, PassContext&) {
  for (plan::Kernel& kernel : plan.kernels) {
    // A plan that was edited may have been arranged for another balance.
    if (kernel.together) kernel.body = as_written(std::move(kernel.body));
    kernel.together = false;
    if (kernel.balance != Balance::Thread && kernel.balance != Balance::Sorted)
      Arrangement(kernel).run();
  }
}

}  // namespace vertigo::compiler::passes
