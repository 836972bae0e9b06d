// Calls: functions of the language, of the program, and casts.

#include "compiler/check/Checker.h"

namespace vertigo::compiler::check {

using ir::Op;
using ir::Operands;

std::optional<Op> function_of_language(llvm::StringRef word) {
  return ir::find_source_op(word, ir::Source::Function);
}

bool Checker::arguments(const Expr& expr, std::size_t count) {
  if (expr.operands.size() == count) return true;
  std::string takes = std::to_string(count) + (count == 1 ? " argument" : " arguments");
  diag::Report& report = diagnostics_.report(diag::ArgumentCount, expr.range, expr.name.text, takes,
                                             static_cast<std::int64_t>(expr.operands.size()));
  const std::string& name = expr.name.text;
  if (count == 2 && expr.operands.size() > 2 && (name == "min" || name == "max"))
    report.note("of more: '" + name + "(" + name + "(a, b), c)'");
  return false;
}

Type Checker::infer_call(ExprPtr& expr) {
  const std::string& word = expr->name.text;
  if (expr->condition && word != "common_neighbours") {
    diagnostics_.report(diag::WhereInCall, expr->condition->range, word);
    return Type::Form::Error;
  }
  if (auto kind = ast::parse_scalar(word)) return infer_cast(*expr, *kind);
  // `min(a, b)` is a function, `min(v.a)` a reduction over all vertices.
  if (auto op = reduction_op(word); op && expr->operands.size() == 1) {
    expr->kind = ExprKind::Reduction;
    expr->value = std::move(expr->operands[0]);
    expr->operands.clear();
    return infer_reduction(*expr);
  }
  if (word == "index" && !functions_.contains(word)) return index_in(*expr);
  if (const auto op = function_of_language(word)) return call_of_language(*expr, *op);
  if (reduction_op(word)) {
    arguments(*expr, 1);
    return Type::Form::Error;
  }
  if (auto found = functions_.find(word); found != functions_.end())
    return call_function(*expr, *found->second);
  if (const Decl* decl = scopes_.find(word)) {
    const std::string kind = ast::describe(decl->kind);
    const bool is_vowel = llvm::StringRef("aeiou").contains(kind.front());
    diag::Report& report = diagnostics_.report(diag::UnknownFunction, expr->name.range, word);
    report.note(decl->name.range, "'" + word + "' is " + (is_vowel ? "an " : "a ") + kind);
    // `weight(u, v)`
    if (decl->kind == Decl::Kind::EdgeAttribute)
      report.note("of the edge at hand it is read by its name").fix(expr->range, word);
    return Type::Form::Error;
  }
  for (ExprPtr& operand : expr->operands) infer(operand);
  std::vector<std::string> known = {"int32", "int64", "uint32", "uint64", "float32", "float64"};
  for (const std::string_view each : ir::words_of_functions()) known.emplace_back(each);
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

Type Checker::call_of_language(Expr& expr, Op op) {
  const ir::OpInfo& info = ir::info(op);
  const int count = op == Op::CommonNeighbours ? 2 : info.arity;
  if (!arguments(expr, static_cast<std::size_t>(count))) {
    for (ExprPtr& operand : expr.operands) infer(operand);
    return Type::Form::Error;
  }
  expr.builtin = Builtin::Function;
  expr.op = op;
  if (op == Op::Random || op == Op::CommonNeighbours) return call_of_graph(expr);
  Type type = infer(expr.operands[0]);
  Type left = type, right = type;
  if (info.arity == 2) {
    right = infer(expr.operands[1]);
    type = unify(expr.operands[0], expr.operands[1]);
  }
  if (type.is_error()) return type;
  if (!accepts(info.takes, type)) {
    report_operands(expr, left, right);
    return Type::Form::Error;
  }
  if (info.takes != Operands::Floats) return type;
  if (type.is(ScalarKind::Wide64)) {
    diagnostics_.report(diag::Operand, expr.range, expr.name.text, in_words(type))
        .note("written as 'float64(...)', it is taken in the range of float64");
    return Type::Form::Error;
  }
  if (type.is_scalar() && type.is_float()) return type;
  return Type::Form::OpenFloat;  // taken in the float type that is needed
}

// `random` and `common_neighbours`, which look at vertices.
Type Checker::call_of_graph(Expr& expr) {
  bool draws = expr.op == Op::Random;
  if (!readable_here(expr, expr.name.text)) return Type::Form::Error;
  if (draws && place_ < Place::Start) {
    diagnostics_.report(diag::RandomHere, expr.range,
                        place_ == Place::Host ? "at host level" : "for an initial value");
    return Type::Form::Error;
  }
  expect(expr.operands[0], ScalarKind::Vertex);
  expect(expr.operands[1], draws ? ScalarKind::Int64 : ScalarKind::Vertex);
  if (expr.condition) choose_edges(expr.condition);
  return draws ? ScalarKind::Float64 : ScalarKind::Int64;
}

// `common_neighbours(u, v where alive)`: which edges count, whoever asks.
void Checker::choose_edges(ExprPtr& condition) {
  const bool in_update = update_ != nullptr && place_ != Place::Guard && place_ < Place::SendValue;
  if (!in_update) {
    diagnostics_.report(diag::EdgeChoiceHere, condition->range);
    return;
  }
  Restore choosing(chooses_edges_, true);
  Restore edge(edge_at_hand_, true);
  this->condition(condition, place_);
}

// `index(v, sources)`: where the vertex stands in a list.
Type Checker::index_in(Expr& expr) {
  if (!arguments(expr, 2)) return Type::Form::Error;
  expect(expr.operands[0], ScalarKind::Vertex);
  Expr& list = *expr.operands[1];
  const Decl* decl = list.kind == ExprKind::Reference ? scopes_.find(list.name.text) : nullptr;
  if (decl == nullptr || !decl->type.is_list()) {
    diagnostics_.report(diag::NotAList, list.range, diagnostics_.text(list.range));
    return Type::Form::Error;
  }
  decl->read = true;
  if (place_ != Place::Start) {
    diagnostics_.report(diag::IndexHere, expr.range)
        .note("a message can carry the number on, and a state can keep it");
    return Type::Form::Error;
  }
  expr.builtin = Builtin::Function;
  expr.op = Op::IndexIn;
  expr.decl = decl;
  expr.operands.pop_back();
  return ScalarKind::Int32;
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
