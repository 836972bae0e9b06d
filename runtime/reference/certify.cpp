#include "certify.h"

#include <algorithm>
#include <cmath>

#include "arithmetic.h"
#include "compiler/ir/program/Tolerance.h"
#include "vertigo/core/agreement.h"
#include "vertigo/core/error.h"
#include "vertigo/core/number_text.h"

namespace vertigo::reference {

void Failures::add(Vertex v, std::string message, double severity) {
  const std::lock_guard lock(mutex_);
  ++total_;
  kept_.emplace_back(-severity, v, std::move(message));
  std::sort(kept_.begin(), kept_.end());
  if (kept_.size() > kKept) kept_.pop_back();
}

void Failures::move_to(CheckReport& report) {
  if (total_ == 0) return;
  report.passed = false;
  for (auto& [severity, vertex, message] : kept_) report.failures.push_back(std::move(message));
  if (total_ > kept_.size())
    report.failures.push_back("and " + std::to_string(total_ - kept_.size()) + " more");
  kept_.clear();
  total_ = 0;
}

std::vector<ColumnRef> columns_of(const std::vector<Column>& columns, const ir::State& state,
                                  Vertex vertex_count) {
  std::vector<ColumnRef> found;
  for (std::size_t i = 0; i < state.type.elements.size(); ++i) {
    const std::string name =
        state.type.is_tuple() ? state.name + "." + std::to_string(i) : state.name;
    for (const Column& column : columns) {
      if (column.name != name || column.kind != state.type.elements[i] ||
          column.size() != vertex_count)
        continue;
      // Bound as a state, but no code of a check stores to it.
      found.push_back({const_cast<std::byte*>(column.bytes.data()), column.kind});
      break;
    }
  }
  return found;
}

BoundResult::BoundResult(Context& context, const host::RunResult& result,
                         const std::string& certified)
    : initial_(context) {
  for (const ir::State& state : context.program.states) {
    std::vector<ColumnRef> after = columns_of(result.states, state, context.vertex_count());
    if (after.size() != state.type.elements.size()) continue;
    StateColumns& bound = context.resolver.state(state.name);
    states_[state.name] = {state.type, bound.current, after};
    if (state.name == certified) bound.current = bound.own = after;
  }
  for (const ir::Output& output : context.program.outputs)
    if (!states_.contains(output.state))
      throw Error(ExitCode::CheckFailed, "the result has no column '" + output.state +
                                             "' of its type with a value for each vertex");
}

const CheckedState* BoundResult::find(const std::string& state) const {
  const auto found = states_.find(state);
  return found == states_.end() ? nullptr : &found->second;
}

std::vector<StartValues> resolve_starts(Context& context, const PlainPhase& phase) {
  std::vector<StartValues> starts;
  Resolver& resolver = context.resolver;
  for (const PlainStart& plain : phase.starts) {
    StartValues start;
    start.source = plain.source;
    if (plain.source->set == ir::StartSet::Vertex)
      start.vertex = resolver.scalar(*plain.source->vertex);
    if (plain.source->set == ir::StartSet::List) start.list = &context.lists.at(plain.source->list);
    resolver.push_scope();
    start.vertex_slot = resolver.bind_vertex(plain.source->variable);
    start.condition = resolver.condition(plain.source->condition);
    for (const ir::ExprPtr& value : plain.values)
      start.values.push_back(resolver.resolve_as(*value, phase.message->type));
    resolver.pop_scope();
    starts.push_back(std::move(start));
  }
  context.grow_frame();
  return starts;
}

SendCode resolve_send(Context& context, const PlainPhase& phase, const PlainSend& send,
                      const ir::Expr& value, const ir::Type& type, unsigned inbox_slot) {
  Resolver& resolver = context.resolver;
  SendCode code;
  code.sides = resolver.sides(send.direction);
  code.edge_slot = resolver.new_slots(2);
  resolver.bind_inbox(phase.message->name, type, inbox_slot);
  resolver.push_scope();
  code.sender_slot = resolver.bind_vertex(phase.source->variable);
  const int outer_edge = resolver.set_edge_slot(static_cast<int>(code.edge_slot));
  code.neighbour_slot = resolver.bind_vertex(send.neighbour);
  code.value = resolver.resolve_as(value, type);
  code.condition = resolver.condition(send.condition);
  resolver.set_edge_slot(outer_edge);
  resolver.pop_scope();
  context.grow_frame();
  return code;
}

bool same_value(ScalarKind kind, Word a, Word b) {
  return with_type(kind, [&]<class T>() {
    const T x = from_word<T>(a), y = from_word<T>(b);
    return x == y || (x != x && y != y);
  });
}

bool report_agrees(const ir::Program& program, const Value& expected, const Value& given) {
  double largest = 0;
  for (const ir::Output& output : program.outputs)
    largest = std::max(largest, ir::tolerance_of(program, output));
  return values_agree(expected, given, report_tolerance(largest));
}

namespace {

void bind_let(Context& context, const ir::Stmt& statement) {
  const ir::Type& type = statement.value->type;
  const std::vector<Word> words = context.evaluate_now(*statement.value, type);
  const unsigned slot = context.resolver.new_slots(words.size());
  context.grow_frame();
  std::copy(words.begin(), words.end(), context.frame.slots.begin() + slot);
  context.resolver.bind_host_variable(statement.symbol, type, slot);
}

}  // namespace

void bind_host_variables(Context& context) {
  for (const ir::StmtPtr& statement : context.program.body) {
    if (statement->kind == ir::StmtKind::Phase) return;
    bind_let(context, *statement);
  }
}

void check_reports(Context& context, const host::RunResult& result, CheckReport& report) {
  bool after_phase = false;
  std::size_t checked = 0;
  for (const ir::StmtPtr& statement : context.program.body) {
    if (statement->kind == ir::StmtKind::Phase) after_phase = true;
    if (after_phase && statement->kind == ir::StmtKind::HostLet) bind_let(context, *statement);
    if (statement->kind != ir::StmtKind::Report) continue;
    const ScalarKind kind = statement->value->type.scalar();
    const Word expected = context.evaluate_now(*statement->value, kind).front();
    const auto given = result.reports.find(statement->symbol);
    ++checked;
    const Word word = given == result.reports.end() ? 0 : word_of(given->second, kind);
    if (given != result.reports.end() &&
        report_agrees(context.program, value_of(expected, kind), given->second))
      continue;
    report.passed = false;
    report.failures.push_back(
        "report '" + statement->symbol + "' " +
        (given == result.reports.end() ? "is missing" : "is " + describe(context, kind, &word)) +
        ", but the states give " + describe(context, kind, &expected));
  }
  if (checked != 0)
    report.checked.push_back(counted(checked, "report") + (checked == 1 ? " follows" : " follow") +
                             " from the states");
}

}  // namespace vertigo::reference
