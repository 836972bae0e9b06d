#include "operations.h"

#include <cmath>
#include <concepts>

#include "arithmetic.h"
#include "resolve.h"
#include "vertigo/core/error.h"

namespace vertigo::reference {

using ir::Op;

namespace {

template <class To, class From>
Word run_convert(const Node& node, Frame& frame) {
  return to_word(convert<To>(from_word<From>(evaluate(node.a, frame))));
}

/// What an operator computes of values of its type, by arithmetic.h, apart from what generated code
/// calls. `&&`, `||` and `!` are below: they ask no more than they need.
template <Op op>
constexpr auto kComputes = nullptr;
template <>
constexpr auto kComputes<Op::Negate> = []<class T>(T a) { return negate(a); };
template <>
constexpr auto kComputes<Op::Abs> = []<class T>(T a) { return magnitude(a); };
template <>
constexpr auto kComputes<Op::Sqrt> = []<std::floating_point T>(T a) { return std::sqrt(a); };
template <>
constexpr auto kComputes<Op::Exp> = []<std::floating_point T>(T a) { return std::exp(a); };
template <>
constexpr auto kComputes<Op::Log> = []<std::floating_point T>(T a) { return std::log(a); };
template <>
constexpr auto kComputes<Op::Add> = []<class T>(T a, T b) { return add(a, b); };
template <>
constexpr auto kComputes<Op::Subtract> = []<class T>(T a, T b) { return subtract(a, b); };
template <>
constexpr auto kComputes<Op::Multiply> = []<class T>(T a, T b) { return multiply(a, b); };
template <>
constexpr auto kComputes<Op::Divide> = []<class T>(T a, T b) { return divide(a, b); };
template <>
constexpr auto kComputes<Op::Modulo> = []<class T>(T a, T b)
  requires(!std::same_as<T, Wide64>)
{ return modulo(a, b); };
template <>
constexpr auto kComputes<Op::Complement> = []<Integer T>(T a) { return static_cast<T>(~a); };
template <>
constexpr auto kComputes<Op::Popcount> = []<Integer T>(T a) { return count_ones(a); };
template <>
constexpr auto kComputes<Op::ShiftLeft> = []<Integer T>(T a, T by) { return shift(a, by, true); };
template <>
constexpr auto kComputes<Op::ShiftRight> = []<Integer T>(T a, T by) { return shift(a, by, false); };
template <>
constexpr auto kComputes<Op::BitAnd> = []<Integer T>(T a, T b) { return static_cast<T>(a & b); };
template <>
constexpr auto kComputes<Op::BitXor> = []<Integer T>(T a, T b) { return static_cast<T>(a ^ b); };
template <>
constexpr auto kComputes<Op::BitOr> = []<Integer T>(T a, T b) { return static_cast<T>(a | b); };
template <>
constexpr auto kComputes<Op::Min> = []<class T>(T a, T b) { return smaller(a, b); };
template <>
constexpr auto kComputes<Op::Max> = []<class T>(T a, T b) { return larger(a, b); };
template <>
constexpr auto kComputes<Op::Equal> = []<class T>(T a, T b) { return a == b; };
template <>
constexpr auto kComputes<Op::NotEqual> = []<class T>(T a, T b) { return a != b; };
template <>
constexpr auto kComputes<Op::Less> = []<class T>(T a, T b) { return a < b; };
template <>
constexpr auto kComputes<Op::LessEqual> = []<class T>(T a, T b) { return a <= b; };
template <>
constexpr auto kComputes<Op::Greater> = []<class T>(T a, T b) { return b < a; };
template <>
constexpr auto kComputes<Op::GreaterEqual> = []<class T>(T a, T b) { return b <= a; };

/// Whether the type does not hold what integers without bounds would give.
template <Op op, class T>
bool overflows(T a, T b) {
  T ignored;
  if constexpr (op == Op::Add) return __builtin_add_overflow(a, b, &ignored);
  if constexpr (op == Op::Subtract) return __builtin_sub_overflow(a, b, &ignored);
  return __builtin_mul_overflow(a, b, &ignored);
}

template <Op op, class T>
Word run_unary(const Node& node, Frame& frame) {
  return to_word(kComputes<op>(from_word<T>(evaluate(node.a, frame))));
}

template <Op op, class T>
Word run_binary(const Node& node, Frame& frame) {
  const T a = from_word<T>(evaluate(node.a, frame));
  const T b = from_word<T>(evaluate(node.b, frame));
  const auto result = kComputes<op>(a, b);
  if constexpr (Integer<T> && (op == Op::Add || op == Op::Subtract || op == Op::Multiply))
    if (result == kInfinity<T> && a != kInfinity<T> && b != kInfinity<T> && overflows<op>(a, b))
      ++frame.saturated;
  return to_word(result);
}

template <Op op, class T>
Node::Run run_of() {
  using Computes = decltype(kComputes<op>);
  if constexpr (std::invocable<Computes, T>)
    return run_unary<op, T>;
  else if constexpr (std::invocable<Computes, T, T>)
    return run_binary<op, T>;
  else
    return nullptr;
}

Word run_not(const Node& node, Frame& frame) { return holds(node.a, frame) ? 0 : 1; }
Word run_and(const Node& node, Frame& frame) {
  return holds(node.a, frame) && holds(node.b, frame) ? 1 : 0;
}
Word run_or(const Node& node, Frame& frame) {
  return holds(node.a, frame) || holds(node.b, frame) ? 1 : 0;
}
Word run_select(const Node& node, Frame& frame) {
  return evaluate(holds(node.a, frame) ? node.b : node.c, frame);
}

/// Lexicographic comparison of two tuples.
struct TupleRecord {
  Op op;
  std::vector<ScalarKind> kinds;
  Nodes a, b;
};

std::partial_ordering compare(const TupleRecord& record, Frame& frame) {
  return compare_tuples(
      record.kinds.size(), [&](std::size_t i) { return record.kinds[i]; },
      [&](std::size_t i) { return evaluate(record.a[i], frame); },
      [&](std::size_t i) { return evaluate(record.b[i], frame); });
}

Word run_tuple_comparison(const Node& node, Frame& frame) {
  const auto& record = *static_cast<const TupleRecord*>(node.data);
  return ir::holds(record.op, compare(record, frame)) ? 1 : 0;
}

/// a, b: this element of the two tuples.
Word run_tuple_extremum(const Node& node, Frame& frame) {
  const auto& record = *static_cast<const TupleRecord*>(node.data);
  const std::partial_ordering order = compare(record, frame);
  const bool second = record.op == Op::Min ? order > 0 : order < 0;
  return evaluate(second ? node.b : node.a, frame);
}

}  // namespace

Node::Run conversion_of(ScalarKind from, ScalarKind to) {
  return with_type(from, [&]<class From>() {
    return with_type(to, []<class To>() -> Node::Run { return run_convert<To, From>; });
  });
}

Node::Run operation_of(Op op, ScalarKind kind) {
  if (op == Op::Not) return run_not;
  if (op == Op::And) return run_and;
  if (op == Op::Or) return run_or;
  return with_type(kind, [&]<class T>() -> Node::Run {
    switch (op) {
#define VG_OP(name, ...) \
  case Op::name:         \
    return run_of<Op::name, T>();
#include "compiler/ir/program/Ops.def"
    }
    return nullptr;
  });
}

const Node* Resolver::cast(const ir::Expr& expr) {
  const ir::Expr& operand = *expr.operands.at(0);
  return coerce(scalar(operand), operand.type.scalar(), expr.type.scalar());
}

Nodes Resolver::operation(const ir::Expr& expr) {
  const ir::Type& type = expr.operands.at(0)->type;
  if (type.is_tuple()) return on_tuples(expr);
  const bool compares = ir::info(expr.op).is_comparison();
  const ScalarKind kind = compares ? type.scalar() : expr.type.scalar();
  const Node::Run run = operation_of(expr.op, kind);
  if (run == nullptr) damaged(expr, "an operator is applied to a type that has none");
  const auto operand = [&](std::size_t i) {
    return coerce(scalar(*expr.operands.at(i)), expr.operands[i]->type.scalar(), kind);
  };
  const bool is_binary = ir::info(expr.op).arity == 2;
  const Node *a = operand(0), *b = is_binary ? operand(1) : nullptr;
  Node& node = make(run);
  node.a = a;
  node.b = b;
  return {&node};
}

Nodes Resolver::on_tuples(const ir::Expr& expr) {
  const bool compares = ir::info(expr.op).is_comparison();
  if (!compares && expr.op != Op::Min && expr.op != Op::Max)
    damaged(expr, "an operator is applied to a type that has none");
  const ir::Type& type = compares ? expr.operands.at(0)->type : expr.type;
  const Nodes a = resolve_as(*expr.operands.at(0), type);
  const Nodes b = resolve_as(*expr.operands.at(1), type);
  auto record = std::make_shared<TupleRecord>(TupleRecord{expr.op, type.elements, a, b});
  records_.push_back(record);
  Nodes nodes;
  for (std::size_t i = 0; i < (compares ? 1 : a.size()); ++i) {
    Node& node = make(compares ? run_tuple_comparison : run_tuple_extremum);
    node.a = a[i];
    node.b = b[i];
    node.data = record.get();
    nodes.push_back(&node);
  }
  return nodes;
}

Nodes Resolver::select(const ir::Expr& expr) {
  const Node* test = condition(expr.operands.at(0));
  const Nodes yes = resolve_as(*expr.operands.at(1), expr.type);
  const Nodes no = resolve_as(*expr.operands.at(2), expr.type);
  Nodes nodes;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    Node& node = make(run_select);
    node.a = test;
    node.b = yes[i];
    node.c = no[i];
    nodes.push_back(&node);
  }
  return nodes;
}

}  // namespace vertigo::reference
