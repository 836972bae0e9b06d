#include "compiler/passes/toplan/SharedLists.h"

#include <algorithm>
#include <set>
#include <vector>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/ShrinkingDomain.h"
#include "compiler/passes/toplan/ChooseDomain.h"

namespace vertigo::compiler::toplan {

namespace {

class Renewals {
 public:
  explicit Renewals(std::map<std::string, SharedList>& lists) : lists_(lists) {}

  /// `renewed`: owners of the lists that the loop's body has renewed before.
  void look(const std::vector<ir::StmtPtr>& body, std::set<std::string> renewed) {
    for (const ir::StmtPtr& stmt : body) {
      switch (stmt->kind) {
        case ir::StmtKind::Phase:
          if (const auto list = lists_.find(stmt->symbol); list != lists_.end())
            if (renewed.insert(list->second.owner).second) list->second.renewed = true;
          break;
        case ir::StmtKind::Repeat:
        case ir::StmtKind::For:
        case ir::StmtKind::While:
          look(stmt->body, {});
          break;
        default:
          look(stmt->body, renewed);
          look(stmt->otherwise, renewed);
      }
    }
  }

 private:
  std::map<std::string, SharedList>& lists_;
};

/// Whether each reduction that loops of the host level repeat, and that is about vertices of the
/// list, asks for more than what settled vertices have. What is reduced once may look at all.
class Repeated {
 public:
  Repeated(const ir::Program& program, const ir::Phase& phase, const passes::SettledState& settled)
      : program_(program), phase_(phase), settled_(settled) {}

  bool leave_out_settled() {
    look(program_.body, false);
    return holds_;
  }

 private:
  void look(const std::vector<ir::StmtPtr>& body, bool repeated) {
    for (const ir::StmtPtr& stmt : body) {
      const bool is_loop = stmt->kind == ir::StmtKind::While ||
                           stmt->kind == ir::StmtKind::Repeat || stmt->kind == ir::StmtKind::For;
      const bool asks_each_round = repeated || stmt->kind == ir::StmtKind::While;
      if (asks_each_round && stmt->value)
        ir::walk(*stmt->value, [&](const ir::Expr& e) { ask(e); });
      look(stmt->body, repeated || is_loop);
      look(stmt->otherwise, repeated);
    }
  }
  void ask(const ir::Expr& expr) {
    const ir::Expr* const condition = asked_of(expr);
    if (condition == nullptr) return;
    if (passes::is_within(program_, *condition, expr.symbol,
                          passes::find_shrinking_domain(program_, phase_), phase_))
      holds_ =
          holds_ && passes::is_false_where_settled(program_, *condition, expr.symbol, settled_);
  }

  const ir::Program& program_;
  const ir::Phase& phase_;
  const passes::SettledState& settled_;
  bool holds_ = true;
};

/// Finds the phase of a list that settles vertices, where all others leave them alone.
void settle(const ir::Program& program, std::map<std::string, SharedList>& lists) {
  for (const ir::Phase& phase : program.phases) {
    const auto list = lists.find(phase.name);
    if (list == lists.end() || !list->second.renewed || list->second.settled) continue;
    auto settled = passes::find_settled_state(program, phase);
    if (!settled || !Repeated(program, phase, *settled).leave_out_settled()) continue;
    const std::string owner = list->second.owner;
    const bool all_leave_out = std::ranges::all_of(program.phases, [&](const ir::Phase& other) {
      const auto its = lists.find(other.name);
      if (its == lists.end() || its->second.owner != owner || other.name == phase.name) return true;
      return other.kind == ir::PhaseKind::Sweep &&
             passes::is_false_where_settled(program, *other.guard, other.variable, *settled);
    });
    if (!all_leave_out) continue;
    const auto shared = std::make_shared<const passes::SettledState>(std::move(*settled));
    for (auto& [name, its] : lists) {
      if (its.owner != owner) continue;
      its.settled = shared;
      its.settles = phase.name;
    }
  }
}

}  // namespace

const ir::Expr* asked_of(const ir::Expr& expr) {
  if (expr.op != ir::Op::ReduceVertices) return nullptr;
  if (expr.operands.size() > 1 && expr.operands[1]) return expr.operands[1].get();
  return expr.reduction == ir::Reduction::Any ? expr.operands[0].get() : nullptr;
}

std::map<std::string, SharedList> shared_lists(const plan::Plan& plan) {
  std::map<std::string, SharedList> lists;
  std::map<std::string, std::string> owners;  // by variable and condition
  for (const ir::Phase& phase : plan.program.phases) {
    if (!passes::has_listed_domain(plan, phase.name)) continue;
    const passes::ShrinkingDomain domain = passes::find_shrinking_domain(plan.program, phase);
    const std::string condition = phase.variable + ": " + ir::print(*domain.lasting);
    lists[phase.name] = {owners.try_emplace(condition, phase.name).first->second,
                         phase.kind == ir::PhaseKind::Fixpoint};
  }
  Renewals(lists).look(plan.program.body, {});
  settle(plan.program, lists);
  return lists;
}

}  // namespace vertigo::compiler::toplan
