#include "compiler/ir/program/Spelling.h"

#include <array>
#include <utility>

namespace vertigo::ir {

namespace {

template <class Kind>
using Spelled = std::pair<Kind, std::string_view>;

constexpr std::array<Spelled<Reduction>, 11> kReductions = {{{Reduction::Sum, "sum"},
                                                             {Reduction::Min, "min"},
                                                             {Reduction::Max, "max"},
                                                             {Reduction::Count, "count"},
                                                             {Reduction::Any, "any"},
                                                             {Reduction::All, "all"},
                                                             {Reduction::Mode, "mode"},
                                                             {Reduction::Distinct, "distinct"},
                                                             {Reduction::Or, "or"},
                                                             {Reduction::And, "and"},
                                                             {Reduction::Xor, "xor"}}};
constexpr std::array<Spelled<EdgeDirection>, 3> kDirections = {
    {{EdgeDirection::Out, "out"}, {EdgeDirection::In, "in"}, {EdgeDirection::Both, "both"}}};
constexpr std::array<Spelled<Combine>, 8> kCombines = {{{Combine::Min, "min"},
                                                        {Combine::Max, "max"},
                                                        {Combine::Sum, "sum"},
                                                        {Combine::Or, "or"},
                                                        {Combine::And, "and"},
                                                        {Combine::Xor, "xor"},
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

}  // namespace

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
         is_word_of_op(word);
}

}  // namespace vertigo::ir
