#include "compiler/passes/program/TellNeighbours.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Uses.h"
#include "compiler/passes/PassContext.h"
#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/RelaxationRound.h"
#include "compiler/passes/program/ShrinkingDomain.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

constexpr const char* kKey = "asking";
constexpr const char* kTold = "told";
constexpr const char* kAsked = "asked";

bool asks_neighbours(const Expr& expr) {
  return has_node(expr, [](const Expr& e) {
    return e.op == Op::ReduceNeighbours || e.op == Op::ReduceCommon || e.op == Op::CommonNeighbours;
  });
}

/// The one conjunct of the guard that is `any(… over … u)`, where nothing else of the phase looks
/// at neighbours; else null.
const Expr* find_question(const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Sweep || phase.serializable || !phase.guard) return nullptr;
  const Expr* found = nullptr;
  for (const Expr* part : conjuncts(*phase.guard)) {
    if (!asks_neighbours(*part)) continue;
    if (found != nullptr || part->op != Op::ReduceNeighbours ||
        part->reduction != ir::Reduction::Any || part->vertex != phase.variable)
      return nullptr;
    found = part;
  }
  bool elsewhere = false;
  for_each_read(phase.body,
                [&](const Expr& expr) { elsewhere = elsewhere || asks_neighbours(expr); });
  ir::for_each_stmt(phase.body, [&](const Stmt& stmt) {
    elsewhere = elsewhere || stmt.kind == StmtKind::UpdateEdges;
  });
  return elsewhere ? nullptr : found;
}

/// Whether it is `u != v`: an edge from a vertex to itself does not count.
bool leaves_out_loops(const Expr& part, const Expr& question) {
  if (part.op != Op::NotEqual) return false;
  const auto is = [&](std::size_t i, const std::string& vertex) {
    return part.operands[i]->op == Op::BoundVertex && part.operands[i]->vertex == vertex;
  };
  return (is(0, question.symbol) && is(1, question.vertex)) ||
         (is(1, question.symbol) && is(0, question.vertex));
}

/// The conjuncts of what is asked of a neighbour, the condition's first.
std::vector<const Expr*> parts_of(const Expr& question) {
  std::vector<const Expr*> parts;
  for (const std::size_t i : {1u, 0u})
    if (i < question.operands.size() && question.operands[i])
      std::ranges::copy(conjuncts(*question.operands[i]), std::back_inserter(parts));
  return parts;
}

/// What is asked of a neighbour, as a condition of `vertex`; null: that it is another.
ExprPtr asked_of_neighbour(const Expr& question, const std::string& vertex) {
  ExprPtr asked;
  for (const Expr* part : parts_of(question))
    if (!leaves_out_loops(*part, question))
      asked = ir::both(std::move(asked), renamed_vertex(*part, question.symbol, vertex));
  return asked;
}

/// What holds where the condition does not; comparisons of integers turned round.
ExprPtr opposite_of(const Expr& condition) {
  constexpr std::array<std::pair<Op, Op>, 6> kTurned = {{{Op::Less, Op::GreaterEqual},
                                                         {Op::GreaterEqual, Op::Less},
                                                         {Op::Greater, Op::LessEqual},
                                                         {Op::LessEqual, Op::Greater},
                                                         {Op::Equal, Op::NotEqual},
                                                         {Op::NotEqual, Op::Equal}}};
  if (condition.op == Op::Not) return condition.operands[0]->clone();
  const auto turned = std::ranges::find(kTurned, condition.op, &std::pair<Op, Op>::first);
  if (turned == kTurned.end()) return negation(condition.clone());
  // Of two floating numbers that stand in no order neither holds.
  const ir::Type& type = condition.operands[0]->type;
  if (!type.is_scalar() || ir::is_float(type.scalar())) return negation(condition.clone());
  return comparison(turned->second, *condition.operands[0], *condition.operands[1]);
}

/// What is left of the guard without the question; null: nothing.
ExprPtr others_of(const Expr& guard, const Expr& question) {
  ExprPtr others;
  for (const Expr* part : conjuncts(guard))
    if (part != &question) others = ir::both(std::move(others), part->clone());
  return others;
}

std::set<std::string> states_read(const Expr& expr) {
  std::set<std::string> states;
  ir::walk(expr, [&](const Expr& e) {
    if (e.op == Op::State) states.insert(e.symbol);
  });
  return states;
}

/// What the vertices of an update tell their neighbours when it comes to hold.
struct News {
  ExprPtr wanted;  ///< of `vertex`
  std::string vertex;
  std::string message;
  std::string was;  ///< a local: whether it held before
  ir::EdgeDirection direction = ir::EdgeDirection::Out;
  std::string but_itself;  ///< a name for the neighbour, where a vertex does not tell itself

