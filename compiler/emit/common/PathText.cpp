#include "compiler/emit/common/PathText.h"

namespace vertigo::compiler::emit {

std::string path_text(const plan::PhasePlan& phase, const std::string& name) {
  const auto text = [](bool value) { return value ? "true" : "false"; };
  for (std::size_t i = 0; i < phase.variants.size(); ++i) {
    const plan::Variant& variant = phase.variants[i];
    if (variant.name() != name) continue;
    return "{.variant = " + std::to_string(i) +
           ", .pull = " + text(variant.direction == plan::Direction::Pull) +
           ", .data_driven = " + text(variant.activation == plan::Activation::DataDriven) + "}";
  }
  return "{}";
}

}  // namespace vertigo::compiler::emit
