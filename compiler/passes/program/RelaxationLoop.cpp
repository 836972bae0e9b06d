#include "compiler/passes/program/RelaxationLoop.h"

#include <algorithm>
#include <iterator>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/KnownValues.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/RelaxationStart.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

/// How many statements before a loop are asked for a variable.
constexpr std::size_t kLooksBack = 16;

/// Neighbours are called unlike the vertex.
ExprPtr with_neighbours_unlike(const Expr& value, const std::string& vertex) {
  ExprPtr made = value.clone();
  ir::walk(*made, [&](Expr& node) {
    if (!ir::is_reduction(node.op) || node.symbol != vertex) return;
    const std::string name = vertex + "_";
    ir::walk(node, [&](Expr& inner) {
      if (inner.vertex == vertex) inner.vertex = name;
    });
    node.symbol = name;
  });
  return made;
}

/// With a name for the vertices of reductions over all.
ExprPtr of_host(const Expr& value, const std::string& vertex) {
  ExprPtr made = renamed_vertex(value, kOwn, vertex);
  ir::walk(*made, [&](Expr& node) {
    if (node.op == Op::ReduceVertices && node.symbol == kOwn) node.symbol = vertex;
  });
  return made;
}

}  // namespace

bool RelaxationLoop::is_relaxation() {
  round_ = evaluate_round(program_, stmt_);
  if (!round_ || round_->phases.empty()) return false;
  for (const ir::Phase* phase : round_->phases)
    if (places_.runs_of(phase->name) != 1) return false;
  const VariableAtBegin at_begin = [&](const std::string& variable) {
    return variable_at_begin(variable);
  };
  take_limit(*round_, at_begin);
  if (round_->limit) limit_ = round_->limit->clone();
  relaxation_ = find_relaxation(program_, *round_);
  find_search();
  return relaxation_.has_value() || search_.is_search;
}

void RelaxationLoop::find_search() {
  const BeginningOf begins = [&](const std::string& state) { return beginning_of(state); };
  search_problem_ = passes::find_search(
      {program_, *round_, begins,
       [&](const std::string& variable) { return variable_at_begin(variable); }},
      search_);
}
KnownBeginning RelaxationLoop::beginning_of(const std::string& state) const {
  if (!is_search_ || !search_.is_new || state != search_.state)
    return find_beginning(program_, places_, body_, which_, in_loop_, state);
  return {search_.beginning->clone(), {}, !in_loop_};
}

std::string RelaxationLoop::make_phase() {
  const bool relaxes = relaxation_.has_value();
  std::string problem = relaxes ? make_phase_of_round() : search_problem_;
  if ((relaxes && problem.empty()) || !search_problem_.empty()) return problem;
  const std::string of_search = make_phase_of_search();
  return relaxes && !of_search.empty() ? problem : of_search;
}

std::string RelaxationLoop::make_phase_of_round() {
  made_ = {};
  rest_.clear();
  variables_.clear();
  if (!round_->problem.empty()) return round_->problem;
  if (std::string problem = problem_of_end(); !problem.empty()) return problem;
  surely_runs_ = begins_surely();
  if (std::string problem = find_leftovers(); !problem.empty()) return problem;
  const BeginningOf begins = [&](const std::string& state) { return beginning_of(state); };
  beginning_ = begins(relaxation_->state);
  std::string problem =
      make_relaxed_phase(program_, places_, *round_, *relaxation_, beginning_, begins, made_);
  counts_steps_ = made_.phase.step_limit != nullptr;
  surely_runs_ = surely_runs_ || (problem.empty() && does_nothing_unless_begun());
  return problem;
}

/// The same of the search, whose new state is declared where there is a phase.
std::string RelaxationLoop::make_phase_of_search() {
  std::swap(*round_, search_.round);
  is_search_ = true;
  if (search_.is_new) {
    ir::State state;
    state.name = search_.state;
    state.type = search_.beginning->type;
    state.initial = infinity(state.type);
    program_.states.push_back(std::move(state));
  }
  relaxation_ = find_relaxation(program_, *round_);
  std::string problem = make_phase_of_round();
  if (!problem.empty() && search_.is_new) {
    ir::NamedList<ir::State> others;
    for (ir::State& state : program_.states)
      if (state.name != search_.state) others.push_back(std::move(state));
    program_.states = std::move(others);
  }
  return problem;
}

