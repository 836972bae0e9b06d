#include "compiler/passes/program/TellLevels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::ScalarKind;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

class Search {
 public:
  Search(ir::Program& program, const SearchFacts& facts, std::size_t which)
      : program_(program), facts_(facts), which_(which), phase_(program.phases[which]) {}

  bool run() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || !finds_message() ||
        !starts_vertices() || !sends_vertices())
      return false;
    const Combine combine = message_->combine;
    ExprPtr guard = phase_.guard->clone();
    std::vector<StmtPtr> body;
    for (const StmtPtr& stmt : phase_.body) body.push_back(stmt->clone());
    say_levels();
    std::optional<PlainSearch> search = find_plain_search(program_, facts_, phase_);
    if (search && pays(*search)) {
      take_plain_search(program_, facts_, which_, std::move(*search));
      return true;
    }
    for (ir::Start& start : phase_.starts) {
      ExprPtr& value = start.body.front()->value;
      value = std::move(value->operands[1]);
    }
    phase_.guard = std::move(guard);
    phase_.body = std::move(body);
    message_->type = ScalarKind::Vertex;
    message_->combine = combine;
    message_->identity = leaf(Op::NoVertex, ScalarKind::Vertex, message_->location);
    return false;
  }

 private:
  bool finds_message() {
    const std::set<std::string> messages = ir::messages_of(phase_);
    if (messages.size() != 1) return false;
    message_ = program_.messages.find(*messages.begin());
    return message_->type == ir::Type(ScalarKind::Vertex) && !message_->keep &&
           (message_->combine == Combine::Min || message_->combine == Combine::Any) &&
           facts_.uses.belongs_to(phase_.name, message_->name);
  }

  bool starts_vertices() const {
    return std::ranges::all_of(phase_.starts, [](const ir::Start& start) {
      if (start.body.size() != 1 || start.body.front()->kind != StmtKind::AssignInbox) return false;
      const Expr& value = *start.body.front()->value;
      // What is started is a vertex.
      return value.op == Op::BoundVertex || (start.vertex && ir::same(value, *start.vertex));
    });
  }

  bool sends_vertices() const {
    const auto update = evaluate_update(program_, phase_);
    return update && std::ranges::all_of(update->sends, [](const SymbolicSend& send) {
             return send.value->op == Op::BoundVertex || send.value->op == Op::Inbox;
           });
  }

  /// Engines that look senders up afterwards take one message along every edge, without a limit;
  /// what is passed on is searched for under conditions, too. Elsewhere a pair only costs more.
  bool pays(const PlainSearch& search) const {
    if (phase_.step_limit) return false;
    const bool passes_on = std::ranges::none_of(search.sends, [](const SymbolicSend& send) {
      return send.value->operands[1]->op == Op::BoundVertex;
    });
    return passes_on || (search.sends.size() == 1 && !search.sends.front().condition &&
                         !search.sends.front().filter && !search.guard);
  }

  // -- Rewriting

  void say_levels() {
    message_->type = ir::Type({ScalarKind::Int32, ScalarKind::Vertex});
    message_->combine = Combine::Min;
    const ir::Location at = message_->location;
    message_->identity =
        pair(infinity(ScalarKind::Int32), leaf(Op::NoVertex, ScalarKind::Vertex), at);
    phase_.guard = with_pairs(*phase_.guard);
    for (ir::Start& start : phase_.starts) {
      ExprPtr& value = start.body.front()->value;
      value = pair(int32_literal(0), std::move(value), start.location);
    }
    for_each_expr(phase_.body, [&](const Stmt& stmt, ExprPtr& expr) {
      const bool is_sent = stmt.kind == StmtKind::Send && &expr == &stmt.value;
      expr = with_pairs(*expr);
      if (!is_sent) return;
      ExprPtr level = element_of(inbox_of(*message_, stmt.location), 0);
      expr = pair(operation(Op::Add, ScalarKind::Int32, std::move(level), int32_literal(1)),
                  std::move(expr), stmt.location);
    });
  }
  ExprPtr with_pairs(const Expr& expr) const {
    return replaced(expr, [&](const Expr& e) -> ExprPtr {
      return is_inbox(e, message_->name) ? element_of(inbox_of(*message_, e.location), 1) : nullptr;
    });
  }
  ExprPtr pair(ExprPtr level, ExprPtr vertex, ir::Location at) const {
    ExprPtr made = leaf(Op::MakeTuple, message_->type, at);
    made->operands.push_back(std::move(level));
    made->operands.push_back(std::move(vertex));
    return made;
  }

  ir::Program& program_;
  const SearchFacts& facts_;
  std::size_t which_;
  ir::Phase& phase_;
  ir::Message* message_ = nullptr;
};

}  // namespace

bool tell_levels(ir::Program& program, const SearchFacts& facts, std::size_t which) {
  return Search(program, facts, which).run();
}

}  // namespace vertigo::compiler::passes
