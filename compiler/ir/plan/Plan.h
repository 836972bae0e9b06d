#pragma once
// Plan IR: how a program runs. Per phase the variants that are legal and worth having, the kernels
// and buffers that each needs, and the host-level actions that drive them; per choice a Decision.
// Made from Program IR by the passes of passes/toplan (decisions, then build-kernels), printed by
// the emitters.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/plan/Decision.h"
#include "compiler/ir/plan/Kernel.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::plan {

enum class Timing : std::uint8_t { Synchronous, Asynchronous };
enum class Direction : std::uint8_t { Push, Pull };
enum class Activation : std::uint8_t { DataDriven, TopologyDriven };

/// What the host does in one step of a variant. Everything runs in stream order on the device.
enum class ActionKind : std::uint8_t {
  Launch,       ///< kernel `symbol`
  ClearBuffer,  ///< worklist emptied, bitmap zeroed, flag lowered, inbox set to its identity:
                ///< `symbol`
  CopyBuffer,   ///< `symbol` <- `source` (snapshots)
  Swap,         ///< buffers `symbol` and `source` change names
};

struct Action {
  ActionKind kind = ActionKind::Launch;
  std::string symbol;
  std::string source;
};

/// One way to run a phase. `name()` is what --schedule, the trace and the tables say:
/// "async-push-data".
struct Variant {
  Timing timing = Timing::Synchronous;
  Direction direction = Direction::Push;
  Activation activation = Activation::DataDriven;
  std::string reason;           ///< why it is legal
  std::vector<Action> prepare;  ///< once, after the phase's starts
  std::vector<Action> step;     ///< until `pending` says that nothing is active
  std::string pending;  ///< worklist (empty: done) or flag (not raised: done) that ends the phase

  std::string name() const;
};

struct PhasePlan {
  std::string phase;              ///< name in the Program
  std::vector<Variant> variants;  ///< legal, in a fixed order
  std::size_t preferred = 0;
  std::vector<Action> start;  ///< what happens before the variants' own prepare
  ir::ExprPtr step_limit;     ///< null where none
};

/// The whole plan. It owns the Program it came from: kernels quote its functions, the emitters its
/// declarations.
struct Plan {
  ir::Program program;
  std::vector<Decision> decisions;
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;  ///< each is used by at least one variant, start or reduction
  std::vector<PhasePlan> phases;
  /// Host-level reductions over vertices, by the name that replaces them in the host code: kernel
  /// and result buffer.
  struct VertexReduction {
    std::string name;
    std::string kernel;
    std::string buffer;
    Type type;
  };
  std::vector<VertexReduction> reductions;
  bool needs_transpose = false;

  const Buffer* find_buffer(const std::string& name) const;
  const Kernel* find_kernel(const std::string& name) const;
  const PhasePlan* find_phase(const std::string& name) const;
  const Decision* find_decision(const std::string& subject, const std::string& key) const;
};

}  // namespace vertigo::plan
