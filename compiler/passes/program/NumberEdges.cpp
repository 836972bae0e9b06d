#include "compiler/passes/program/NumberEdges.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/PassContext.h"
#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/CommonSums.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

constexpr const char* kKey = "common";
constexpr const char* kByEdge = "by-edge";

/// The edge at hand.
struct Ends {
  std::string from, to;
  ir::EdgeDirection direction = ir::EdgeDirection::Out;
  bool is_one_of_few = false;  ///< a condition names one of its ends
};

/// What a phase asks of an edge.
struct Question {
  ExprPtr* place = nullptr;
  Ends ends;
};

/// Whether the condition is for one vertex: `v == source`.
bool names_one(const ExprPtr& condition, const std::string& vertex) {
  return condition && std::ranges::any_of(conjuncts(*condition), [&](const Expr* part) {
           return part->op == Op::Equal &&
                  (is_vertex(*part->operands[0], vertex) || is_vertex(*part->operands[1], vertex));
         });
}

/// What one phase asks of edges, in the order of its text.
class Questions {
 public:
  explicit Questions(ir::Phase& phase) {
    if (phase.kind != ir::PhaseKind::Sweep || phase.serializable) return;
    own_few_ = names_one(phase.guard, phase.variable);
    if (phase.guard) look(phase.guard, nullptr);
    look(phase.body, phase.variable, nullptr);
  }
  std::vector<Question> all;

 private:
  void look(std::vector<StmtPtr>& body, const std::string& variable, const Ends* ends) {
    for (const StmtPtr& stmt : body) {
      if (stmt->kind == StmtKind::Send) continue;
      const bool edges = stmt->kind == StmtKind::UpdateEdges;
      const Ends own = {variable, stmt->neighbour, ir::EdgeDirection::Out,
                        edges && few(stmt->value, variable, stmt->neighbour)};
      const Ends* const inside = edges ? &own : ends;
      if (stmt->value) look(stmt->value, inside);
      look(stmt->body, variable, inside);
      look(stmt->otherwise, variable, inside);
    }
  }
  bool few(const ExprPtr& condition, const std::string& one, const std::string& other) const {
    return own_few_ || names_one(condition, one) || names_one(condition, other);
  }

  void look(ExprPtr& expr, const Ends* ends) {
    if (ends != nullptr && is_question(*expr, *ends)) {
      all.push_back({&expr, *ends});
      return;
    }
    // No edge is at hand at a common neighbour.
    if (expr->op == Op::ReduceCommon) return;
    const bool reduces = expr->op == Op::ReduceNeighbours;
    Ends own;
    if (reduces)
      own = {expr->vertex, expr->symbol, expr->direction,
             expr->operands.size() > 1 && few(expr->operands[1], expr->vertex, expr->symbol)};
    own.is_one_of_few = own.is_one_of_few || own_few_ || (ends != nullptr && ends->is_one_of_few);
    for (ExprPtr& operand : expr->operands)
      if (operand) look(operand, reduces ? &own : ends);
  }
  static bool is_question(const Expr& expr, const Ends& ends) {
    if (expr.op != Op::ReduceCommon) return is_common_of(expr, ends.from, ends.to);
    return is_common_of(*expr.operands[2], ends.from, ends.to) && problem_of_weight(expr).empty() &&
           expr.type.is_scalar();
  }

  bool own_few_ = false;  ///< the update is for one vertex
};

/// A question with names of its own for the ends and the common neighbour.
ExprPtr in_general(const Question& question, const std::string& from, const std::string& to) {
  ExprPtr made = (*question.place)->clone();
  const bool sums = made->op == Op::ReduceCommon;
  const std::string shared = made->symbol;
  if (sums) {
    made->symbol = "x";
    ir::walk(*made, [&](Expr& node) {
      if (node.vertex == shared) node.vertex = "x";
    });
  }
  Expr& set = sums ? *made->operands[2] : *made;
  set.operands[0]->vertex = from;
  set.operands[1]->vertex = to;
  return made;
}

