#include "compiler/passes/program/RelaxationPhase.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/ImprovingCycles.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/RelaxationStart.h"
#include "compiler/passes/program/RoundLimit.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

/// What an inbox holds in which nothing lies.
ExprPtr identity_of(Combine combine, const ir::Type& type) {
  const ir::ScalarKind kind = type.scalar();
  if (kind == ir::ScalarKind::Bool) return ir::boolean(combine == Combine::And);
  if (combine == Combine::Min)
    return kind == ir::ScalarKind::Vertex ? leaf(Op::NoVertex, type) : infinity(type);
  if (!ir::is_integer(kind)) return operation(Op::Negate, type, infinity(type));
  ExprPtr made = leaf(Op::Literal, type);
  if (ir::is_unsigned_integer(kind))
    made->value = std::uint64_t{0};
  else if (kind == ir::ScalarKind::Int32)
    made->value = std::int64_t{std::numeric_limits<std::int32_t>::min()};
  else
    made->value = std::numeric_limits<std::int64_t>::min();
  return made;
}

/// Messages that are made of one round's offers.
class Making {
 public:
  Making(ir::Program& program, const RelaxationPlaces& places, const RelaxationRound& round,
         const Relaxation& relaxation)
      : program_(program),
        places_(places),
        round_(round),
        relaxation_(relaxation),
        state_(*program.find_state(relaxation.state)) {}

  std::string run(const KnownBeginning& beginning, const BeginningOf& of_flag, RelaxedPhase& made) {
    for (const Offer& offer : relaxation_.offers)
      if (std::string problem = problem_of_reading(offer); !problem.empty()) return problem;
    declare_message();
    std::string problem = make(beginning, made);
    for (const std::string& flag : tell_moved_)
      if (problem.empty()) problem = problem_of_flag(flag, of_flag(flag), beginning, made);
    if (!problem.empty()) forget_message();
    return problem;
  }

 private:
  /// In the first round, whoever is left out must have nothing to offer.
  static std::string problem_of_flag(const std::string& flag, const KnownBeginning& begins,
                                     const KnownBeginning& state, const RelaxedPhase& made) {
    if (begins.value && ir::boolean_of(*begins.value) == true) return "";
    if (begins.value && state.value && made.worst &&
        ir::same(*begins.value, *simplified(*begins_better(*state.value, *made.worst))))
      return "";
    return "that " + quoted(flag) + " begins with those that have something to offer is not known";
  }

  // -- What offers read

  std::string problem_of_reading(const Offer& offer) {
    std::string problem;
    const auto look = [&](const Expr& root, bool is_value) {
      ir::walk(root, [&](const Expr& node) {
        if (problem.empty()) problem = problem_of_node(node, offer, is_value);
      });
    };
    look(*of_reduction(offer, *ir::boolean(true)), true);
    const Parts parts = parts_of(offer);
    for (const Expr* value : parts.values) look(*value, true);
    for (const Expr* condition : parts.conditions) look(*condition, false);
    for (const ExprPtr& condition : offer.conditions) look(*condition, false);
    return problem;
  }

  /// What a reduction takes of a neighbour, and of which neighbours.
  struct Parts {
    std::vector<const Expr*> values, conditions;
  };
  /// What an `or` asks besides is a condition. One that leaves out nothing that counts is left out.
  Parts parts_of(const Offer& offer) {
    Parts parts;
    const Expr& value = *offer.reduction->operands[0];
    const auto ask = [&](const Expr* part) {
      if (!adds_nothing(*part, offer)) parts.conditions.push_back(part);
    };
    if (relaxation_.combine == Combine::Or)
      for (const Expr* part : conjuncts(value))
        has_node(*part, [&](const Expr& node) { return is_offered(node, offer); })
            ? parts.values.push_back(part)
            : ask(part);
    else
      parts.values.push_back(&value);
    if (const ExprPtr& condition = offer.reduction->operands[1])
      for (const Expr* part : conjuncts(*condition)) ask(part);
    return parts;
  }
  bool is_offered(const Expr& node, const Offer& offer) const {
    return ir::is_state_of(node, offer.reduction->symbol, state_.name);
  }

  /// `where u.x < v.x` of an offer `u.x`: others are no better. `where u.moved`, which holds of
  /// those that moved in the round before: others have offered what they have.
  bool adds_nothing(const Expr& part, const Offer& offer) {
    const Expr& reduction = *offer.reduction;
    if (ir::is_state_of(part, reduction.symbol)) {
      const auto after = round_.states.find(part.symbol);
      const bool tells = after != round_.states.end() && part.symbol != state_.name &&
                         asks_if_moved(*after->second, relaxation_);
      if (tells) tell_moved_.insert(part.symbol);
      return tells;
    }
    const bool less = part.op == Op::Less || part.op == Op::LessEqual;
    if ((!less && part.op != Op::Greater && part.op != Op::GreaterEqual) ||
        offer.value != offer.reduction)
      return false;
    const unsigned better = less == relaxation_.falls() ? 0 : 1;
    return ir::same(*part.operands[better], *reduction.operands[0]) &&
           is_own_state(*part.operands[1 - better], state_.name);
  }

