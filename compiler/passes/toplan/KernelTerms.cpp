#include "compiler/passes/toplan/KernelTerms.h"

#include <limits>

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using ir::ScalarKind;
using ir::Type;
using plan::KernelOp;
using plan::KernelStmtPtr;

namespace {

ExprPtr make(Op op, Type type) {
  auto expr = std::make_unique<ir::Expr>();
  expr->op = op;
  expr->type = std::move(type);
  return expr;
}

KernelStmtPtr make(KernelOp op) {
  auto stmt = std::make_unique<plan::KernelStmt>();
  stmt->op = op;
  return stmt;
}

ExprPtr per_element(const Type& type, ExprPtr (*scalar)(ScalarKind)) {
  if (type.is_scalar()) return scalar(type.scalar());
  ExprPtr tuple = make(Op::MakeTuple, type);
  for (const ScalarKind kind : type.elements) tuple->operands.push_back(scalar(kind));
  return tuple;
}

ExprPtr highest_scalar(ScalarKind kind) {
  return kind == ScalarKind::Bool ? boolean(true) : make(Op::Infinity, kind);
}

ExprPtr lowest_scalar(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return boolean(false);
    case ScalarKind::Int32:
      return number(kind, std::numeric_limits<std::int32_t>::lowest());
    case ScalarKind::Int64:
      return number(kind, std::numeric_limits<std::int64_t>::lowest());
    case ScalarKind::Float32:
    case ScalarKind::Float64:
    case ScalarKind::Wide64:
      return unary(Op::Negate, make(Op::Infinity, kind), kind);
    default:
      return number(kind, 0);
  }
}

ExprPtr none_scalar(ScalarKind kind) {
  return kind == ScalarKind::Bool ? boolean(false) : make(Op::Infinity, kind);
}

ExprPtr zero_scalar(ScalarKind kind) { return number(kind, 0); }

ExprPtr all_bits_scalar(ScalarKind kind) {
  return ir::is_signed_integer(kind) ? number(kind, -1) : highest_scalar(kind);
}

}  // namespace

ExprPtr local(std::string name, Type type) {
  ExprPtr expr = make(Op::Local, std::move(type));
  expr->symbol = std::move(name);
  return expr;
}

ExprPtr vertex(std::string name) {
  ExprPtr expr = make(Op::BoundVertex, ScalarKind::Vertex);
  expr->vertex = std::move(name);
  return expr;
}

ExprPtr load(std::string buffer, Type type, const std::string& at, bool relaxed) {
  ExprPtr expr = make(Op::Load, std::move(type));
  expr->symbol = std::move(buffer);
  expr->index = relaxed ? 1 : 0;
  expr->operands.push_back(vertex(at));
  return expr;
}

ExprPtr edge_place(const std::string& from, const std::string& to) {
  ExprPtr place = make(Op::EdgePlace, ScalarKind::UInt64);
  place->operands.push_back(vertex(from));
  place->operands.push_back(vertex(to));
  return place;
}

ExprPtr load_edge(std::string buffer, Type type, ExprPtr place) {
  ExprPtr read = make(Op::Load, std::move(type));
  read->symbol = std::move(buffer);
  read->operands.push_back(std::move(place));
  return read;
}

ExprPtr threshold_value(std::string threshold) {
  ExprPtr expr = make(Op::Load, ScalarKind::Float32);
  expr->symbol = std::move(threshold);
  expr->index = 1;
  return expr;
}

ExprPtr test_bit(std::string bitmap, const std::string& at) {
  ExprPtr expr = make(Op::TestBit, ScalarKind::Bool);
  expr->symbol = std::move(bitmap);
  expr->operands.push_back(vertex(at));
  return expr;
}

ExprPtr number(ScalarKind kind, std::int64_t value) {
  ExprPtr expr = make(Op::Literal, kind);
  if (kind == ScalarKind::Bool)
    expr->value = value != 0;
  else if (ir::is_float(kind))
    expr->value = static_cast<double>(value);
  else if (ir::is_signed_integer(kind))
    expr->value = value;
  else
    expr->value = static_cast<std::uint64_t>(value);
  return expr;
}

ExprPtr unary(Op op, ExprPtr operand, Type type) {
  ExprPtr expr = make(op, std::move(type));
  expr->operands.push_back(std::move(operand));
  return expr;
}

ExprPtr binary(Op op, ExprPtr a, ExprPtr b, Type type) {
  ExprPtr expr = make(op, std::move(type));
  expr->operands.push_back(std::move(a));
  expr->operands.push_back(std::move(b));
  return expr;
}

ExprPtr holds(Op op, ExprPtr a, ExprPtr b) {
  return binary(op, std::move(a), std::move(b), ScalarKind::Bool);
}

ExprPtr either(ExprPtr a, ExprPtr b) {
  if (!a) return b;
  return b ? holds(Op::Or, std::move(a), std::move(b)) : std::move(a);
}

ExprPtr negated(ExprPtr a) {
  if (a->op == Op::Not) return std::move(a->operands.front());
  if (a->op == Op::NotEqual) {
    a->op = Op::Equal;
    return a;
  }
  return unary(Op::Not, std::move(a), ScalarKind::Bool);
}

