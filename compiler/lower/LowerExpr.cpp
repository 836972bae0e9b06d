#include <limits>

#include "compiler/lower/Lowering.h"

namespace vertigo::compiler::lower {

using ast::Builtin;
using ast::Decl;
using ast::Expr;
using ast::ExprKind;
using ir::ExprPtr;
using ir::Op;
using ir::ScalarKind;

namespace {

std::int64_t lowest_integer(ScalarKind kind) {
  return kind == ScalarKind::Int32 ? std::numeric_limits<std::int32_t>::min()
                                   : std::numeric_limits<std::int64_t>::min();
}

}  // namespace

ir::Location Lowering::location(SourceRange range) const {
  auto [line, column] = diagnostics_.line_and_column(range);
  return {line, column};
}

ExprPtr Lowering::make(Op op, ir::Type type, ir::Location location) {
  auto result = std::make_unique<ir::Expr>();
  result->op = op;
  result->type = std::move(type);
  result->location = location;
  return result;
}

ExprPtr Lowering::make(Op op, const Expr& source) {
  ExprPtr result = make(op, type(source.type), location(source.range));
  for (const ast::ExprPtr& operand : source.operands) result->operands.push_back(expr(*operand));
  return result;
}

ExprPtr Lowering::literal(ScalarKind kind, std::int64_t value, ir::Location location) {
  ExprPtr result = make(Op::Literal, kind, location);
  if (kind == ScalarKind::Bool)
    result->value = value != 0;
  else if (ir::is_float(kind))
    result->value = static_cast<double>(value);
  else if (ir::is_signed_integer(kind))
    result->value = value;
  else
    result->value = static_cast<std::uint64_t>(value);
  return result;
}

ExprPtr Lowering::infinity(ScalarKind kind, ir::Location location) {
  return make(kind == ScalarKind::Vertex ? Op::NoVertex : Op::Infinity, kind, location);
}

ExprPtr Lowering::lowest(ScalarKind kind, ir::Location location) {
  if (ir::is_signed_integer(kind)) return literal(kind, lowest_integer(kind), location);
  if (ir::is_unsigned_integer(kind)) return literal(kind, 0, location);
  ExprPtr result = make(Op::Negate, kind, location);
  result->operands.push_back(infinity(kind, location));
  return result;
}

ExprPtr Lowering::all_bits(ScalarKind kind, ir::Location location) {
  // Of 32 bits, too, an unsigned literal is kept in 64.
  std::int64_t bits = -1;
  if (kind == ScalarKind::Bool) bits = 1;
  if (kind == ScalarKind::UInt32) bits = std::numeric_limits<std::uint32_t>::max();
  return literal(kind, bits, location);
}

ExprPtr Lowering::number(const Expr& expr, bool negative) {
  ScalarKind kind = expr.type.elements[0];
  ExprPtr result = make(Op::Literal, kind, location(expr.range));
  if (ir::is_float(kind)) {
    double value = expr.kind == ExprKind::Float ? expr.number : static_cast<double>(expr.integer);
    result->value = negative ? -value : value;
  } else if (ir::is_signed_integer(kind)) {
    // The lowest value is written as the negated magnitude, which no signed type holds.
    result->value = static_cast<std::int64_t>(negative ? 0 - expr.integer : expr.integer);
  } else {
    result->value = expr.integer;
  }
  return result;
}

ExprPtr Lowering::builtin(const Expr& expr) {
  switch (expr.builtin) {
    case Builtin::Infinity:
      return infinity(expr.type.elements[0], location(expr.range));
    case Builtin::NoVertex:
      return make(Op::NoVertex, expr);
    case Builtin::Self: {
      ExprPtr result = make(Op::BoundVertex, expr);
      result->vertex = "self";
      return result;
    }
    case Builtin::Vertices:
      return make(Op::VertexCount, expr);
    case Builtin::Edges:
      return make(Op::EdgeCount, expr);
    default:
      return make(Op::Step, expr);
  }
}

ExprPtr Lowering::reference(const Expr& expr) {
  if (expr.decl == nullptr) return builtin(expr);
  const Decl& decl = *expr.decl;
  Op op = Op::Local;
  std::string symbol = decl.name.text;
  std::string vertex;
  switch (decl.kind) {
    case Decl::Kind::Parameter:
      op = Op::Parameter;
      break;
    case Decl::Kind::HostVariable:
    case Decl::Kind::LoopVariable:
      op = Op::HostVariable;
      symbol = host_names_.at(&decl);
      break;
    case Decl::Kind::State:
    case Decl::Kind::Input:
      op = Op::State;
      vertex = reduced_vertex_;
      break;
    case Decl::Kind::Message:
      op = Op::Inbox;
      break;
    case Decl::Kind::EdgeAttribute:
      op = Op::EdgeAttribute;
      break;
    case Decl::Kind::Vertex:
      op = Op::BoundVertex;
      vertex = symbol;
      symbol.clear();
      break;
    default:
      break;
  }
  ExprPtr result = make(op, expr);
  result->symbol = symbol;
  result->vertex = vertex;
  return result;
}

ExprPtr Lowering::member(const Expr& expr) {
  const Expr& base = *expr.operands[0];
  if (!base.type.is_vertex()) {
    ExprPtr result = make(Op::TupleElement, expr);
    result->index = expr.element;
    return result;
  }
  Op op = expr.builtin == Builtin::Degree      ? Op::Degree
          : expr.builtin == Builtin::InDegree  ? Op::InDegree
          : expr.builtin == Builtin::OutDegree ? Op::OutDegree
                                               : Op::State;
  ExprPtr result = make(op, type(expr.type), location(expr.range));
  if (op == Op::State) result->symbol = expr.decl->name.text;
  const bool far = base.builtin != Builtin::Self &&
                   (base.decl == nullptr || base.decl->kind != Decl::Kind::Vertex ||
                    base.kind != ExprKind::Reference);
  if (far) {
    result->operands.push_back(this->expr(base));
    return result;
  }
  result->vertex = base.builtin == Builtin::Self ? "self" : base.decl->name.text;
  return result;
}

ExprPtr Lowering::unary(const Expr& expr) {
  if (expr.op != Op::Negate) return make(expr.op, expr);
  const Expr& operand = *expr.operands[0];
  if (operand.kind == ExprKind::Integer || operand.kind == ExprKind::Float)
    return number(operand, true);
  if (operand.builtin == Builtin::Infinity)
    return lowest(operand.type.elements[0], location(expr.range));
  return make(Op::Negate, expr);
}

ExprPtr Lowering::call(const Expr& expr) {
  if (expr.builtin == Builtin::Function) {
    ExprPtr result = make(expr.op, expr);
    if (expr.condition) result->operands.push_back(this->expr(*expr.condition));
    if (expr.op == Op::IndexIn) result->symbol = expr.decl->name.text;
    return result;
  }
  const auto& function = static_cast<const ast::Function&>(*expr.decl);
  ExprPtr result = make(function.body ? Op::Call : Op::ExternCall, expr);
  result->symbol = function.name.text;
  return result;
}

ExprPtr Lowering::reduction(const Expr& expr) {
  const bool count = expr.reduction == ast::ReductionOp::Count;
  if (expr.common && count && !expr.condition) return call(*expr.common);
  Op op = expr.common            ? Op::ReduceCommon
          : expr.over_neighbours ? Op::ReduceNeighbours
                                 : Op::ReduceVertices;
  ExprPtr result = make(op, type(expr.type), location(expr.range));
  result->reduction = expr.reduction;
  result->symbol = expr.binder.empty() ? "v" : expr.binder.text;
  std::string outer = reduced_vertex_;
  if (op == Op::ReduceNeighbours) {
    result->direction = expr.direction;
    result->vertex = at_hand_;
  } else if (op == Op::ReduceVertices) {
    reduced_vertex_ = result->symbol;
  }
  result->operands.push_back(count ? nullptr : optional(expr.value));
  result->operands.push_back(optional(expr.condition));
  result->operands.push_back(optional(expr.common ? expr.common : expr.otherwise));
  reduced_vertex_ = outer;
  return result;
}

ExprPtr Lowering::expr(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Integer:
    case ExprKind::Float:
      return number(expr, false);
    case ExprKind::Bool:
      return literal(ScalarKind::Bool, static_cast<std::int64_t>(expr.integer),
                     location(expr.range));
    case ExprKind::Reference:
      return reference(expr);
    case ExprKind::Member:
      return member(expr);
    case ExprKind::Unary:
      return unary(expr);
    case ExprKind::Binary:
      return make(expr.op, expr);
    case ExprKind::Conditional:
      return make(Op::Select, expr);
    case ExprKind::Call:
      return call(expr);
    case ExprKind::Tuple:
      return make(Op::MakeTuple, expr);
    case ExprKind::Reduction:
      return reduction(expr);
    case ExprKind::Cast:
      break;
  }
  // A conversion to the type that is already there is only a way of writing.
  if (expr.operands[0]->type.same(expr.type)) return this->expr(*expr.operands[0]);
  return make(Op::Cast, expr);
}

}  // namespace vertigo::compiler::lower
