#include "vertigo/core/variant.h"

#include <algorithm>
#include <span>

namespace vertigo {
namespace {

/// A value of an axis and its spellings.
struct Words {
  std::string_view axis;
  std::string_view value;    ///< of --schedule
  std::string_view in_name;  ///< in the name of a variant
  std::string_view in_full;
};

/// Each in the order of its enumerators.
constexpr Words kTimings[] = {{kAxes[0], "sync", "sync", "synchronous"},
                              {kAxes[0], "async", "async", "asynchronous"},
                              {kAxes[0], "coloured", "coloured", "colored"}};
constexpr Words kDirections[] = {{kAxes[1], "push", "push", "push"},
                                 {kAxes[1], "pull", "pull", "pull"}};
constexpr Words kActivations[] = {{kAxes[2], "data-driven", "data", "data-driven"},
                                  {kAxes[2], "topology-driven", "topology", "topology-driven"}};
constexpr std::array<std::span<const Words>, 3> kWords{kTimings, kDirections, kActivations};

std::array<const Words*, 3> words_of(const ExecutionPath& path) {
  return {&kTimings[static_cast<std::size_t>(path.timing)],
          &kDirections[static_cast<std::size_t>(path.direction)],
          &kActivations[static_cast<std::size_t>(path.activation)]};
}

std::string spelling_of_path(const ExecutionPath& path) {
  std::string text;
  for (const Words* words : words_of(path)) {
    if (!text.empty()) text += '-';
    text += words->in_name;
  }
  return text;
}

}  // namespace

std::string spelling(const VariantKind& kind) {
  if (const auto* const engine = std::get_if<EngineName>(&kind)) return engine->name;
  if (const auto* const path = std::get_if<ExecutionPath>(&kind)) return spelling_of_path(*path);
  return kHybridName;
}

std::optional<ExecutionPath> read_path(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kExecutionPaths, [&](const ExecutionPath& path) { return spelling_of_path(path) == name; });
  if (found == kExecutionPaths.end()) return std::nullopt;
  return *found;
}

std::optional<VariantKind> read_variant(std::string_view name) {
  if (name == kHybridName) return Hybrid{};
  if (const auto path = read_path(name)) return *path;
  if (name.empty() || name.find('-') != std::string_view::npos) return std::nullopt;
  return EngineName{std::string(name)};
}

std::array<AxisValue, 3> choices_of(const ExecutionPath& path) {
  std::array<AxisValue, 3> choices;
  std::ranges::transform(words_of(path), choices.begin(),
                         [](const Words* words) { return AxisValue{words->axis, words->value}; });
  return choices;
}

std::optional<std::string_view> read_axis_value(std::string_view axis, std::string_view text) {
  for (const std::span<const Words> values : kWords)
    for (const Words& words : values)
      if (words.axis == axis &&
          (text == words.value || text == words.in_name || text == words.in_full))
        return words.value;
  return std::nullopt;
}

}  // namespace vertigo
