#include <map>
#include <optional>
#include <set>
#include <string>

#include "compiler/check/Evaluate.h"
#include "compiler/check/Warnings.h"

namespace vertigo::compiler::check {
namespace {

using ast::Builtin;
using ast::Decl;
using ast::Expr;
using ast::ExprKind;
using ir::Op;

const Expr& without_conversion(const Expr& expr) {
  return expr.kind == ExprKind::Cast && expr.implicit ? without_conversion(*expr.operands[0])
                                                      : expr;
}

/// What is known of a condition once the body has run, for the message that the body took.
struct Outlook {
  enum Kind : std::uint8_t {
    MayEnd,     ///< the update may make it false
    Unchanged,  ///< the update has no part in it
    Stays,      ///< it is still true
    Always,     ///< it is never anything but true
  };
  Kind kind = MayEnd;
  const Expr* cause = nullptr;  ///< of Stays
};

/// One phase `update … when`.
class Guard {
 public:
  Guard(const ast::Phase& phase, diag::DiagnosticEngine& diagnostics)
      : update_(*phase.update), diagnostics_(diagnostics) {
    for_each_stmt(update_.body, [&](const ast::Stmt& stmt) {
      if (stmt.kind == ast::StmtKind::Assign) ++assignments_[stmt.target->decl];
      if (stmt.kind == ast::StmtKind::Let) lets_[stmt.decl.get()] = stmt.value.get();
    });
    for (const ast::StmtPtr& stmt : update_.body)
      if (stmt->kind == ast::StmtKind::Assign && assignments_[stmt->target->decl] == 1)
        given_[stmt->target->decl] = stmt->value.get();
  }

  void warn() {
    if (!sends_always()) return;
    const Outlook outlook = look(*update_.condition, false);
    if (outlook.kind == Outlook::Always)
      diagnostics_.report(diag::GuardAlwaysHolds, update_.condition->range)
          .note(
              "such a phase ends on graphs without cycles only; ask for what an activation "
              "changes, or state a 'limit'");
    if (outlook.kind == Outlook::Stays) report(*outlook.cause);
  }

 private:
  // A send that nothing of the vertex or its neighbour can hold back.
  bool sends_always() const {
    for (const ast::StmtPtr& stmt : update_.body) {
      if (stmt->kind != ast::StmtKind::Send) continue;
      bool held_back = false;
      if (stmt->condition)
        ast::walk(*stmt->condition, [&](const Expr& e) {
          held_back = held_back || (e.kind == ExprKind::Member && e.decl != nullptr);
        });
      if (!held_back) return true;
    }
    return false;
  }

  Outlook look(const Expr& expr, bool negate) {
    if (expr.kind == ExprKind::Unary && expr.op == Op::Not) return look(*expr.operands[0], !negate);
    if (expr.kind == ExprKind::Binary && (expr.op == Op::And || expr.op == Op::Or)) {
      const Outlook a = look(*expr.operands[0], negate), b = look(*expr.operands[1], negate);
      return (expr.op == Op::And) != negate ? both(a, b) : either(a, b);
    }
    if (const auto value = Evaluator().evaluate(expr))
      return {(value->elements[0].integer != 0) != negate ? Outlook::Always : Outlook::MayEnd};
    if (expr.kind == ExprKind::Binary && ir::info(expr.op).is_comparison())
      return comparison(expr, negate ? ir::negated(expr.op) : expr.op);
    return {changes(expr) ? Outlook::MayEnd : Outlook::Unchanged};
  }

  static Outlook both(const Outlook& a, const Outlook& b) {
    if (a.kind == Outlook::MayEnd || b.kind == Outlook::MayEnd) return {};
    if (a.kind == Outlook::Stays) return a;
    if (b.kind == Outlook::Stays) return b;
    return a.kind == Outlook::Unchanged ? a : b;
  }
  static Outlook either(const Outlook& a, const Outlook& b) { return a.kind >= b.kind ? a : b; }

  Outlook comparison(const Expr& expr, Op op) {
    const Expr &a = *expr.operands[0], &b = *expr.operands[1];
    const bool may_be_equal = ir::holds(op, 0);
    const Expr &small = op == Op::GreaterEqual ? b : a, &large = op == Op::GreaterEqual ? a : b;
    if (may_be_equal && op != Op::Equal && (is_infinite(large, false) || is_infinite(small, true)))
      return {Outlook::Always};
    const auto left = key(a, 0), right = key(b, 0);
    const bool equal = left && right && *left == *right;
    if (!changes(expr)) {
      if (equal && may_be_equal) return {Outlook::Always};
      return {Outlook::Unchanged};
    }
    if (!equal) return {};
    if (may_be_equal || (op == Op::NotEqual && better(a, b) != Op::Equal))
      return {Outlook::Stays, &expr};
    return {};
  }

  static bool is_infinite(const Expr& expr, bool lowest) {
    const Expr& e = without_conversion(expr);
    if (!lowest) return e.kind == ExprKind::Reference && e.builtin == Builtin::Infinity;
    return e.kind == ExprKind::Unary && e.op == Op::Negate && is_infinite(*e.operands[0], false);
  }

  // `<` or `>`, whichever says that a message improves the state; Equal where neither does.
  static Op better(const Expr& a, const Expr& b) {
    for (const bool left : {true, false}) {
      const Expr* inbox = &without_conversion(left ? a : b);
      while (inbox->kind == ExprKind::Member && inbox->decl == nullptr)
        inbox = inbox->operands[0].get();
      if (inbox->kind != ExprKind::Reference || inbox->decl == nullptr ||
          inbox->decl->kind != Decl::Kind::Message)
        continue;
      const std::string& combine = static_cast<const ast::Message*>(inbox->decl)->combine.text;
      if (combine == "min") return left ? Op::Less : Op::Greater;
      if (combine == "max") return left ? Op::Greater : Op::Less;
    }
    return Op::Equal;
  }

