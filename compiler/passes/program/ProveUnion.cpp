// Rule (a) for sets of bits: `or` and `and` of integers. Sets have no order from best to worst, so
// that what an update sends may not be a function of the inbox, of which a part may have come
// before, but of what is new, or of all there is.

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SetsOfBits.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

/// What is known of a set while its activations come in any order. Whole: it grows with all that
/// the vertex has
/// (`and`: shrinks). Fresh: what it is of two sets of new bits is what it is of one, or of the
/// other.
enum class Shape { Constant, Whole, Fresh, Unknown };

Shape joined(Shape a, Shape b) {
  if (a == Shape::Constant) return b;
  return b == Shape::Constant || a == b ? a : Shape::Unknown;
}

class Union {
 public:
  Union(const Surroundings& around, const SymbolicUpdate& update)
      : around_(around),
        update_(update),
        message_(*around.program.find_message(around.inbox)),
        is_or_(message_.combine == Combine::Or),
        bits_(message_, around.phase) {}

  Proof run() {
    add("combine", "",
        "combine " + std::string(is_or_ ? "or" : "and") +
            " of integers ignores repeated messages and the order of their arrival");
    guard();
    state();
    sends();
    return std::move(proof_);
  }

 private:
  void add(const char* name, std::string problem, std::string held_reason) {
    const bool held = problem.empty();
    proof_.obligations.push_back({name, held, held ? std::move(held_reason) : std::move(problem)});
  }

  void guard() {
    const Expr* const used = bits_.find_target(*update_.guard);
    const std::string text = quoted(*update_.guard);
    if (used == nullptr) {
      const std::string wanted = is_or_ ? "(inbox & ~state) != 0" : "(state & ~inbox) != 0";
      return add(
          "guard",
          "the guard " + text + " does not ask for bits that change a state (" + wanted + ")", "");
    }
    proof_.targets = {bits_.target()};
    for (const Expr* part : conjuncts(*update_.guard)) {
      if (part == used) continue;
      const std::string read = changing_read(*part, around_);
      if (!read.empty())
        return add("guard", "the guard also depends on " + read + ", which changes with the order",
                   "");
    }
    add("guard", "", "the guard " + text + " asks for bits that change '" + bits_.target() + "'");
  }

  void state() {
    const std::string& target = bits_.target();
    if (target.empty()) return add("state", "no state is compared with the inbox in the guard", "");
    const auto written = update_.states.find(target);
    if (written == update_.states.end() || !bits_.is_whole(*written->second))
      return add("state", "'" + target + "' is compared with the inbox but not combined with it",
                 "");
    for (const auto& [name, value] : update_.states) {
      if (name == target) continue;
      const ExprPtr rest = replaced(*value, [&](const Expr& node) -> ExprPtr {
        return bits_.is_whole(node) ? message_.identity->clone() : nullptr;
      });
      const std::string read = changing_read(*rest, around_);
      if (!read.empty())
        return add("state",
                   "'" + name + "' is given a value that depends on " + read +
                       ", so an earlier activation leaves a trace",
                   "");
    }
    add("state", "", "'" + target + "' gathers the bits of the inbox");
  }

  Shape shape(const Expr& e) const {
    if (changing_read(e, around_).empty()) return Shape::Constant;
    if (bits_.is_whole(e)) return Shape::Whole;
    if (bits_.is_fresh(e)) return is_or_ ? Shape::Fresh : Shape::Unknown;
    switch (e.op) {
      case Op::BitOr:
        return joined(operand(e, 0), operand(e, 1));
      case Op::BitAnd: {
        // Of two new sets, a bit may come with the one and its counterpart with the other.
        const Shape left = operand(e, 0), right = operand(e, 1);
        const Shape both = joined(left, right);
        const bool one = left == Shape::Constant || right == Shape::Constant;
        return both == Shape::Fresh && !one ? Shape::Unknown : both;
      }
      case Op::ShiftLeft:
      case Op::ShiftRight:
        return operand(e, 1) == Shape::Constant ? operand(e, 0) : Shape::Unknown;
      case Op::Select:
        return operand(e, 0) == Shape::Constant ? joined(operand(e, 1), operand(e, 2))
                                                : Shape::Unknown;
      case Op::Cast:
        return keeps_bits(e.operands[0]->type, e.type) ? operand(e, 0) : Shape::Unknown;
      default:
        return Shape::Unknown;
    }
  }
  Shape operand(const Expr& e, std::size_t which) const { return shape(*e.operands[which]); }

  /// A conversion that copies bits, the sign's into new places: to a wider type that has no fewer
  /// values.
  static bool keeps_bits(const ir::Type& from, const ir::Type& to) {
    if (!from.is_scalar() || !to.is_scalar() || !ir::is_integer(from.scalar()) ||
        !ir::is_integer(to.scalar()))
      return false;
    const bool wider =
        (from.scalar() == ir::ScalarKind::Int32 || from.scalar() == ir::ScalarKind::UInt32) &&
        (to.scalar() == ir::ScalarKind::Int64 ||
         (to.scalar() == ir::ScalarKind::UInt64 && from.scalar() == ir::ScalarKind::UInt32));
    return wider || from == to;
  }

  /// Of a condition of sending: whether it goes on holding as bits come in.
  Shape condition(const Expr& e) const {
    if (changing_read(e, around_).empty()) return Shape::Constant;
    if (e.op == Op::And || e.op == Op::Or) {
      const Shape both = joined(condition(*e.operands[0]), condition(*e.operands[1]));
      return both == Shape::Fresh && e.op == Op::And ? Shape::Unknown : both;
    }
    if (is_or_ && e.op == Op::NotEqual)
      for (const std::size_t side : {0U, 1U})
        if (is_zero(*e.operands[1 - side])) return shape(*e.operands[side]);
    return Shape::Unknown;
  }

  void sends() {
    for (const SymbolicSend& send : update_.sends) {
      const std::string text = quoted(*send.value);
      const Shape value = shape(*send.value);
      if (value == Shape::Unknown)
        return add("sends",
                   "sent value " + text +
                       (is_or_ ? " is neither what all the state's bits make nor what new bits "
                                 "(inbox & ~state) make one by one"
                               : " is not what all the state's bits make"),
                   "");
      for (const Expr* when : {send.condition.get(), send.filter.get()}) {
        if (when == nullptr) continue;
        const Shape holds = condition(*when);
        const bool fits = holds == Shape::Constant || value == Shape::Constant ||
                          (holds == Shape::Whole && value == Shape::Whole);
        if (holds == Shape::Unknown || !fits)
          return add("sends",
                     "whether " + text + " is sent depends on " + quoted(*when) +
                         ", which is not shown to stay true as bits come in",
                     "");
      }
    }
    add("sends", "",
        update_.sends.empty() ? "nothing is sent"
                              : "what is sent for some bits is sent for more bits, too");
  }

  const Surroundings& around_;
  const SymbolicUpdate& update_;
  const ir::Message& message_;
  const bool is_or_;
  SetsOfBits bits_;
  Proof proof_;
};

}  // namespace

Proof prove_union(const Surroundings& around, const SymbolicUpdate& update) {
  return Union(around, update).run();
}

}  // namespace vertigo::compiler::passes