ExprPtr degree(const std::string& of, ir::EdgeDirection direction) {
  const auto one = [&](Op op) {
    ExprPtr expr = make(op, ScalarKind::Int64);
    expr->vertex = of;
    return expr;
  };
  if (direction == ir::EdgeDirection::Out) return one(Op::OutDegree);
  if (direction == ir::EdgeDirection::In) return one(Op::InDegree);
  return binary(Op::Add, one(Op::OutDegree), one(Op::InDegree), ScalarKind::Int64);
}

ExprPtr lowest(const Type& type) { return per_element(type, lowest_scalar); }

ExprPtr empty_value(ir::Reduction reduction, const Type& type) {
  switch (reduction) {
    case ir::Reduction::Min:
      return per_element(type, highest_scalar);
    case ir::Reduction::Max:
      return lowest(type);
    case ir::Reduction::Any:
      return boolean(false);
    case ir::Reduction::All:
      return boolean(true);
    case ir::Reduction::And:
      return per_element(type, all_bits_scalar);
    default:
      return per_element(type, zero_scalar);
  }
}

ExprPtr state_of_none(const Type& type) { return per_element(type, none_scalar); }

KernelStmtPtr let(std::string symbol, ExprPtr value) {
  KernelStmtPtr stmt = make(KernelOp::Let);
  stmt->symbol = std::move(symbol);
  stmt->type = value->type;
  stmt->value = std::move(value);
  return stmt;
}

KernelStmtPtr accumulator(std::string symbol, ExprPtr value) {
  KernelStmtPtr stmt = let(std::move(symbol), std::move(value));
  stmt->op = KernelOp::Accumulator;
  return stmt;
}

KernelStmtPtr accumulate(std::string symbol, ir::Combine combine, ExprPtr value) {
  KernelStmtPtr stmt = make(KernelOp::Accumulate);
  stmt->symbol = std::move(symbol);
  stmt->type = value->type;
  stmt->combine = combine;
  stmt->value = std::move(value);
  return stmt;
}

KernelStmtPtr store(std::string buffer, const std::string& at, ExprPtr value, bool relaxed) {
  KernelStmtPtr stmt = make(KernelOp::Store);
  stmt->buffer = std::move(buffer);
  stmt->index = vertex(at);
  stmt->value = std::move(value);
  stmt->atomic = relaxed;
  return stmt;
}

KernelStmtPtr store_edge(std::string buffer, ExprPtr place, ExprPtr value) {
  KernelStmtPtr stmt = make(KernelOp::Store);
  stmt->buffer = std::move(buffer);
  stmt->index = std::move(place);
  stmt->value = std::move(value);
  return stmt;
}

KernelStmtPtr when(ExprPtr condition, plan::Block body) {
  KernelStmtPtr stmt = make(KernelOp::If);
  stmt->value = std::move(condition);
  stmt->body = std::move(body);
  return stmt;
}

KernelStmtPtr for_edges(std::string of, ir::EdgeDirection direction, std::string neighbour) {
  KernelStmtPtr stmt = make(KernelOp::ForEdges);
  stmt->vertex = std::move(of);
  stmt->direction = direction;
  stmt->symbol = std::move(neighbour);
  return stmt;
}

KernelStmtPtr for_messages(std::string buffer, std::string symbol, Type type,
                           const std::string& receiver) {
  KernelStmtPtr stmt = make(KernelOp::ForMessages);
  stmt->buffer = std::move(buffer);
  stmt->symbol = std::move(symbol);
  stmt->type = std::move(type);
  stmt->index = vertex(receiver);
  return stmt;
}

KernelStmtPtr append(std::string worklist, const std::string& what) {
  KernelStmtPtr stmt = make(KernelOp::Append);
  stmt->buffer = std::move(worklist);
  stmt->value = vertex(what);
  return stmt;
}

KernelStmtPtr set_bit(std::string bitmap, const std::string& at) {
  KernelStmtPtr stmt = make(KernelOp::SetBit);
  stmt->buffer = std::move(bitmap);
  stmt->index = vertex(at);
  return stmt;
}

KernelStmtPtr clear_bit(std::string bitmap, const std::string& at) {
  KernelStmtPtr stmt = set_bit(std::move(bitmap), at);
  stmt->op = KernelOp::ClearBit;
  return stmt;
}

KernelStmtPtr raise(std::string flag) {
  KernelStmtPtr stmt = make(KernelOp::Raise);
  stmt->buffer = std::move(flag);
  return stmt;
}

KernelStmtPtr count(std::string counter, ExprPtr value) {
  KernelStmtPtr stmt = make(KernelOp::Count);
  stmt->buffer = std::move(counter);
  stmt->value = std::move(value);
  return stmt;
}

KernelStmtPtr sampled(std::string threshold, std::int64_t rank, ExprPtr worth) {
  KernelStmtPtr stmt = make(KernelOp::Sample);
  stmt->buffer = std::move(threshold);
  stmt->index = number(ScalarKind::Int64, rank);
  stmt->value = std::move(worth);
  return stmt;
}
KernelStmtPtr leave_edges() { return make(KernelOp::LeaveEdges); }

KernelStmtPtr vote(ir::Reduction reduction, std::string result, ExprPtr value) {
  KernelStmtPtr stmt =
      make(reduction == ir::Reduction::Mode ? KernelOp::Vote : KernelOp::Distinguish);
  stmt->symbol = std::move(result);
  stmt->value = std::move(value);
  return stmt;
}

plan::KernelStmt& add(plan::Block& block, KernelStmtPtr stmt) {
  block.push_back(std::move(stmt));
  return *block.back();
}

}  // namespace vertigo::compiler::toplan