/// A value of every edge, and who reads it.
struct Number {
  ExprPtr value;
  std::string state;
  std::set<std::string> readers;

  /// Whether it may be another one whenever it is read.
  bool changes() const {
    return has_node(*value, [](const Expr& e) {
      return e.op == Op::State || e.op == Op::HostVariable || e.op == Op::ExternCall ||
             e.op == Op::Random;
    });
  }
  bool is_count() const { return value->op == Op::CommonNeighbours; }
};

bool runs_one(const Stmt& stmt, const std::set<std::string>& phases) {
  const auto inside = [&](const StmtPtr& other) { return runs_one(*other, phases); };
  return (stmt.kind == StmtKind::Phase && phases.contains(stmt.symbol)) ||
         std::ranges::any_of(stmt.body, inside) || std::ranges::any_of(stmt.otherwise, inside);
}

/// Puts `run` before all that runs one of the phases, outside of loops; in a branch where all of
/// them stand there.
void run_first(std::vector<StmtPtr>& body, const std::set<std::string>& phases, StmtPtr run) {
  const auto asks = [&](const StmtPtr& stmt) { return runs_one(*stmt, phases); };
  const auto first = std::ranges::find_if(body, asks);
  if (first == body.end()) return;
  Stmt& stmt = **first;
  const bool alone = std::none_of(first + 1, body.end(), asks);
  if (stmt.kind == StmtKind::If && alone)
    for (auto [branch, other] :
         {std::pair(&stmt.body, &stmt.otherwise), std::pair(&stmt.otherwise, &stmt.body)})
      if (std::ranges::none_of(*other, asks)) return run_first(*branch, phases, std::move(run));
  body.insert(first, std::move(run));
}

class Numbering {
 public:
  Numbering(ir::Program& program, PassContext& context) : program_(program), context_(context) {}

  void run() {
    std::vector<std::string> sums;
    for (ir::Phase& phase : program_.phases) {
      const bool is_sum = problem_of_common_sum(phase).empty();
      if (is_sum && !is_pinned(phase, kByEdge))
        sums.push_back(phase.name);
      else
        consider(phase);
    }
    // Where there are numbers of all edges, sums of them are read, too.
    if (!numbers_.empty())
      for (const std::string& name : sums) consider(*program_.phases.find(name), true);
    for (Number& number : numbers_) add(number);
  }

 private:
  bool is_pinned(const ir::Phase& phase, const std::string& value) const {
    const Pin* const pin = context_.schedule.find(phase.name, kKey);
    return pin != nullptr && pin->value == value;
  }

  /// `known`: only what is there anyway is read.
  void consider(ir::Phase& phase, bool known = false) {
    if (kept_number(phase) != nullptr) return refuse_pin(phase, "it keeps such a number itself");
    const Questions questions(phase);
    if (questions.all.empty())
      return refuse_pin(phase, "it asks nothing of the neighbours that the ends of an edge share");
    const std::string problem = problem_of(phase, questions);
    if (!problem.empty()) {
      if (!is_pinned(phase, "lists")) refuse_pin(phase, problem);
      phase.facts.push_back({kKey, "lists", problem});
      return;
    }
    bool reads = false;
    for (const Question& question : questions.all)
      if (is_read(question)) reads |= read_number(phase, question, known);
    if (reads)
      phase.facts.push_back({kKey, kByEdge,
                             "what the ends of an edge share is found for all edges at once, and "
                             "read here; --schedule " +
                                 phase.name + ".common=lists compares lists"});
  }

