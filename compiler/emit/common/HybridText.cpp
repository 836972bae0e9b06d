#include "compiler/emit/common/HybridText.h"

#include <algorithm>

#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

namespace {

// `{.variant = 3, .pull = true, .data_driven = false}`
std::string path_text(const plan::PhasePlan& phase, const std::string& name) {
  const auto text = [](bool value) { return value ? "true" : "false"; };
  for (std::size_t i = 0; i < phase.variants.size(); ++i) {
    const plan::Variant& variant = phase.variants[i];
    if (variant.name() != name) continue;
    return "{.variant = " + std::to_string(i) +
           ", .pull = " + text(variant.path.direction == Direction::Pull) +
           ", .data_driven = " + text(variant.path.activation == Activation::DataDriven) + "}";
  }
  return "{}";
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

std::string is_pending(const plan::Plan& plan, const std::string& buffer) {
  const std::string name = cpp_name(buffer);
  return plan.find_buffer(buffer)->role == plan::BufferRole::Flag ? name + ".is_raised()"
                                                                  : "!" + name + ".empty()";
}

HybridText::HybridText(const plan::Plan& plan, const plan::PhasePlan& phase,
                       const plan::Variant& variant)
    : plan_(plan), hybrid_(*variant.hybrid) {
  for (const std::string& path : hybrid_.paths) {
    const std::string& pending = phase.find_variant(path)->pending;
    (plan.find_buffer(pending)->role == plan::BufferRole::Flag ? flag_ : list_) = pending;
  }
}

bool HybridText::takes(const plan::Variant& path) const {
  return std::find(hybrid_.paths.begin(), hybrid_.paths.end(), path.name()) != hybrid_.paths.end();
}

std::string HybridText::pending() const {
  if (list_.empty()) return is_pending(plan_, flag_);
  if (flag_.empty()) return is_pending(plan_, list_);
  return "steps_.is_listed() ? " + is_pending(plan_, list_) + " : " + is_pending(plan_, flag_);
}

std::string HybridText::counted(const char* counter) const {
  for (const plan::Buffer& buffer : plan_.buffers)
    if (buffer.role == plan::BufferRole::Counter && buffer.of == counter)
      return cpp_name(buffer.name) + ".take()";
  return "0";
}

std::string HybridText::done() const {
  const std::string counts = counted(plan::kActiveCounter) + ", " + counted(plan::kEdgeCounter) +
                             ", " + counted(plan::kOutEdgeCounter) + ", ";
  const std::string asked = counted(plan::kAskedCounter);
  if (list_.empty()) return counts + asked + ", [&] { return 0; }";
  const std::string list = cpp_name(list_);
  return counts + (flag_.empty() ? "" : "steps_.lists() ? ") + list + ".size()" +
         (flag_.empty() ? "" : " : " + asked) + ", [&] { return out_edges_of(graph, " + list +
         "); }";
}

}  // namespace vertigo::compiler::emit
