#include "compiler/ir/program/Spelling.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vertigo::ir {

namespace {

constexpr auto kOwn = Notation::Own;
constexpr auto kInfix = Notation::Infix;
constexpr auto kFunction = Notation::Function;

// In the order of Op, so that info() is an index.
constexpr std::array kOps = {
    OpInfo{Op::Literal, "literal", kOwn, 0},
    OpInfo{Op::Infinity, "inf", kOwn, 0},
    OpInfo{Op::NoVertex, "none", kOwn, 0},
    OpInfo{Op::Parameter, "$", kOwn, 0},
    OpInfo{Op::HostVariable, "@", kOwn, 0},
    OpInfo{Op::Local, "?", kOwn, 0},
    OpInfo{Op::BoundVertex, "vertex", kOwn, 0},
    OpInfo{Op::State, ".", kOwn, 0},
    OpInfo{Op::Inbox, "inbox", kOwn, 0},
    OpInfo{Op::EdgeAttribute, "edge", kOwn, 0},
    OpInfo{Op::OutDegree, "out_degree", kOwn, 0},
    OpInfo{Op::InDegree, "in_degree", kOwn, 0},
    OpInfo{Op::Degree, "degree", kOwn, 0},
    OpInfo{Op::VertexCount, "vertex_count", kOwn, 0},
    OpInfo{Op::EdgeCount, "edge_count", kOwn, 0},
    OpInfo{Op::Step, "step", kOwn, 0},
    OpInfo{Op::Negate, "neg", kFunction, 1},
    OpInfo{Op::Not, "not", kFunction, 1},
    OpInfo{Op::Abs, "abs", kFunction, 1},
    OpInfo{Op::Sqrt, "sqrt", kFunction, 1},
    OpInfo{Op::Exp, "exp", kFunction, 1},
    OpInfo{Op::Log, "log", kFunction, 1},
    OpInfo{Op::Add, "+", kInfix, 2},
    OpInfo{Op::Subtract, "-", kInfix, 2},
    OpInfo{Op::Multiply, "*", kInfix, 2},
    OpInfo{Op::Divide, "/", kInfix, 2},
    OpInfo{Op::Modulo, "%", kInfix, 2},
    OpInfo{Op::Min, "min", kFunction, 2},
    OpInfo{Op::Max, "max", kFunction, 2},
    OpInfo{Op::Equal, "==", kInfix, 2},
    OpInfo{Op::NotEqual, "!=", kInfix, 2},
    OpInfo{Op::Less, "<", kInfix, 2},
    OpInfo{Op::LessEqual, "<=", kInfix, 2},
    OpInfo{Op::Greater, ">", kInfix, 2},
    OpInfo{Op::GreaterEqual, ">=", kInfix, 2},
    OpInfo{Op::And, "&&", kInfix, 2},
    OpInfo{Op::Or, "||", kInfix, 2},
    OpInfo{Op::Select, "select", kFunction, 3},
    OpInfo{Op::Cast, "cast", kOwn, 1},
    OpInfo{Op::MakeTuple, "tuple", kFunction, -1},
    OpInfo{Op::TupleElement, "get", kOwn, 1},
    OpInfo{Op::Call, "call", kOwn, -1},
    OpInfo{Op::ExternCall, "extern", kOwn, -1},
    OpInfo{Op::Random, "random", kFunction, 2},
    OpInfo{Op::CommonNeighbours, "common_neighbours", kFunction, 2},
    OpInfo{Op::ReduceNeighbours, "reduction over neighbours", kOwn, 3},
    OpInfo{Op::ReduceVertices, "reduction over vertices", kOwn, 3},
    OpInfo{Op::Load, "load", kOwn, 1},
    OpInfo{Op::TestBit, "bit", kOwn, 1},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kOps.size(); ++i)
    if (static_cast<std::size_t>(kOps[i].op) != i) return false;
  return kOps.size() == static_cast<std::size_t>(Op::TestBit) + 1;
}
static_assert(in_order(), "kOps lists every Op once, in the order of the enumeration");

template <class Kind>
using Spelled = std::pair<Kind, std::string_view>;

constexpr std::array<Spelled<Reduction>, 7> kReductions = {{{Reduction::Sum, "sum"},
                                                            {Reduction::Min, "min"},
                                                            {Reduction::Max, "max"},
                                                            {Reduction::Count, "count"},
                                                            {Reduction::Any, "any"},
                                                            {Reduction::All, "all"},
                                                            {Reduction::Mode, "mode"}}};
constexpr std::array<Spelled<EdgeDirection>, 3> kDirections = {
    {{EdgeDirection::Out, "out"}, {EdgeDirection::In, "in"}, {EdgeDirection::Both, "both"}}};
constexpr std::array<Spelled<Combine>, 7> kCombines = {{{Combine::Min, "min"},
                                                        {Combine::Max, "max"},
                                                        {Combine::Sum, "sum"},
                                                        {Combine::Or, "or"},
                                                        {Combine::And, "and"},
                                                        {Combine::Any, "any"},
                                                        {Combine::Function, "call"}}};
constexpr std::array<Spelled<RequirementKind>, 3> kRequirements = {
    {{RequirementKind::Symmetric, "symmetric"},
     {RequirementKind::NonNegativeWeights, "non_negative_weights"},
     {RequirementKind::NoDuplicates, "no_duplicates"}}};

template <class Table, class Kind>
std::string_view spelling_of(const Table& table, Kind kind) {
  for (const auto& [known, spelling] : table)
    if (known == kind) return spelling;
  return "";
}

template <class Kind, std::size_t size>
std::optional<Kind> find_in(const std::array<Spelled<Kind>, size>& table, std::string_view word) {
  for (const auto& [kind, spelling] : table)
    if (spelling == word) return kind;
  return std::nullopt;
}

std::optional<Op> find_op(std::string_view spelling, Notation notation) {
  for (const OpInfo& known : kOps)
    if (known.notation == notation && known.spelling == spelling) return known.op;
  return std::nullopt;
}

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }
std::optional<Op> find_function_op(std::string_view s) { return find_op(s, kFunction); }
std::optional<Op> find_infix_op(std::string_view s) { return find_op(s, kInfix); }

std::string_view to_string(Reduction r) { return spelling_of(kReductions, r); }
std::string_view to_string(EdgeDirection d) { return spelling_of(kDirections, d); }
std::string_view to_string(Combine c) { return spelling_of(kCombines, c); }
std::string_view to_string(RequirementKind k) { return spelling_of(kRequirements, k); }
std::optional<Reduction> find_reduction(std::string_view s) { return find_in(kReductions, s); }
std::optional<EdgeDirection> find_direction(std::string_view s) { return find_in(kDirections, s); }
std::optional<Combine> find_combine(std::string_view s) { return find_in(kCombines, s); }
std::optional<RequirementKind> find_requirement(std::string_view s) {
  return find_in(kRequirements, s);
}

bool is_expression_word(std::string_view word) {
  return word == "true" || word == "false" || word == "relaxed" || find_reduction(word) ||
         std::any_of(kOps.begin(), kOps.end(),
                     [&](const OpInfo& known) { return known.spelling == word; });
}

}  // namespace vertigo::ir
