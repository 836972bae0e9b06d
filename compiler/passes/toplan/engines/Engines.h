#pragma once
// The engines that a phase may run on beside the eight paths of SEP-Graph. list-variants asks each
// whether the phase is its kind; build-kernels has the legal ones spell out their variants.

#include <string>
#include <vector>

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Whether an engine can run a phase: the proof in words, or the rule that forbids it.
struct Judgement {
  bool legal = false;
  std::string reason;
  /// Bit-identical repeats.
  bool deterministic = true;
  /// Only on graphs without a negative weight.
  bool non_negative = false;
};

/// Why a phase is not proved to improve states by min or max in any order; "" where it is.
std::string problem_of_improvement(const plan::Plan& plan, const ir::Phase& phase);

struct EngineRule {
  const char* name;
  const char* summary;
  Judgement (*judge)(const plan::Plan& plan, const ir::Phase& phase);
  /// Adds prepare actions, operators and buffers to a variant that has the engine's name.
  void (*build)(PhaseKernels& kernels, plan::Variant& variant);
};

/// In order of preference.
const std::vector<EngineRule>& engines();
const EngineRule* find_engine(const std::string& name);

#define VG_ENGINE(name, summary)                                          \
  Judgement judge_##name(const plan::Plan& plan, const ir::Phase& phase); \
  void build_##name(PhaseKernels& kernels, plan::Variant& variant);
#include "vertigo/engines/engines.def"

}  // namespace vertigo::compiler::toplan