  std::string problem_of_node(const Expr& node, const Offer& offer, bool is_value) const {
    switch (node.op) {
      case Op::ReduceNeighbours:
        return "a condition reads neighbours as well";
      case Op::State:
        if (!node.operands.empty()) return "what is offered reads a vertex that is a value";
        if (round_.written.contains(node.symbol))
          return is_offered(node, offer) ? ""
                                         : "what is offered also reads " + quoted(node.symbol) +
                                               ", which changes from round to round";
        // What a message says of its receiver is looked up where it is sent.
        if (is_value && node.vertex == kOwn && places_.writers_of(node.symbol).number > 0)
          return "what is offered reads " + quoted(node.symbol) +
                 " of the vertex itself, which some update writes";
        return "";
      case Op::HostVariable:
        return round_.assigned.contains(node.symbol)
                   ? "what is offered reads " + quoted(node.symbol) +
                         ", which changes from round to round"
                   : "";
      case Op::EdgeAttribute:
        return program_.find_edge_state(node.symbol) != nullptr
                   ? quoted(node.symbol) + " is a state of edges, which no message reads"
                   : "";
      case Op::Inbox:
      case Op::Step:
      case Op::Random:
      case Op::Call:
      case Op::ExternCall:
      case Op::CommonNeighbours:
      case Op::IndexIn:
      case Op::ListSize:
      case Op::ListItem:
      case Op::ReduceCommon:
      case Op::ReduceVertices:
        return "what is offered is more than a function of states, edges and parameters";
      default:
        return "";
    }
  }

  // -- The message

  void declare_message() {
    ir::Message message;
    // A state may be relaxed by many loops, and a phase gathers in one.
    const std::string of_state = relaxation_.state + "_offer";
    message.name = unused_name(program_, of_state) == of_state
                       ? of_state
                       : unused_name(program_, gathering_phase(round_).name + "_offer");
    message.type = state_.type;
    message.combine = relaxation_.combine;
    message.identity = identity_of(message.combine, message.type);
    message.location = state_.location;
    message_ = message.name;
    program_.messages.push_back(std::move(message));
  }
  void forget_message() {
    ir::NamedList<ir::Message> others;
    for (ir::Message& message : program_.messages)
      if (message.name != message_) others.push_back(std::move(message));
    program_.messages = std::move(others);
  }
  const ir::Message& message() const { return *program_.find_message(message_); }

  std::string make(const KnownBeginning& beginning, RelaxedPhase& made) {
    const ir::Phase& gathers = gathering_phase(round_);
    made.message = message_;
    made.phase.name = gathers.name;
    made.phase.variable = variable_ = gathers.variable;
    made.phase.location = gathers.location;
    made.phase.guard = guard(gathers.guard ? gathers.guard->location : gathers.location);
    made.phase.body.push_back(
        assignment(state_.name, inbox_of(message(), gathers.location), gathers.location));
    for (const Offer& offer : relaxation_.offers) {
      if (std::string problem = problem_of_use(offer, made.phase); !problem.empty()) return problem;
      made.phase.body.push_back(send_of(offer));
    }
    join_directions(made.phase.body);
    if (std::string problem = problem_of_proof(made.phase); !problem.empty()) return problem;
    return begin(beginning, made);
  }

  ExprPtr guard(ir::Location at) const {
    ExprPtr inbox = inbox_of(message(), at);
    ExprPtr own = state_of(state_, variable_, at);
    const auto negated = [](ExprPtr expr) { return negation(std::move(expr)); };
    switch (relaxation_.combine) {
      case Combine::Or:
        return ir::both(std::move(inbox), negated(std::move(own)));
      case Combine::And:
        return ir::both(negated(std::move(inbox)), std::move(own));
      default:
        return comparison(relaxation_.falls() ? Op::Less : Op::Greater, *inbox, *own);
    }
  }

  // -- What is sent

  /// The offer as a function of what the reduction gives.
  ExprPtr of_reduction(const Offer& offer, const Expr& put) const {
    return replaced(*offer.value, [&](const Expr& node) -> ExprPtr {
      return &node == offer.reduction ? put.clone() : nullptr;
    });
  }