  bool is_own_state(const Expr& e) const {
    return e.kind == ExprKind::Member && e.decl != nullptr && e.decl->kind == Decl::Kind::State &&
           e.operands[0]->decl == update_.variable.get();
  }

  // Reads something that the update writes, or that counts.
  bool changes(const Expr& root) const {
    bool found = false;
    ast::walk(root, [&](const Expr& e) {
      found = found || (is_own_state(e) && assignments_.contains(e.decl)) ||
              e.builtin == Builtin::Step || calls(e, Op::Random);
    });
    return found;
  }

  // A text that two expressions share when they have the same value after the body, the inbox being
  // what the body took; nothing where that is not known.
  std::optional<std::string> key(const Expr& expr, unsigned depth) const {
    constexpr unsigned kDeepest = 40;
    if (depth > kDeepest) return std::nullopt;
    const Expr& e = without_conversion(expr);
    switch (e.kind) {
      case ExprKind::Integer:
        return "#" + std::to_string(e.integer);
      case ExprKind::Reference: {
        if (const auto let = lets_.find(e.decl); let != lets_.end())
          return changes(*let->second) ? std::nullopt : key(*let->second, depth + 1);
        if (e.decl == nullptr) return "$" + e.name.text;
        return "@" + e.decl->name.text;
      }
      case ExprKind::Member:
        return member(e, depth);
      case ExprKind::Tuple:
        return tuple(e, depth);
      case ExprKind::Binary: {
        const auto a = key(*e.operands[0], depth + 1), b = key(*e.operands[1], depth + 1);
        if (!a || !b) return std::nullopt;
        return "(" + *a + std::string(ir::written(e.op)) + *b + ")";
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<std::string> member(const Expr& e, unsigned depth) const {
    if (is_own_state(e) && assignments_.contains(e.decl)) {
      const auto given = given_.find(e.decl);
      if (given == given_.end()) return std::nullopt;
      const Expr& value = improvement(*given->second, *e.decl);
      return changes(value) ? std::nullopt : key(value, depth + 1);
    }
    const auto base = key(*e.operands[0], depth + 1);
    if (!base) return std::nullopt;
    return *base + "." +
           (e.decl == nullptr && e.builtin == Builtin::None ? std::to_string(e.element)
                                                            : e.name.text);
  }

  // Of `min(v.s, m)` for v.s the other one: a guard that lets only improvements in lets it win.
  const Expr& improvement(const Expr& value, const Decl& state) const {
    const Expr& e = without_conversion(value);
    if (!calls(e, Op::Min) && !calls(e, Op::Max)) return e;
    for (const std::size_t i : {0U, 1U})
      if (is_own_state(*e.operands[i]) && e.operands[i]->decl == &state) return *e.operands[1 - i];
    return e;
  }

  // `(m.0, m.1)` is `m`.
  std::optional<std::string> tuple(const Expr& e, unsigned depth) const {
    std::string parts;
    std::optional<std::string> whole;
    bool is_whole = true;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      const auto part = key(*e.operands[i], depth + 1);
      if (!part) return std::nullopt;
      parts += (i == 0 ? "(" : ",") + *part;
      const std::string index = "." + std::to_string(i);
      is_whole = is_whole && part->ends_with(index);
      const std::string base = is_whole ? part->substr(0, part->size() - index.size()) : "";
      is_whole = is_whole && (!whole || *whole == base);
      whole = base;
    }
    return is_whole ? whole : parts + ")";
  }

  void report(const Expr& cause) {
    const bool unequal = cause.op == Op::NotEqual || cause.op == Op::Equal;
    diag::Report& report =
        diagnostics_
            .report(diag::GuardHoldsAgain, cause.range,
                    unequal ? "a message that improves nothing" : "a message of the same value")
            .note("on a cycle the phase may never end; ask for a strict improvement");
    const Op strict = cause.op == Op::LessEqual      ? Op::Less
                      : cause.op == Op::GreaterEqual ? Op::Greater
                      : cause.op == Op::Less         ? Op::LessEqual
                      : cause.op == Op::Greater      ? Op::GreaterEqual
                      : cause.op == Op::NotEqual ? better(*cause.operands[0], *cause.operands[1])
                                                 : Op::Equal;
    const SourceRange between{cause.operands[0]->range.end, cause.operands[1]->range.begin,
                              cause.range.file};
    const std::string sign(ir::written(cause.op));
    const std::size_t at = diagnostics_.text(between).find(sign);
    if (strict == Op::Equal || at == llvm::StringRef::npos) return;
    const auto begin = static_cast<std::uint32_t>(between.begin + at);
    report.fix({begin, begin + static_cast<std::uint32_t>(sign.size()), between.file},
               std::string(ir::written(strict)));
  }

  const ast::Update& update_;
  diag::DiagnosticEngine& diagnostics_;
  std::map<const Decl*, unsigned> assignments_;
  std::map<const Decl*, const Expr*> given_;  ///< states assigned once, whatever happens
  std::map<const Decl*, const Expr*> lets_;
};

}  // namespace

void warn_of_lasting_guards(const ast::Program& program, diag::DiagnosticEngine& diagnostics) {
  for_each_stmt(program.body, [&](const ast::Stmt& stmt) {
    if (!stmt.phase || !stmt.phase->update || stmt.phase->limit) return;
    if (stmt.phase->update->kind == ast::Update::Kind::When) Guard(*stmt.phase, diagnostics).warn();
  });
}

}  // namespace vertigo::compiler::check
