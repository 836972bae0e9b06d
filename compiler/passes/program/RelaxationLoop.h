#pragma once
// A loop of the host level that relaxes, and what takes its place.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/passes/program/Relaxation.h"
#include "compiler/passes/program/RelaxationPhase.h"
#include "compiler/passes/program/RelaxationPlaces.h"
#include "compiler/passes/program/SearchRounds.h"

namespace vertigo::compiler::passes {

/// What a loop has become.
struct RewrittenLoop {
  std::vector<ir::Phase> phases;  ///< new ones
  std::set<std::string> removed;  ///< phases that nothing runs any more
};

class RelaxationLoop {
 public:
  /// Statement number `which` of `body`, which stands in a loop where `in_loop`.
  RelaxationLoop(ir::Program& program, const RelaxationPlaces& places,
                 std::vector<ir::StmtPtr>& body, std::size_t which, bool in_loop)
      : program_(program),
        places_(places),
        body_(body),
        which_(which),
        in_loop_(in_loop),
        stmt_(*body[which]) {}

  /// Whether its rounds relax a state, or search, so that there is something to say about it.
  bool is_relaxation();
  const std::string& gathering_phase() const { return passes::gathering_phase(*round_).name; }
  /// "", or why the loop stays.
  std::string make_phase();
  /// Why there may be a phase in its place.
  std::string reason() const;
  /// Puts what runs the new phases into the place of the loop, and statements that run no more into
  /// `retired`.
  RewrittenLoop rewrite(std::vector<ir::StmtPtr>& retired);

  const std::set<std::string>& written() const { return round_->written; }
  const std::set<std::string>& assigned() const { return round_->assigned; }
  const std::string& state() const { return relaxation_->state; }

 private:
  using Values = std::vector<std::pair<std::string, ir::ExprPtr>>;

  void find_search();
  std::string make_phase_of_round();
  std::string make_phase_of_search();
  KnownBeginning beginning_of(const std::string& state) const;
  std::string problem_of_end() const;
  bool changes(const ir::Expr& expr) const;
  bool is_read_later(const std::string& name, bool is_state) const;
  bool is_set_first(const std::string& variable) const;
  std::string find_leftovers();
  bool stays_as_begun(const std::string& state, const ir::Expr& value) const;
  ir::ExprPtr value_at_end(const std::string& variable) const;

  ir::ExprPtr asked_at_begin() const;
  ir::ExprPtr without_limit(const ir::Expr& condition) const;
  bool begins_surely() const;
  bool limit_permits_round() const;
  bool surely_holds(const ir::Expr& asked) const;
  bool does_nothing_unless_begun() const;
  ir::ExprPtr has_round(const ir::Stmt& loop) const;
  ir::ExprPtr variable_at_begin(const std::string& variable) const;

  ir::StmtPtr run_of(const std::string& phase) const;
  void add_sweep(RewrittenLoop& made, std::vector<ir::StmtPtr>& run, const std::string& wanted,
                 Values values, std::vector<ir::StmtPtr> sends = {}) const;
  void begin(RewrittenLoop& made, std::vector<ir::StmtPtr>& run, std::vector<ir::StmtPtr>& retired);
  void put(std::vector<ir::StmtPtr> run, std::vector<ir::StmtPtr>& retired);

  ir::Program& program_;
  const RelaxationPlaces& places_;
  std::vector<ir::StmtPtr>& body_;
  std::size_t which_;
  bool in_loop_;
  const ir::Stmt& stmt_;
  std::optional<RelaxationRound> round_;
  std::optional<Relaxation> relaxation_;
  SearchRounds search_;         ///< the same rounds, where they search
  std::string search_problem_;  ///< or why they are not shown to
  ir::ExprPtr limit_;           ///< of the number of rounds, or null
  bool counts_steps_ = false;   ///< the phase has the limit
  bool is_search_ = false;      ///< `round_` is that of the search
  KnownBeginning beginning_;
  RelaxedPhase made_;
  std::string variable_;
  bool surely_runs_ = false;
  Values rest_;       ///< states that the rounds wrote besides
  Values variables_;  ///< the same of variables
};

}  // namespace vertigo::compiler::passes
