#include "compiler/passes/plan/RoundsBuilder.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "compiler/ir/plan/Arguments.h"
#include "compiler/passes/plan/GridChain.h"

namespace vertigo::compiler::passes {

namespace {

using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using plan::Action;
using plan::ActionKind;
using plan::KernelArgument;

/// The same, with what is cleared in front where nothing before it needs what it was: works that
/// nobody waits for share a barrier.
std::vector<Action> with_early_clears(const plan::Plan& plan, const std::vector<Action>& actions) {
  std::vector<Action> early;
  std::vector<Action> others;
  std::set<std::string> touched;
  for (const Action& action : actions) {
    const bool clears = action.kind == ActionKind::ClearBuffer && !touched.contains(action.symbol);
    (clears ? early : others).push_back(action);
    touched.merge(plan::touched_by(plan, action));
  }
  // Marks are cleared by the whole grid.
  std::ranges::stable_partition(early, [&](const Action& action) {
    return plan.find_buffer(action.symbol)->role != plan::BufferRole::Bitmap;
  });
  early.insert(early.end(), others.begin(), others.end());
  return early;
}

class RoundsBuilder {
 public:
  RoundsBuilder(const plan::Plan& plan, plan::Rounds& rounds)
      : plan_(plan), rounds_(rounds), chain_(plan) {}

  void run(const Stmt& loop) {
    rounds_ = {.loop = rounds_.loop};
    add(loop);
    rounds_.holds = chain_.holds();
    sort_out_values();
    // Where the host went through it, loops within would have no launch of their own, and those may
    // have many short rounds.
    if (!is_simple(loop))
      for (plan::Rounds::Part& part : rounds_.parts)
        if (part.reach == plan::Reach::AllVertices) part.reach = plan::Reach::Some;
  }

 private:
  /// Whether nothing in it is repeated: neither a loop nor the steps of a phase.
  bool is_simple(const Stmt& loop) const {
    const auto is_once = [&](const ir::StmtPtr& inside) {
      const auto has_steps = [](const plan::PhasePlan* phase) {
        return phase->variants[phase->preferred].fused;
      };
      return std::ranges::none_of(plan::phases_run_by(plan_, *inside), has_steps) &&
             !plan::is_loop(*inside) && is_simple(*inside);
    };
    return std::ranges::all_of(loop.body, is_once) && std::ranges::all_of(loop.otherwise, is_once);
  }

  void add(const Stmt& stmt) {
    if (stmt.kind == StmtKind::HostLet || stmt.kind == StmtKind::HostAssign ||
        stmt.kind == StmtKind::For)
      values_.insert(stmt.symbol);
    if (stmt.value) add(*stmt.value);
    if (stmt.limit) add(*stmt.limit);
    if (stmt.kind == StmtKind::Phase) add(*plan_.find_phase(stmt.symbol));
    for (const ir::StmtPtr& inside : stmt.body) add(*inside);
    for (const ir::StmtPtr& inside : stmt.otherwise) add(*inside);
  }

  void add(const ir::Expr& expr) {
    chain_.note(expr);
    ir::walk(expr, [&](const ir::Expr& e) {
      if (e.op != Op::Load || !reductions_.insert(e.symbol).second) return;
      rounds_.reductions.push_back(e.symbol);
      const plan::VertexReduction& reduction = *plan_.find_reduction(e.symbol);
      if (reduction.phase.empty())
        note(*plan_.find_kernel(reduction.kernel));
      else
        add(*plan_.find_phase(reduction.phase));
    });
  }

  void note(const plan::Kernel& kernel) {
    chain_.note(kernel);
    if (kernel.domain == plan::Domain::OneVertex) add(*kernel.start);
  }

  void note(const std::vector<Action>& actions) {
    for (const Action& action : actions) {
      if (action.kind == ActionKind::Launch)
        note(*plan_.find_kernel(action.symbol));
      else
        chain_.note(action);
    }
  }

  void add(const plan::PhasePlan& phase) {
    if (!phases_.insert(phase.phase).second) return;
    if (phase.step_limit) add(*phase.step_limit);
    const plan::Variant& variant = phase.variants[phase.preferred];
    note(variant.prepare);
    note(phase.finish);
    const Action barrier{ActionKind::Barrier, "", "", {}};
    plan::Rounds::Part part{
        phase.phase, plan::reach_of(plan_, variant), {}, chain_.chained(phase.finish, barrier)};
    if (variant.fused) {
      part.begin = chain_.chained(with_early_clears(plan_, variant.prepare), barrier);
      note_steps(phase);
    } else {
      // An update that is one step need not be cleared for twice.
      std::vector<Action> update;
      std::ranges::copy_if(variant.prepare, std::back_inserter(update), [&](const Action& action) {
        return std::ranges::find(variant.step, action) == variant.step.end();
      });
      std::ranges::copy(variant.step, std::back_inserter(update));
      note(variant.step);
      part.begin = chain_.chained(update, {ActionKind::EndUpdate, "", "", {}});
    }
    rounds_.parts.push_back(std::move(part));
  }

  // Of all paths in the loop, as its text has them all.
  void note_steps(const plan::PhasePlan& phase) {
    const auto note_inside = [&](const std::vector<Action>& actions) {
      for (const Action& action : actions) {
        for (const Action& inside : action.body) chain_.note(inside);
        const bool waits = action.kind == ActionKind::Barrier ||
                           action.kind == ActionKind::EachBlock ||
                           action.kind == ActionKind::EndStep;
        if (!waits) note(std::vector{action});
        if (action.kind == ActionKind::EndStep)
          chain_.note({ActionKind::ClearBuffer, action.symbol, "", {}});
      }
    };
    for (const plan::StepLoop::Change& change : phase.loop->changes) note_inside(change.actions);
    for (const plan::StepLoop::Steps& steps : phase.loop->steps) note_inside(steps.actions);
  }

  // What a kernel takes by the name of a variable stands in the loop's own copy, and start vertices
  // are computed where they are asked for.
  void sort_out_values() {
    const auto is_parameter = [&](const std::string& name) {
      return plan_.program.parameters.find(name) != nullptr;
    };
    for (const KernelArgument& argument : chain_.takes()) {
      if (argument.kind == KernelArgument::Kind::Parameter && !is_parameter(argument.name))
        values_.insert(argument.name);
      else
        rounds_.takes.push_back(argument);
    }
    rounds_.values.assign(values_.begin(), values_.end());
  }

  const plan::Plan& plan_;
  plan::Rounds& rounds_;
  GridChain chain_;
  std::set<std::string> phases_;
  std::set<std::string> reductions_;
  std::set<std::string> values_;
};

}  // namespace

void chain_rounds(const plan::Plan& plan, const ir::Stmt& loop, plan::Rounds& rounds) {
  RoundsBuilder(plan, rounds).run(loop);
}

}  // namespace vertigo::compiler::passes
