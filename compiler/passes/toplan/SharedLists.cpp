#include "compiler/passes/toplan/SharedLists.h"

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

}  // namespace

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
  return lists;
}

}  // namespace vertigo::compiler::toplan
