#include "compiler/passes/toplan/engines/Predecessors.h"

#include <utility>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/InferAlgebra.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/SendSites.h"
#include "compiler/passes/toplan/engines/Beginning.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

ExprPtr clone(const ExprPtr& expr) { return expr ? expr->clone() : nullptr; }

ir::Type first_of(const ir::Type& type) { return type.elements.front(); }

/// The first element of an expression whose value is a pair.
ExprPtr first_of(const Expr& pair) {
  if (pair.op == Op::MakeTuple) return pair.operands.front()->clone();
  auto made = std::make_unique<Expr>();
  made->op = Op::TupleElement;
  made->type = first_of(pair.type);
  made->location = pair.location;
  made->operands.push_back(pair.clone());
  return made;
}

class Projection {
 public:
  Projection(const plan::Plan& plan, const ir::Phase& phase)
      : plan_(plan), phase_(phase), analysis_(analyse(plan, phase, true)) {}

  FirstElements run() {
    FirstElements made;
    made.problem = problem_of_phase(made);
    if (made.problem.empty()) made.problem = problem_of_starts();
    if (made.problem.empty()) made.problem = take_send(made);
    if (!made.problem.empty()) return made;
    for (const plan::Decision& decision : plan_.decisions) made.plan.decisions.push_back(decision);
    build_program(*made.initial, made.plan.program);
    passes::infer_algebra(made.plan.program);
    made.plan.uses = ir::Uses(made.plan.program);
    made.plan.beginnings = ir::Beginnings(made.plan.program);
    return made;
  }

 private:
  const ir::Message& message() const { return *plan_.program.find_message(analysis_.message); }
  const ir::State& state() const { return *plan_.program.find_state(analysis_.state); }

  std::string problem_of_phase(FirstElements& made) const {
    std::string problem = problem_of_improvement(plan_, phase_);
    if (problem.empty()) problem = problem_of_assignment(analysis_);
    if (!problem.empty()) return problem;
    if (message().type.elements.size() != 2 || !(message().type == state().type))
      return "the message is a tuple of more than two elements";
    problem = problem_of_inboxes(plan_, phase_, message().name);
    if (problem.empty()) problem = problem_of_states(plan_, phase_, state().name);
    if (!problem.empty()) return problem;
    made.initial = known_state(plan_, phase_, state().name);
    if (made.initial->op != Op::MakeTuple || message().identity->op != Op::MakeTuple)
      return "'" + state().name + "' does not begin with a pair that the text spells out";
    return "";
  }

  bool reads_pair(const Expr& expr) const {
    bool found = false;
    ir::walk(expr, [&](const Expr& e) {
      found = found || (e.op == Op::State && e.symbol == analysis_.state) || e.op == Op::Inbox;
    });
    return found;
  }

  std::string problem_of_starts() const {
    bool reads = false;
    for (const ir::Start& start : phase_.starts) {
      for (const ExprPtr* expr : {&start.vertex, &start.condition})
        reads = reads || (*expr && reads_pair(**expr));
      for_each_stmt(start.body, [&](const ir::Stmt& stmt) {
        reads = reads || (stmt.value && reads_pair(*stmt.value));
      });
    }
    return reads ? "a start reads '" + analysis_.state + "'" : "";
  }

  std::string take_send(FirstElements& made) {
    std::string why_not;
    std::vector<SendSite> sites = send_sites_from_states(analysis_, why_not);
    if (!why_not.empty()) return why_not;
    if (sites.size() != 1) return "the phase does not send exactly once";
    SendSite& site = sites.front();
    if (site.condition || site.filter) return "the message is sent under a condition";
    send_ = site.send;
    if (site.value->op != Op::MakeTuple)
      return "the second element of what is sent, " + quoted(*site.value) +
             ", depends on what arrived";
    value_ = values_only(*site.value->operands[0]);
    if (!value_)
      return "the first element of what is sent, " + quoted(*site.value->operands[0]) +
             ", depends on the second of what arrived";
    made.witness = std::move(site.value->operands[1]);
    return problem_of_witness(*made.witness);
  }