  StmtPtr send(ir::Location location) const {
    StmtPtr made = std::make_unique<Stmt>();
    made->kind = StmtKind::Send;
    made->location = location;
    made->symbol = message;
    made->value = ir::boolean(true, location);
    made->direction = direction;
    if (but_itself.empty()) return made;
    made->neighbour = but_itself;
    made->condition = comparison(Op::NotEqual, *bound(but_itself), *bound(vertex));
    return made;
  }
  static ExprPtr bound(const std::string& vertex) {
    ExprPtr made = leaf(Op::BoundVertex, ir::ScalarKind::Vertex);
    made->vertex = vertex;
    return made;
  }
  StmtPtr asked_before() const {
    StmtPtr made = std::make_unique<Stmt>();
    made->kind = StmtKind::Let;
    made->symbol = was;
    made->value = wanted->clone();
    return made;
  }
  /// The statement where the condition holds and did not hold before.
  StmtPtr when_new(StmtPtr sends) const {
    ExprPtr before = leaf(Op::Local, ir::ScalarKind::Bool, sends->location);
    before->symbol = was;
    StmtPtr made = std::make_unique<Stmt>();
    made->kind = StmtKind::If;
    made->location = sends->location;
    made->value = ir::both(wanted->clone(), negation(std::move(before)));
    made->body.push_back(std::move(sends));
    return made;
  }
};

/// The name, or a longer one where a local of the body has it.
std::string unused_local(const std::vector<StmtPtr>& body, const std::string& name) {
  bool is_used = false;
  ir::for_each_stmt(body, [&](const Stmt& stmt) {
    is_used = is_used || (stmt.kind == StmtKind::Let && stmt.symbol == name);
  });
  return is_used ? unused_local(body, name + "_") : name;
}

std::string other_name(const std::string& name, const std::string& taken) {
  return name == taken ? name + "_" : name;
}

/// One update that asks.
class Telling {
 public:
  Telling(ir::Program& program, const std::string& phase)
      : program_(program), phase_(*program.phases.find(phase)), question_(find_question(phase_)) {}

  bool asks() const { return question_ != nullptr; }

  /// Why its vertices have to ask; "" where their neighbours can tell them.
  std::string problem() const {
    for (const Expr* part : parts_of(*question_))
      if (!leaves_out_loops(*part, *question_) &&
          has_node(*part, [&](const Expr& e) { return e.vertex == phase_.variable; }))
        return "what it asks for depends on the vertex that asks, too";
    const ExprPtr wanted = asked_of_neighbour(*question_, phase_.variable);
    if (wanted == nullptr) return "it asks for nothing but another vertex";
    const std::string quoted_wanted = quoted(*wanted);
    for (const Expr* part : conjuncts(*wanted)) {
      const ExprPtr opposite = opposite_of(*part);
      if (std::string problem = problem_of_lasting(program_, phase_, *opposite); !problem.empty())
        return quoted(*part) + " may cease to hold at a neighbour: " + quoted(*opposite) + " " +
               problem;
    }
    if (std::string problem = problem_at_first(*wanted); !problem.empty())
      return quoted_wanted + problem;
    const std::set<std::string> states = states_read(*wanted);
    for (const std::string& state : states)
      if (ir::writes(phase_, state))
        return "the update itself assigns " + quoted(state) + ", which it asks neighbours for";
    for (const ir::Phase& writer : program_.phases)
      if (std::string problem = problem_of_writer(writer, states); !problem.empty()) return problem;
    return asks_for_good() ? ""
                           : "a vertex may qualify again after the update, and would have to "
                             "know who had told it before";
  }

  void rewrite() {
    const ExprPtr question = question_->clone();
    const ExprPtr wanted = asked_of_neighbour(*question, phase_.variable);
    const bool but_itself = std::ranges::any_of(
        parts_of(*question), [&](const Expr* part) { return leaves_out_loops(*part, *question); });
    ir::Message told{.name = unused_name(program_, "told"),
                     .type = ir::ScalarKind::Bool,
                     .combine = ir::Combine::Or,
                     .function = "",
                     .identity = ir::boolean(false),
                     .keep = true,
                     .location = question->location};
    for (ir::Phase& writer : program_.phases) {
      tell(writer.body,
           {.wanted = renamed_vertex(*wanted, phase_.variable, writer.variable),
            .vertex = writer.variable,
            .message = told.name,
            .was = unused_local(writer.body, "was_" + told.name),
            .direction = reversed(question->direction),
            .but_itself = but_itself ? other_name(question->symbol, writer.variable) : ""});
    }
    phase_.guard =
        ir::both(others_of(*phase_.guard, *question_), inbox_of(told, question->location));
    question_ = nullptr;
    phase_.facts.push_back({kKey, kTold,
                            "who comes to " + quoted(*wanted) +
                                " stays so and tells its neighbours once; --schedule " +
                                phase_.name + ".asking=asked has the others ask in each round"});
    program_.messages.push_back(std::move(told));
  }

