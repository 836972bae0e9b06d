#pragma once
// What states hold of a vertex in rounds that search: before it is reached, in the round after, and
// later. The proof that rounds search (SearchRounds.h).

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/program/Program.h"
#include "compiler/passes/program/RoundNumbers.h"

namespace vertigo::compiler::passes {

struct SearchSurroundings;

struct SearchedState {
  ir::ExprPtr unreached;              ///< a value that is known, or the state itself
  ir::ExprPtr first;                  ///< of those whom the search starts with; null: not known
  ir::ExprPtr given;                  ///< in the round in which a vertex is reached
  std::optional<std::int64_t> ahead;  ///< where `given` is the number of the round plus this
  ir::ExprPtr last;                   ///< of those that were reached in the round before
  ir::ExprPtr earlier;                ///< a value that is known; null: what it was given
  bool stays = false;                 ///< once it is reached, but for `earlier`
  bool first_is_odd = false;          ///< `first` is not what the round before would have given
  ir::ExprPtr copy_of_reached;        ///< written by each round anew, from other states
};

/// Neighbours by which a vertex is reached.
struct Arrival {
  ir::EdgeDirection direction = ir::EdgeDirection::In;
  ir::ExprPtr condition;  ///< which the rounds do not change; null: none
  ir::Location location;
};

class SearchedStates {
 public:
  /// The bound vertex of all reductions over neighbours.
  static constexpr const char* kNeighbour = "u";

  explicit SearchedStates(const SearchSurroundings& around);

  /// "", or what is in the way.
  std::string find();
  /// Whether vertices are given something where neighbours changed, so that there is something to
  /// say about it.
  bool is_search() const { return starts_ != nullptr && !asked_.empty(); }

  const std::map<std::string, SearchedState>& all() const { return states_; }
  const std::vector<Arrival>& arrivals() const { return arrivals_; }
  const RoundNumbers& numbers() const { return numbers_; }
  /// Which vertices the search starts with, over `kOwn`.
  const ir::Expr& starts() const { return *starts_; }
  /// What else is asked of a vertex before it is reached; null: nothing.
  const ir::Expr* condition() const { return condition_.get(); }

  /// Whether a test of one vertex, after a round, holds of those alone that it reached.
  bool asks_if_reached(const ir::Expr& test) const;
  /// A reduction over those neighbours alone that were reached last, without the test of that, and
  /// with what they hold; null where it is none.
  ir::ExprPtr among_last(const ir::Expr& reduction) const;

 private:
  enum class When { Unreached, Last, Earlier, Reached };

  void take_round();
  std::string take_beginnings();
  bool splits(const ir::Expr& value, SearchedState& state);
  void find_asked();
  std::string find_condition();
  std::string take_given();
  std::string take_arrivals();
  std::string take_arrival(const ir::Expr& asked);
  std::string prove_unreached();
  std::string prove_once();
  void find_copies();

  ir::ExprPtr as_of(const ir::Expr& expr, const std::string& vertex, When when) const;
  ir::ExprPtr with_arrivals(const ir::Expr& expr, unsigned which) const;
  ir::ExprPtr with_condition(const ir::Expr& expr, bool holds) const;
  NumberBounds bounds_of(const ir::Expr& expr, const std::string& vertex, When when) const;
  /// Whether the rounds change it; counters aside where `may_count`.
  bool changes(const ir::Expr& expr, bool may_count = false) const;
  bool reads_changing(const ir::Expr& expr, const std::string& vertex) const;
  bool is_kept(const std::string& name, const SearchedState& state, unsigned arrivals) const;
  ir::ExprPtr number_of_round(std::int64_t plus, const ir::Type& type) const;
  const ir::Expr& after(const std::string& state) const { return *after_.at(state); }

  const SearchSurroundings& around_;
  RoundNumbers numbers_;
  std::map<std::string, ir::ExprPtr> after_;  ///< a round, with questions asked by `any`
  std::map<std::string, SearchedState> states_;
  std::set<std::string> read_;      ///< states that decide over others
  std::vector<ir::ExprPtr> asked_;  ///< of neighbours, by vertices that were not reached
  std::vector<Arrival> arrivals_;
  ir::ExprPtr starts_, condition_;
};

}  // namespace vertigo::compiler::passes