  /// Minimum and function may change places where the function is monotone, and where it makes
  /// nothing better of no neighbour's offer.
  std::string problem_of_use(const Offer& offer, const ir::Phase& phase) const {
    if (offer.value == offer.reduction) return "";
    const ExprPtr used = of_reduction(offer, *inbox_of(message()));
    const Surroundings around = surroundings(phase);
    if (trend(*used, around) != ir::Trend::Increasing)
      return "what is done with the reduction is not shown to be monotone";
    return keeps_identity(*used, message())
               ? ""
               : "what is done with the reduction makes an offer where no neighbour has one";
  }

  std::string receiver_of(const Offer& offer) const {
    return offer.reduction->symbol == variable_ ? variable_ + "_" : offer.reduction->symbol;
  }

  /// Told from the sender's side: the neighbour is the updated vertex, and the vertex a neighbour.
  ExprPtr from_sender(const Expr& expr, const Offer& offer) const {
    const std::string receiver = receiver_of(offer);
    return replaced_vertices(expr, [&](const std::string& name) {
      return name == kOwn ? receiver : name == offer.reduction->symbol ? variable_ : name;
    });
  }
  template <class Rename>
  ExprPtr replaced_vertices(const Expr& expr, const Rename& rename) const {
    ExprPtr made = expr.clone();
    ir::walk(*made, [&](Expr& node) {
      if (!node.vertex.empty()) node.vertex = rename(node.vertex);
    });
    return made;
  }

  StmtPtr send_of(const Offer& offer) {
    bool asks_presence = false;
    const Expr& reduction = *offer.reduction;
    const auto of_neighbour = [&](const Expr& expr) {
      return replaced(expr, [&](const Expr& node) -> ExprPtr {
        return is_offered(node, offer) ? inbox_of(message(), node.location) : nullptr;
      });
    };
    const Parts parts = parts_of(offer);
    ExprPtr offered, filter;
    for (const Expr* part : parts.values)
      offered = ir::both(std::move(offered), of_neighbour(*part));
    if (!offered) offered = ir::boolean(true, reduction.location);
    for (const Expr* part : parts.conditions) {
      ExprPtr condition = of_neighbour(*part);
      if (is_presence(*condition))
        asks_presence = true;
      else
        filter = ir::both(std::move(filter), std::move(condition));
    }
    for (const ExprPtr& condition : offer.conditions)
      filter = ir::both(std::move(filter), condition->clone());
    auto send = std::make_unique<Stmt>();
    send->kind = StmtKind::Send;
    send->symbol = message_;
    send->location = reduction.location;
    send->value = folded_expr(*from_sender(*of_reduction(offer, *offered), offer));
    if (filter) send->condition = folded_expr(*from_sender(*filter, offer));
    send->direction = reduction.direction == ir::EdgeDirection::In    ? ir::EdgeDirection::Out
                      : reduction.direction == ir::EdgeDirection::Out ? ir::EdgeDirection::In
                                                                      : ir::EdgeDirection::Both;
    const std::string receiver = receiver_of(offer);
    if (send->condition ||
        has_node(*send->value, [&](const Expr& node) { return node.vertex == receiver; }))
      send->neighbour = receiver;
    if (asks_presence) of_present_.insert(send.get());
    return send;
  }

  /// Whoever takes a message holds something better than an inbox in which nothing lies.
  bool is_presence(const Expr& part) const {
    const bool falls = relaxation_.falls();
    for (const std::size_t side : {0U, 1U}) {
      if (part.operands.size() != 2 || !is_inbox(*part.operands[side], message_) ||
          !is_extreme(*part.operands[1 - side], falls))
        continue;
      return part.op == Op::NotEqual || part.op == ((side == 0) == falls ? Op::Less : Op::Greater);
    }
    return false;
  }