std::string RelaxationLoop::reason() const {
  if (is_search_)
    return std::string(
               "a loop whose rounds reach the neighbours of those that the round before "
               "reached") +
           (limit_ ? "" : ", and go on while they reach somebody,") + " is a search";
  if (counts_steps_)
    return "each round of the loop does what a step of a phase does, as those that did not move "
           "have nothing new to offer";
  return (limit_
              ? "a loop of as many rounds as a way has edges that visits no vertex twice, or more,"
              : "a loop that went on while " + quoted(state()) + " moved somewhere") +
         " ends with the same values in whatever order they move";
}

RewrittenLoop RelaxationLoop::rewrite(std::vector<StmtPtr>& retired) {
  RewrittenLoop made;
  for (const ir::Phase* phase : round_->phases) made.removed.insert(phase->name);
  std::vector<StmtPtr> run;
  begin(made, run, retired);
  const std::string name = made_.phase.name;
  run.push_back(run_of(name));
  made.phases.push_back(std::move(made_.phase));
  if (!rest_.empty()) add_sweep(made, run, name + "_ends", std::move(rest_));
  for (auto& [variable, value] : variables_) {
    auto set = std::make_unique<Stmt>();
    set->kind = StmtKind::HostAssign;
    set->location = stmt_.location;
    set->symbol = variable;
    set->value = of_host(*value, variable_);
    run.push_back(std::move(set));
  }
  put(std::move(run), retired);
  return made;
}

// -- That it ends where nothing moves

std::string RelaxationLoop::problem_of_end() const {
  if (stmt_.kind != StmtKind::While) return "";
  ExprPtr asked = round_->condition ? asked_of_some(*round_->condition) : nullptr;
  if (!asked)
    return "its condition does not ask whether some vertex changed, and nothing else: a limit of "
           "rounds, or a test of another kind";
  if (!asks_if_moved(*simplified(*asked), *relaxation_))
    return is_search_ ? "its condition is not shown to hold exactly where a round reached a vertex"
                      : "its condition is not shown to hold exactly where a round moved " +
                            quoted(relaxation_->state);
  return "";
}

// -- What is left of its rounds

bool RelaxationLoop::changes(const Expr& expr) const {
  return has_node(expr, [&](const Expr& node) {
    if (node.op == Op::State)
      return round_->written.contains(node.symbol) && node.symbol != relaxation_->state;
    return (node.op == Op::HostVariable && round_->assigned.contains(node.symbol)) ||
           node.op == Op::Inbox || node.op == Op::Step;
  });
}

/// Whether somebody reads afterwards what the rounds left. A condition that is asked again in a
/// loop around reads what the last rounds left.
bool RelaxationLoop::is_read_later(const std::string& name, bool is_state) const {
  const auto readers =
      is_state ? places_.readers_of_state(name) : places_.readers_of_variable(name);
  const bool is_asked =
      in_loop_ && !surely_runs_ && has_node(*stmt_.value, [&](const Expr& e) {
        return e.op == (is_state ? Op::State : Op::HostVariable) && e.symbol == name;
      });
  return is_asked || (is_state && places_.is_output(name)) ||
         readers.number > places_.readers_within(stmt_, name, is_state);
}

/// Whether a statement behind the loop gives the variable another value before somebody reads it.
bool RelaxationLoop::is_set_first(const std::string& variable) const {
  for (std::size_t i = which_ + 1; i < body_.size(); ++i) {
    if (places_.readers_within(*body_[i], variable, false) > 0) return false;
    if (body_[i]->kind == StmtKind::HostAssign && body_[i]->symbol == variable) return true;
  }
  return false;
}

