#include "compiler/passes/toplan/SenderValues.h"

#include <algorithm>
#include <functional>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;

namespace {

const Expr* part(const Expr& reduction, std::size_t which) {
  return which < reduction.operands.size() ? reduction.operands[which].get() : nullptr;
}

bool is_degree(Op op) { return op == Op::OutDegree || op == Op::InDegree || op == Op::Degree; }

/// More than a few instructions: once an edge they cost as much as the edge.
bool is_slow(Op op) {
  return op == Op::Divide || op == Op::Modulo || op == Op::Sqrt || op == Op::Exp || op == Op::Log ||
         op == Op::Call || op == Op::ExternCall || op == Op::Random || op == Op::ReduceNeighbours;
}

/// What an expression reads, seen from one neighbour.
class Reads {
 public:
  explicit Reads(std::string neighbour) : bound_({std::move(neighbour)}) {}

  /// The first thing that is not the neighbour's own; "" where all is.
  std::string foreign;
  bool of_neighbour = false;     ///< something is the neighbour's
  std::set<std::string> arrays;  ///< what is read at the neighbour
  bool slow = false;

  void look(const Expr& expr) {
    slow = slow || is_slow(expr.op);
    switch (expr.op) {
      case Op::State:
        note(expr.vertex, expr.vertex + "." + expr.symbol);
        return;
      case Op::BoundVertex:
        note(expr.vertex, "");
        return;
      case Op::Inbox:
        foreign = "the inbox of " + expr.symbol;
        return;
      case Op::Local:
        foreign = "'" + expr.symbol + "' of the vertex";
        return;
      case Op::EdgeAttribute:
        if (bound_.size() == 1) foreign = "the edge's " + expr.symbol;
        return;
      case Op::CommonNeighbours:
        foreign = "both ends of the edge";
        return;
      case Op::ReduceNeighbours:
        return look_inside(expr);
      default:
        if (is_degree(expr.op)) note(expr.vertex, std::string(ir::info(expr.op).spelling));
        for (const ExprPtr& operand : expr.operands)
          if (operand) look(*operand);
    }
  }

  /// Worth an array of its own: an edge saves a read or a slow operation.
  bool pays() const { return of_neighbour && (arrays.size() > 1 || slow); }
  /// Worth one if it costs no kernel and no copy.
  bool may_be_carried() const { return of_neighbour && !arrays.empty(); }

 private:
  void note(const std::string& vertex, const std::string& array) {
    if (std::ranges::find(bound_, vertex) == bound_.end()) {
      foreign = array.empty() || array.find('.') == std::string::npos ? "'" + vertex + "'" : array;
      return;
    }
    of_neighbour = true;
    if (!array.empty() && vertex == bound_.front()) arrays.insert(array);
  }

  void look_inside(const Expr& reduction) {
    if (ir::compares_values(reduction.reduction))
      foreign = "'" + std::string(ir::to_string(reduction.reduction)) + "'";
    note(reduction.vertex, "");
    bound_.push_back(reduction.symbol);
    for (const ExprPtr& operand : reduction.operands)
      if (operand) look(*operand);
    bound_.pop_back();
  }

  std::vector<std::string> bound_;
};

class Search {
 public:
  /// `plain`: an array is worth its while for one plain read, too.
  Search(const ir::Phase& phase, bool plain) : phase_(phase), plain_(plain) {}

  SenderValues run() {
    passes::for_each_read(phase_.body, [&](const Expr& expr) { find_reductions(expr); });
    if (!found_.gathers) found_.problem = "no neighbour is read";
    return std::move(found_);
  }

 private:
  void find_reductions(const Expr& expr) {
    const bool gathers = expr.op == Op::ReduceNeighbours && expr.vertex == phase_.variable;
    if (gathers) return of_reduction(expr);
    for (const ExprPtr& operand : expr.operands)
      if (operand) find_reductions(*operand);
  }

  void of_reduction(const Expr& reduction) {
    if (ir::compares_values(reduction.reduction)) return;
    const Expr* value = part(reduction, 0);
    const Expr* condition = part(reduction, 1);
    if (value == nullptr && condition == nullptr) return;
    found_.gathers = true;
    look_inside(reduction);
  }

  void look_inside(const Expr& reduction) {
    const Expr* value = part(reduction, 0);
    const Expr* condition = part(reduction, 1);
    if (value != nullptr && condition != nullptr && reduction.reduction != Reduction::Count &&
        add_whole(reduction, *value, *condition))
      return;
    for (const Expr* each : {condition, value})
      if (each != nullptr) add_parts(*each, reduction.symbol);
  }

  bool add_whole(const Expr& reduction, const Expr& value, const Expr& condition) {
    Reads reads(reduction.symbol);
    reads.look(value);
    reads.look(condition);
    if (!reads.foreign.empty() || !pays(reads)) return false;
    add(reduction, true, reduction.symbol, value.type);
    return true;
  }