  /// The same along edges and against them is one message both ways.
  void join_directions(std::vector<StmtPtr>& body) const {
    const auto one_way = [](const Stmt& stmt) {
      return stmt.kind == StmtKind::Send && stmt.direction != ir::EdgeDirection::Both;
    };
    for (std::size_t i = 0; i < body.size(); ++i)
      for (std::size_t k = i + 1; k < body.size(); ++k) {
        Stmt &a = *body[i], &b = *body[k];
        const bool same_filter =
            (!a.condition && !b.condition) ||
            (a.condition && b.condition && ir::same(*a.condition, *b.condition));
        if (!one_way(a) || !one_way(b) || a.direction == b.direction || !same_filter ||
            a.neighbour != b.neighbour || !ir::same(*a.value, *b.value) ||
            of_present_.contains(&a) != of_present_.contains(&b))
          continue;
        a.direction = ir::EdgeDirection::Both;
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(k));
        break;
      }
  }

  // -- Proofs

  Surroundings surroundings(const ir::Phase& phase) const {
    return {program_, phase, message_, false, ir::requires_nonnegative(program_)};
  }

  std::string problem_of_proof(const ir::Phase& phase) const {
    const auto update = evaluate_update(program_, phase);
    if (!update) return "what is offered is too large to analyse";
    const Surroundings around = surroundings(phase);
    for (const ir::Obligation& obligation : prove_improvement(around, *update).obligations)
      if (!obligation.held) return obligation.reason;
    if (relaxation_.combine != Combine::Min && relaxation_.combine != Combine::Max) return "";
    const ImprovingCycles cycles = find_improving_cycles(around, *update, relaxation_.falls());
    if (round_.limit) return "";
    return cycles.risk == ir::Cycles::None || cycles.noticed
               ? ""
               : quoted(cycles.sent) +
                     " may improve its sender's value, and a cycle that does so for ever would "
                     "not be noticed";
  }

  // -- When it ends

  /// In step 0 those take part that begin with something to offer; in step k those that round k
  /// moves, as whoever did not move has offered what it has. Where no cycle improves anything, what
  /// a vertex ends with comes along a way that visits no vertex twice.
  std::string limit(ir::Phase& phase, bool few_begin) const {
    if (!round_.limit) return "";
    if (is_longest_way(*round_.limit) && improves_no_sender(phase)) return "";
    if (!few_begin)
      return "a limit of rounds, in each of which all vertices may have something to offer";
    const ir::Type& type = round_.limit->type;
    phase.step_limit = simplified(
        *operation(Op::Add, type, operation(Op::Max, type, round_.limit->clone(), literal(0, type)),
                   literal(1, type)));
    return "";
  }
  bool improves_no_sender(const ir::Phase& phase) const {
    if (relaxation_.combine != Combine::Min && relaxation_.combine != Combine::Max) return true;
    const auto update = evaluate_update(program_, phase);
    return update &&
           find_improving_cycles(surroundings(phase), *update, relaxation_.falls()).risk ==
               ir::Cycles::None;
  }

  // -- How it begins

  /// Whether the text shows that vertices may begin with the worst value.
  static bool begins_worst(const Expr& value, const Expr& worst) {
    if (value.op == Op::Select)
      return begins_worst(*value.operands[1], worst) || begins_worst(*value.operands[2], worst);
    return ir::same(value, worst) || (is_bool(value) && !ir::boolean_of(value));
  }

  std::string begin(const KnownBeginning& beginning, RelaxedPhase& made) const {
    std::vector<RelaxationStart::Sent> sends;
    for (const StmtPtr& stmt : made.phase.body)
      if (stmt->kind == StmtKind::Send)
        sends.push_back({stmt.get(), of_present_.contains(stmt.get())});
    const RelaxationStart start(message(), relaxation_.falls(), surroundings(made.phase), sends);
    auto found = start.find(beginning);
    const bool few = found && begins_worst(*beginning.value, *found->worst);
    if (std::string problem = limit(made.phase, few); !problem.empty()) return problem;
    if (found) {
      made.worst = std::move(found->worst);
      made.phase.starts.push_back(std::move(found->start));
      return "";
    }
    if (ir::is_float(state_.type.scalar()))
      return quoted(state_.name) + " may begin with what is no number";
    ir::Start all;
    all.set = ir::StartSet::All;
    all.location = made.phase.location;
    made.phase.starts.push_back(std::move(all));
    for (const auto& [send, of_present] : sends)
      made.first_sends.push_back(sent_first(*send, of_present));
    return "";
  }

  StmtPtr sent_first(const Stmt& send, bool of_present) const {
    StmtPtr made = send.clone();
    for (ExprPtr* expr : {&made->value, &made->condition})
      if (*expr)
        *expr = replaced(**expr, [&](const Expr& node) -> ExprPtr {
          return is_inbox(node, message_) ? state_of(state_, variable_, node.location) : nullptr;
        });
    if (!of_present) return made;
    auto branch = std::make_unique<Stmt>();
    branch->kind = StmtKind::If;
    branch->location = send.location;
    branch->value =
        comparison(Op::NotEqual, *state_of(state_, variable_, send.location), *message().identity);
    branch->body.push_back(std::move(made));
    return branch;
  }

  ir::Program& program_;
  const RelaxationPlaces& places_;
  const RelaxationRound& round_;
  const Relaxation& relaxation_;
  const ir::State& state_;
  std::string message_;
  std::string variable_;
  std::set<std::string> tell_moved_;  ///< flags by which neighbours are chosen that moved
  std::set<const Stmt*> of_present_;  ///< sends of those alone that hold something
};

}  // namespace

std::string make_relaxed_phase(ir::Program& program, const RelaxationPlaces& places,
                               const RelaxationRound& round, const Relaxation& relaxation,
                               const KnownBeginning& beginning, const BeginningOf& of_flag,
                               RelaxedPhase& made) {
  return Making(program, places, round, relaxation).run(beginning, of_flag, made);
}

}  // namespace vertigo::compiler::passes