std::string RelaxationLoop::find_leftovers() {
  for (const std::string& state : round_->written) {
    if (state == relaxation_->state || !is_read_later(state, true)) continue;
    const auto after = round_->states.find(state);
    const bool is_lost = after == round_->states.end() || (round_->limit && !is_search_);
    ExprPtr value = is_lost ? nullptr : at_rest(*after->second, *relaxation_);
    if (!value || changes(*value))
      return quoted(state) +
             ", which is read afterwards, is left with what the rounds were, not "
             "only with where they ended";
    if (!stays_as_begun(state, *value)) rest_.emplace_back(state, std::move(value));
  }
  for (const std::string& variable : round_->assigned) {
    const bool is_of_for = stmt_.kind == StmtKind::For && variable == stmt_.symbol;
    if (is_of_for || !is_read_later(variable, false) || is_set_first(variable)) continue;
    ExprPtr value = value_at_end(variable);
    if (!value || round_->declared.contains(variable))
      return quoted(variable) + ", which is read afterwards, counts or sums up the rounds";
    variables_.emplace_back(variable, std::move(value));
  }
  return "";
}

/// Nobody but the rounds writes the state, which they leave with what it held before them.
bool RelaxationLoop::stays_as_begun(const std::string& state, const Expr& value) const {
  const auto writes = [&](const ir::Phase* phase) { return ir::writes(*phase, state); };
  const auto writers = static_cast<std::size_t>(std::ranges::count_if(round_->phases, writes));
  return places_.writers_of(state).number == writers && is_known(value) &&
         ir::same(value, *program_.find_state(state)->initial);
}

/// Of a variable that says whether something moved: that nothing did. Of another, what follows from
/// where the rounds came to rest.
ExprPtr RelaxationLoop::value_at_end(const std::string& variable) const {
  const auto known = round_->host.find(variable);
  if (known == round_->host.end() || (round_->limit && !is_search_)) return nullptr;
  const Expr& value = *known->second;
  const auto asks = [&](const Expr& expr) {
    const ExprPtr asked = asked_of_some(expr);
    return asked && asks_if_moved(*simplified(*asked), *relaxation_);
  };
  if (is_bool(value)) {
    if (asks(value)) return ir::boolean(false, value.location);
    const ExprPtr opposite = simplified(*negation(value.clone()));
    if (asks(*opposite)) return ir::boolean(true, value.location);
  } else if (value.type.is_scalar() && ir::is_signed_integer(value.type.scalar())) {
    if (asks(*simplified(*above_zero(value)))) return literal(0, value.type);
  }
  ExprPtr rest = at_rest(value, *relaxation_);
  return changes(*rest) ? nullptr : std::move(rest);
}

// -- Whether it begins

/// Of which vertices the condition asks for one before the first round; null where that is not
/// known.
ExprPtr RelaxationLoop::asked_at_begin() const {
  if (stmt_.kind != StmtKind::While) return ir::boolean(true);
  ExprPtr condition = replaced(*stmt_.value, [&](const Expr& node) -> ExprPtr {
    return node.op == Op::HostVariable ? variable_at_begin(node.symbol) : nullptr;
  });
  condition = simplified(*condition);
  if (limit_) condition = without_limit(*condition);
  if (ir::boolean_of(*condition)) return condition;
  std::string vertex;
  ir::walk(*condition, [&](const Expr& node) {
    if (node.op == Op::ReduceVertices) vertex = node.symbol;
  });
  const ExprPtr asked = asked_of_some(*condition);
  if (!asked) return nullptr;
  return simplified(*replaced(*asked, [&](const Expr& node) -> ExprPtr {
    if (node.op != Op::State || node.vertex != vertex || !node.operands.empty()) return nullptr;
    return find_beginning(program_, places_, body_, which_, in_loop_, node.symbol).value;
  }));
}

/// A limit is part of the phase, or of what it sends.
ExprPtr RelaxationLoop::without_limit(const Expr& condition) const {
  ExprPtr made;
  for (const Expr* part : conjuncts(condition))
    if (!ir::info(part->op).is_comparison() || reads(*part, Op::ReduceVertices))
      made = ir::both(std::move(made), part->clone());
  return made ? simplified(*made) : ir::boolean(true);
}

/// Whether there is a first round, unless there are no vertices at all.
bool RelaxationLoop::begins_surely() const {
  const ExprPtr asked = asked_at_begin();
  return limit_permits_round() && asked && surely_holds(*asked);
}

/// Whether the limit is known not to be 0, or there is none.
bool RelaxationLoop::limit_permits_round() const {
  if (!limit_) return true;
  const auto rounds = ir::integer_of(*limit_);
  return rounds && *rounds > 0;
}