 private:
  /// Whether some conjunct that never holds again is false after the update.
  bool asks_for_good() const {
    const ExprPtr others = others_of(*phase_.guard, *question_);
    if (!others) return false;
    return std::ranges::any_of(conjuncts(*others), [&](const Expr* part) {
      return problem_of_lasting(program_, phase_, *part).empty() &&
             ends_by_update(program_, phase_, *part);
    });
  }

  std::string problem_at_first(const Expr& wanted) const {
    for (const std::string& name : states_read(wanted))
      if (program_.find_state(name)->is_input)
        return " depends on the input " + quoted(name) + ", and may hold before the first update";
    const ExprPtr first = folded_expr(*replaced(wanted, [&](const Expr& node) -> ExprPtr {
      return node.op == Op::State ? program_.find_state(node.symbol)->initial->clone() : nullptr;
    }));
    return ir::boolean_of(*first) == false ? "" : " may hold before the first update";
  }

  /// A phase that would have to tell.
  static std::string problem_of_writer(const ir::Phase& writer,
                                       const std::set<std::string>& states) {
    const auto written = std::ranges::find_if(
        states, [&](const std::string& state) { return ir::writes(writer, state); });
    if (written == states.end()) return "";
    if (writer.kind != ir::PhaseKind::Sweep || writer.serializable)
      return "phase " + quoted(writer.name) + " assigns " + quoted(*written) +
             " while it runs in an order of its own";
    unsigned assignments = 0;
    ir::for_each_stmt(writer.body, [&](const Stmt& stmt) {
      assignments += stmt.kind == StmtKind::AssignState && states.contains(stmt.symbol);
    });
    if (assignments > 1)
      return "phase " + quoted(writer.name) + " assigns what neighbours ask for in several places";
    return "";
  }

  static std::vector<StmtPtr>::iterator at(std::vector<StmtPtr>& body, std::size_t place) {
    return body.begin() + static_cast<std::ptrdiff_t>(place);
  }
  /// Puts a send behind each assignment that may let the condition hold.
  static void tell(std::vector<StmtPtr>& body, const News& news) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      tell(body[i]->body, news);
      tell(body[i]->otherwise, news);
      const Stmt& assigned = *body[i];  // lies elsewhere: the body may grow
      if (assigned.kind != StmtKind::AssignState ||
          !states_read(*news.wanted).contains(assigned.symbol))
        continue;
      const ExprPtr now = folded_expr(*replaced(*news.wanted, [&](const Expr& node) -> ExprPtr {
        return ir::is_state_of(node, news.vertex, assigned.symbol) ? assigned.value->clone()
                                                                   : nullptr;
      }));
      const std::optional<bool> known = ir::boolean_of(*now);
      if (known == false) continue;
      StmtPtr telling = news.send(assigned.location);
      if (!known) {
        body.insert(at(body, i++), news.asked_before());
        telling = news.when_new(std::move(telling));
      }
      body.insert(at(body, ++i), std::move(telling));
    }
  }

  ir::Program& program_;
  ir::Phase& phase_;
  const Expr* question_;
};

void refuse(PassContext& context, const Pin& pin, const std::string& phase,
            const std::string& problem) {
  context.diagnostics.report(diag::IllegalSchedule, pin.range, std::string(kKey) + "=" + kTold,
                             "phase " + quoted(phase), problem);
}

}  // namespace

void tell_neighbours(ir::Program& program, PassContext& context) {
  const ir::Uses uses(program);
  std::vector<std::string> names;
  for (const ir::Phase& phase : program.phases) names.push_back(phase.name);
  for (const std::string& name : names) {
    const Pin* const pin = context.schedule.find(name, kKey);
    const bool is_wanted = pin != nullptr && pin->value == kTold;
    Telling telling(program, name);
    if (!telling.asks()) {
      if (is_wanted && pin->phase == name)
        refuse(context, *pin, name, "it does not ask by 'any' alone what neighbours are");
      continue;
    }
    std::string problem = telling.problem();
    if (!problem.empty() && is_wanted) refuse(context, *pin, name, problem);
    if (problem.empty() && pin != nullptr && !is_wanted) problem = "pinned";
    if (problem.empty() && pin == nullptr && uses.runs_once(name))
      problem = "it runs once: who asks stops at the first neighbour that is so";
    if (problem.empty())
      telling.rewrite();
    else
      program.phases.find(name)->facts.push_back({kKey, kAsked, problem});
  }
}

}  // namespace vertigo::compiler::passes
