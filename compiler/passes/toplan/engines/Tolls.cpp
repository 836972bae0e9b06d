#include "compiler/passes/toplan/engines/Tolls.h"

#include <utility>

#include "compiler/passes/program/Ranges.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

class Remover {
 public:
  Remover(const passes::Surroundings& around, bool downwards,
          const std::function<bool(const Expr&)>& is_toll,
          const std::function<bool(const Expr&)>& is_value)
      : around_(around), downwards_(downwards), is_toll_(is_toll), is_value_(is_value) {}

  ExprPtr of(const Expr& e) const {
    if (!holds(e, is_toll_)) return e.clone();
    switch (e.op) {
      case Op::Add:
        if (makes_worse(*e.operands[1])) return of(*e.operands[0]);
        if (makes_worse(*e.operands[0])) return of(*e.operands[1]);
        return parts(e);
      case Op::Subtract:
        if (!downwards_ && is_free(*e.operands[1]) && range(*e.operands[1]).low >= 0)
          return of(*e.operands[0]);
        return nullptr;
      case Op::Max:
      case Op::Min:
        if ((e.op == Op::Max) == downwards_)
          for (const unsigned toll : {0u, 1u})
            if (is_free(*e.operands[toll])) return of(*e.operands[1 - toll]);
        return parts(e);
      default:
        return nullptr;
    }
  }

 private:
  template <class Is>
  static bool holds(const Expr& e, const Is& is) {
    bool found = false;
    ir::walk(e, [&](const Expr& node) { found = found || is(node); });
    return found;
  }
  passes::Range range(const Expr& e) const { return passes::range_of(e, around_); }
  /// A toll, and nothing of the value that is improved.
  bool is_free(const Expr& e) const { return holds(e, is_toll_) && !holds(e, is_value_); }
  bool makes_worse(const Expr& e) const {
    return is_free(e) && (downwards_ ? range(e).low >= 0 : range(e).high <= 0);
  }
  ExprPtr parts(const Expr& e) const {
    ExprPtr made = e.clone_without_operands();
    for (const ExprPtr& each : e.operands) {
      made->operands.push_back(of(*each));
      if (made->operands.back() == nullptr) return nullptr;
    }
    return made;
  }

  const passes::Surroundings& around_;
  bool downwards_;
  const std::function<bool(const Expr&)>& is_toll_;
  const std::function<bool(const Expr&)>& is_value_;
};

}  // namespace

ExprPtr without_tolls(const Expr& sent, const passes::Surroundings& around, bool downwards,
                      const std::function<bool(const Expr&)>& is_toll,
                      const std::function<bool(const Expr&)>& is_value) {
  return Remover(around, downwards, is_toll, is_value).of(sent);
}

}  // namespace vertigo::compiler::toplan