  /// The largest expressions that depend on the neighbour alone.
  void add_parts(const Expr& expr, const std::string& neighbour) {
    Reads reads(neighbour);
    reads.look(expr);
    if (reads.foreign.empty()) {
      if (pays(reads)) return add(expr, false, neighbour, expr.type);
      return complain(quoted(expr) + " is one plain read, or none");
    }
    if (found_.problem.empty()) complain(quoted(expr) + " reads " + reads.foreign + ", too");
    // Along every edge, values of the vertices that its ends share are asked for again and again.
    if (expr.op == Op::ReduceCommon) return look_inside(expr);
    if (expr.op == Op::ReduceNeighbours) return;
    for (const ExprPtr& operand : expr.operands)
      if (operand) add_parts(*operand, neighbour);
  }

  void add(const Expr& expr, bool is_fold, const std::string& neighbour, const ir::Type& type) {
    SenderValue value{&expr, is_fold, neighbour, type, ""};
    ir::walk(expr, [&](const Expr& e) {
      if (value.state.empty() && ir::is_state_of(e, neighbour)) value.state = e.symbol;
    });
    found_.values.push_back(std::move(value));
  }

  bool pays(const Reads& reads) const { return reads.pays() || (plain_ && reads.may_be_carried()); }

  void complain(const std::string& problem) {
    if (found_.problem.empty()) found_.problem = problem;
  }

  const ir::Phase& phase_;
  bool plain_;
  SenderValues found_;
};

void rename(Expr& expr, const std::string& from, const std::string& to) {
  ir::walk(expr, [&](Expr& e) {
    if (e.vertex == from) e.vertex = to;
    if (e.op == Op::ReduceNeighbours && e.symbol == from) e.symbol = to;
  });
}

}  // namespace

bool pulls_messages(const plan::Plan& plan, const ir::Phase& phase) {
  const plan::PhasePlan* const made = plan.find_phase(phase.name);
  if (phase.kind != ir::PhaseKind::Sweep || phase.guard || made->variants.empty()) return false;
  const plan::Variant& preferred = made->variants[made->preferred];
  return preferred.is_path() && preferred.path.direction == Direction::Pull &&
         !ir::messages_sent(phase).empty();
}

bool is_worth_storing(const Expr& expr, const std::string& neighbour) {
  Reads reads(neighbour);
  reads.look(expr);
  return reads.foreign.empty() && reads.pays();
}

SenderValues find_sender_values(const ir::Phase& phase) { return Search(phase, false).run(); }

SenderValues find_carried_values(const plan::Plan& plan, const ir::Phase& phase) {
  SenderValues all = Search(phase, true).run();
  const bool copies = std::ranges::any_of(all.values, [&](const SenderValue& value) {
    return !value.state.empty() && ir::writes(phase, value.state);
  });
  return copies && problem_of_carrying(plan, phase, all.values).empty() ? std::move(all)
                                                                        : find_sender_values(phase);
}

ExprPtr expression_of(const SenderValue& value) {
  if (!value.is_fold) return value.expr->clone();
  ExprPtr chosen = std::make_unique<Expr>();
  chosen->op = Op::Select;
  chosen->type = value.type;
  chosen->location = value.expr->location;
  chosen->operands.push_back(part(*value.expr, 1)->clone());
  chosen->operands.push_back(part(*value.expr, 0)->clone());
  chosen->operands.push_back(empty_value(value.expr->reduction, value.type));
  return chosen;
}

bool same(const SenderValue& a, const SenderValue& b) {
  const ExprPtr mine = expression_of(a);
  const ExprPtr other = expression_of(b);
  rename(*other, b.neighbour, a.neighbour);
  return ir::same(*mine, *other);
}

std::string problem_of_carrying(const plan::Plan& plan, const ir::Phase& phase,
                                const std::vector<SenderValue>& values) {
  if (plan.uses.runs_once(phase.name)) return "the update runs once";
  if (phase.guard) return "vertices that the update leaves out would not be computed anew";
  if (plan.find_phase(phase.name)->variants.size() != 1)
    return "the update may run in several ways";
  std::string problem;
  const auto look = [&](const Expr& e) {
    if (!problem.empty()) return;
    if (e.op == Op::HostVariable) problem = "'" + e.symbol + "' may change between two updates";
    if (e.op == Op::ReduceNeighbours) problem = "neighbours of the neighbour are read";
    if (e.op != Op::State) return;
    const std::string other = plan.uses.other_writer(phase.name, e.symbol);
    if (!other.empty()) problem = "phase '" + other + "' assigns " + e.symbol;
  };
  for (const SenderValue& value : values) ir::walk(*expression_of(value), look);
  return problem;
}

std::set<std::string> read_besides(const ir::Phase& phase, const std::vector<SenderValue>& values) {
  std::set<std::string> states;
  const std::function<void(const Expr&)> look = [&](const Expr& expr) {
    for (const SenderValue& value : values)
      if (value.expr == &expr) return;
    if (expr.op == Op::State && expr.vertex != phase.variable) states.insert(expr.symbol);
    for (const ExprPtr& operand : expr.operands)
      if (operand) look(*operand);
  };
  passes::for_each_read(phase, look);
  return states;
}

}  // namespace vertigo::compiler::toplan
