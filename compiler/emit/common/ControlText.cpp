#include "compiler/emit/common/ControlText.h"

namespace vertigo::compiler::emit {

namespace {

// `{.variant = 3, .pull = true, .data_driven = false}`
std::string path_text(const plan::PhasePlan& phase, const std::string& name) {
  const auto text = [](bool value) { return value ? "true" : "false"; };
  const plan::Variant* const variant = phase.find_variant(name);
  if (variant == nullptr) return "{}";
  return "{.variant = " + std::to_string(variant - phase.variants.data()) +
         ", .pull = " + text(variant->path.direction == Direction::Pull) +
         ", .data_driven = " + text(variant->path.activation == Activation::DataDriven) + "}";
}

}  // namespace

std::string control_text(const plan::PhasePlan& phase, const plan::Variant& variant) {
  std::string control = "Fixed";
  std::vector<std::string> paths = {variant.name()};
  if (variant.hybrid) {
    control = variant.hybrid->control == "iterative" ? "Iterative" : "Traversal";
    paths = variant.hybrid->paths;
  }
  std::string text = "execute::Control::" + control + ", {";
  for (const std::string& path : paths)
    text += (&path == &paths.front() ? "" : ", ") + path_text(phase, path);
  return text + "}";
}

}  // namespace vertigo::compiler::emit
