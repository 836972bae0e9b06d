#pragma once
// The parts of --check. Each works on a result's columns with code that it resolves itself from the
// Program IR; none runs the phase again, but for compare_with_interpreter.

#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "phase_code.h"
#include "recognise.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {

/// Below this many vertices, starting threads costs more than they save.
inline constexpr Vertex kParallelVertices = 4096;

/// Collects failures from several threads; keeps the most severe, of these the lowest vertices.
class Failures {
 public:
  void add(Vertex v, std::string message, double severity = 0);
  bool empty() const { return total_ == 0; }
  /// The first few, and how many more there are.
  void move_to(CheckReport& report);

 private:
  static constexpr std::size_t kKept = 5;
  std::mutex mutex_;
  std::vector<std::tuple<double, Vertex, std::string>> kept_;  ///< by negated severity
  std::size_t total_ = 0;
};

/// A state of the program before and after the run that is checked.
struct CheckedState {
  ir::Type type;
  std::vector<ColumnRef> before, after;
};

/// The states of a result beside their initial values.
class BoundResult {
 public:
  /// Binds the result's columns of the state `certified` in the resolver, and the initial values of
  /// all others. Throws Error(CheckFailed) where a column that the program outputs is missing or
  /// ill-sized.
  BoundResult(Context& context, const host::RunResult& result, const std::string& certified);
  /// Null where the result shows no such state.
  const CheckedState* find(const std::string& state) const;

 private:
  StateStorage initial_;
  std::map<std::string, CheckedState> states_;
};

/// False where this certificate does not apply after all; then nothing was reported. `unexplained`:
/// all that is missing are chains that lead to some values. Where cycles improved their vertices
/// until they came to rest, at a bound in what is sent or at the end of a type's range, there are
/// none, and the values may be right.
bool certify_extremum(Context& context, const BoundResult& result, const ExtremumPhase& phase,
                      CheckReport& report, bool& unexplained);
bool certify_linear(Context& context, const CheckedState& state, const LinearPhase& phase,
                    CheckReport& report);

/// Outputs and reports against those of the interpreter.
void compare_with_interpreter(const ir::Program& program, const host::RunRequest& request,
                              const host::RunResult& result, CheckReport& report);

/// Evaluates and binds the `let`s of a program of one phase that stand before the phase.
void bind_host_variables(Context& context);
/// Computes what follows the phase at host level again, from the result's columns.
void check_reports(Context& context, const host::RunResult& result, CheckReport& report);
/// Those of a state among the columns; fewer than it has elements where some are missing.
std::vector<ColumnRef> columns_of(const std::vector<Column>& columns, const ir::State& state,
                                  Vertex vertex_count);

/// The same number, or none in both.
bool same_value(ScalarKind kind, Word a, Word b);
/// By the one rule of vertigo/core/agreement.h.
bool report_agrees(const ir::Program& program, const Value& expected, const Value& given);

/// What a start puts into the inbox of each vertex that it names, as code that can be run.
struct StartValues {
  const ir::Start* source = nullptr;
  unsigned vertex_slot = 0;
  const Node* vertex = nullptr;
  const std::vector<Vertex>* list = nullptr;
  const Node* condition = nullptr;
  std::vector<Nodes> values;
};
std::vector<StartValues> resolve_starts(Context& context, const PlainPhase& phase);

/// Calls `visit(v)` with the started vertex in its slot, for every vertex that the start names.
template <class Visit>
void for_each_started(Context& context, const StartValues& start, const Visit& visit) {
  const auto at = [&](Vertex v) {
    if (v == kNoVertex || v >= context.vertex_count()) return;
    context.frame[start.vertex_slot] = v;
    if (start.condition == nullptr || holds(start.condition, context.frame)) visit(v);
  };
  if (start.vertex != nullptr) {
    at(from_word<Vertex>(evaluate(start.vertex, context.frame)));
  } else if (start.list != nullptr) {
    for (const Vertex v : *start.list) at(v);
  } else {
    for (Vertex v = 0; v < context.vertex_count(); ++v) at(v);
  }
}

/// A send of a plain phase as resolved code over the final states: the inbox is a slot.
struct SendCode {
  std::vector<EdgeSide> sides;
  unsigned sender_slot = 0;
  unsigned neighbour_slot = 0;
  unsigned edge_slot = 0;
  Nodes value;
  const Node* condition = nullptr;
};

/// Calls `visit(receiver)` for each edge that the vertex in `sender_slot` sends along, with the
/// edge's slots set.
template <class Visit>
void for_each_sent(const SendCode& send, Frame& frame, Vertex sender, const Visit& visit) {
  frame[send.sender_slot] = sender;
  for (const EdgeSide& side : send.sides) {
    frame[send.edge_slot + 1] = reinterpret_cast<Word>(side.weights);
    for (EdgeIndex e = side.offsets[sender]; e < side.offsets[sender + 1]; ++e) {
      frame[send.edge_slot] = e;
      frame[send.neighbour_slot] = side.targets[e];
      if (send.condition != nullptr && !holds(send.condition, frame)) continue;
      visit(side.targets[e]);
    }
  }
}

/// Resolves a send whose inbox lies in `inbox_slot`; `value` is its value or another form of it (in
/// double precision, for linear phases).
SendCode resolve_send(Context& context, const PlainPhase& phase, const PlainSend& send,
                      const ir::Expr& value, const ir::Type& type, unsigned inbox_slot);

}  // namespace vertigo::reference
