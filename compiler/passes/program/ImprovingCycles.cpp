#include "compiler/passes/program/ImprovingCycles.h"

#include <algorithm>
#include <limits>

#include "compiler/ir/program/SourceText.h"
#include "compiler/passes/program/Ranges.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;

namespace {

/// One element of what a send says.
class Element {
 public:
  Element(const Expr& sent, std::size_t which, bool downwards, const Surroundings& around)
      : sent_(sent), which_(which), downwards_(downwards), around_(around) {}

  bool never_improves(bool weights_nonnegative) const {
    if (!reads_inbox(sent_, around_.inbox) || rests()) return true;
    Surroundings around = around_;
    around.weights_nonnegative = around.weights_nonnegative || weights_nonnegative;
    return never_better(sent_, around, downwards_, [&](const Expr& e) { return is_arrived(e); });
  }
  bool is_moved() const { return is_moved(sent_); }

 private:
  bool is_arrived(const Expr& e) const {
    if (is_inbox(e, around_.inbox)) return e.type.is_scalar();
    return e.op == Op::TupleElement && e.index == which_ && is_inbox(*e.operands[0], around_.inbox);
  }

  /// It cannot get better than some number before the end of its type; of what falls, that is 0 for
  /// unsigned integers.
  bool rests() const {
    if (!sent_.type.is_scalar() || !ir::is_numeric(sent_.type.scalar())) return true;
    const Range range = range_of(sent_, around_);
    const Range all = range_of(sent_.type);
    if (downwards_) return range.low > all.low || ir::is_unsigned_integer(sent_.type.scalar());
    return range.high < all.high;
  }

  bool is_moved(const Expr& e) const {
    if (is_arrived(e)) return true;
    const auto moved = [&](std::size_t i) { return is_moved(*e.operands[i]); };
    const auto fixed = [&](std::size_t i) { return !reads_inbox(*e.operands[i], around_.inbox); };
    switch (e.op) {
      case Op::Add:
        return (fixed(1) && moved(0)) || (fixed(0) && moved(1));
      case Op::Subtract:
        return moved(0) && fixed(1);
      case Op::Select:
        return fixed(0) && moved(1) && moved(2);
      case Op::Min:
      case Op::Max:
        // Each operand is asked once: chains are deep.
        if (!fixed(0) && !fixed(1)) return moved(0) && moved(1) && !has_bound(e);
        return (e.op == Op::Min) == downwards_ &&
               ((fixed(1) && moved(0)) || (fixed(0) && moved(1)));
      default:
        return false;
    }
  }

  /// Somewhere a number may take the place of what is moved.
  bool has_bound(const Expr& e) const {
    bool found = false;
    ir::walk(e, [&](const Expr& node) {
      if (node.op != Op::Min && node.op != Op::Max) return;
      const bool reads = reads_inbox(node, around_.inbox);
      found = found || (reads && (!reads_inbox(*node.operands[0], around_.inbox) ||
                                  !reads_inbox(*node.operands[1], around_.inbox)));
    });
    return found;
  }

  const Expr& sent_;
  std::size_t which_;
  bool downwards_;
  const Surroundings& around_;
};

class NeverBetter {
 public:
  NeverBetter(const Surroundings& around, bool downwards,
              const std::function<bool(const Expr&)>& is_arrived)
      : around_(around), downwards_(downwards), is_arrived_(is_arrived) {}

  bool is(const Expr& sent) const {
    if (is_arrived_(sent)) return true;
    const auto part = [&](std::size_t i) { return is(*sent.operands[i]); };
    switch (sent.op) {
      case Op::Add:
        return (part(0) && worsens(*sent.operands[1])) || (part(1) && worsens(*sent.operands[0]));
      case Op::Subtract:
        return part(0) && (downwards_ ? is_between(*sent.operands[1], -kInf, 0)
                                      : is_between(*sent.operands[1], 0, kInf));
      case Op::Multiply:
        return times(*sent.operands[0], *sent.operands[1]) ||
               times(*sent.operands[1], *sent.operands[0]);
      case Op::Divide:
        return !downwards_ && part(0) && is_between(*sent.operands[0], 0, kInf) &&
               is_between(*sent.operands[1], 1, kInf);
      case Op::Select:
        return part(1) && part(2);
      case Op::Min:
        return downwards_ ? part(0) && part(1) : part(0) || part(1);
      case Op::Max:
        return downwards_ ? part(0) || part(1) : part(0) && part(1);
      default:
        return false;
    }
  }

 private:
  static constexpr double kInf = std::numeric_limits<double>::infinity();

  /// What is sent is asked for only where it may matter.
  bool is_between(const Expr& e, double low, double high) const {
    const auto is_in = [&](Range range) { return range.low >= low && range.high <= high; };
    return is_in(range_of(e, around_)) ||
           (!changing_read(e, around_).empty() && is_in(range_of_values(e, around_)));
  }
  /// Of something that is added.
  bool worsens(const Expr& e) const {
    return downwards_ ? is_between(e, 0, kInf) : is_between(e, -kInf, 0);
  }
  /// A value that is not negative, and no better, times at least one where less is better, and at
  /// most one where more is.
  bool times(const Expr& value, const Expr& factor) const {
    return is(value) && is_between(value, 0, kInf) &&
           (downwards_ ? is_between(factor, 1, kInf) : is_between(factor, -kInf, 1));
  }

  const Surroundings& around_;
  bool downwards_;
  const std::function<bool(const Expr&)>& is_arrived_;
};

}  // namespace

std::string ImprovingCycles::reason() const {
  return "'" + sent + "' may improve its sender's value" +
         (risk == ir::Cycles::OverNegativeWeights ? " where a weight is negative" : "") +
         ": a cycle that does so for ever is looked for while the phase runs";
}

bool never_better(const Expr& sent, const Surroundings& around, bool downwards,
                  const std::function<bool(const Expr&)>& is_arrived) {
  return NeverBetter(around, downwards, is_arrived).is(sent);
}

ImprovingCycles find_improving_cycles(const Surroundings& around, const SymbolicUpdate& update,
                                      bool downwards) {
  ImprovingCycles found;
  for (const SymbolicSend& send : update.sends) {
    const Expr& value = *send.value;
    const bool is_tuple = value.op == Op::MakeTuple;
    for (std::size_t i = 0; i < (is_tuple ? value.operands.size() : 1); ++i) {
      const Element element(is_tuple ? *value.operands[i] : value, i, downwards, around);
      if (is_inbox(value, around.inbox) || element.never_improves(false)) continue;
      const ir::Cycles risk =
          element.never_improves(true) ? ir::Cycles::OverNegativeWeights : ir::Cycles::Any;
      if (risk > found.risk) found.sent = ir::source_text(value);
      found.risk = std::max(found.risk, risk);
      found.noticed = found.noticed && element.is_moved();
    }
  }
  return found;
}

}  // namespace vertigo::compiler::passes
