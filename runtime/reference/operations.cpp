#include "operations.h"

#include <cmath>

#include "arithmetic.h"
#include "resolve.h"
#include "vertigo/core/error.h"

namespace vertigo::reference {
namespace {

template <class To, class From>
Word run_convert(const Node& node, Frame& frame) {
  return to_word(convert<To>(from_word<From>(evaluate(node.a, frame))));
}

template <class T, T (*F)(T)>
Word run_unary(const Node& node, Frame& frame) {
  return to_word(F(from_word<T>(evaluate(node.a, frame))));
}

template <class T, T (*F)(T, T)>
Word run_binary(const Node& node, Frame& frame) {
  const T a = from_word<T>(evaluate(node.a, frame));
  return to_word(F(a, from_word<T>(evaluate(node.b, frame))));
}

template <class T, bool (*F)(T, T)>
Word run_comparison(const Node& node, Frame& frame) {
  const T a = from_word<T>(evaluate(node.a, frame));
  return to_word(F(a, from_word<T>(evaluate(node.b, frame))));
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

template <class T>
bool equal(T a, T b) {
  return a == b;
}
template <class T>
bool not_equal(T a, T b) {
  return a != b;
}
template <class T>
bool less(T a, T b) {
  return a < b;
}
template <class T>
bool less_equal(T a, T b) {
  return a <= b;
}

template <class T>
T square_root(T a) {
  return std::sqrt(a);
}
template <class T>
T exponential(T a) {
  return std::exp(a);
}
template <class T>
T logarithm(T a) {
  return std::log(a);
}

/// Lexicographic comparison of two tuples.
struct TupleRecord {
  std::vector<ScalarKind> kinds;
  Nodes a, b;
};

int compare_tuples(const TupleRecord& record, Frame& frame) {
  for (std::size_t i = 0; i < record.kinds.size(); ++i) {
    const Word a = evaluate(record.a[i], frame);
    const int order = compare_words(record.kinds[i], a, evaluate(record.b[i], frame));
    if (order != 0) return order;
  }
  return 0;
}

template <ir::Op op>
Word run_tuple_comparison(const Node& node, Frame& frame) {
  const int order = compare_tuples(*static_cast<const TupleRecord*>(node.data), frame);
  switch (op) {
    case ir::Op::Equal:
      return order == 0;
    case ir::Op::NotEqual:
      return order != 0;
    case ir::Op::Less:
      return order < 0;
    case ir::Op::LessEqual:
      return order <= 0;
    case ir::Op::Greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

/// literal: 1 for min, 0 for max; a, b: this element of the two tuples.
Word run_tuple_extremum(const Node& node, Frame& frame) {
  const int order = compare_tuples(*static_cast<const TupleRecord*>(node.data), frame);
  const bool second = node.literal != 0 ? order > 0 : order < 0;
  return evaluate(second ? node.b : node.a, frame);
}

Node::Run tuple_comparison_of(ir::Op op) {
  using ir::Op;
  switch (op) {
    case Op::Equal:
      return run_tuple_comparison<Op::Equal>;
    case Op::NotEqual:
      return run_tuple_comparison<Op::NotEqual>;
    case Op::Less:
      return run_tuple_comparison<Op::Less>;
    case Op::LessEqual:
      return run_tuple_comparison<Op::LessEqual>;
    case Op::Greater:
      return run_tuple_comparison<Op::Greater>;
    default:
      return run_tuple_comparison<Op::GreaterEqual>;
  }
}

}  // namespace

Node::Run conversion_of(ScalarKind from, ScalarKind to) {
  return with_type(from, [&]<class From>() {
    return with_type(to, []<class To>() -> Node::Run { return run_convert<To, From>; });
  });
}

Node::Run unary_of(ir::Op op, ScalarKind kind) {
  using ir::Op;
  if (op == Op::Not) return run_not;
  return with_type(kind, [&]<class T>() -> Node::Run {
    if (op == Op::Negate) return run_unary<T, negate<T>>;
    if (op == Op::Abs) return run_unary<T, magnitude<T>>;
    if constexpr (std::floating_point<T>) {
      if (op == Op::Sqrt) return run_unary<T, square_root<T>>;
      if (op == Op::Exp) return run_unary<T, exponential<T>>;
      if (op == Op::Log) return run_unary<T, logarithm<T>>;
    }
    return nullptr;
  });
}

Node::Run binary_of(ir::Op op, ScalarKind kind) {
  using ir::Op;
  if (op == Op::And) return run_and;
  if (op == Op::Or) return run_or;
  return with_type(kind, [&]<class T>() -> Node::Run {
    switch (op) {
      case Op::Add:
        return run_binary<T, add<T>>;
      case Op::Subtract:
        return run_binary<T, subtract<T>>;
      case Op::Multiply:
        return run_binary<T, multiply<T>>;
      case Op::Divide:
        return run_binary<T, divide<T>>;
      case Op::Modulo:
        if constexpr (std::same_as<T, Wide64>)
          return nullptr;
        else
          return run_binary<T, modulo<T>>;
      case Op::Min:
        return run_binary<T, smaller<T>>;
      default:
        return run_binary<T, larger<T>>;
    }
  });
}

Node::Run comparison_of(ir::Op op, ScalarKind kind) {
  using ir::Op;
  return with_type(kind, [&]<class T>() -> Node::Run {
    switch (op) {
      case Op::Equal:
        return run_comparison<T, equal<T>>;
      case Op::NotEqual:
        return run_comparison<T, not_equal<T>>;
      case Op::Less:
      case Op::Greater:
        return run_comparison<T, less<T>>;
      default:
        return run_comparison<T, less_equal<T>>;
    }
  });
}

const Node* Resolver::unary(const ir::Expr& expr) {
  const ir::Expr& operand = *expr.operands.at(0);
  const ScalarKind from = operand.type.scalar();
  if (expr.op == ir::Op::Cast) return coerce(scalar(operand), from, expr.type.scalar());
  const Node::Run run = unary_of(expr.op, expr.type.scalar());
  if (run == nullptr) damaged(expr, "an operator is applied to a type that has none");
  const Node* a = coerce(scalar(operand), from, expr.type.scalar());
  Node& node = make(run);
  node.a = a;
  return &node;
}

const Node* Resolver::arithmetic(const ir::Expr& expr) {
  const ScalarKind kind = expr.type.scalar();
  const auto operand = [&](std::size_t i) {
    return coerce(scalar(*expr.operands.at(i)), expr.operands[i]->type.scalar(), kind);
  };
  const Node *a = operand(0), *b = operand(1);
  const Node::Run run = binary_of(expr.op, kind);
  if (run == nullptr) damaged(expr, "an operator is applied to a type that has none");
  Node& node = make(run);
  node.a = a;
  node.b = b;
  return &node;
}

const Node* Resolver::comparison(const ir::Expr& expr) {
  const ir::Type& type = expr.operands.at(0)->type;
  const Nodes a = resolve(*expr.operands[0]);
  const Nodes b = resolve_as(*expr.operands.at(1), type);
  if (type.is_tuple()) {
    auto record = std::make_shared<TupleRecord>(TupleRecord{type.elements, a, b});
    records_.push_back(record);
    Node& node = make(tuple_comparison_of(expr.op));
    node.data = record.get();
    return &node;
  }
  // a > b is b < a, also where one is NaN.
  const bool swapped = expr.op == ir::Op::Greater || expr.op == ir::Op::GreaterEqual;
  Node& node = make(comparison_of(expr.op, type.scalar()));
  node.a = swapped ? b.front() : a.front();
  node.b = swapped ? a.front() : b.front();
  return &node;
}

Nodes Resolver::extremum(const ir::Expr& expr) {
  if (expr.type.is_scalar()) return {arithmetic(expr)};
  const Nodes a = resolve_as(*expr.operands.at(0), expr.type);
  const Nodes b = resolve_as(*expr.operands.at(1), expr.type);
  auto record = std::make_shared<TupleRecord>(TupleRecord{expr.type.elements, a, b});
  records_.push_back(record);
  Nodes nodes;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Node& node = make(run_tuple_extremum);
    node.literal = expr.op == ir::Op::Min ? 1 : 0;
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
