#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "certify.h"
#include "interpreter.h"
#include "vertigo/core/error.h"
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
        if (!agree(state->after[i].kind, state->after[i].load(v), state->before[i].load(v), 0, 0))
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
  const bool applied = extremum ? certify_extremum(context, bound, *extremum, report, unexplained)
                                : certify_linear(context, bound, *linear, report);
  if (!applied) return false;
  if (unexplained && interpreter_agrees(program, request, result, report)) return true;
  check_unchanged(context, bound, report, state);
  check_reports(context, result, report);
  return true;
}

/// The state in both results, and how far apart its values may be.
class Comparison {
 public:
  Comparison(const Context& context, const ir::State& state, const host::RunResult& result,
             const host::RunResult& reference)
      : context_(context),
        state_(state),
        given_(columns_of(result.states, state, context.vertex_count())),
        expected_(columns_of(reference.states, state, context.vertex_count())) {}

  void run(Failures& failures) {
    if (given_.size() != state_.type.elements.size())
      throw Error(ExitCode::CheckFailed, "the result has no column '" + state_.name +
                                             "' of its type with a value for each vertex");
    const auto n = static_cast<std::int64_t>(context_.vertex_count());
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const double tolerance = tolerance_of(context_.program, state_.name, given_[i].kind);
      const double floor = rounding_floor(i);
#pragma omp parallel for schedule(static) if (n > kParallelVertices)
      for (std::int64_t at = 0; at < n; ++at) {
        const auto v = static_cast<Vertex>(at);
        if (!agree(given_[i].kind, given_[i].load(v), expected_[i].load(v), tolerance, floor))
          failures.add(v, message(v));
      }
    }
  }

 private:
  /// Sums that should cancel leave a rest of a few rounding units of the largest values.
  double rounding_floor(std::size_t i) const {
    // Of wide64 the largest values say nothing about the others.
    if (!ir::is_float(expected_[i].kind) || expected_[i].kind == ScalarKind::Wide64) return 0;
    const double unit = expected_[i].kind == ScalarKind::Float32 ? 0x1p-23 : 0x1p-52;
    double largest = 0;
    for (Vertex v = 0; v < context_.vertex_count(); ++v) {
      const double value = value_of(expected_[i].load(v), expected_[i].kind).as<double>();
      if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
    return 4 * unit * largest;
  }

  std::string message(Vertex v) const {
    const auto show = [&](const std::vector<ColumnRef>& columns) {
      std::vector<Word> words;
      for (const ColumnRef& column : columns) words.push_back(column.load(v));
      return describe(context_, state_.type, words.data());
    };
    return "vertex " + context_.input_name(v) + ": '" + state_.name + "' is " + show(given_) +
           ", the reference execution gives " + show(expected_);
  }

  const Context& context_;
  const ir::State& state_;
  std::vector<ColumnRef> given_, expected_;
};

void compare_reports(const host::RunResult& result, const host::RunResult& reference,
                     const Context& context, CheckReport& report) {
  for (const auto& [name, expected] : reference.reports) {
    const Word expected_word = word_of(expected, expected.kind);
    const auto given = result.reports.find(name);
    const Word word = given == result.reports.end() ? 0 : word_of(given->second, expected.kind);
    if (given != result.reports.end() && agree(expected.kind, word, expected_word,
                                               tolerance_of(context.program, "", expected.kind), 0))
      continue;
    report.passed = false;
    report.failures.push_back(
        "report '" + name + "' is " +
        (given == result.reports.end() ? "missing" : describe(context, expected.kind, &word)) +
        ", the reference execution gives " + describe(context, expected.kind, &expected_word));
  }
}

}  // namespace

void compare_with_interpreter(const ir::Program& program, const host::RunRequest& request,
                              const host::RunResult& result, CheckReport& report) {
  host::RunRequest untraced = request;
  untraced.trace = nullptr;
  Interpreter interpreter(program, untraced);
  interpreter.follow_choices_of(result);
  const host::RunResult reference = interpreter.run();
  const Context context(program, untraced);
  Failures failures;
  std::string names;
  for (const ir::Output& output : program.outputs) {
    const ir::State* state = program.find_state(output.state);
    Comparison(context, *state, result, reference).run(failures);
    names += (names.empty() ? "'" : ", '") + output.state + "'";
  }
  failures.move_to(report);
  compare_reports(result, reference, context, report);
  report.checked.push_back((names.empty() ? "reports" : names) +
                           " as the reference execution gives it (" +
                           std::to_string(context.vertex_count()) + " vertices)");
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
