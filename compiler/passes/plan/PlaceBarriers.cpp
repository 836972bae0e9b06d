#include "compiler/passes/plan/PlaceBarriers.h"

#include <algorithm>
#include <set>

namespace vertigo::compiler::passes {

namespace {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;
using plan::KernelArgument;

/// What happens in a fused variant's steps, and between them.
template <class Visit>
void for_each_action(const plan::Variant& variant, const Visit& visit) {
  std::ranges::for_each(variant.step, visit);
  if (!variant.hybrid) return;
  std::ranges::for_each(variant.hybrid->to_list, visit);
  std::ranges::for_each(variant.hybrid->to_all, visit);
}

class LoopBuilder {
 public:
  LoopBuilder(const plan::Plan& plan, const plan::PhasePlan& phase) : plan_(plan), phase_(phase) {}

  plan::StepLoop run() {
    loop_.takes.push_back({KernelArgument::Kind::Graph, "", {}, false});
    for (const plan::Variant& variant : phase_.variants)
      if (variant.fused) collect(variant);
    for (const plan::Variant& variant : phase_.variants) {
      if (variant.hybrid) {
        const Action barrier{ActionKind::Barrier, "", "", {}};
        loop_.changes.push_back({true, chained(variant.hybrid->to_list, barrier)});
        loop_.changes.push_back({false, chained(variant.hybrid->to_all, barrier)});
      } else if (variant.fused) {
        loop_.steps.push_back(
            {variant.name(),
             chained(variant.step, {ActionKind::EndStep, variant.pending, "", {}})});
      }
    }
    return std::move(loop_);
  }

 private:
  void collect(const plan::Variant& variant) {
    for_each_action(variant, [&](const Action& action) {
      if (action.kind == ActionKind::Launch) return add_kernel(*plan_.find_kernel(action.symbol));
      add_buffer(action.symbol, action.kind == ActionKind::CopyBuffer);
      if (!action.source.empty()) add_buffer(action.source, false);
    });
  }

  bool takes_turns(const std::string& buffer) const {
    const BufferRole role = plan_.find_buffer(buffer)->role;
    return role == BufferRole::Worklist || role == BufferRole::Flag;
  }

  void add_buffer(const std::string& name, bool written) {
    const BufferRole role = plan_.find_buffer(name)->role;
    // The loop counts for itself.
    if (role == BufferRole::Counter) return;
    if (takes_turns(name) || role == BufferRole::Bitmap) {
      if (held_.insert(name).second) loop_.holds.push_back(name);
      return;
    }
    add({KernelArgument::Kind::Buffer, name, {}, written});
  }

  void add_kernel(const plan::Kernel& kernel) {
    for (const KernelArgument& argument : kernel.takes) {
      if (argument.kind == KernelArgument::Kind::Buffer)
        add_buffer(argument.name, argument.written);
      else if (argument.kind != KernelArgument::Kind::Step)
        add(argument);
    }
  }

  void add(const KernelArgument& argument) {
    const auto known = std::ranges::find_if(loop_.takes, [&](const KernelArgument& other) {
      return other.kind == argument.kind && other.name == argument.name;
    });
    if (known == loop_.takes.end())
      loop_.takes.push_back(argument);
    else
      known->written = known->written || argument.written;
  }

  /// What a block does to its own copy of the loop; other actions are work of the whole grid.
  bool is_of_block(const Action& action) const {
    return action.kind == ActionKind::Swap ||
           (action.kind == ActionKind::ClearBuffer && takes_turns(action.symbol));
  }

  // A barrier stands between works of the grid; what one thread does for its block waits for it.
  std::vector<Action> chained(const std::vector<Action>& actions, Action ending) const {
    std::vector<Action> chain;
    std::vector<Action> of_block;
    bool works = false;
    for (Action action : actions) {
      if (is_of_block(action)) {
        if (action.kind == ActionKind::ClearBuffer) action.kind = ActionKind::Renew;
        of_block.push_back(std::move(action));
        continue;
      }
      if (works)
        chain.push_back({ActionKind::Barrier, "", "", std::move(of_block)});
      else if (!of_block.empty())
        chain.push_back({ActionKind::EachBlock, "", "", std::move(of_block)});
      of_block.clear();
      chain.push_back(std::move(action));
      works = true;
    }
    if (!works && of_block.empty()) return chain;
    ending.body = std::move(of_block);
    chain.push_back(std::move(ending));
    return chain;
  }

  const plan::Plan& plan_;
  const plan::PhasePlan& phase_;
  plan::StepLoop loop_;
  std::set<std::string> held_;
};

/// Kernels that the host launches and kernels that loops call.
struct Callers {
  std::set<std::string> host;
  std::set<std::string> loops;
};

Callers callers_of(const plan::Plan& plan) {
  Callers callers;
  const auto add = [](std::set<std::string>& kernels, const std::vector<Action>& actions) {
    for (const Action& action : actions)
      if (action.kind == ActionKind::Launch) kernels.insert(action.symbol);
  };
  add(callers.host, plan.initialize);
  for (const plan::VertexReduction& reduction : plan.reductions)
    callers.host.insert(reduction.kernel);
  for (const plan::PhasePlan& phase : plan.phases) {
    add(callers.host, phase.finish);
    for (const plan::Variant& variant : phase.variants) {
      add(callers.host, variant.prepare);
      add(variant.fused ? callers.loops : callers.host, variant.step);
      if (!variant.fused || !variant.hybrid) continue;
      add(callers.loops, variant.hybrid->to_list);
      add(callers.loops, variant.hybrid->to_all);
    }
  }
  return callers;
}

}  // namespace

void place_barriers(plan::Plan& plan, PassContext&) {
  for (plan::PhasePlan& phase : plan.phases) {
    phase.loop.reset();
    if (std::ranges::any_of(phase.variants, [](const auto& variant) { return variant.fused; }))
      phase.loop = LoopBuilder(plan, phase).run();
  }
  const Callers callers = callers_of(plan);
  for (plan::Kernel& kernel : plan.kernels) {
    const bool host = callers.host.contains(kernel.name);
    const bool loop = callers.loops.contains(kernel.name);
    kernel.called_by = !loop ? plan::Caller::Host : host ? plan::Caller::Both : plan::Caller::Loop;
  }
}

}  // namespace vertigo::compiler::passes
