#include "host/schedule.h"

#include <algorithm>
#include <optional>
#include <span>

#include "host/text.h"
#include "vertigo/core/error.h"
#include "vertigo/core/variant.h"
#include "vertigo/execute/choose_variant.h"

namespace vertigo::host {
namespace {

constexpr std::string_view kVariant = "variant";

/// What a run can choose: a variant, or what a path is made of.
std::vector<std::string> keys() {
  std::vector<std::string> keys{std::string(kVariant)};
  keys.insert(keys.end(), kAxes.begin(), kAxes.end());
  return keys;
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ExitCode::Usage, "--schedule: " + message);
}

std::vector<std::string> phase_names(const ProgramInfo& info) {
  std::vector<std::string> names;
  for (const PhaseInfo& phase : info.phases) names.emplace_back(phase.name);
  return names;
}

std::vector<std::string> variant_names(const PhaseInfo& phase) {
  std::vector<std::string> names;
  for (const VariantInfo& variant : phase.variants) names.emplace_back(variant.name);
  return names;
}

// An engine and a controller have no say on an axis.
std::optional<std::string_view> value_on_axis(const VariantInfo& variant, std::string_view axis) {
  const auto path = read_path(variant.name);
  if (!path) return std::nullopt;
  for (const AxisValue& choice : choices_of(*path))
    if (choice.axis == axis) return choice.value;
  return std::nullopt;
}

// What there is to choose from. The compiler leaves out what no run comes to by itself.
std::string choice_of(const ProgramInfo& info, const std::vector<std::string>& values) {
  return info.all_schedules ? "legal: " + alternatives(values)
                            : "compiled: " + alternatives(values) +
                                  " (what a run comes to by itself; vertigo --schedules=all "
                                  "compiles every legal one)";
}

struct Wish {
  std::string key;
  std::string value;
  std::string text;  // as typed
};

bool fulfils(const VariantInfo& variant, const Wish& wish) {
  if (wish.key == kVariant) return variant.name == wish.value;
  const auto wanted = read_axis_value(wish.key, wish.value);
  return wanted && value_on_axis(variant, wish.key) == wanted;
}

// What a wish could have said in this phase.
std::vector<std::string> legal_values(const PhaseInfo& phase, const std::string& key) {
  if (key == kVariant) return variant_names(phase);
  std::vector<std::string> values;
  for (const VariantInfo& variant : phase.variants)
    if (const auto value = value_on_axis(variant, key))
      if (std::ranges::find(values, *value) == values.end()) values.emplace_back(*value);
  return values;
}

// Of two paths, on how many axes they agree.
std::size_t likeness(const VariantInfo& a, const VariantInfo& b) {
  return static_cast<std::size_t>(std::ranges::count_if(kAxes, [&](std::string_view axis) {
    const auto value = value_on_axis(a, axis);
    return value && value == value_on_axis(b, axis);
  }));
}

std::string choose(const ProgramInfo& info, const PhaseInfo& phase,
                   const std::vector<Wish>& wishes) {
  const auto fits = [&](const VariantInfo& variant, std::span<const Wish> some) {
    return std::ranges::all_of(some, [&](const Wish& wish) { return fulfils(variant, wish); });
  };
  const VariantInfo& preferred = phase.variants.at(phase.preferred);
  const VariantInfo* best = nullptr;
  for (const VariantInfo& variant : phase.variants) {
    if (!fits(variant, wishes)) continue;
    if (best == nullptr || &variant == &preferred ||
        (best != &preferred && likeness(variant, preferred) > likeness(*best, preferred)))
      best = &variant;
  }
  if (best != nullptr) return std::string(best->name);

  const std::string where = "phase '" + std::string(phase.name) + "'";
  for (const Wish& wish : wishes) {
    if (std::ranges::any_of(phase.variants, [&](const auto& v) { return fulfils(v, wish); }))
      continue;
    const std::vector<std::string> legal = legal_values(phase, wish.key);
    std::string message = where + " cannot have " + wish.text + "; " + choice_of(info, legal);
    if (const auto meant = nearest(wish.value, legal); meant && wish.key == kVariant)
      message += "; did you mean '" + *meant + "'?";
    if (info.phases.size() > 1 && wish.text.find('.') == std::string::npos)
      message += "; " + std::string(info.phases.front().name) + "." + wish.text +
                 " would speak of one phase alone";
    refuse(message);
  }
  refuse(where + " has no variant that is all of these at once; " +
         choice_of(info, variant_names(phase)));
}

}  // namespace

