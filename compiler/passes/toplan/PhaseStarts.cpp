// How a phase begins: what is cleared, whom it starts with, who is asked for the guard between
// steps.

#include <algorithm>
#include <iterator>

#include "compiler/passes/toplan/AskReceiver.h"
#include "compiler/passes/toplan/BuildHostLevel.h"
#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::ActionKind;
using plan::Block;

std::vector<plan::Action> PhaseKernels::starts(bool list) {
  const bool everyone =
      std::any_of(phase().starts.begin(), phase().starts.end(),
                  [](const ir::Start& start) { return start.set == ir::StartSet::All; });
  std::vector<plan::Action> actions;
  if (list) {
    actions.push_back(clear(asked()));
    actions.push_back(clear(queued()));
    if (everyone) std::ranges::move(ask_everyone(), std::back_inserter(actions));
  } else {
    actions.push_back({ActionKind::RaiseFlag, changed(), ""});
    if (analysis_.asking == Asking::Pending) actions.push_back(clear(pending()));
  }
  std::size_t number = 0;
  for (const ir::Start& start : phase().starts) {
    const std::string name = "start" + (++number > 1 ? "_" + std::to_string(number) : "") +
                             (list ? "_data" : "_topology");
    plan::Kernel made = start_kernel(start, list, everyone);
    if (made.body.empty()) continue;
    actions.push_back(launch(kernel(name, [&] { return made.clone(); })));
  }
  return actions;
}

// Or everyone who is left.
std::vector<plan::Action> PhaseKernels::ask_everyone() {
  std::vector<plan::Action> actions;
  if (!keeps_list()) {
    actions.push_back({ActionKind::FillWorklist, asked(), ""});
    return actions;
  }
  actions.push_back(clear(left_next()));
  actions.push_back(launch(kernel("ask_left", [&] { return ask_left(); })));
  actions.push_back(swap(left(), left_next()));
  return actions;
}

// Nothing changes between this and the first step, which asks again. Who is not listed is asked as
// soon as a message reaches it.
plan::Kernel PhaseKernels::ask_left() {
  plan::Kernel made = frame("Asks those whose guard may still hold; the others never will again.",
                            plan::Domain::Worklist, left());
  made.location = phase().starts.front().location;
  made.balance = plan::Balance::Thread;
  LocalNames names(context_);
  made.vertex = names.fresh(made.vertex);
  Bindings bound = bindings_between_steps(made.vertex);
  bound.vertices[phase().variable] = made.vertex;
  Inboxes known;
  bound.replace = [&](const ir::Expr& e) -> ExprPtr {
    return e.op == Op::Inbox ? local(known.at(e.symbol), e.type) : nullptr;
  };
  ExprLowering lowering(context_, names, std::move(bound));
  ExprPtr lasting = lowering.lower(*domain().lasting, made.body);
  Block* block = &add(made.body, when(std::move(lasting))).body;
  add(*block, append(left_next(), made.vertex));
  if (domain().rest && is_cheap_to_ask(*domain().rest)) {
    made.comment = "Lists those whose guard may still hold, and asks those for whom it holds now.";
    for (const std::string& name : analysis_.read) {
      known[name] = names.fresh(name);
      add(*block, let(known[name], load(context_.inbox(name), message(name).type, made.vertex)));
    }
    ExprPtr rest = lowering.lower(*domain().rest, *block);
    block = &add(*block, when(std::move(rest))).body;
  }
  add(*block, append(asked(), made.vertex));
  // A controller may change to a path that looks at marks.
  if (controlled_) add(*block, set_bit(queued(), made.vertex));
  return made;
}

