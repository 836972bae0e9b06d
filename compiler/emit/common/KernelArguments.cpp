#include "compiler/emit/common/KernelArguments.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Expr;
using ir::Op;
using plan::BufferRole;
using plan::KernelOp;
using plan::KernelStmt;

namespace {

bool writes(KernelOp op) {
  return op == KernelOp::Store || op == KernelOp::CombineInto || op == KernelOp::Take ||
         op == KernelOp::Sample;
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
  Collector(const plan::Plan& plan, const plan::Kernel& kernel) : plan_(plan), kernel_(kernel) {}

  std::vector<KernelArgument> run() {
    add({KernelArgument::Kind::Graph, "graph", {}, nullptr, false});
    if (kernel_.domain == plan::Domain::Worklist || kernel_.domain == plan::Domain::Sample)
      add_buffer(kernel_.list, false);
    if (!kernel_.order.empty()) add_buffer(kernel_.order, false);
    const std::size_t fixed = arguments_.size();
    if (kernel_.domain == plan::Domain::OneVertex)
      add({KernelArgument::Kind::Start, kStartArgument, ir::ScalarKind::Vertex, nullptr, false});
    if (kernel_.domain == plan::Domain::VertexList)
      add({KernelArgument::Kind::List, kernel_.list, {}, nullptr, false});
    plan::walk_statements(kernel_.body, [&](const KernelStmt& stmt) {
      if (!stmt.slots.empty()) add_buffer(stmt.slots, false);
      if (stmt.op == KernelOp::ForMessages)
        add_buffer(plan_.find_buffer(stmt.buffer)->slots, false);
      if (!stmt.buffer.empty()) add_buffer(stmt.buffer, writes(stmt.op));
      for (const auto* expr : {&stmt.index, &stmt.value, &stmt.identity})
        if (*expr) ir::walk(**expr, [&](const Expr& e) { add_expr(e); });
    });
    std::stable_sort(
        arguments_.begin() + static_cast<std::ptrdiff_t>(fixed), arguments_.end(),
        [&](const KernelArgument& a, const KernelArgument& b) { return order(a) < order(b); });
    return std::move(arguments_);
  }

 private:
  static int order(const KernelArgument& argument) {
    switch (argument.kind) {
      case KernelArgument::Kind::Graph:
      case KernelArgument::Kind::Start:
      case KernelArgument::Kind::List:
        return -1;
      case KernelArgument::Kind::Buffer:
        return rank_of(argument.buffer->role);
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
    const plan::Buffer* buffer = plan_.find_buffer(name);
    if (buffer != nullptr) add({KernelArgument::Kind::Buffer, name, buffer->type, buffer, written});
  }

  void add_once(KernelArgument::Kind kind, const std::string& name, const ir::Type& type) {
    if (find(kind, name) == nullptr) add({kind, name, type, nullptr, false});
  }

  void add_expr(const Expr& e) {
    if (e.op == Op::Load || e.op == Op::TestBit) add_buffer(e.symbol, false);
    if (e.op == Op::Parameter || e.op == Op::HostVariable)
      add_once(KernelArgument::Kind::Parameter, e.symbol, e.type);
    if (e.op == Op::Step) add_once(KernelArgument::Kind::Step, "step", e.type);
  }

  const plan::Plan& plan_;
  const plan::Kernel& kernel_;
  std::vector<KernelArgument> arguments_;
  std::map<std::pair<KernelArgument::Kind, std::string>, std::size_t> places_;
};

bool reads_edge_in(const plan::Block& block);

bool reads_edge_of(const KernelStmt& stmt) {
  for (const auto* expr : {&stmt.index, &stmt.value, &stmt.identity}) {
    bool found = false;
    if (*expr) ir::walk(**expr, [&](const Expr& e) { found = found || e.op == Op::EdgeAttribute; });
    if (found) return true;
  }
  return stmt.op != KernelOp::ForEdges &&
         (reads_edge_in(stmt.body) || reads_edge_in(stmt.otherwise));
}

bool reads_edge_in(const plan::Block& block) {
  return std::any_of(block.begin(), block.end(),
                     [](const auto& stmt) { return reads_edge_of(*stmt); });
}

}  // namespace

std::vector<KernelArgument> arguments_of(const plan::Plan& plan, const plan::Kernel& kernel) {
  return Collector(plan, kernel).run();
}

std::string cpp_argument(const KernelArgument& argument) {
  switch (argument.kind) {
    case KernelArgument::Kind::Graph:
    case KernelArgument::Kind::Step:
    case KernelArgument::Kind::Start:
      return argument.name;
    default:
      return cpp_name(argument.name);
  }
}

std::set<std::string> kernels_of(const plan::PhasePlan& phase, const plan::Variant& variant) {
  std::set<std::string> names;
  const auto add = [&](const std::vector<plan::Action>& actions) {
    for (const plan::Action& action : actions)
      if (action.kind == plan::ActionKind::Launch) names.insert(action.symbol);
  };
  add(variant.prepare);
  add(variant.step);
  add(phase.finish);
  if (!variant.hybrid) return names;
  add(variant.hybrid->to_list);
  add(variant.hybrid->to_all);
  for (const std::string& path : variant.hybrid->paths)
    names.merge(kernels_of(phase, *phase.find_variant(path)));
  return names;
}

std::set<std::string> buffers_of(const plan::Plan& plan, const plan::PhasePlan& phase,
                                 const plan::Variant& variant) {
  std::set<std::string> names;
  for (const std::string& kernel : kernels_of(phase, variant))
    for (const KernelArgument& argument : arguments_of(plan, *plan.find_kernel(kernel)))
      if (argument.kind == KernelArgument::Kind::Buffer) names.insert(argument.name);
  const auto add = [&](const std::vector<plan::Action>& actions) {
    for (const plan::Action& action : actions) {
      if (action.kind == plan::ActionKind::Launch) continue;
      names.insert(action.symbol);
      if (!action.source.empty()) names.insert(action.source);
    }
  };
  add(variant.prepare);
  add(variant.step);
  add(phase.finish);
  if (variant.engine) names.insert(variant.engine->buffers.begin(), variant.engine->buffers.end());
  if (!variant.hybrid) return names;
  add(variant.hybrid->to_list);
  add(variant.hybrid->to_all);
  for (const std::string& path : variant.hybrid->paths)
    names.merge(buffers_of(plan, phase, *phase.find_variant(path)));
  return names;
}

std::string threshold_of(const plan::Plan& plan, const plan::PhasePlan& phase,
                         const plan::Variant& variant) {
  for (const std::string& name : buffers_of(plan, phase, variant))
    if (plan.find_buffer(name)->role == BufferRole::Threshold) return name;
  return "";
}

bool reads_edge(const KernelStmt& loop) { return reads_edge_in(loop.body); }

}  // namespace vertigo::compiler::emit