Schedule resolve_schedule(const ProgramInfo& info, std::string_view text) {
  std::map<std::string, std::vector<Wish>> wishes;
  const std::vector<std::string> phases = phase_names(info), known = keys();
  for (const std::string& item : split(text, ',')) {
    const std::string entry(trimmed(item));
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == entry.size())
      refuse("'" + entry + "' is not KEY=VALUE");
    std::string key = entry.substr(0, equals);
    std::string phase;
    if (const std::size_t dot = key.find('.'); dot != std::string::npos) {
      phase = key.substr(0, dot);
      key = key.substr(dot + 1);
      if (std::ranges::find(phases, phase) == phases.end())
        refuse("there is no phase '" + phase + "'; phases: " + alternatives(phases) +
               suggestion(phase, phases));
    }
    if (std::ranges::find(known, key) == known.end())
      refuse("'" + key + "' is no choice of a run; these are: " + alternatives(known) +
             suggestion(key, known) + (nearest(key, known) ? "" : " (others are the compiler's)"));
    const Wish wish{key, entry.substr(equals + 1), entry};
    for (const std::string& name : phases) {
      if (!phase.empty() && name != phase) continue;
      for (const Wish& other : wishes[name])
        if (other.key == wish.key && other.value != wish.value)
          refuse(other.text + " and " + entry + " contradict each other");
      wishes[name].push_back(wish);
    }
  }
  Schedule schedule;
  for (const PhaseInfo& phase : info.phases)
    if (const auto found = wishes.find(std::string(phase.name)); found != wishes.end())
      schedule[std::string(phase.name)] = choose(info, phase, found->second);
  return schedule;
}

void refuse_unfit(const ProgramInfo& info, const RunRequest& request) {
  for (const PhaseInfo& phase : info.phases) {
    const auto pinned = request.schedule.find(std::string(phase.name));
    if (pinned == request.schedule.end()) continue;
    const auto variant = std::ranges::find(phase.variants, pinned->second, &VariantInfo::name);
    if (variant == phase.variants.end()) continue;
    if (const execute::Lack* const lack = execute::lack_of(*variant, request))
      refuse("phase '" + pinned->first + "': " + pinned->second + " needs " +
             std::string(lack->need) + "; " + std::string(lack->found));
  }
}

std::vector<Schedule> schedules_to_compare(const ProgramInfo& info, std::size_t limit,
                                           const RunRequest& request, bool& complete) {
  const auto is_left_out = [&](const VariantInfo& variant) {
    return execute::lack_of(variant, request) != nullptr;
  };
  Schedule preferred;
  std::size_t combinations = 1;
  for (const PhaseInfo& phase : info.phases) {
    preferred[std::string(phase.name)] = execute::preferred_of(phase, request).name;
    const auto left_out = std::ranges::count_if(phase.variants, is_left_out);
    combinations = std::min(
        limit + 1, combinations * (phase.variants.size() - static_cast<std::size_t>(left_out)));
  }
  complete = combinations <= limit;
  std::vector<Schedule> schedules{preferred};
  for (const PhaseInfo& phase : info.phases) {
    const std::size_t before = complete ? schedules.size() : 1;
    for (std::size_t i = 0; i < before; ++i)
      for (const VariantInfo& variant : phase.variants) {
        Schedule other = schedules[i];
        std::string& chosen = other[std::string(phase.name)];
        if (chosen == variant.name || is_left_out(variant)) continue;
        chosen = variant.name;
        schedules.push_back(std::move(other));
      }
  }
  return schedules;
}

std::string schedule_text(const ProgramInfo& info, const Schedule& schedule) {
  std::string text;
  for (const PhaseInfo& phase : info.phases) {
    const auto found = schedule.find(std::string(phase.name));
    if (found == schedule.end()) continue;
    if (!text.empty()) text += ", ";
    if (info.phases.size() > 1) text += found->first + "=";
    text += found->second;
  }
  return text.empty() ? "auto" : text;
}

std::string list_schedules(const ProgramInfo& info) {
  std::vector<std::vector<std::string>> rows;
  for (const PhaseInfo& phase : info.phases)
    for (std::size_t i = 0; i < phase.variants.size(); ++i)
      rows.push_back({std::string(phase.name), std::string(phase.variants[i].name),
                      i == phase.preferred ? "preferred" : "",
                      std::string(phase.variants[i].reason)});
  return format_table(rows, {false, false, false, false}) + note_on_schedules(info);
}

std::string note_on_schedules(const ProgramInfo& info) {
  if (info.all_schedules) return "";
  return "(compiled is what a run comes to by itself; vertigo --schedules=all compiles every legal "
         "schedule)\n";
}

}  // namespace vertigo::host
