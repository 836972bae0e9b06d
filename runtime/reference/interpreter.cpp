#include "interpreter.h"

#include <chrono>
#include <mutex>
#include <set>

#include "arithmetic.h"
#include "certify.h"
#include "vertigo/core/error.h"
#include "vertigo/trace/recorder.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Trace records point to static strings, and an interpreted program is gone before the trace is
/// written.
std::string_view interned(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string> names;
  const std::lock_guard lock(mutex);
  return *names.insert(name).first;
}

}  // namespace

Interpreter::Interpreter(const ir::Program& program, const host::RunRequest& request)
    : context_(program, request),
      messages_(context_),
      states_(context_),
      pending_(context_.vertex_count(), 0) {}

host::RunResult Interpreter::run() {
  const std::vector<HostAction> actions = resolve_host(context_.program.body);
  context_.grow_frame();
  run_begin_ = now();
  run_host(actions);
  result_.timing.run = now() - run_begin_;
  result_.states = states_.take_columns();
  return std::move(result_);
}

std::vector<HostAction> Interpreter::resolve_host(const std::vector<ir::StmtPtr>& statements) {
  std::vector<HostAction> actions;
  for (const ir::StmtPtr& statement : statements)
    actions.push_back(resolve_host_statement(*statement));
  return actions;
}

HostAction Interpreter::resolve_host_statement(const ir::Stmt& statement) {
  using ir::StmtKind;
  Resolver& resolver = context_.resolver;
  HostAction action;
  action.kind = statement.kind;
  action.symbol = statement.symbol;
  action.downward = statement.downward;
  if (statement.kind == StmtKind::HostAssign) {
    const HostVariable& variable = host_variables_.at(statement.symbol);
    action.type = variable.type;
    action.slot = variable.slot;
    action.value = resolver.resolve_as(*statement.value, variable.type);
    return action;
  }
  if (statement.value) {
    action.type = statement.value->type;
    action.value = statement.kind == StmtKind::While || statement.kind == StmtKind::If
                       ? Nodes{resolver.condition(statement.value)}
                       : resolver.resolve(*statement.value);
  }
  if (statement.limit)
    action.limit = resolver.resolve_as(*statement.limit, ScalarKind::Int64).front();
  if (statement.kind == StmtKind::HostLet || statement.kind == StmtKind::For) {
    action.slot = resolver.new_slots(action.type.elements.size());
    resolver.bind_host_variable(statement.symbol, action.type, action.slot);
    host_variables_[statement.symbol] = {action.type, action.slot};
  }
  if (statement.kind == StmtKind::Phase) {
    const ir::Phase* phase = context_.program.find_phase(statement.symbol);
    if (phase == nullptr)
      throw Error(ExitCode::Other, "damaged Program IR: no phase '" + statement.symbol + "'");
    if (!phases_.contains(phase->name))
      phases_.emplace(phase->name, resolve_phase(context_, states_, messages_, *phase));
    action.phase = &phases_.at(phase->name);
  }
  action.body = resolve_host(statement.body);
  action.otherwise = resolve_host(statement.otherwise);
  return action;
}

std::int64_t Interpreter::host_integer(const Node* node, const ir::Type& type) {
  const Word word = evaluate(node, context_.frame);
  return with_type(type.scalar(),
                   [&]<class T>() { return convert<std::int64_t>(from_word<T>(word)); });
}

void Interpreter::run_for(const HostAction& action) {
  const std::int64_t first = host_integer(action.value.front(), action.type);
  const auto last = from_word<std::int64_t>(evaluate(action.limit, context_.frame));
  const std::int64_t stride = action.downward ? -1 : 1;
  if (action.downward ? first < last : first > last) return;
  for (std::int64_t i = first;; i += stride) {
    context_.frame[action.slot] =
        with_type(action.type.scalar(), [&]<class T>() { return to_word(convert<T>(i)); });
    run_host(action.body);
    if (i == last) return;
  }
}

void Interpreter::run_host(const std::vector<HostAction>& actions) {
  using ir::StmtKind;
  Frame& frame = context_.frame;
  for (const HostAction& action : actions) {
    switch (action.kind) {
      case StmtKind::HostLet:
      case StmtKind::HostAssign: {
        std::vector<Word> words;
        for (const Node* node : action.value) words.push_back(evaluate(node, frame));
        std::copy(words.begin(), words.end(), frame.slots.begin() + action.slot);
        break;
      }
      case StmtKind::Repeat: {
        const std::int64_t times = host_integer(action.value.front(), action.type);
        for (std::int64_t i = 0; i < times; ++i) run_host(action.body);
        break;
      }
      case StmtKind::For:
        run_for(action);
        break;
      case StmtKind::While:
        while (holds(action.value.front(), frame)) run_host(action.body);
        break;
      case StmtKind::If:
        run_host(holds(action.value.front(), frame) ? action.body : action.otherwise);
        break;
      case StmtKind::Phase:
        run_phase(*action.phase);
        break;
      case StmtKind::Report:
        result_.reports[action.symbol] =
            value_of(evaluate(action.value.front(), frame), action.type.scalar());
        break;
      default:
        throw Error(ExitCode::Other, "damaged Program IR: a phase's statement at host level");
    }
  }
}

void Interpreter::begin_step(const PhaseCode& phase, std::uint64_t step) {
  context_.frame[phase.step_slot] = to_word(convert<std::int32_t>(step));
  edges_before_step_ = summary_->edges;
  context_.frame.visited_edges = 0;
  step_begin_ = now();
}

void Interpreter::end_step(const PhaseCode& phase, std::uint64_t active) {
  ++summary_->steps;
  summary_->active_vertices += active;
  summary_->edges += context_.frame.visited_edges;
  if (context_.request.trace == nullptr) return;
  trace::Iteration iteration;
  iteration.phase = interned(phase.source->name);
  iteration.variant = "interpreter";
  iteration.reason = "the program is interpreted";
  iteration.step = from_word<std::uint32_t>(context_.frame[phase.step_slot]);
  iteration.active_vertices = active;
  iteration.edges = summary_->edges - edges_before_step_;
  iteration.start = step_begin_ - run_begin_;
  iteration.duration = now() - step_begin_;
  context_.request.trace->add(iteration);
}

}  // namespace vertigo::reference
