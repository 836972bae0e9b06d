// Calls: functions of the language, of the program, and casts.

#include "compiler/check/Checker.h"
#include "llvm/ADT/StringSwitch.h"

namespace vertigo::compiler::check {

Builtin function_builtin(llvm::StringRef word) {
  return llvm::StringSwitch<Builtin>(word)
      .Case("abs", Builtin::Abs)
      .Case("sqrt", Builtin::Sqrt)
      .Case("exp", Builtin::Exp)
      .Case("log", Builtin::Log)
      .Case("min", Builtin::Min)
      .Case("max", Builtin::Max)
      .Case("random", Builtin::Random)
      .Case("common_neighbours", Builtin::CommonNeighbours)
      .Default(Builtin::None);
}

bool Checker::arguments(const Expr& expr, std::size_t count) {
  if (expr.operands.size() == count) return true;
  std::string takes = std::to_string(count) + (count == 1 ? " argument" : " arguments");
  diagnostics_.report(diag::ArgumentCount, expr.range, expr.name.text, takes,
                      static_cast<std::int64_t>(expr.operands.size()));
  return false;
}

Type Checker::infer_call(ExprPtr& expr) {
  const std::string& word = expr->name.text;
  if (auto kind = ast::parse_scalar(word)) return infer_cast(*expr, *kind);
  // `min(a, b)` is a function, `min(v.a)` a reduction over all vertices.
  if (auto op = reduction_op(word); op && expr->operands.size() == 1) {
    expr->kind = ExprKind::Reduction;
    expr->value = std::move(expr->operands[0]);
    expr->operands.clear();
    return infer_reduction(*expr);
  }
  if (Builtin builtin = function_builtin(word); builtin != Builtin::None)
    return call_builtin(*expr, builtin);
  if (reduction_op(word)) {
    arguments(*expr, 1);
    return Type::Form::Error;
  }
  if (auto found = functions_.find(word); found != functions_.end())
    return call_function(*expr, *found->second);
  for (ExprPtr& operand : expr->operands) infer(operand);
  if (const Decl* decl = scopes_.find(word)) {
    diagnostics_.report(diag::UnknownFunction, expr->name.range, word)
        .note(decl->name.range, "'" + word + "' is a " + ast::describe(decl->kind));
    return Type::Form::Error;
  }
  std::vector<std::string> known = {"abs",
                                    "sqrt",
                                    "exp",
                                    "log",
                                    "min",
                                    "max",
                                    "count",
                                    "any",
                                    "all",
                                    "mode",
                                    "random",
                                    "sum",
                                    "common_neighbours",
                                    "int32",
                                    "int64",
                                    "uint32",
                                    "uint64",
                                    "float32",
                                    "float64"};
  for (const auto& [name, function] : functions_) known.push_back(name);
  suggest(diagnostics_.report(diag::UnknownFunction, expr->name.range, word), expr->name, known);
  return Type::Form::Error;
}

Type Checker::infer_cast(Expr& expr, ScalarKind kind) {
  if (!arguments(expr, 1)) return Type::Form::Error;
  infer(expr.operands[0]);
  Type from = expr.operands[0]->type;
  if (from.is_error()) return from;
  Type to(kind);
  bool number = to.is_number() && (from.is_number() || from.is_bool());
  if (!number && !from.same(to)) {
    diagnostics_.report(diag::NotCastable, expr.range, in_words(from), in_words(to));
    return Type::Form::Error;
  }
  // A literal is made in the type itself; a fraction that becomes an integer is cut off first.
  if (from.is_open() && (to.is_float() || from.form != Type::Form::OpenFloat))
    close(expr.operands[0], kind);
  else
    settle(expr.operands[0]);
  expr.kind = ExprKind::Cast;
  return to;
}

Type Checker::call_builtin(Expr& expr, Builtin builtin) {
  bool two = builtin == Builtin::Min || builtin == Builtin::Max || builtin == Builtin::Random ||
             builtin == Builtin::CommonNeighbours;
  if (!arguments(expr, two ? 2 : 1)) {
    for (ExprPtr& operand : expr.operands) infer(operand);
    return Type::Form::Error;
  }
  expr.builtin = builtin;
  ExprPtr& a = expr.operands[0];
  if (builtin == Builtin::Random || builtin == Builtin::CommonNeighbours) {
    bool draws = builtin == Builtin::Random;
    if (place_ < Place::Initial) {
      if (place_ == Place::Function)
        diagnostics_.report(diag::ImpureFunction, expr.range, expr.name.text);
      else
        diagnostics_.report(diag::NotConstant, expr.range, constant_what_, expr.name.text);
      return Type::Form::Error;
    }
    if (draws && place_ < Place::Start) {
      diagnostics_.report(diag::RandomHere, expr.range,
                          place_ == Place::Host ? "at host level" : "for an initial value");
      return Type::Form::Error;
    }
    expect(a, ScalarKind::Vertex);
    expect(expr.operands[1], draws ? ScalarKind::Int64 : ScalarKind::Vertex);
    return draws ? ScalarKind::Float64 : ScalarKind::Int64;
  }
  Type type = infer(a);
  if (two) {
    Type left = type, right = infer(expr.operands[1]);
    type = unify(a, expr.operands[1]);
    if (type.is_error()) return type;
    if (!type.is_number() && !type.is_vertex()) {
      diagnostics_.report(diag::BinaryOperands, expr.range, expr.name.text, in_words(left),
                          in_words(right));
      return Type::Form::Error;
    }
    return type;
  }
  if (type.is_error()) return type;
  if (!type.is_number()) {
    diagnostics_.report(diag::Operand, expr.range, expr.name.text, in_words(type));
    return Type::Form::Error;
  }
  if (builtin != Builtin::Abs && type.is(ScalarKind::Wide64)) {
    diagnostics_.report(diag::Operand, expr.range, expr.name.text, in_words(type))
        .note("written as 'float64(...)', it is taken in the range of float64");
    return Type::Form::Error;
  }
  if (builtin == Builtin::Abs || (type.is_scalar() && type.is_float())) return type;
  return Type::Form::OpenFloat;  // sqrt, exp and log are taken in the float type that is needed
}

Type Checker::call_function(Expr& expr, const ast::Function& function) {
  function.read = true;
  expr.decl = &function;
  if (function_ != nullptr) calls_[function_].insert(&function);
  if (!arguments(expr, function.parameters.size())) {
    for (ExprPtr& operand : expr.operands) infer(operand);
    return function.type;
  }
  for (std::size_t i = 0; i < expr.operands.size(); ++i)
    expect(expr.operands[i], function.parameters[i]->type);
  return function.type;
}

}  // namespace vertigo::compiler::check