  /// The expression over the first element of the state, which is the inbox; null where it reads
  /// more of it.
  ExprPtr values_only(const Expr& expr) const {
    if (expr.op == Op::TupleElement) {
      const Expr& tuple = *expr.operands[0];
      if (tuple.op == Op::MakeTuple) return values_only(*tuple.operands[expr.index]);
      if (is_own_state(tuple)) {
        if (expr.index != 0) return nullptr;
        auto inbox = std::make_unique<Expr>();
        inbox->op = Op::Inbox;
        inbox->type = expr.type;
        inbox->location = expr.location;
        inbox->symbol = analysis_.message;
        return inbox;
      }
    }
    if (expr.op == Op::State && expr.symbol == analysis_.state) return nullptr;
    ExprPtr copy = expr.clone();
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      if (!expr.operands[i]) continue;
      copy->operands[i] = values_only(*expr.operands[i]);
      if (!copy->operands[i]) return nullptr;
    }
    return copy;
  }

  bool is_own_state(const Expr& e) const {
    return ir::is_state_of(e, phase_.variable, analysis_.state);
  }

  std::string problem_of_witness(const Expr& witness) const {
    const Expr* foreign = nullptr;
    bool arrived = false;
    bool weighted = false;
    ir::walk(witness, [&](const Expr& e) {
      arrived = arrived || (e.op == Op::State && analysis_.written.contains(e.symbol));
      weighted = weighted || e.op == Op::EdgeAttribute;
      if (!is_of_sender(e)) foreign = &e;
    });
    const std::string second = "the second element of what is sent, " + quoted(witness) + ", ";
    if (arrived) return second + "depends on what arrived";
    if (foreign != nullptr) return second + "reads " + quoted(*foreign);
    if (weighted && send_->direction != ir::EdgeDirection::Out)
      return second + "depends on the edge, and the message is not sent to out-neighbours alone";
    return "";
  }

  /// The same whenever the sender is active, and whoever receives it.
  bool is_of_sender(const Expr& e) const {
    switch (e.op) {
      case Op::State:
      case Op::BoundVertex:
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
        return e.vertex == phase_.variable;
      case Op::Local:
      case Op::Inbox:
      case Op::Step:
      case Op::Call:
      case Op::ExternCall:
      case Op::Random:
      case Op::CommonNeighbours:
      case Op::ReduceNeighbours:
      case Op::ReduceVertices:
      case Op::Load:
      case Op::TestBit:
        return false;
      default:
        return true;
    }
  }

  void build_program(const Expr& initial, ir::Program& made) {
    const ir::Program& program = plan_.program;
    made.name = program.name;
    made.source_file = program.source_file;
    for (const ir::Parameter& each : program.parameters)
      made.parameters.push_back(
          {each.name, each.kind, each.is_list, clone(each.initial), each.location});
    if (program.edge)
      made.edge = ir::EdgeAttribute{program.edge->name, program.edge->kind,
                                    clone(program.edge->initial), program.edge->location};
    for (const ir::State& each : program.states) {
      const bool is_pair = each.name == analysis_.state;
      made.states.push_back({each.name, is_pair ? first_of(each.type) : each.type,
                             is_pair ? first_of(initial) : clone(each.initial), each.is_input,
                             each.location});
    }
    made.messages.push_back({message().name, first_of(message().type), message().combine, "",
                             first_of(*message().identity), message().keep, message().location});
    for (const ir::Function& each : program.functions)
      made.functions.push_back(
          {each.name, each.parameters, each.result, clone(each.body), each.header, each.location});
    made.requirements = program.requirements;
    made.phases.push_back(build_phase());
    auto run = std::make_unique<ir::Stmt>();
    run->kind = ir::StmtKind::Phase;
    run->symbol = phase_.name;
    made.body.push_back(std::move(run));
  }

  ir::Phase build_phase() {
    ir::Phase made;
    made.name = phase_.name;
    made.kind = phase_.kind;
    made.variable = phase_.variable;
    made.location = phase_.location;
    for (const ir::Start& each : phase_.starts) {
      ir::Start& start = made.starts.emplace_back();
      start.set = each.set;
      start.vertex = clone(each.vertex);
      start.list = each.list;
      start.condition = clone(each.condition);
      start.variable = each.variable;
      start.location = each.location;
      for (const ir::StmtPtr& stmt : each.body) start.body.push_back(start_statement(*stmt));
    }
    const ir::Type type = first_of(message().type);
    const auto read = [&](Op op, const std::string& symbol) {
      auto expr = std::make_unique<Expr>();
      expr->op = op;
      expr->type = type;
      expr->symbol = symbol;
      if (op == Op::State) expr->vertex = phase_.variable;
      return expr;
    };
    made.guard = holds(message().combine == ir::Combine::Min ? Op::Less : Op::Greater,
                       read(Op::Inbox, message().name), read(Op::State, state().name));
    made.guard->location = phase_.guard->location;
    auto assign = std::make_unique<ir::Stmt>();
    assign->kind = ir::StmtKind::AssignState;
    assign->symbol = state().name;
    assign->value = read(Op::Inbox, message().name);
    made.body.push_back(std::move(assign));
    made.body.push_back(send_->clone());
    made.body.back()->value = std::move(value_);
    return made;
  }

  static ir::StmtPtr start_statement(const ir::Stmt& stmt) {
    ir::StmtPtr made = stmt.clone();
    if (made->kind == ir::StmtKind::AssignInbox) made->value = first_of(*stmt.value);
    for (ir::StmtPtr& inner : made->body) inner = start_statement(*inner);
    for (ir::StmtPtr& inner : made->otherwise) inner = start_statement(*inner);
    return made;
  }

  const plan::Plan& plan_;
  const ir::Phase& phase_;
  PhaseAnalysis analysis_;
  const ir::Stmt* send_ = nullptr;
  ExprPtr value_;
};