/// Whether it is known of some vertex that it is one of those that are asked for.
bool RelaxationLoop::surely_holds(const Expr& asked) const {
  return ir::boolean_of(asked) == true || given_vertex(asked, program_) != nullptr;
}

/// Where the phase changes nothing but its state, and leaves that alone where the loop has no
/// round: its limit is 0, or the condition asks for those whom the phase starts.
bool RelaxationLoop::does_nothing_unless_begun() const {
  const ExprPtr asked = asked_at_begin();
  if (!asked || !rest_.empty() || !variables_.empty()) return false;
  if (surely_holds(*asked)) return true;
  return made_.worst && beginning_.value &&
         ir::same(*asked, *simplified(*begins_better(*beginning_.value, *made_.worst)));
}

/// Whether there is a first round, to be asked in its place.
ExprPtr RelaxationLoop::has_round(const Stmt& loop) const {
  if (loop.kind == StmtKind::While) return loop.value->clone();
  return simplified(*above_zero(*limit_));
}

ExprPtr RelaxationLoop::variable_at_begin(const std::string& variable) const {
  if (stmt_.kind == StmtKind::For && variable == stmt_.symbol) return stmt_.value->clone();
  for (std::size_t i = which_; i > 0; --i) {
    const Stmt& before = *body_[i - 1];
    const bool assigns = before.kind == StmtKind::HostLet || before.kind == StmtKind::HostAssign;
    if (assigns && before.symbol == variable)
      return before.value->op == Op::Literal ? before.value->clone() : nullptr;
    if (!assigns && before.kind != StmtKind::Phase && before.kind != StmtKind::Report)
      return nullptr;
    if (which_ - i > kLooksBack) return nullptr;
  }
  return nullptr;
}
// -- What takes its place

StmtPtr RelaxationLoop::run_of(const std::string& phase) const {
  StmtPtr run = passes::run_of(phase);
  run->location = stmt_.location;
  return run;
}

void RelaxationLoop::add_sweep(RewrittenLoop& made, std::vector<StmtPtr>& run,
                               const std::string& wanted, Values values,
                               std::vector<StmtPtr> sends) const {
  std::vector<StmtPtr> body;
  for (auto& [state, value] : values)
    body.push_back(assignment(
        state, renamed_vertex(*with_neighbours_unlike(*value, variable_), kOwn, variable_),
        stmt_.location));
  for (StmtPtr& send : sends) body.push_back(std::move(send));
  made.phases.push_back(
      sweep_of(program_, wanted, variable_, nullptr, std::move(body), stmt_.location));
  run.push_back(run_of(made.phases.back().name));
}
void RelaxationLoop::begin(RewrittenLoop& made, std::vector<StmtPtr>& run,
                           std::vector<StmtPtr>& retired) {
  variable_ = made_.phase.variable;
  const std::string name = made_.phase.name + "_begins";
  if (!made_.worst) return add_sweep(made, run, name, {}, std::move(made_.first_sends));
  // A state of the search's own is read nowhere else, whether the phase runs or not.
  const bool is_own = is_search_ && search_.is_new;
  if ((surely_runs_ || is_own) && beginning_.is_first_use) {
    program_.states.find(relaxation_->state)->initial = made_.worst->clone();
    for (const std::size_t place : beginning_.updates) {
      made.removed.insert(body_[place]->symbol);
      retired.push_back(std::move(body_[place]));
      body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(place));
      --which_;
    }
    return;
  }
  Values worst;
  worst.emplace_back(relaxation_->state, made_.worst->clone());
  add_sweep(made, run, name, std::move(worst));
}

void RelaxationLoop::put(std::vector<StmtPtr> run, std::vector<StmtPtr>& retired) {
  retired.push_back(std::move(body_[which_]));
  Stmt& loop = *retired.back();
  body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(which_));
  if (!surely_runs_) {
    auto branch = std::make_unique<Stmt>();
    branch->kind = StmtKind::If;
    branch->location = loop.location;
    branch->value = has_round(loop);
    branch->body = std::move(run);
    run.clear();
    run.push_back(std::move(branch));
  }
  body_.insert(body_.begin() + static_cast<std::ptrdiff_t>(which_),
               std::make_move_iterator(run.begin()), std::make_move_iterator(run.end()));
}

}  // namespace vertigo::compiler::passes
