#include "compiler/passes/toplan/StoreSenders.h"

#include <algorithm>

namespace vertigo::compiler::toplan {

using ir::ExprPtr;

StoredSenders::StoredSenders(PhaseKernels& kernels)
    : kernels_(kernels), snapshots_(kernels.analysis().snapshots) {
  const plan::Decision* const decision =
      kernels.context().plan().find_decision(kernels.phase().name, "senders");
  if (decision == nullptr || decision->value == "per-edge") return;
  carries_ = decision->value == "carried";
  const SenderValues found = carries_
                                 ? find_carried_values(kernels.context().plan(), kernels.phase())
                                 : find_sender_values(kernels.phase());
  for (const SenderValue& value : found.values)
    stored_[value.expr] = {array_of(value), value.neighbour, value.type, value.is_fold};
  const std::set<std::string> left = read_besides(kernels.phase(), found.values);
  std::erase_if(snapshots_, [&](const std::string& state) { return !left.contains(state); });
}

std::string StoredSenders::array_of(const SenderValue& value) {
  for (const Array& array : arrays_)
    if (same(array.value, value)) return array.buffer;
  const std::string name = (value.state.empty() ? "value" : value.state) + "_for_neighbours";
  const std::string purpose = kernels_.phase().name + " " + std::to_string(arrays_.size());
  const auto array = [&](const std::string& suffix) {
    return kernels_.context().for_neighbours(purpose + suffix, name + suffix, value.type);
  };
  bool changes = false;
  ir::walk(*expression_of(value), [&](const ir::Expr& e) {
    changes = changes || (e.op == ir::Op::State && ir::writes(kernels_.phase(), e.symbol));
  });
  arrays_.push_back({value, array(""), carries_ && changes ? array("_next") : ""});
  return arrays_.back().buffer;
}

plan::Kernel StoredSenders::kernel() {
  plan::Kernel kernel =
      kernels_.frame("Computes once a vertex what its neighbours read of it, before the step.",
                     plan::Domain::AllVertices);
  kernel.location = arrays_.front().value.expr->location;
  LocalNames names(kernels_.context());
  kernel.vertex = names.fresh(arrays_.front().value.neighbour);
  for (const Array& array : arrays_) fill(kernel.body, array, array.buffer, kernel.vertex, names);
  return kernel;
}

void StoredSenders::carry(plan::Block& block, const std::string& v, LocalNames& names) {
  for (const Array& array : arrays_)
    if (!array.next.empty()) fill(block, array, array.next, v, names);
}

std::vector<plan::Action> StoredSenders::swaps() const {
  std::vector<plan::Action> actions;
  for (const Array& array : arrays_)
    if (!array.next.empty()) actions.push_back(swap(array.buffer, array.next));
  return actions;
}

void StoredSenders::fill(plan::Block& block, const Array& array, const std::string& buffer,
                         const std::string& v, LocalNames& names) {
  Bindings bound;
  bound.own = v;
  bound.vertices[array.value.neighbour] = v;
  bound.count_edges = true;
  const ExprPtr value = expression_of(array.value);
  ExprPtr lowered = ExprLowering(kernels_.context(), names, std::move(bound)).lower(*value, block);
  add(block, store(buffer, v, std::move(lowered))).location = array.value.expr->location;
}

}  // namespace vertigo::compiler::toplan
