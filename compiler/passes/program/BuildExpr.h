#pragma once
// Expressions that passes make.

#include <cstdint>
#include <string>
#include <utility>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

inline ir::ExprPtr leaf(ir::Op op, ir::Type type, ir::Location at = {}) {
  auto made = std::make_unique<ir::Expr>();
  made->op = op;
  made->type = std::move(type);
  made->location = at;
  return made;
}
inline ir::ExprPtr operation(ir::Op op, ir::Type type, ir::ExprPtr a, ir::ExprPtr b = nullptr) {
  ir::ExprPtr made = leaf(op, std::move(type), a->location);
  made->operands.push_back(std::move(a));
  if (b) made->operands.push_back(std::move(b));
  return made;
}
inline ir::ExprPtr negation(ir::ExprPtr a) {
  return operation(ir::Op::Not, ir::ScalarKind::Bool, std::move(a));
}
inline ir::ExprPtr selection(ir::ExprPtr condition, ir::ExprPtr yes, ir::ExprPtr no,
                             ir::Location at) {
  ir::ExprPtr made = leaf(ir::Op::Select, yes->type, at);
  made->operands.push_back(std::move(condition));
  made->operands.push_back(std::move(yes));
  made->operands.push_back(std::move(no));
  return made;
}
/// With the place of what is taken where the condition holds.
inline ir::ExprPtr selection(ir::ExprPtr condition, ir::ExprPtr yes, ir::ExprPtr no) {
  const ir::Location at = yes->location;
  return selection(std::move(condition), std::move(yes), std::move(no), at);
}
inline ir::ExprPtr comparison(ir::Op op, const ir::Expr& a, const ir::Expr& b) {
  return operation(op, ir::ScalarKind::Bool, a.clone(), b.clone());
}
inline ir::ExprPtr literal(std::int64_t value, ir::Type type) {
  ir::ExprPtr made = leaf(ir::Op::Literal, std::move(type));
  made->value = value;
  return made;
}
inline ir::ExprPtr int32_literal(std::int64_t value) {
  return literal(value, ir::ScalarKind::Int32);
}
inline ir::ExprPtr above_zero(const ir::Expr& number) {
  return comparison(ir::Op::Greater, number, *literal(0, number.type));
}
inline ir::ExprPtr infinity(const ir::Type& type) { return leaf(ir::Op::Infinity, type); }

inline ir::ExprPtr element_of(ir::ExprPtr tuple, unsigned index) {
  ir::ExprPtr made = leaf(ir::Op::TupleElement, tuple->type.elements[index], tuple->location);
  made->index = index;
  made->operands.push_back(std::move(tuple));
  return made;
}

inline ir::ExprPtr inbox_of(const ir::Message& message, ir::Location at = {}) {
  ir::ExprPtr made = leaf(ir::Op::Inbox, message.type, at);
  made->symbol = message.name;
  return made;
}
inline ir::ExprPtr state_of(const ir::State& state, const std::string& vertex,
                            ir::Location at = {}) {
  ir::ExprPtr made = leaf(ir::Op::State, state.type, at);
  made->symbol = state.name;
  made->vertex = vertex;
  return made;
}

inline ir::StmtPtr assignment(const std::string& state, ir::ExprPtr value, ir::Location at = {}) {
  auto made = std::make_unique<ir::Stmt>();
  made->kind = ir::StmtKind::AssignState;
  made->symbol = state;
  made->value = std::move(value);
  made->location = at;
  return made;
}

}  // namespace vertigo::compiler::passes
