#pragma once
// What infer-algebra finds out about a phase, for the passes, the engines and the interpreter. The
// textual IR and --explain spell it as facts, one a finding.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vertigo::ir {

/// What a pass found out or decided: key, value, and the reason in one sentence. Facts are printed
/// with the IR and are what `--explain` shows.
struct Fact {
  std::string key;
  std::string value;
  std::string reason;
  bool operator==(const Fact&) const = default;
};

/// A finding and its reason in one sentence, which may be empty.
template <class Value>
struct Found {
  Value value{};
  std::string reason;
};

/// May activations come in any order? Free: proved. Asserted: the program says so.
enum class Order : std::uint8_t { StepOrdered, Asserted, Free };

/// Which rule was proved (docs/semantics.md, rule 5): (a) improvement, of values that have an order
/// or of sets of bits (union), (b) accumulation.
enum class Form : std::uint8_t { None, Improvement, Union, Accumulation };

/// Of every sent value: coefficient * inbox; that and a constant term; neither.
enum class Linearity : std::uint8_t { No, Yes, Affine };

/// Iterative: vertices are activated many times, or all from the start. Traversal: activity spreads
/// from the started vertices.
enum class Activity : std::uint8_t { Iterative, Traversal };

/// On which graphs labels travel both ways along every edge: on none, on those of which every edge
/// has its reverse, on all.
enum class Labels : std::uint8_t { No, OfSymmetric, Yes };

/// On which graphs values may improve round a cycle, for ever.
enum class Cycles : std::uint8_t { None, OverNegativeWeights, Any };

/// What two results of an accumulation differ by.
enum class Difference : std::uint8_t { Rounding, Bounded, ByGraph };

/// What a proof of order freedom asks for.
struct Obligation {
  std::string name;
  bool held = false;
  std::string reason;
};

/// Of an accumulation. `threshold`: what the guard compares the inbox with, as IR text over the
/// phase's vertex. `nonnegative`: nothing below zero starts or is sent, on any graph.
struct Accumulated {
  std::string threshold;
  Found<bool> nonnegative;
  Found<Difference> difference;
};

/// One phase's.
struct Algebra {
  Found<Order> order;
  Form form = Form::None;
  std::vector<Obligation> obligations;
  Found<Activity> activity;
  Found<bool> uniform_cost;         ///< every sent value is the inbox and the same step
  Found<Labels> label_propagation;  ///< the inbox itself is sent, along every edge that passes
  /// What was sent to a vertex is a function of its neighbours' states, which a pull may read.
  Found<bool> states_tell;
  std::string inbox;                 ///< the message that the proof is about; may be empty
  std::vector<std::string> targets;  ///< the states that it is assigned to or accumulated in: one,
                                     ///< or one for each element of a tuple
  Found<Linearity> linear;
  std::vector<Found<std::string>>
      coefficients;  ///< one a send, as IR text; empty where it has none
  Found<Cycles> cycles;
  std::optional<Accumulated> accumulated;

  bool is_order_free() const { return order.value != Order::StepOrdered; }
};

/// In the order in which they are printed.
std::vector<Fact> facts_of(const Algebra& algebra);

enum class FactRead : std::uint8_t { Taken, Unknown, Malformed };

/// Reads a fact that facts_of printed into `algebra`. Unknown: another pass's. Malformed: the value
/// is none of its key's.
FactRead read_fact(const Fact& fact, Algebra& algebra);

}  // namespace vertigo::ir
