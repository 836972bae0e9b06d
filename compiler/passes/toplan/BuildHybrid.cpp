#include "compiler/passes/toplan/BuildHybrid.h"

#include <algorithm>

namespace vertigo::compiler::toplan {

namespace {

const plan::Variant* find(const std::vector<plan::Variant>& built, const std::string& name) {
  for (const plan::Variant& variant : built)
    if (variant.name() == name) return &variant;
  return nullptr;
}

bool is_list(const plan::Variant& variant) {
  return variant.path.activation == Activation::DataDriven;
}

}  // namespace

std::string build_hybrid(PhaseKernels& kernels, const std::vector<plan::Variant>& built,
                         plan::Variant& variant) {
  plan::Hybrid& hybrid = *variant.hybrid;
  std::erase_if(hybrid.paths,
                [&](const std::string& path) { return find(built, path) == nullptr; });
  if (hybrid.paths.size() < 2) return "there are no two paths to change between";

  // Those who are left stand on a list: a phase that begins with it does not look at all vertices.
  if (kernels.keeps_list())
    std::ranges::stable_partition(
        hybrid.paths, [&](const std::string& path) { return is_list(*find(built, path)); });
  const plan::Variant& first = *find(built, hybrid.paths.front());
  variant.pending = first.pending;
  variant.prepare = first.prepare;
  variant.deterministic = true;
  bool lists = false;
  bool looks_at_all = false;
  for (const std::string& path : hybrid.paths) {
    const plan::Variant& each = *find(built, path);
    variant.deterministic = variant.deterministic && each.deterministic;
    (is_list(each) ? lists : looks_at_all) = true;
    for (const plan::Action& action : each.prepare)
      if (action.kind == plan::ActionKind::ClearBuffer &&
          std::find(variant.prepare.begin(), variant.prepare.end(), action) ==
              variant.prepare.end())
        variant.prepare.push_back(action);
  }
  if (!lists || !looks_at_all) return "";
  hybrid.to_list = {clear(kernels.asked()), clear(kernels.queued()), launch(kernels.list_asked())};
  for (const std::string& path : hybrid.paths) {
    if (!is_list(*find(built, path))) continue;
    for (const plan::Action& action : find(built, path)->prepare)
      if (action.kind == plan::ActionKind::CopyBuffer &&
          std::ranges::find(hybrid.to_list, action) == hybrid.to_list.end())
        hybrid.to_list.push_back(action);
  }
  if (kernels.analysis().asking == Asking::Pending)
    hybrid.to_all = {copy(kernels.pending(), kernels.queued())};
  return "";
}

}  // namespace vertigo::compiler::toplan
