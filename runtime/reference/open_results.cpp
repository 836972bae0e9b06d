#include "open_results.h"

#include <set>

#include "read_verified.h"
#include "recognise.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using Statements = std::vector<ir::StmtPtr>;

/// Follows what is open through the program, by name and without order: what is open anywhere is
/// taken to be open everywhere.
class OpenNames {
 public:
  OpenNames(const ir::Program& program, const OpenSources& sources)
      : program_(program), sources_(sources) {
    for (const ir::Message& message : program.messages)
      if (sources.message(message)) messages_.insert(message.name);
  }

  OpenResults run() {
    do {
      changed_ = false;
      for (const ir::State& state : program_.states)
        if (is_open(state.initial)) add(states_, state.name);
      for (const ir::Phase& phase : program_.phases) visit(phase);
      visit_host(program_.body, false);
    } while (changed_);
    OpenResults results;
    for (const ir::Output& output : program_.outputs)
      if (states_.contains(output.state)) results.outputs.insert(output.state);
    results.reports = reports_;
    return results;
  }

 private:
  void add(std::set<std::string>& names, const std::string& name) {
    changed_ |= names.insert(name).second;
  }

  bool is_open(const ExprPtr& expr) const { return expr && is_open(*expr); }
  bool is_open(const Expr& e) const {
    if (asks_whether_sent(e)) return false;
    const bool is_state = e.op == Op::State || e.op == Op::EdgeAttribute;
    if (is_state && states_.contains(e.symbol)) return true;
    if (e.op == Op::Inbox && messages_.contains(e.symbol)) return true;
    if (e.op == Op::HostVariable && variables_.contains(e.symbol)) return true;
    if (e.op == Op::Local && locals_.contains(e.symbol)) return true;
    for (const ExprPtr& operand : e.operands)
      if (is_open(operand)) return true;
    return false;
  }

  bool asks_whether_sent(const Expr& e) const {
    if (e.op != Op::Equal && e.op != Op::NotEqual) return false;
    for (const std::size_t side : {0U, 1U}) {
      const Expr* const empty = empty_value_of(*e.operands[side]);
      if (empty != nullptr && ir::same(*empty, *e.operands[1 - side])) return true;
    }
    return false;
  }
  /// What the inbox, or a state that is assigned nothing but the inbox, holds where nothing was
  /// sent; null where it may hold that otherwise too, or whether something was sent is open.
  const Expr* empty_value_of(const Expr& e) const {
    if (controlled_.contains(e.symbol)) return nullptr;
    if (e.op == Op::Inbox) return empty_inbox(e.symbol);
    if (e.op != Op::State) return nullptr;
    const Expr* empty = nullptr;
    bool alone = true;
    walk_program(
        program_,
        [&](const Stmt& s) {
          if (s.kind != StmtKind::AssignState || s.symbol != e.symbol) return;
          const Expr* const taken =
              s.value->op == Op::Inbox ? empty_inbox(s.value->symbol) : nullptr;
          alone = alone && taken != nullptr && (empty == nullptr || ir::same(*empty, *taken));
          empty = taken;
        },
        [](const Expr&) {});
    const ir::State* const state = program_.find_state(e.symbol);
    const bool starts_empty = empty != nullptr && ir::same(*state->initial, *empty);
    return alone && starts_empty ? empty : nullptr;
  }
  const Expr* empty_inbox(const std::string& name) const {
    const ir::Message* const message = program_.find_message(name);
    const bool is_any = message != nullptr && message->combine == ir::Combine::Any;
    return is_any && !controlled_.contains(name) ? message->identity.get() : nullptr;
  }

  void visit(const ir::Phase& phase) {
    const bool open = sources_.phase(phase);
    const bool controlled = phases_.contains(phase.name) || is_open(phase.guard);
    for (const ir::Start& start : phase.starts)
      visit(start.body, controlled || is_open(start.vertex) || is_open(start.condition));
    visit(phase.body, controlled);
    if (!open) return;
    for (const std::string& state : states_written(phase.body)) add(states_, state);
  }

  void visit(const Statements& statements, bool controlled) {
    for (const ir::StmtPtr& each : statements) {
      const Stmt& s = *each;
      const bool open =
          controlled || is_open(s.value) || is_open(s.condition) || is_open(s.receiver);
      switch (s.kind) {
        case StmtKind::Let:
          if (is_open(s.value)) add(locals_, s.symbol);
          break;
        case StmtKind::AssignState:
        case StmtKind::AssignEdge:
          if (open) add(states_, s.symbol);
          if (controlled) add(controlled_, s.symbol);
          break;
        case StmtKind::AssignInbox:
        case StmtKind::Send:
          if (open) add(messages_, s.symbol);
          if (controlled || is_open(s.condition) || is_open(s.receiver)) add(controlled_, s.symbol);
          break;
        default:
          visit(s.body, open);
          visit(s.otherwise, open);
      }
    }
  }

  void visit_host(const Statements& statements, bool controlled) {
    for (const ir::StmtPtr& each : statements) {
      const Stmt& s = *each;
      const bool open = controlled || is_open(s.value) || is_open(s.limit);
      if (s.kind == StmtKind::Phase && controlled) add(phases_, s.symbol);
      if (s.kind == StmtKind::Report && open) add(reports_, s.symbol);
      const bool binds =
          s.kind == StmtKind::HostLet || s.kind == StmtKind::HostAssign || s.kind == StmtKind::For;
      if (binds && open) add(variables_, s.symbol);
      visit_host(s.body, open);
      visit_host(s.otherwise, open);
    }
  }

  const ir::Program& program_;
  const OpenSources& sources_;
  std::set<std::string> states_, messages_, variables_, locals_, reports_;
  std::set<std::string> phases_;      ///< whether they run is open
  std::set<std::string> controlled_;  ///< states and messages: whether they are written is open
  bool changed_ = false;
};

}  // namespace

bool keeps_back(const ir::Program& program, const ir::Phase& phase) {
  if (phase.algebra) {
    const ir::Algebra& algebra = *phase.algebra;
    const bool exact =
        algebra.accumulated && algebra.accumulated->difference.value == ir::Difference::Rounding;
    return algebra.form == ir::Form::Accumulation && !exact;
  }
  const auto linear = recognise_linear(program, phase);
  return linear && !(linear->tolerance->op == Op::Literal &&
                     linear->tolerance->value == ir::LiteralValue{0.0});
}

OpenSources open_sources(const ir::Program& program) {
  return {.message = [](const ir::Message& m) { return m.combine == ir::Combine::Any; },
          .phase = [&program](const ir::Phase& p) { return keeps_back(program, p); }};
}

OpenResults results_open_by(const ir::Program& program, const OpenSources& sources) {
  return OpenNames(program, sources).run();
}

OpenResults open_results(std::string_view program_ir) {
  const ir::Program program = read_verified(program_ir);
  return results_open_by(program, open_sources(program));
}

}  // namespace vertigo::reference
