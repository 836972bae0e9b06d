// Every operator of Ops.def: the interpreter has it for each type that it takes, and what the
// compiler folds is what the interpreter computes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "compiler/ir/program/OpRules.h"
#include "runtime/reference/operations.h"

namespace vertigo::test {
namespace {

using ir::LiteralValue;
using ir::Op;
using reference::Word;

const std::vector<Op> kOps = {
#define VG_OP(name, ...) Op::name,
#include "compiler/ir/program/Ops.def"
};

const std::vector<ScalarKind> kKinds = {ScalarKind::Bool,    ScalarKind::Int32,  ScalarKind::Int64,
                                        ScalarKind::UInt32,  ScalarKind::UInt64, ScalarKind::Vertex,
                                        ScalarKind::Float32, ScalarKind::Float64};

template <class T>
std::vector<T> samples() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::same_as<T, bool>)
    return {false, true};
  else if constexpr (Limits::has_infinity)
    return {T(0), T(-0.0), T(1), T(-2.5), T(7), Limits::infinity(), Limits::quiet_NaN()};
  else
    return {T(0), T(1), T(-1), T(7), T(-5), Limits::max(), Limits::max() - 1, Limits::lowest()};
}

/// As the compiler keeps a literal of the type.
template <class T>
LiteralValue literal(T value) {
  if constexpr (std::same_as<T, bool>)
    return value;
  else if constexpr (std::floating_point<T>)
    return static_cast<double>(value);
  else if constexpr (std::is_signed_v<T>)
    return std::int64_t{value};
  else
    return std::uint64_t{value};
}

template <class T>
Word interpreted(Op op, ScalarKind kind, const std::vector<T>& operands) {
  reference::Node values[2];
  for (std::size_t i = 0; i < operands.size(); ++i) {
    values[i].run = [](const reference::Node& node, reference::Frame&) { return node.literal; };
    values[i].literal = reference::to_word(operands[i]);
  }
  reference::Node node;
  node.run = reference::operation_of(op, kind);
  node.a = &values[0];
  node.b = &values[1];
  reference::Frame frame;
  return reference::evaluate(&node, frame);
}

template <class T>
void expect_agreement(Op op, ScalarKind kind, const std::vector<T>& operands) {
  std::vector<LiteralValue> literals;
  for (const T operand : operands) literals.push_back(literal(operand));
  const auto folded = ir::value_of(op, kind, literals);
  if (!folded) return;
  const Word word = interpreted(op, kind, operands);
  const LiteralValue wanted = ir::info(op).is_comparison() ? LiteralValue(word != 0)
                                                           : literal(reference::from_word<T>(word));
  const auto is_nan = [](const LiteralValue& value) {
    const auto* number = std::get_if<double>(&value);
    return number != nullptr && std::isnan(*number);
  };
  std::string shown =
      std::string(ir::info(op).spelling) + " of " + std::string(ir::to_string(kind));
  for (const T operand : operands) shown += " " + std::to_string(operand);
  EXPECT_TRUE(*folded == wanted || (is_nan(*folded) && is_nan(wanted))) << shown;
}

template <class Each>
void for_each_operator(const Each& each) {
  for (const Op op : kOps)
    for (const ScalarKind kind : kKinds)
      if (accepts(ir::info(op).takes, kind)) each(op, kind);
}

TEST(Operators, InterpreterHasEachForEveryTypeThatItTakes) {
  for_each_operator([](Op op, ScalarKind kind) {
    EXPECT_NE(reference::operation_of(op, kind), nullptr)
        << ir::info(op).spelling << " of " << ir::to_string(kind);
  });
}

TEST(Operators, FoldToWhatTheInterpreterComputes) {
  for_each_operator([](Op op, ScalarKind kind) {
    if (reference::operation_of(op, kind) == nullptr) return;
    reference::with_type(kind, [&]<class T>() {
      if constexpr (!std::same_as<T, Wide64>)
        for (const T a : samples<T>()) {
          if (ir::info(op).arity == 1) expect_agreement<T>(op, kind, {a});
          if (ir::info(op).arity != 2) continue;
          for (const T b : samples<T>()) expect_agreement<T>(op, kind, {a, b});
        }
    });
  });
}

TEST(Operators, ComparisonsHaveAnOpposite) {
  for (const Op op : kOps) {
    if (!ir::info(op).is_comparison()) continue;
    EXPECT_EQ(negated(ir::negated(op)), op);
    for (const int order : {-1, 0, 1}) EXPECT_NE(holds(op, order), holds(ir::negated(op), order));
  }
}

}  // namespace
}  // namespace vertigo::test
