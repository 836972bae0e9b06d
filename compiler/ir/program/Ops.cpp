#include "compiler/ir/program/Ops.h"

#include "compiler/ir/program/Type.h"

namespace vertigo::ir {

namespace {

// The words of the table.
using enum Operands;
using enum Strength;
using enum Trend;

constexpr OpInfo kOps[] = {
#define VG_OP(name, ...) {.op = Op::name, __VA_ARGS__},
#include "compiler/ir/program/Ops.def"
};

template <class Wanted>
std::optional<Op> find(const Wanted& wanted) {
  for (const OpInfo& known : kOps)
    if (wanted(known)) return known.op;
  return std::nullopt;
}

std::optional<Op> find_in_ir(std::string_view spelling, Notation notation) {
  return find([&](const OpInfo& known) {
    return known.notation == notation && known.spelling == spelling;
  });
}

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

std::string_view written(Op op) {
  return info(op).sign.empty() ? info(op).spelling : info(op).sign;
}

std::optional<Op> find_function_op(std::string_view s) { return find_in_ir(s, Notation::Function); }
std::optional<Op> find_infix_op(std::string_view s) { return find_in_ir(s, Notation::Infix); }

bool is_word_of_op(std::string_view word) {
  return find([&](const OpInfo& known) { return known.spelling == word; }).has_value();
}

std::vector<std::string_view> words_of_functions() {
  std::vector<std::string_view> words = {"sum", "count", "any", "all", "mode", "distinct"};
  for (const OpInfo& known : kOps)
    if (known.source == Source::Function) words.push_back(known.spelling);
  return words;
}

std::optional<Op> find_source_op(std::string_view sign_or_word, Source source) {
  return find([&](const OpInfo& known) {
    return known.source == source && written(known.op) == sign_or_word;
  });
}

std::vector<std::string_view> functions_of_ops() {
  std::vector<std::string_view> names;
  for (const OpInfo& known : kOps)
    if (!known.function.empty()) names.push_back(known.function);
  return names;
}

bool accepts(Operands operands, ScalarKind kind) {
  switch (operands) {
    case Own:
      return false;
    case Bools:
      return kind == ScalarKind::Bool;
    case Integers:
      return is_integer(kind);
    case Numbers:
      return is_numeric(kind);
    case Signed:
      return is_numeric(kind) && !is_unsigned_integer(kind);
    case Floats:
      return kind == ScalarKind::Float32 || kind == ScalarKind::Float64;
    case Ordered:
    case Ranked:
      return is_numeric(kind) || kind == ScalarKind::Vertex;
    case Comparable:
      return true;
  }
  return false;
}

bool holds(Op comparison, int order) {
  return (info(comparison).holds_if & (order < 0 ? kLess : order > 0 ? kGreater : kEqual)) != 0;
}
bool holds(Op comparison, std::partial_ordering order) {
  if (order == std::partial_ordering::unordered) return comparison == Op::NotEqual;
  return holds(comparison, order < 0 ? -1 : order > 0 ? 1 : 0);
}

Op negated(Op comparison) {
  const unsigned opposite = (kLess | kEqual | kGreater) & ~info(comparison).holds_if;
  return *find([&](const OpInfo& known) { return known.holds_if == opposite; });
}

}  // namespace vertigo::ir