plan::Operator initial_operator(const ir::State& state, const Expr& value) {
  plan::Operator made;
  made.name = "initial";
  made.type = state.type;
  made.value = value.clone();
  made.location = state.location;
  return made;
}

plan::Operator witness_operator(PhaseKernels& pairs, const Expr& witness) {
  const ir::Program& program = pairs.context().program();
  const std::string& sender = pairs.phase().variable;
  plan::Operator made;
  made.name = witness.op == Op::BoundVertex ? "predecessor" : "witness";
  made.location = witness.location;
  made.type = witness.type;
  LocalNames names(pairs.context());
  const std::string v = names.fresh(sender);
  made.parameters.push_back({v, ir::Type(ir::ScalarKind::Vertex)});
  if (mentions(witness, Op::EdgeAttribute))
    made.parameters.push_back({program.edge->name, ir::Type(program.edge->kind)});
  Bindings bound;
  bound.own = v;
  bound.vertices[sender] = v;
  ExprLowering lowering(pairs.context(), names, std::move(bound));
  plan::Block none;
  made.value = lowering.lower(witness, none);
  return made;
}

}  // namespace

bool sends_pairs(const plan::Plan& plan, const ir::Phase& phase) {
  const ir::Message* const message = plan.program.find_message(analyse(plan, phase, true).message);
  return message != nullptr && message->type.is_tuple();
}

FirstElements first_elements(const plan::Plan& plan, const ir::Phase& phase) {
  return Projection(plan, phase).run();
}

Judgement judge_first_elements(const plan::Plan& plan, const ir::Phase& phase,
                               Judgement (*judge)(const plan::Plan&, const ir::Phase&)) {
  const FirstElements first = first_elements(plan, phase);
  if (!first.problem.empty()) return {false, first.problem};
  Judgement judgement = judge(first.plan, first.phase());
  if (judgement.legal)
    judgement.reason += "; that is the first element, found alone. The second, " +
                        quoted(*first.witness) +
                        ", depends on the sender alone, so it is looked up afterwards: the best "
                        "one among the in-neighbours whose message has the value that was found";
  return judgement;
}

FirstElementKernels::FirstElementKernels(PhaseKernels& pairs)
    : first_(first_elements(pairs.context().plan(), pairs.phase())),
      context_(first_.plan),
      analysis_(analyse(first_.plan, first_.phase(), true)),
      kernels_(context_, analysis_, plan::Balance::Thread, false) {}

void FirstElementKernels::add_operators(PhaseKernels& pairs, plan::Engine& engine) const {
  engine.constants.push_back({"sends_pairs", true});
  engine.constants.push_back({"witness_is_sender", first_.witness->op == Op::BoundVertex});
  engine.constants.push_back({"witness_reads_edge", mentions(*first_.witness, Op::EdgeAttribute)});
  engine.operators.push_back(initial_operator(
      *pairs.context().program().find_state(pairs.analysis().state), *first_.initial));
  engine.operators.push_back(witness_operator(pairs, *first_.witness));
}

}  // namespace vertigo::compiler::toplan
