#pragma once
// Phases whose messages are pairs (value, witness), compared from the left: a shortest path and the
// vertex before its last edge. Where the value that is sent depends on the value that arrived
// alone, and the witness on the sender alone, the phase needs no pairs while it runs: an engine
// finds the values as if they were the whole message, and one pass over the in-edges finds every
// witness when they are there (docs/decisions/witnesses-after-values.md has the proof).
//
// What must hold, besides what the engine asks of the values:
//   - one state takes the inbox, under strict improvement by minimum or maximum, and begins with
//     one constant pair everywhere, whenever the phase runs; nobody else touches the message;
//   - one send, without a condition: a pair whose first element reads the first element of the
//   inbox
//     and nothing of the second, and whose second reads neither, but the sender (its id, degrees
//     and states that do not change), the edge's attribute and what is the same for all.

#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::toplan {

/// A phase of pairs, seen through their first elements.
struct FirstElements {
  /// Why it cannot be seen that way; "": the rest is there.
  std::string problem;
  /// Of a program that has this phase alone, with the first elements as its state and message. The
  /// algebra of the phase is proved anew.
  plan::Plan plan;
  /// The pair that every vertex holds when the phase begins.
  ir::ExprPtr initial;
  /// What is sent as second element, an expression over the sender's states and the edge.
  ir::ExprPtr witness;

  const ir::Phase& phase() const { return plan.program.phases.front(); }
};

/// True where the phase reads and sends one message, a pair.
bool sends_pairs(const plan::Plan& plan, const ir::Phase& phase);

FirstElements first_elements(const plan::Plan& plan, const ir::Phase& phase);

/// The verdict of an engine on the first elements; where it is legal, with the argument that the
/// witnesses can be found afterwards.
Judgement judge_first_elements(const plan::Plan& plan, const ir::Phase& phase,
                               Judgement (*judge)(const plan::Plan&, const ir::Phase&));

/// Kernels over the first elements, for the operators that an engine asks of the values.
class FirstElementKernels {
 public:
  /// Of a phase for which judge_first_elements() found an engine legal.
  explicit FirstElementKernels(PhaseKernels& pairs);

  PhaseKernels& values() { return kernels_; }

  /// `initial() = (inf, none)`, the state of every vertex before; and `predecessor(v) = v` where
  /// the witness is the sender, else `witness(v[, weight])`.
  void add_operators(PhaseKernels& pairs, plan::Engine& engine) const;

 private:
  FirstElements first_;
  KernelContext context_;
  PhaseAnalysis analysis_;
  PhaseKernels kernels_;
};

}  // namespace vertigo::compiler::toplan
