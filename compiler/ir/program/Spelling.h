#pragma once
// How reductions, combine operators and the like are written in textual IR; one table for printer,
// reader and messages. Operators: Ops.h.

#include <optional>
#include <string_view>

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// `at(v.parent).weight`: a state of a vertex that is a value.
inline constexpr std::string_view kStateAt = "at";

std::string_view to_string(Reduction reduction);
std::string_view to_string(EdgeDirection direction);
std::string_view to_string(Combine combine);
std::string_view to_string(RequirementKind kind);
std::optional<Reduction> find_reduction(std::string_view spelling);
std::optional<EdgeDirection> find_direction(std::string_view spelling);
std::optional<Combine> find_combine(std::string_view spelling);
std::optional<RequirementKind> find_requirement(std::string_view spelling);

/// True for words that mean something at the start of an expression; a vertex of that name is
/// written in backquotes.
bool is_expression_word(std::string_view word);

/// The type of a degree or of a number of vertices or edges where the text states none.
inline constexpr ScalarKind kCountKind = ScalarKind::Int64;

}  // namespace vertigo::ir
