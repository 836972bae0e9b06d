#pragma once
// The contracts of all engines.

#include "vertigo/engines/contract.h"

namespace vertigo::engines {

/// In order of preference.
inline constexpr Contract kContracts[] = {
#define VG_ENGINE(engine, ...) Contract{.name = #engine, __VA_ARGS__},
#include "vertigo/engines/engines.def"
};

/// Null where no engine is called that.
constexpr const Contract* find(std::string_view name) {
  for (const Contract& contract : kContracts)
    if (contract.name == name) return &contract;
  return nullptr;
}

/// Null where no engine is taken or left under that key of the schedule.
constexpr const Contract* find_chosen_by(std::string_view key) {
  for (const Contract& contract : kContracts)
    if (contract.choice.key == key) return &contract;
  return nullptr;
}

}  // namespace vertigo::engines
