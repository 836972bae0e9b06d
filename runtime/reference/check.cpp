#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "certify.h"
#include "compiler/ir/program/Tolerance.h"
#include "in_step.h"
#include "interpreter.h"
#include "open_results.h"
#include "vertigo/core/agreement.h"
#include "vertigo/core/error.h"
#include "vertigo/core/number_text.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

/// Whether the outputs show nothing but the certified state and states that never change, and the
/// initial values read nothing that does.
bool certificate_covers(const ir::Program& program, const std::string& certified) {
  std::set<std::string> written;
  walk_program(
      program,
      [&](const ir::Stmt& s) {
        if (s.kind == ir::StmtKind::AssignState) written.insert(s.symbol);
      },
      [](const ir::Expr&) {});
  bool covers = true;
  for (const ir::Output& output : program.outputs)
    covers &= output.state == certified || !written.contains(output.state);
  return covers;
}

void check_unchanged(const Context& context, const BoundResult& result, CheckReport& report,
                     const std::string& certified) {
  Failures failures;
  for (const ir::Output& output : context.program.outputs) {
    if (output.state == certified) continue;
    const CheckedState* state = result.find(output.state);
    for (std::size_t i = 0; i < state->after.size(); ++i)
      for (Vertex v = 0; v < context.vertex_count(); ++v)
        if (!same_value(state->after[i].kind, state->after[i].load(v), state->before[i].load(v)))
          failures.add(v, "vertex " + context.input_name(v) + ": '" + output.state +
                              "' differs from its initial value, and nothing writes it");
  }
  failures.move_to(report);
}

/// Whether the interpreter comes to the same values; its findings take the place of the report's.
bool interpreter_agrees(const ir::Program& program, const host::RunRequest& request,
                        const host::RunResult& result, CheckReport& report) {
  CheckReport compared;
  try {
    compare_with_interpreter(program, request, result, compared);
  } catch (const Error& error) {
    if (error.code() != ExitCode::NotConverged) throw;
    return false;
  }
  if (compared.passed) report = std::move(compared);
  return compared.passed;
}

/// True where a certificate applied; its findings are in the report then.
bool certify(const ir::Program& program, const host::RunRequest& request,
             const host::RunResult& result, CheckReport& report) {
  const ir::Phase* phase = only_phase(program);
  if (phase == nullptr) return false;
  const std::optional<ExtremumPhase> extremum = recognise_extremum(program, *phase);
  const std::optional<LinearPhase> linear = recognise_linear(program, *phase);
  if (!extremum && !linear) return false;
  const std::string& state = (extremum ? extremum->state : linear->state)->name;
  if (!certificate_covers(program, state)) return false;
  if (!result.converged) {
    report.passed = false;
    report.checked.push_back("whether the run reached its fixed point");
    report.failures.push_back(
        "phase '" + phase->name +
        "' was ended by its limit of steps: there is no fixed point to check");
    return true;
  }
  Context context(program, request);
  const BoundResult bound(context, result, state);
  bind_host_variables(context);
  bool unexplained = false;
  const CheckedState* const checked = bound.find(state);
  if (checked == nullptr) return false;
  const bool applied = extremum ? certify_extremum(context, bound, *extremum, report, unexplained)
                                : certify_linear(context, *checked, *linear, report);
  if (!applied) return false;
  if (unexplained && interpreter_agrees(program, request, result, report)) return true;
  check_unchanged(context, bound, report, state);
  check_reports(context, result, report);
  return true;
}

const Column* find_column(const host::RunResult& result, const std::string& name, ScalarKind kind,
                          Vertex vertex_count) {
  for (const Column& column : result.states)
    if (column.name == name && column.kind == kind && column.size() == vertex_count) return &column;
  return nullptr;
}

/// One output in both results.
class Comparison {
 public:
  Comparison(const Context& context, const ir::Output& output, const host::RunResult& result,
             const host::RunResult& reference)
      : context_(context),
        state_(*context.program.find_state(output.state)),
        tolerance_(ir::tolerance_of(context.program, output)) {
    for (std::size_t i = 0; i < state_.type.elements.size(); ++i) {
      const std::string name =
          state_.type.is_tuple() ? state_.name + "." + std::to_string(i) : state_.name;
      const ScalarKind kind = state_.type.elements[i];
      given_.push_back(find_column(result, name, kind, context.vertex_count()));
      expected_.push_back(find_column(reference, name, kind, context.vertex_count()));
      if (given_.back() == nullptr)
        throw Error(ExitCode::CheckFailed, "the result has no column '" + state_.name +
                                               "' of its type with a value for each vertex");
    }
  }

  void run(Failures& failures) {
    const auto n = static_cast<std::int64_t>(context_.vertex_count());
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const ColumnAgreement agreement(*expected_[i], *given_[i], tolerance_);
#pragma omp parallel for schedule(static) if (n > kParallelVertices)
      for (std::int64_t at = 0; at < n; ++at) {
        const auto v = static_cast<Vertex>(at);
        if (!agreement.at(v)) failures.add(v, message(v));
      }
    }
  }

 private:
  std::string message(Vertex v) const {
    const auto show = [&](const std::vector<const Column*>& columns) {
      std::vector<Word> words;
      for (const Column* column : columns)
        words.push_back(
            ColumnRef{const_cast<std::byte*>(column->bytes.data()), column->kind}.load(v));
      return describe(context_, state_.type, words.data());
    };
    return "vertex " + context_.input_name(v) + ": '" + state_.name + "' is " + show(given_) +
           ", the reference execution gives " + show(expected_);
  }

  const Context& context_;
  const ir::State& state_;
  double tolerance_;
  std::vector<const Column*> given_, expected_;
};

