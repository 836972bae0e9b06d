#include "compiler/ir/plan/ArrangementVerifier.h"

#include <algorithm>
#include <set>

#include "compiler/ir/plan/Arguments.h"
#include "compiler/ir/plan/Placement.h"
#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/ir/plan/SharedForm.h"
#include "vertigo/core/quoted.h"

namespace vertigo::plan {

namespace {

class ArrangementVerifier {
 public:
  explicit ArrangementVerifier(const Plan& plan) : plan_(plan), loops_(loops_of(plan)) {}

  std::vector<std::string> run() {
    for (const Kernel& kernel : plan_.kernels) check_kernel(kernel);
    for (const PhasePlan& phase : plan_.phases) check_phase(phase);
    for (const Rounds& rounds : plan_.rounds) check_rounds(rounds);
    check_placements();
    if (plan_.host) check_host(*plan_.host);
    return std::move(messages_);
  }

 private:
  void complain(const std::string& message) { messages_.push_back(message); }

  void check_kernel(const Kernel& kernel) {
    what_ = "kernel " + quoted(kernel.name);
    if (kernel.together)
      check_together(SharedForms(kernel), kernel.body, &kernel);
    else
      check_plain(kernel.body);
    if (kernel.balance == Balance::Thread || kernel.balance == Balance::Sorted)
      check_no_votes(kernel.body);
    if (!kernel.takes.empty() && kernel.takes != arguments_of(plan_, kernel))
      complain(what_ + " takes something else than it uses");
  }

  // What one thread does for its own vertex.
  void check_plain(const Block& block) {
    walk_statements(block, [&](const KernelStmt& stmt) {
      if (stmt.op == KernelOp::Alone || stmt.together || stmt.shared)
        complain(what_ + " has threads work together where one is alone");
    });
  }

  // Threads of a GPU have no room of their own to count in.
  void check_no_votes(const Block& block) {
    walk_statements(block, [&](const KernelStmt& stmt) {
      if (uses_ballots(stmt.op)) complain(what_ + " has single threads count votes");
    });
  }

  // `rows`: the kernel, where all of its vertices come through the block; else null.
  void check_together(const SharedForms& forms, const Block& block, const Kernel* rows) {
    for (const KernelStmtPtr& stmt : block) {
      if (stmt->op == KernelOp::Alone) {
        check_plain(stmt->body);
      } else if (stmt->op == KernelOp::If && stmt->together) {
        check_together(forms, stmt->body, nullptr);
        check_together(forms, stmt->otherwise, nullptr);
      } else if (stmt->op == KernelOp::ForEdges && stmt->shared) {
        check_shared(forms, *stmt);
        if (stmt->shared->way == Sharing::Rows &&
            (rows == nullptr || !folds_rows(*rows, *stmt, *stmt->shared)))
          complain(what_ +
                   " folds rows that are not of all vertices, or has to know whose they are");
      } else {
        complain(what_ + " has all threads go through a " +
                 quoted(std::string(spelling(kKernelOps, stmt->op))));
      }
    }
  }

  void check_shared(const SharedForms& forms, const KernelStmt& loop) {
    check_plain(loop.body);
    std::optional<SharedEdges> form = forms.of(loop);
    if (form) form->way = loop.shared->way;
    if (form != loop.shared) complain(what_ + " shares a loop that cannot be shared so");
  }

  const Buffer* expect_buffer(const std::string& name, const std::string& what) {
    const Buffer* buffer = plan_.find_buffer(name);
    if (buffer == nullptr) complain(what + " names no buffer: " + quoted(name));
    return buffer;
  }

  void check_phase(const PhasePlan& phase) {
    what_ = "phase " + quoted(phase.phase);
    for (const Variant& variant : phase.variants) {
      for (const std::string& name : variant.needs) expect_buffer(name, what_);
      if (variant.threshold.empty()) continue;
      const Buffer* threshold = expect_buffer(variant.threshold, what_);
      if (threshold != nullptr && threshold->role != BufferRole::Threshold)
        complain(what_ + " waits for what is no threshold: " + quoted(variant.threshold));
    }
    if (phase.loop) check_loop(phase, *phase.loop);
  }

  void check_loop(const PhasePlan& phase, const StepLoop& loop) {
    what_ = "the loop of phase " + quoted(phase.phase);
    for (const std::string& name : loop.holds) expect_buffer(name, what_);
    std::set<std::string> covered;
    for (const StepLoop::Steps& steps : loop.steps) {
      const Variant* variant = phase.find_variant(steps.variant);
      if (variant == nullptr || !variant->fused || variant->hybrid)
        complain(what_ + " has steps of " + quoted(steps.variant) + ", which is no fused path");
      covered.insert(steps.variant);
      check_chain(steps.actions, ActionKind::EndStep);
    }
    for (const Variant& variant : phase.variants)
      if (variant.fused && !variant.hybrid && !covered.contains(variant.name()))
        complain(what_ + " has no steps of " + quoted(variant.name()));
    for (const StepLoop::Change& change : loop.changes)
      check_chain(change.actions, ActionKind::Barrier);
  }

  static bool waits(ActionKind kind) {
    return kind == ActionKind::Barrier || kind == ActionKind::EndStep ||
           kind == ActionKind::EndUpdate;
  }

