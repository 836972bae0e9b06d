#include "compiler/passes/program/LaterWrites.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Nodes.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

StmtPtr statement(SymbolicSend& send) {
  StmtPtr made = send.stmt->clone();
  made->value = std::move(send.value);
  made->condition = std::move(send.filter);
  if (!made->condition && !has_node(*made->value, [&](const Expr& e) {
        return !e.vertex.empty() && e.vertex == made->neighbour;
      }))
    made->neighbour.clear();
  if (!send.condition) return made;
  auto branch = std::make_unique<Stmt>();
  branch->kind = StmtKind::If;
  branch->location = made->location;
  branch->value = std::move(send.condition);
  branch->body.push_back(std::move(made));
  return branch;
}

class Rewriter {
 public:
  Rewriter(ir::Program& program, ir::Phase& phase, PlainSearch& search)
      : program_(program),
        phase_(phase),
        search_(search),
        name_(phase.name),
        variable_(phase.variable),
        location_(phase.location),
        asked_(phase.guard->location) {}

  void run(bool runs_once) {
    const bool begins_anew = search_.target.empty();
    if (begins_anew) declare_state();
    take_search();
    // Adding phases moves this one.
    if (begins_anew && !runs_once) {
      std::vector<StmtPtr> reset;
      reset.push_back(assignment(search_.target, search_.before->clone(), asked_));
      run_beside(program_.body, name_, *run_of(sweep("_begins", nullptr, std::move(reset))), false);
    }
    if (search_.later.empty()) return;
    ExprPtr reached = folded_expr(*comparison(Op::NotEqual, *taken(asked_), *search_.before));
    run_beside(program_.body, name_, *run_of(sweep("_writes", std::move(reached), later())), true);
  }

 private:
  void declare_state() {
    const ir::Message& message = *search_.message;
    search_.target = unused_name(program_, message.name + "_taken");
    program_.states.push_back(
        {search_.target, message.type, search_.before->clone(), false, message.location});
  }

  void take_search() {
    const ExprPtr inbox = inbox_of(*search_.message, asked_);
    if (!search_.guard || !reads_target(*search_.guard))
      search_.guard =
          ir::both(comparison(Op::Less, *inbox, *taken(asked_)), std::move(search_.guard));
    phase_.guard = std::move(search_.guard);
    std::vector<StmtPtr> body;
    body.push_back(assignment(search_.target, inbox->clone(), asked_));
    for (SymbolicSend& send : search_.sends) body.push_back(statement(send));
    phase_.body = std::move(body);
  }

  /// The value that a vertex ends with is the inbox that it took last.
  std::vector<StmtPtr> later() const {
    std::vector<StmtPtr> made;
    for (const auto& [name, value] : search_.later)
      made.push_back(assignment(name,
                                replaced(*value,
                                         [&](const Expr& e) -> ExprPtr {
                                           return is_inbox(e, search_.message->name)
                                                      ? taken(e.location)
                                                      : nullptr;
                                         }),
                                location_));
    return made;
  }
  std::string sweep(const char* suffix, ExprPtr guard, std::vector<StmtPtr> body) {
    return add_sweep(program_, name_ + suffix, variable_, std::move(guard), std::move(body),
                     location_);
  }

  ExprPtr taken(ir::Location at) const {
    return state_of(*program_.find_state(search_.target), variable_, at);
  }
  bool reads_target(const Expr& guard) const {
    return has_node(guard,
                    [&](const Expr& e) { return e.op == Op::State && e.symbol == search_.target; });
  }

  ir::Program& program_;
  ir::Phase& phase_;
  PlainSearch& search_;
  std::string name_, variable_;
  ir::Location location_, asked_;  ///< of the phase, and of its guard
};

}  // namespace

void take_plain_search(ir::Program& program, const SearchFacts& facts, std::size_t which,
                       PlainSearch search) {
  ir::Phase& phase = program.phases[which];
  Rewriter(program, phase, search).run(facts.uses.runs_once(phase.name));
}

bool write_later(ir::Program& program, const SearchFacts& facts, std::size_t which) {
  std::optional<PlainSearch> search = find_plain_search(program, facts, program.phases[which]);
  if (search) take_plain_search(program, facts, which, std::move(*search));
  return search.has_value();
}

}  // namespace vertigo::compiler::passes
