#include <map>
#include <set>

#include "compiler/check/Evaluate.h"
#include "compiler/check/Warnings.h"

namespace vertigo::compiler::check {
namespace {

using ast::Decl;
using ast::Expr;
using ast::ExprKind;
using ast::ExprPtr;
using ast::Type;
using ir::Op;

bool is_exact(const Expr& division) {
  const auto a = Evaluator().evaluate(*division.operands[0]);
  const auto b = Evaluator().evaluate(*division.operands[1]);
  if (b && b->elements[0].integer == 1) return true;
  return a && b && b->elements[0].integer != 0 &&
         a->elements[0].integer % b->elements[0].integer == 0;
}

class IntegerDivisions {
 public:
  IntegerDivisions(const ast::Program& program, diag::DiagnosticEngine& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  void run() {
    for_each_stmt(program_.body, [&](const ast::Stmt& stmt) {
      // A variable of a written type is an integer on purpose.
      if (stmt.kind == ast::StmtKind::Let && !stmt.written_type.written())
        lets_[stmt.decl.get()] = stmt.value.get();
    });
    for_each_expr(program_, [&](const Expr& root) { look(root); });
  }

 private:
  void look(const Expr& root) {
    ast::walk(root, [&](const Expr& expr) {
      const bool becomes_floating = expr.kind == ExprKind::Cast && expr.implicit &&
                                    expr.type.is_float() && expr.operands[0]->type.is_integer();
      if (becomes_floating) follow(*expr.operands[0], expr, nullptr);
    });
  }

  // The integers that `expr` is made of, up to what was said to be one: a conversion that is
  // written out, a variable of a written type, a function's result.
  void follow(const Expr& expr, const Expr& place, const Expr* read) {
    switch (expr.kind) {
      case ExprKind::Binary:
        if (expr.op == Op::Divide) return warn(expr, place, read);
        if (ir::info(expr.op).takes == ir::Operands::Integers) return;
        break;
      case ExprKind::Cast:
        if (!expr.implicit) return;
        break;
      case ExprKind::Call:
        if (!calls(expr, Op::Min) && !calls(expr, Op::Max) && !calls(expr, Op::Abs)) return;
        break;
      case ExprKind::Reference: {
        const auto let = lets_.find(expr.decl);
        if (let != lets_.end() && followed_.insert(expr.decl).second)
          follow(*let->second, place, &expr);
        return;
      }
      case ExprKind::Reduction:
        if (expr.value) follow(*expr.value, place, read);
        if (expr.otherwise) follow(*expr.otherwise, place, read);
        return;
      case ExprKind::Unary:
      case ExprKind::Conditional:
        break;
      default:
        return;
    }
    for (std::size_t i = expr.kind == ExprKind::Conditional ? 1 : 0; i < expr.operands.size(); ++i)
      follow(*expr.operands[i], place, read);
  }

  void warn(const Expr& division, const Expr& place, const Expr* read) {
    if (is_exact(division) || !warned_.insert(&division).second) return;
    const std::string floating = ast::to_string(place.type);
    diag::Report& report = diagnostics_.report(diag::IntegerDivision, division.range, floating);
    if (read != nullptr) report.note(read->range, "it becomes " + floating + " here");
    fix(report, division, floating, read != nullptr);
    report.note("write '" + floating +
                "(…)' around the whole division where its integer part is meant");
  }

  // `1.0 / n` where a literal is there to be made floating, else `float32(a) / n`.
  void fix(diag::Report& report, const Expr& division, const std::string& floating,
           bool of_variable) const {
    for (const ExprPtr& operand : division.operands) {
      const llvm::StringRef text = diagnostics_.text(operand->range);
      const bool literal = operand->kind == ExprKind::Integer &&
                           text.find_first_not_of("0123456789") == llvm::StringRef::npos;
      if (!literal || of_variable) continue;
      report.fix({operand->range.end, operand->range.end, operand->range.file}, ".0");
      return;
    }
    const SourceRange left = division.operands[0]->range;
    report.fix({left.begin, left.begin, left.file}, floating + "(")
        .fix({left.end, left.end, left.file}, ")");
  }

  const ast::Program& program_;
  diag::DiagnosticEngine& diagnostics_;
  std::map<const Decl*, const Expr*> lets_;
  std::set<const Decl*> followed_;
  std::set<const Expr*> warned_;
};

}  // namespace

void warn_of_integer_divisions(const ast::Program& program, diag::DiagnosticEngine& diagnostics) {
  IntegerDivisions(program, diagnostics).run();
}

}  // namespace vertigo::compiler::check