  // Whatever waits for a work of the whole grid has a barrier before it, and the last has `ending`
  // behind it.
  void check_chain(const std::vector<Action>& actions, ActionKind ending) {
    std::set<std::string> busy;
    bool kernel_runs = false;
    const auto check_wait = [&](const Action& action) {
      if (waits_for(plan_, action, busy, kernel_runs))
        complain(what_ + " lacks a barrier before " + text_of(action));
    };
    for (const Action& action : actions) {
      check_action(action);
      if (waits(action.kind)) {
        busy.clear();
        kernel_runs = false;
        continue;
      }
      check_wait(action);
      for (const Action& inside : action.body) check_wait(inside);
      if (action.kind == ActionKind::EachBlock || has_own_barrier(plan_, action)) continue;
      busy.merge(touched_by(plan_, action));
      kernel_runs = kernel_runs || action.kind == ActionKind::Launch;
    }
    if (!actions.empty() && actions.back().kind != ending)
      complain(what_ + " does not end in " + quoted(std::string(spelling(kActions, ending))));
  }

  void check_rounds(const Rounds& rounds) {
    what_ = "loop " + std::to_string(rounds.loop) + " of the host level";
    if (rounds.loop >= loops_.size()) return complain(what_ + " is not there");
    const ir::Stmt* const loop = loops_[rounds.loop];
    if (rounds.takes.empty()) return;
    for (const std::string& name : rounds.holds) expect_buffer(name, what_);
    for (const std::string& name : rounds.reductions) {
      const VertexReduction* const reduction = plan_.find_reduction(name);
      if (reduction == nullptr)
        complain(what_ + " reduces what is no reduction: " + quoted(name));
      else if (reduction->phase.empty())
        check_action({ActionKind::Launch, reduction->kernel, "", {}});
    }
    std::set<std::string> covered;
    for (const Rounds::Part& part : rounds.parts) {
      const PhasePlan* const phase = plan_.find_phase(part.phase);
      if (phase == nullptr) {
        complain(what_ + " runs no phase: " + quoted(part.phase));
        continue;
      }
      covered.insert(part.phase);
      const bool fused = phase->variants[phase->preferred].fused;
      check_chain(part.begin, fused ? ActionKind::Barrier : ActionKind::EndUpdate);
      check_chain(part.finish, ActionKind::Barrier);
    }
    check_statements(*loop, covered);
  }

  void check_statements(const ir::Stmt& stmt, const std::set<std::string>& covered) {
    if (stmt.kind == ir::StmtKind::Report)
      complain(what_ + " reports " + quoted(stmt.symbol) + ", which is the host's");
    if (stmt.kind == ir::StmtKind::Phase && !covered.contains(stmt.symbol))
      complain(what_ + " has no actions for phase " + quoted(stmt.symbol));
    for (const ir::StmtPtr& inside : stmt.body) check_statements(*inside, covered);
    for (const ir::StmtPtr& inside : stmt.otherwise) check_statements(*inside, covered);
  }

  void check_action(const Action& action) {
    for (const Action& inside : action.body)
      if ((inside.kind != ActionKind::Swap && inside.kind != ActionKind::Renew) ||
          !inside.body.empty())
        complain(what_ + " has one block do " + text_of(inside));
    if (action.kind == ActionKind::EachBlock || waits(action.kind)) return;
    if (!action.body.empty()) complain(what_ + " has actions inside " + text_of(action));
    if (action.kind == ActionKind::Swap || action.kind == ActionKind::Renew)
      complain(what_ + " has the whole grid do " + text_of(action));
    if (action.kind != ActionKind::Launch) return;
    const Kernel* kernel = plan_.find_kernel(action.symbol);
    if (kernel == nullptr)
      complain(what_ + " launches no kernel: " + quoted(action.symbol));
    else if (kernel->called_by == Caller::Host)
      complain(what_ + " calls a kernel of the host: " + quoted(action.symbol));
  }

  static std::string text_of(const Action& action) {
    return quoted(std::string(spelling(kActions, action.kind)) + " " + action.symbol);
  }

  void check_placements() {
    for (const auto& [name, placed] : placements_of(plan_)) {
      const Placement said = plan_.find_buffer(name)->placement;
      if (placed.placement <= said) continue;
      complain("buffer " + quoted(name) + " is said to be " +
               std::string(spelling(kPlacements, said)) + ", but " +
               (placed.kernel.empty() ? "an engine" : "kernel " + quoted(placed.kernel)) +
               " needs it " + std::string(spelling(kPlacements, placed.placement)));
    }
  }

  void check_host(const HostClass& host) {
    what_ = "the host";
    for (const std::string& name : host.holds) expect_buffer(name, what_);
    for (const std::string& name : host.columns)
      if (plan_.program.find_state(name) == nullptr)
        complain(what_ + " hands out what is no state: " + quoted(name));
    for (const Preparation& each : host.preparations) check_preparation(each);
  }

  void check_preparation(const Preparation& preparation) {
    if (!preparation.buffer.empty()) expect_buffer(preparation.buffer, what_);
    for (const VariantOf& each : preparation.variants) {
      const PhasePlan* phase = plan_.find_phase(each.phase);
      const Variant* variant = phase == nullptr ? nullptr : phase->find_variant(each.variant);
      if (variant == nullptr || (preparation.buffer.empty() && !variant->engine))
        complain(what_ + " prepares for " + quoted(each.phase + "." + each.variant) +
                 ", which is not there or has no engine");
    }
  }

  const Plan& plan_;
  const std::vector<const ir::Stmt*> loops_;
  std::string what_;
  std::vector<std::string> messages_;
};

}  // namespace

std::vector<std::string> verify_arrangement(const Plan& plan) {
  return ArrangementVerifier(plan).run();
}

}  // namespace vertigo::plan
