#pragma once
// Numbers of a loop that counts its rounds. Rounds are numbered from 0; a counter holds the number
// of the round plus what it began with.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// What is known of a number: bounds of it, and of how far it is ahead of the number of the round.
struct NumberBounds {
  std::optional<std::int64_t> least, most, least_ahead, most_ahead;
};

class RoundNumbers {
 public:
  /// Bounds of what is neither a literal nor a counter.
  using BoundsOf = std::function<NumberBounds(const ir::Expr&)>;

  /// Variables that rise by 1 in every round, and what each holds before the first one.
  explicit RoundNumbers(std::map<std::string, std::int64_t> counters)
      : counters_(std::move(counters)) {}

  /// Whether counters that begin so stay far from the ends of their types.
  static bool is_small(std::int64_t number);

  const std::map<std::string, std::int64_t>& counters() const { return counters_; }

  /// k where `expr` is the number of the round plus k.
  std::optional<std::int64_t> ahead(const ir::Expr& expr) const;

  /// `expr` with comparisons decided where bounds decide them, and simplified.
  ir::ExprPtr decided(const ir::Expr& expr, const BoundsOf& bounds_of) const;

 private:
  NumberBounds bounds(const ir::Expr& expr, const BoundsOf& bounds_of) const;
  ir::ExprPtr with_comparisons(const ir::Expr& expr, const BoundsOf& bounds_of) const;

  std::map<std::string, std::int64_t> counters_;
};

}  // namespace vertigo::compiler::passes