plan::Kernel PhaseKernels::start_kernel(const ir::Start& start, bool list, bool everyone) {
  plan::Kernel made =
      frame("Fills inboxes and asks the first vertices.", plan::Domain::AllVertices);
  made.location = start.location;
  made.balance = plan::Balance::Thread;
  if (!start.variable.empty()) made.vertex = start.variable;
  LocalNames names(context_);
  made.vertex = names.fresh(made.vertex);
  Bindings bound = bindings_between_steps(made.vertex);
  if (!start.variable.empty()) bound.vertices[start.variable] = made.vertex;
  ExprLowering lowering(context_, names, std::move(bound));
  Block* block = &made.body;
  if (start.set == ir::StartSet::Vertex) {
    made.domain = plan::Domain::OneVertex;
    made.start = lower_host(context_, *start.vertex);
  } else if (start.set == ir::StartSet::List) {
    made.domain = plan::Domain::VertexList;
    made.list = start.list;
  } else if (start.set == ir::StartSet::Where) {
    ExprPtr test = lowering.lower(*start.condition, *block);
    block = &add(*block, when(std::move(test))).body;
  }
  lower_start_body(start.body, lowering, *block, made.vertex);
  if (list && !everyone)
    add(*block, set_bit(queued(), made.vertex)).body.push_back(append(asked(), made.vertex));
  if (!list && analysis_.asking == Asking::Pending) add(*block, set_bit(pending(), made.vertex));
  if (block != &made.body && block->empty()) made.body.clear();
  return made;
}

// Every vertex of the set once, so that one thread alone touches its inbox.
void PhaseKernels::lower_start_body(const std::vector<ir::StmtPtr>& body, ExprLowering& lowering,
                                    Block& block, const std::string& own) {
  for (const ir::StmtPtr& stmt : body) {
    if (stmt->kind == ir::StmtKind::AssignInbox) {
      ExprPtr value = lowering.lower(*stmt->value, block);
      add(block, combine_into(stmt->symbol, own, std::move(value), false)).location =
          stmt->location;
    } else if (stmt->kind == ir::StmtKind::If) {
      plan::KernelStmt& branch = add(block, when(lowering.lower(*stmt->value, block)));
      branch.location = stmt->location;
      lower_start_body(stmt->body, lowering, branch.body, own);
      lower_start_body(stmt->otherwise, lowering, branch.otherwise, own);
    } else {
      lower_stmt(*stmt, lowering, block, nullptr, false);
    }
  }
}

ExprPtr PhaseKernels::some_inbox_filled(const std::map<std::string, std::string>& known) const {
  ExprPtr any;
  for (const auto& [name, holder] : known)
    any = either(std::move(any),
                 holds(Op::NotEqual, local(holder, message(name).type), identity(name)));
  return any;
}

plan::Kernel PhaseKernels::ask_guard(plan::Kernel made, const OnHold& holds) {
  const bool list = made.domain != plan::Domain::AllVertices;
  LocalNames names(context_);
  made.vertex = names.fresh(made.vertex);
  Inboxes known;
  Bindings bound = bindings_between_steps(made.vertex);
  bound.vertices[phase().variable] = made.vertex;
  bound.replace = [&](const ir::Expr& e) -> ExprPtr {
    return e.op == Op::Inbox ? local(known.at(e.symbol), e.type) : nullptr;
  };
  ExprLowering lowering(context_, names, std::move(bound));
  Block* block = &made.body;
  if (!list && analysis_.asking == Asking::Pending)
    block = &add(*block, when(test_bit(pending(), made.vertex))).body;
  for (const std::string& name : analysis_.read) {
    known[name] = names.fresh(name);
    add(*block, let(known[name], load(context_.inbox(name), message(name).type, made.vertex)));
  }
  ExprPtr test = lowering.lower(*phase().guard, *block);
  if (!list && analysis_.asking == Asking::NonEmpty)
    test = both(some_inbox_filled(known), std::move(test));
  made.balance = plan::Balance::Thread;
  holds(add(*block, when(std::move(test))).body, made.vertex, known);
  return made;
}

std::string PhaseKernels::list_asked() {
  return kernel("list_asked", [&] {
    plan::Kernel made = frame("Lists the vertices whose guard holds, for a data-driven step.",
                              plan::Domain::AllVertices);
    return ask_guard(std::move(made), [&](Block& block, const std::string& v, const Inboxes&) {
      add(block, set_bit(queued(), v)).body.push_back(append(asked(), v));
    });
  });
}

}  // namespace vertigo::compiler::toplan