void compare_reports(const host::RunResult& result, const host::RunResult& reference,
                     const Context& context, const OpenResults& open, CheckReport& report) {
  for (const auto& [name, expected] : reference.reports) {
    if (open.reports.contains(name)) continue;
    const auto given = result.reports.find(name);
    if (given != result.reports.end() && report_agrees(context.program, expected, given->second))
      continue;
    const auto show = [&](const Value& value) {
      const Word word = word_of(value, expected.kind);
      return describe(context, expected.kind, &word);
    };
    report.passed = false;
    report.failures.push_back("report '" + name + "' is " +
                              (given == result.reports.end() ? "missing" : show(given->second)) +
                              ", the reference execution gives " + show(expected));
  }
  for (const auto& [name, given] : result.reports) {
    if (open.reports.contains(name) || reference.reports.contains(name)) continue;
    report.passed = false;
    report.failures.push_back("report '" + name +
                              "' has a value, the reference execution does not reach it");
  }
}

/// "'a', 'b'"
std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

/// What remains open although the interpreter follows the result, by where it comes from.
struct LeftOpen {
  OpenResults choices, thresholds;

  OpenResults all() const {
    OpenResults both = choices;
    both.outputs.insert(thresholds.outputs.begin(), thresholds.outputs.end());
    both.reports.insert(thresholds.reports.begin(), thresholds.reports.end());
    return both;
  }
};
LeftOpen left_open(const ir::Program& program, const host::RunRequest& request,
                   const Interpreter& interpreter) {
  const OpenSources all = open_sources(program);
  const auto in_step = phases_in_step(program, request);
  OpenSources choices{
      .message = [&](const ir::Message& m) { return all.message(m) && !interpreter.follows(m); },
      .phase = [](const ir::Phase&) { return false; }};
  OpenSources thresholds{.message = [](const ir::Message&) { return false; },
                         .phase =
                             [&](const ir::Phase& p) {
                               return all.phase(p) && !interpreter.follows(p) &&
                                      !in_step.contains(p.name);
                             }};
  return {results_open_by(program, choices), results_open_by(program, thresholds)};
}

/// Says of what was left out why.
void add_left_out(OpenResults open, const std::string& why, CheckReport& report) {
  open.outputs.merge(open.reports);
  if (!open.outputs.empty())
    report.checked.push_back(listed(open.outputs) + " not compared: " + why);
}

}  // namespace

void compare_with_interpreter(const ir::Program& program, const host::RunRequest& request,
                              const host::RunResult& result, CheckReport& report) {
  host::RunRequest untraced = request;
  untraced.trace = nullptr;
  Interpreter interpreter(program, untraced);
  interpreter.follow(result);
  const host::RunResult reference = interpreter.run();
  const LeftOpen left = left_open(program, untraced, interpreter);
  const OpenResults open = left.all();
  const CheckReport& followed = interpreter.followed_report();
  report.passed = report.passed && followed.passed;
  report.checked.insert(report.checked.end(), followed.checked.begin(), followed.checked.end());
  report.failures.insert(report.failures.end(), followed.failures.begin(), followed.failures.end());
  const Context context(program, untraced);
  Failures failures;
  std::set<std::string> compared;
  for (const ir::Output& output : program.outputs) {
    if (open.outputs.contains(output.state)) continue;
    Comparison(context, output, result, reference).run(failures);
    compared.insert(output.state);
  }
  failures.move_to(report);
  compare_reports(result, reference, context, open, report);
  const bool all_open =
      !open.empty() && compared.empty() && open.reports.size() == reference.reports.size();
  if (!all_open)
    report.checked.push_back((compared.empty() ? "reports" : listed(compared)) +
                             " as the reference execution gives it (" +
                             counted(context.vertex_count(), "vertex", "vertices") + ")");
  if (interpreter.saturated() != 0)
    report.checked.push_back(counted(interpreter.saturated(), "result") +
                             " of + - * left the integer type and became inf, as if nothing had "
                             "been reached: a wider type would hold the number");
  add_left_out(left.choices,
               "what 'combine any' chose shows in it, and any value that was sent is right",
               report);
  add_left_out(left.thresholds,
               "what a threshold kept back shows in it, and that depends on the order", report);
}

CheckReport check(const ir::Program& program, const host::RunRequest& request,
                  const host::RunResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  CheckReport report;
  try {
    if (!certify(program, request, result, report))
      compare_with_interpreter(program, request, result, report);
  } catch (const Error& error) {
    // A result that does not exist, or has no values to check, is a wrong result.
    if (error.code() != ExitCode::NotConverged && error.code() != ExitCode::CheckFailed) throw;
    report.passed = false;
    report.checked.push_back("whether there is a result to check");
    report.failures.push_back(error.message());
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace vertigo::reference
