#include "compiler/passes/toplan/StoreSenders.h"

#include <algorithm>

namespace vertigo::compiler::toplan {

using ir::ExprPtr;

StoredSenders::StoredSenders(PhaseKernels& kernels)
    : kernels_(kernels), snapshots_(kernels.analysis().snapshots) {
  const plan::Decision* const decision =
      kernels.context().plan().find_decision(kernels.phase().name, "senders");
  if (decision == nullptr || decision->value != "once") return;
  const SenderValues found = find_sender_values(kernels.phase());
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
  arrays_.push_back({value, kernels_.context().for_neighbours(purpose, name, value.type)});
  return arrays_.back().buffer;
}

plan::Kernel StoredSenders::kernel() {
  plan::Kernel kernel =
      kernels_.frame("Computes once a vertex what its neighbours read of it, before the step.",
                     plan::Domain::AllVertices);
  kernel.location = arrays_.front().value.expr->location;
  LocalNames names(kernels_.context());
  kernel.vertex = names.fresh(arrays_.front().value.neighbour);
  for (const Array& array : arrays_) {
    Bindings bound;
    bound.own = kernel.vertex;
    bound.vertices[array.value.neighbour] = kernel.vertex;
    bound.count_edges = true;
    const ExprPtr value = expression_of(array.value);
    ExprPtr lowered =
        ExprLowering(kernels_.context(), names, std::move(bound)).lower(*value, kernel.body);
    add(kernel.body, store(array.buffer, kernel.vertex, std::move(lowered))).location =
        array.value.expr->location;
  }
  return kernel;
}

}  // namespace vertigo::compiler::toplan
