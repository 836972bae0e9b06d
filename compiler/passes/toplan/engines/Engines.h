#pragma once
// The engines that a phase may run on beside the eight paths of SEP-Graph. list-variants asks each
// whether the phase is its kind; build-kernels has the legal ones spell out their variants.

#include <string>
#include <vector>

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/PhaseKernels.h"
#include "vertigo/engines/engines.h"

namespace vertigo::compiler::toplan {

/// Whether an engine can run a phase: the proof in words, or the rule that forbids it.
struct Judgement {
  bool legal = false;
  std::string reason;
  /// Bit-identical repeats.
  bool deterministic = true;
  /// Only on graphs without a negative weight.
  bool non_negative = false;
  /// Only on graphs of which every edge has its reverse, of the same weight.
  bool symmetric = false;
  /// Only on graphs without parallel edges.
  bool no_duplicates = false;
};

/// Why a phase is not proved to improve states by min or max in any order; "" where it is.
std::string problem_of_improvement(const plan::Plan& plan, const ir::Phase& phase);

struct EngineRule {
  const vertigo::engines::Contract& contract;
  Judgement (*judge)(const plan::Plan& plan, const ir::Phase& phase);
  /// Adds prepare actions, operators and buffers to a variant that has the engine's name.
  void (*build)(PhaseKernels& kernels, plan::Variant& variant);

  std::string name() const { return std::string(contract.name); }
};

/// In order of preference.
const std::vector<EngineRule>& engines();
const EngineRule* find_engine(const std::string& name);

/// The engine that the plan takes or leaves under that key of the schedule.
const EngineRule& engine_chosen_by(std::string_view key);
/// What its choice may be, the value that leaves it first.
std::vector<std::string> values_of_choice(std::string_view key);
/// The value of that key which takes the engine.
std::string taken_by(const vertigo::engines::Contract& contract);

/// The contract's argument why the engine is legal, behind what was proved of the phase.
Judgement legal(const vertigo::engines::Contract& contract, const std::string& proved = "");

// Each room has these two, in match.cpp.
#define VG_ENGINE(name, ...)                                              \
  Judgement judge_##name(const plan::Plan& plan, const ir::Phase& phase); \
  void build_##name(PhaseKernels& kernels, plan::Variant& variant);       \
  inline constexpr const vertigo::engines::Contract& name##_contract =    \
      *vertigo::engines::find(#name);
#include "vertigo/engines/engines.def"

}  // namespace vertigo::compiler::toplan