  std::string problem_of(const ir::Phase& phase, const Questions& questions) const {
    if (is_pinned(phase, "lists")) return "pinned";
    if (std::ranges::all_of(questions.all,
                            [](const Question& each) { return each.ends.is_one_of_few; }))
      return "a condition names the vertex whose edges are looked at";
    if (std::ranges::none_of(questions.all, [&](const Question& each) { return is_read(each); }))
      return "it looks at edges that lead to the vertex, and the program does not require "
             "'symmetric'";
    return "";
  }
  /// An entry of the out-lists is at hand, or the other one of the same edge stands for it.
  bool is_read(const Question& question) const {
    return !question.ends.is_one_of_few && (question.ends.direction == ir::EdgeDirection::Out ||
                                            requires_it(ir::RequirementKind::Symmetric));
  }
  bool requires_it(ir::RequirementKind kind) const {
    return std::ranges::find(program_.requirements, kind, &ir::Requirement::kind) !=
           program_.requirements.end();
  }

  void refuse_pin(const ir::Phase& phase, const std::string& problem) {
    const Pin* const pin = context_.schedule.find(phase.name, kKey);
    if (pin == nullptr || pin->phase != phase.name || pin->value != kByEdge) return;
    context_.diagnostics.report(diag::IllegalSchedule, pin->range,
                                std::string(kKey) + "=" + kByEdge, "phase " + quoted(phase.name),
                                problem);
  }

  bool read_number(const ir::Phase& phase, const Question& question, bool known) {
    ExprPtr value = in_general(question, "u", "v");
    auto number = std::ranges::find_if(
        numbers_, [&](const Number& each) { return ir::same(*each.value, *value); });
    if (number == numbers_.end()) {
      if (known) return false;
      numbers_.push_back({std::move(value), unused_name(program_, "common"), {}});
      number = numbers_.end() - 1;
      declare(*number);
    }
    number->readers.insert(phase.name);
    ExprPtr& place = *question.place;
    ExprPtr read = leaf(Op::EdgeAttribute, kind_of(*number), place->location);
    read->symbol = number->state;
    place = read->type == place->type ? std::move(read)
                                      : operation(Op::Cast, place->type, std::move(read));
    return true;
  }
  // No list has more vertices.
  static ir::ScalarKind kind_of(const Number& number) {
    return number.is_count() ? ir::ScalarKind::Int32 : number.value->type.scalar();
  }

  void declare(const Number& number) {
    const ir::ScalarKind kind = kind_of(number);
    ExprPtr zero = leaf(Op::Literal, kind);
    if (ir::is_float(kind))
      zero->value = 0.0;
    else if (ir::is_unsigned_integer(kind))
      zero->value = std::uint64_t{0};
    else
      zero->value = std::int64_t{0};
    program_.edge_states.push_back({number.state, kind, std::move(zero), number.value->location});
  }

  void add(Number& number) {
    const ir::ScalarKind kind = kind_of(number);
    const ir::Location at = number.value->location;
    auto kept = std::make_unique<Stmt>();
    kept->kind = StmtKind::AssignEdge;
    kept->symbol = number.state;
    kept->location = at;
    const bool changes = number.changes();
    kept->value = number.value->type == ir::Type(kind)
                      ? std::move(number.value)
                      : operation(Op::Cast, kind, std::move(number.value));
    auto edges = std::make_unique<Stmt>();
    edges->kind = StmtKind::UpdateEdges;
    edges->neighbour = "v";
    edges->value = ir::boolean(true);
    edges->apart = !requires_it(ir::RequirementKind::Symmetric) ||
                   !requires_it(ir::RequirementKind::NoDuplicates);
    edges->location = at;
    edges->body.push_back(std::move(kept));
    std::vector<StmtPtr> body;
    body.push_back(std::move(edges));
    const std::string phase =
        add_sweep(program_, number.state + "_of_edges", "u", nullptr, std::move(body), at);
    run(number, phase, changes);
  }

  void run(const Number& number, const std::string& phase, bool changes) {
    StmtPtr stmt = run_of(phase);
    if (!changes) return run_first(program_.body, number.readers, std::move(stmt));
    for (const std::string& reader : number.readers)
      run_beside(program_.body, reader, *stmt, false);
  }

  ir::Program& program_;
  PassContext& context_;
  std::vector<Number> numbers_;
};

}  // namespace

void number_edges(ir::Program& program, PassContext& context) { Numbering(program, context).run(); }

}  // namespace vertigo::compiler::passes
