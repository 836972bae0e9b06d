#include "compiler/passes/plan/GridChain.h"

#include <algorithm>

#include "compiler/ir/plan/Arguments.h"

namespace vertigo::compiler::passes {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;
using plan::KernelArgument;

GridChain::GridChain(const plan::Plan& plan) : plan_(plan) {
  takes_.push_back({KernelArgument::Kind::Graph, "", {}, false});
}

void GridChain::note(const Action& action) {
  if (action.kind == ActionKind::Launch) return note(*plan_.find_kernel(action.symbol));
  if (action.kind == ActionKind::Swap) {
    hold(action.symbol);
    return hold(action.source);
  }
  add_buffer(action.symbol, action.kind == ActionKind::CopyBuffer);
  if (!action.source.empty()) add_buffer(action.source, false);
}

void GridChain::note(const plan::Kernel& kernel) {
  if (plan::is_sliced(kernel)) note(*kernel.start);
  for (const KernelArgument& argument : kernel.takes) {
    if (argument.kind == KernelArgument::Kind::Buffer)
      add_buffer(argument.name, argument.written);
    else if (argument.kind == KernelArgument::Kind::Start)
      note(*kernel.start);
    else if (argument.kind != KernelArgument::Kind::Step)
      add(argument);
  }
}

void GridChain::note(const ir::Expr& expr) {
  ir::walk(expr, [&](const ir::Expr& e) {
    if (e.op == ir::Op::Parameter || e.op == ir::Op::HostVariable)
      add({KernelArgument::Kind::Parameter, e.symbol, e.type, false});
  });
}

bool GridChain::takes_turns(const std::string& buffer) const {
  const BufferRole role = plan_.find_buffer(buffer)->role;
  return role == BufferRole::Worklist || role == BufferRole::Flag;
}

void GridChain::add_buffer(const std::string& name, bool written) {
  const BufferRole role = plan_.find_buffer(name)->role;
  // The loop counts for itself.
  if (role == BufferRole::Counter) return;
  if (takes_turns(name) || role == BufferRole::Bitmap) return hold(name);
  if (!held_.contains(name)) add({KernelArgument::Kind::Buffer, name, {}, written});
}

void GridChain::hold(const std::string& name) {
  if (!held_.insert(name).second) return;
  holds_.push_back(name);
  std::erase_if(takes_, [&](const KernelArgument& argument) {
    return argument.kind == KernelArgument::Kind::Buffer && argument.name == name;
  });
}

void GridChain::add(const KernelArgument& argument) {
  const auto known = std::ranges::find_if(takes_, [&](const KernelArgument& other) {
    return other.kind == argument.kind && other.name == argument.name;
  });
  if (known == takes_.end())
    takes_.push_back(argument);
  else
    known->written = known->written || argument.written;
}

/// What a block does to its own copy of the loop; other actions are work of the whole grid.
bool GridChain::is_of_block(const Action& action) const {
  return action.kind == ActionKind::Swap ||
         (action.kind == ActionKind::ClearBuffer && takes_turns(action.symbol));
}

std::vector<Action> GridChain::chained(const std::vector<Action>& actions, Action ending) const {
  std::vector<Action> chain;
  std::vector<Action> of_block;
  std::set<std::string> busy;
  bool kernel_runs = false;
  const auto waits = [&](const Action& action) {
    return plan::waits_for(plan_, action, busy, kernel_runs);
  };
  for (Action action : actions) {
    // Others may still read what the flag or the list was: it gets a place of its own.
    if (action.kind == ActionKind::RaiseFlag || action.kind == ActionKind::FillWorklist)
      of_block.push_back({ActionKind::Renew, action.symbol, "", {}});
    if (is_of_block(action)) {
      if (action.kind == ActionKind::ClearBuffer) action.kind = ActionKind::Renew;
      of_block.push_back(std::move(action));
      continue;
    }
    if (waits(action) || std::ranges::any_of(of_block, waits)) {
      chain.push_back({ActionKind::Barrier, "", "", std::move(of_block)});
      busy.clear();
      kernel_runs = false;
    } else if (!of_block.empty()) {
      chain.push_back({ActionKind::EachBlock, "", "", std::move(of_block)});
    }
    of_block.clear();
    action.parts.reset();
    chain.push_back(action);
    if (plan::has_own_barrier(plan_, action)) continue;
    busy.merge(plan::touched_by(plan_, action));
    kernel_runs = kernel_runs || action.kind == ActionKind::Launch;
  }
  if (chain.empty() && of_block.empty()) return chain;
  ending.body = std::move(of_block);
  chain.push_back(std::move(ending));
  return chain;
}

}  // namespace vertigo::compiler::passes
