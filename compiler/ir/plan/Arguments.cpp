#include "compiler/ir/plan/Arguments.h"

#include <algorithm>
#include <map>

namespace vertigo::plan {

using ir::Op;

namespace {

bool writes(KernelOp op) {
  return op == KernelOp::Store || op == KernelOp::CombineInto || op == KernelOp::Take ||
         op == KernelOp::Sample || op == KernelOp::Uncount;
}

int rank_of(BufferRole role) {
  switch (role) {
    case BufferRole::Worklist:
      return 0;
    case BufferRole::Bitmap:
      return 1;
    case BufferRole::Flag:
      return 2;
    case BufferRole::Counter:
      return 4;
    case BufferRole::Scalar:
    case BufferRole::Threshold:
      return 5;
    default:
      return 3;
  }
}

class Collector {
 public:
  Collector(const Plan& plan, const Kernel& kernel) : plan_(plan), kernel_(kernel) {}

  std::vector<KernelArgument> run() {
    add({KernelArgument::Kind::Graph, "", {}, false});
    if (kernel_.domain == Domain::Worklist || kernel_.domain == Domain::Sample)
      add_buffer(kernel_.list, false);
    if (!kernel_.order.empty()) add_buffer(kernel_.order, false);
    const std::size_t fixed = arguments_.size();
    if (kernel_.domain == Domain::OneVertex) add({KernelArgument::Kind::Start, "", {}, false});
    if (kernel_.domain == Domain::VertexList)
      add({KernelArgument::Kind::List, kernel_.list, {}, false});
    if (kernel_.domain == Domain::Part || kernel_.domain == Domain::Rest)
      add({KernelArgument::Kind::Part, "", {}, false});
    walk_statements(kernel_.body, [&](const KernelStmt& stmt) {
      if (!stmt.slots.empty()) add_buffer(stmt.slots, false);
      if (!stmt.hubs.empty()) add_buffer(stmt.hubs, false);
      const Buffer* buffer = plan_.find_buffer(stmt.buffer);
      if (stmt.op == KernelOp::ForMessages && buffer != nullptr) add_buffer(buffer->slots, false);
      if (stmt.op == KernelOp::Store && buffer != nullptr && !buffer->hubs.empty())
        add_buffer(buffer->hubs, false);
      if (!stmt.buffer.empty()) add_buffer(stmt.buffer, writes(stmt.op));
      for_each_expr(stmt, [&](const Expr& e) { add_expr(e); });
    });
    std::stable_sort(
        arguments_.begin() + static_cast<std::ptrdiff_t>(fixed), arguments_.end(),
        [&](const KernelArgument& a, const KernelArgument& b) { return order(a) < order(b); });
    return std::move(arguments_);
  }

 private:
  int order(const KernelArgument& argument) const {
    switch (argument.kind) {
      case KernelArgument::Kind::Graph:
      case KernelArgument::Kind::Start:
      case KernelArgument::Kind::List:
      case KernelArgument::Kind::Part:
        return -1;
      case KernelArgument::Kind::Buffer:
        return rank_of(plan_.find_buffer(argument.name)->role);
      case KernelArgument::Kind::Parameter:
        return 6;
      case KernelArgument::Kind::Step:
        return 7;
    }
    return 8;
  }

  void add(KernelArgument argument) {
    places_.try_emplace({argument.kind, argument.name}, arguments_.size());
    arguments_.push_back(std::move(argument));
  }

  KernelArgument* find(KernelArgument::Kind kind, const std::string& name) {
    const auto found = places_.find({kind, name});
    return found == places_.end() ? nullptr : &arguments_[found->second];
  }

  void add_buffer(const std::string& name, bool written) {
    if (KernelArgument* known = find(KernelArgument::Kind::Buffer, name)) {
      known->written = known->written || written;
      return;
    }
    if (plan_.find_buffer(name) != nullptr) add({KernelArgument::Kind::Buffer, name, {}, written});
  }

  void add_once(KernelArgument::Kind kind, const std::string& name, const ir::Type& type) {
    if (find(kind, name) == nullptr) add({kind, name, type, false});
  }

  void add_expr(const Expr& e) {
    if (e.op == Op::Load || e.op == Op::TestBit) add_buffer(e.symbol, false);
    if (e.op == Op::Parameter || e.op == Op::HostVariable)
      add_once(KernelArgument::Kind::Parameter, e.symbol, e.type);
    if (e.op == Op::IndexIn) add_once(KernelArgument::Kind::List, e.symbol, {});
    if (e.op == Op::Step) add_once(KernelArgument::Kind::Step, "", e.type);
  }

  const Plan& plan_;
  const Kernel& kernel_;
  std::vector<KernelArgument> arguments_;
  std::map<std::pair<KernelArgument::Kind, std::string>, std::size_t> places_;
};

}  // namespace

std::vector<KernelArgument> arguments_of(const Plan& plan, const Kernel& kernel) {
  return Collector(plan, kernel).run();
}

std::set<std::string> touched_by(const Plan& plan, const Action& action) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    const Buffer* const buffer = plan.find_buffer(name);
    if (buffer != nullptr && buffer->role != BufferRole::Counter) names.insert(name);
  };
  if (action.kind == ActionKind::Launch) {
    const Kernel* const kernel = plan.find_kernel(action.symbol);
    if (kernel == nullptr) return names;
    for (const KernelArgument& argument : kernel->takes)
      if (argument.kind == KernelArgument::Kind::Buffer) add(argument.name);
    return names;
  }
  add(action.symbol);
  add(action.source);
  return names;
}

bool waits_for(const Plan& plan, const Action& action, const std::set<std::string>& busy,
               bool kernel_runs) {
  if (kernel_runs && action.kind == ActionKind::Launch) return true;
  const std::set<std::string> touched = touched_by(plan, action);
  return std::ranges::any_of(touched, [&](const std::string& name) { return busy.contains(name); });
}

bool has_own_barrier(const Plan& plan, const Action& action) {
  const Kernel* const kernel =
      action.kind == ActionKind::Launch ? plan.find_kernel(action.symbol) : nullptr;
  return kernel != nullptr && kernel->at_ends;
}

}  // namespace vertigo::plan
