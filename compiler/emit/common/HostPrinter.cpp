#include "compiler/emit/common/HostPrinter.h"

#include <map>
#include <set>

#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/HostBody.h"
#include "compiler/emit/common/HybridText.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/ir/plan/PlanSpelling.h"

namespace vertigo::compiler::emit {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

namespace {

std::string owner_type(const plan::Buffer& buffer) {
  switch (buffer.role) {
    case BufferRole::Bitmap:
      return "BitmapBuffer";
    case BufferRole::Worklist:
      return "WorklistBuffer";
    case BufferRole::Flag:
      return "FlagBuffer";
    case BufferRole::Counter:
      return "CounterBuffer";
    case BufferRole::Threshold:
      return "ThresholdBuffer";
    case BufferRole::Scalar:
      return "ScalarBuffer<" + cpp_type(buffer.type) + ">";
    case BufferRole::Order:
      return "VertexOrderBuffer";
    case BufferRole::Slots:
      return "MessageSlotsBuffer";
    default:
      return "VertexBuffer<" + element_type(buffer) + ">";
  }
}

/// What a buffer is told to find out its size.
std::string size_text(const plan::Buffer& buffer) {
  if (buffer.role == BufferRole::Messages) return cpp_name(buffer.slots) + ".slot_count()";
  return plan::has_direction(buffer.role) ? "graph" : "vertices";
}

std::string member(const std::string& phase, const char* what) { return phase + "_" + what + "_"; }

class HostPrinter {
 public:
  HostPrinter(Writer& out, const plan::Plan& plan, const HostTarget& target)
      : out_(out), plan_(plan), program_(plan.program), target_(target) {}

  void run() {
    for (const plan::PhasePlan& phase : plan_.phases)
      for (const plan::Variant& variant : phase.variants)
        if (variant.engine) EngineText(plan_, phase, variant).print_operators(out_, "", "");
    class_name_ = free_name(type_name(program_.name) + "Program");
    out_.blank();
    out_.comment("Program " + program_.name +
                 ": its buffers, and the loops that launch its "
                 "kernels.");
    out_.open("class " + class_name_);
    out_.label("public:");
    constructor();
    run_function();
    out_.label("private:");
    allocate();
    initialize();
    for (const plan::VertexReduction& reduction : plan_.reductions) print_reduction(reduction);
    for (const plan::PhasePlan& phase : plan_.phases) print_phase(phase);
    print_results();
    members();
    out_.close(";");
    registration();
  }

 private:
  /// Of host::ProgramInfo.
  std::string info_of(const plan::PhasePlan& phase) const {
    const auto index = &phase - &*plan_.phases.begin();
    return "info().phases[" + std::to_string(index) + "]";
  }

  void constructor() {
    out_.line("explicit " + class_name_ + "(const host::RunRequest& request)");
    std::string weight;
    if (program_.edge && program_.edge->initial) weight = ", " + expr_text(*program_.edge->initial);
    out_.open("    : run_request_(request), graph(view<" + weight_type() + ">(request.graph" +
              weight + "))");
    for (const ir::Parameter& parameter : program_.parameters) {
      const std::string name = cpp_name(parameter.name);
      const std::string key = "(" + quoted(parameter.name) + ")";
      out_.line(name + " = request.arguments." +
                (parameter.is_list ? "list" : "get<" + cpp_type(parameter.kind) + ">") + key + ";");
    }
    for (const plan::PhasePlan& phase : plan_.phases) {
      out_.line(member(phase.phase, "chosen") + " = execute::choose_variant(" + info_of(phase) +
                ", request);");
    }
    out_.close();
    out_.blank();
  }

  std::string weight_type() const {
    return program_.edge ? cpp_type(program_.edge->kind) : "NoWeight";
  }

  void run_function() {
    out_.open("host::RunResult run()");
    out_.line("allocate_buffers();");
    out_.line("begin_ = Clock::now();");
    out_.line("set_initial_states();");
    HostBody(out_, plan_).print(plan_.body);
    out_.line("collect_results();");
    out_.line("return std::move(result);");
    out_.close();
  }

  std::string free_name(const std::string& wanted) const { return emit::free_name(plan_, wanted); }

  std::string buffer_of(const std::string& purpose) const {
    return emit::buffer_of(plan_, purpose);
  }

  // ---- buffers

  static bool is_always_there(const plan::Buffer& buffer) {
    return buffer.role == BufferRole::State || buffer.role == BufferRole::Inbox ||
           buffer.role == BufferRole::Counter || buffer.role == BufferRole::Scalar;
  }

  void allocate() {
    out_.comment("What the chosen variants need.");
    out_.open("void allocate_buffers()");
    out_.line("const Vertex vertices = graph.vertex_count;");
    for (const plan::Buffer& buffer : plan_.buffers)
      if (is_always_there(buffer)) out_.line(cpp_name(buffer.name) + ".allocate(vertices);");
    for (const plan::PhasePlan& phase : plan_.phases) allocate_phase(phase);
    out_.close();
  }

  void allocate_phase(const plan::PhasePlan& phase) {
    out_.open("switch (" + member(phase.phase, "chosen") + ".variant)");
    for (std::size_t i = 0; i < phase.variants.size(); ++i) {
      out_.line("case " + std::to_string(i) + ":  // " + phase.variants[i].name());
      const std::set<std::string> used = buffers_of(plan_, phase, phase.variants[i]);
      for (const plan::Buffer& buffer : plan_.buffers)
        if (!is_always_there(buffer) && used.contains(buffer.name))
          out_.line("  " + cpp_name(buffer.name) + ".allocate(" + size_text(buffer) + ");");
      if (phase.variants[i].engine)
        out_.line("  " + EngineText(plan_, phase, phase.variants[i]).object() +
                  ".allocate(graph);");
      out_.line("  break;");
    }
    out_.close();
  }

  void members() {
    out_.label("private:");
    out_.line("using Clock = std::chrono::steady_clock;");
    out_.blank();
    out_.line("const host::RunRequest& run_request_;");
    out_.line("Graph graph;");
    out_.line("host::RunResult result;");
    out_.line("Clock::time_point begin_;");
    for (const plan::PhasePlan& phase : plan_.phases) {
      const std::string& name = phase.phase;
      out_.line("execute::Chosen " + member(name, "chosen") + ";");
      out_.line("execute::PhaseTotals " + member(name, "totals") +
                "{.phase = " + quoted(phase.phase) + "};");
    }
    parameter_members();
    out_.blank();
    for (const plan::Buffer& buffer : plan_.buffers)
      out_.line(owner_type(buffer) + " " + cpp_name(buffer.name) +
                (plan::has_direction(buffer.role) ? "{" + along_text(buffer) + "}" : "") + ";" +
                (buffer.reason.empty() ? "" : "  // " + in_comment(buffer.reason)));
    for (const plan::PhasePlan& phase : plan_.phases)
      for (const plan::Variant& variant : phase.variants) {
        if (!variant.engine) continue;
        const EngineText engine(plan_, phase, variant);
        out_.line(engine.type() + " " + engine.object() + ";");
      }
  }

  void parameter_members() {
    out_.blank();
    for (const ir::Parameter& parameter : program_.parameters)
      out_.line((parameter.is_list ? "std::span<const Vertex>" : cpp_type(parameter.kind)) + " " +
                cpp_name(parameter.name) + "{};");
    for (const auto& [name, type] : HostBody::variables(plan_.body))
      out_.line(cpp_type(type) + " " + cpp_name(name) + "{};");
    HostBody::declare_loop_ends(out_, plan_);
  }

  // ---- actions

  std::string argument_text(const plan::Kernel& kernel, const KernelArgument& argument,
                            bool in_phase) const {
    if (argument.kind == KernelArgument::Kind::Start) return expr_text(*kernel.start);
    if (argument.kind == KernelArgument::Kind::Step) return in_phase ? "phase.step()" : "0";
    return cpp_argument(argument);
  }

  void launch(const std::string& name, bool in_phase) {
    const plan::Kernel& kernel = *plan_.find_kernel(name);
    std::vector<std::string> texts;
    for (const KernelArgument& argument : arguments_of(plan_, kernel))
      texts.push_back(argument_text(kernel, argument, in_phase));
    out_.line(target_.launch(kernel, texts));
  }

  void action(const Action& action, bool in_phase) {
    const std::string symbol = cpp_name(action.symbol);
    const std::string source = cpp_name(action.source);
    switch (action.kind) {
      case ActionKind::Launch:
        return launch(action.symbol, in_phase);
      case ActionKind::ClearBuffer:
        return out_.line(symbol + ".clear();");
      case ActionKind::ClearListed:
        return out_.line("clear_listed(" + symbol + ", " + source + ");");
      case ActionKind::FillWorklist:
        return out_.line(symbol + ".fill();");
      case ActionKind::RaiseFlag:
        return out_.line(symbol + ".raise();");
      case ActionKind::CopyBuffer:
        return out_.line("copy(" + symbol + ", " + source + ");");
      case ActionKind::Swap:
        return out_.line("swap(" + symbol + ", " + source + ");");
      case ActionKind::LoadInput:
        return out_.line("load_input(run_request_, " + quoted(action.symbol) + ", " + symbol +
                         ");");
    }
  }

  void initialize() {
    out_.blank();
    out_.open("void set_initial_states()");
    for (const Action& each : plan_.initialize) action(each, false);
    out_.close();
  }

  void print_reduction(const plan::VertexReduction& reduction) {
    const plan::Kernel& kernel = *plan_.find_kernel(reduction.kernel);
    const plan::KernelStmt* fold = nullptr;
    plan::walk_statements(kernel.body, [&](const plan::KernelStmt& stmt) {
      if (stmt.op == plan::KernelOp::ReduceInto) fold = &stmt;
    });
    const std::string buffer = cpp_name(reduction.buffer);
    const std::string identity = expr_text(*fold->identity);
    out_.blank();
    out_.open(cpp_type(reduction.type) + " " + cpp_name(reduction.name) + "()");
    out_.line(buffer + ".reset(" + identity + ");");
    launch(reduction.kernel, false);
    out_.line("return result_" + combine_suffix(fold->combine) + "(" + buffer + ", " + identity +
              ");");
    out_.close();
  }

  // ---- phases

  std::string function_of(const plan::PhasePlan& phase, const plan::Variant& variant) const {
    std::string name = variant.name();
    for (char& c : name)
      if (c == '-') c = '_';
    return free_name("run_" + phase.phase + "_" + name);
  }

  void print_phase(const plan::PhasePlan& phase) {
    const std::string& name = phase.phase;
    out_.blank();
    out_.comment("Phase " + phase.phase + ".");
    out_.open("void " + HostBody::phase_function(plan_, phase.phase) + "()");
    std::string limit = "execute::kNoLimit";
    if (phase.step_limit) limit = "execute::limit_of(" + expr_text(*phase.step_limit) + ")";
    out_.line("execute::PhaseRun phase(" + member(name, "totals") + ", " + member(name, "chosen") +
              ", " + limit + ", run_request_.step_limit, begin_, run_request_.trace);");
    if (phase.cycles != plan::Cycles::None)
      out_.line(std::string(phase.cycles == plan::Cycles::Any
                                ? ""
                                : "if (run_request_.negative_weights) ") +
                "phase.watch_cycles(run_request_, [this] { return collect_states(); });");
    out_.open("switch (" + member(name, "chosen") + ".variant)");
    for (std::size_t i = 0; i < phase.variants.size(); ++i) {
      out_.line("case " + std::to_string(i) + ":");
      if (phase.finish.empty()) {
        out_.line("  return " + function_of(phase, phase.variants[i]) + "(phase);");
        continue;
      }
      out_.line("  " + function_of(phase, phase.variants[i]) + "(phase);");
      out_.line("  break;");
    }
    out_.close();
    print_finish(phase);
    out_.close();
    for (const plan::Variant& variant : phase.variants) print_variant(phase, variant);
  }

  void print_finish(const plan::PhasePlan& phase) {
    if (phase.finish_if_stopped) out_.line("if (!phase.stopped()) return;");
    for (const Action& each : phase.finish) action(each, true);
  }

  void print_variant(const plan::PhasePlan& phase, const plan::Variant& variant) {
    out_.blank();
    out_.comment(variant.reason);
    out_.open("void " + function_of(phase, variant) + "(execute::PhaseRun& phase)");
    for (const Action& each : variant.prepare) action(each, true);
    if (variant.engine) return print_engine_run(phase, variant);
    if (variant.hybrid) return print_hybrid(phase, variant);
    if (!variant.pending.empty())
      out_.open("while (phase.next(" + is_pending(plan_, variant.pending) + "))");
    if (variant.pending.empty()) out_.line("phase.next(true);");
    for (const Action& each : variant.step) action(each, true);
    print_deferred(phase, variant);
    out_.line("phase.done(" + buffer_of(plan::kActiveCounter) + ".take(), " +
              buffer_of(plan::kEdgeCounter) + ".take());");
    print_watch(phase, true);
    if (!variant.pending.empty()) out_.close();
    print_watch(phase, false);
    out_.close();
  }

  void print_deferred(const plan::PhasePlan& phase, const plan::Variant& variant) {
    const std::string threshold = threshold_of(plan_, phase, variant);
    if (threshold.empty()) return;
    out_.line("phase.deferred(" + cpp_name(threshold) + ".value(), " +
              buffer_of(plan::kDeferredCounter) + ".take());");
  }

  void print_hybrid(const plan::PhasePlan& phase, const plan::Variant& variant) {
    const HybridText text(plan_, phase, variant);
    out_.line("execute::Controlled steps_(phase, " + info_of(phase) + ", " +
              control_text(phase, variant) + ", graph.vertex_count, graph.edge_count);");
    out_.open("while (phase.next(" + text.pending() + "))");
    print_change("steps_.begins_list()", variant.hybrid->to_list);
    print_change("steps_.leaves_list()", variant.hybrid->to_all);
    out_.line("steps_.begin_work();");
    out_.open("switch (steps_.variant())");
    for (std::size_t i = 0; i < phase.variants.size(); ++i) {
      if (!text.takes(phase.variants[i])) continue;
      out_.open("case " + std::to_string(i) + ":");
      out_.comment(phase.variants[i].name());
      for (const Action& each : phase.variants[i].step) action(each, true);
      out_.line("break;");
      out_.close();
    }
    out_.close();
    out_.line("steps_.done(" + text.done() + ");");
    print_watch(phase, true);
    out_.close();
    print_watch(phase, false);
    out_.close();
  }

  void print_change(const std::string& test, const std::vector<Action>& actions) {
    if (actions.empty()) return;
    out_.open("if (" + test + ")");
    for (const Action& each : actions) action(each, true);
    out_.close();
  }

  void print_watch(const plan::PhasePlan& phase, bool at_checkpoints) {
    if (phase.watched_state.empty()) return;
    out_.line(std::string(at_checkpoints ? "if (phase.checkpoint()) " : "") +
              "phase.require_finite(" + quoted(phase.watched_state) + ", " +
              buffer_of(phase.watched_state) + ".values());");
  }

  void print_engine_run(const plan::PhasePlan& phase, const plan::Variant& variant) {
    const EngineText engine(plan_, phase, variant);
    out_.line(engine.object() + ".run(phase, " + engine.operators() + ", graph" +
              engine.arguments() + ");");
    if (!phase.watched_state.empty())
      out_.line("phase.require_finite(" + quoted(phase.watched_state) + ", " +
                buffer_of(phase.watched_state) + ".values());");
    out_.close();
  }

  // ---- results

  void print_results() {
    out_.blank();
    out_.open("void collect_results()");
    out_.line("result.timing.run = std::chrono::duration<double>(Clock::now() - begin_).count();");
    out_.line("result.states = collect_states();");
    for (const plan::PhasePlan& phase : plan_.phases)
      out_.line("host::add_phase(result, " + member(phase.phase, "totals") + ");");
    out_.close();
    out_.blank();
    out_.comment("Every state as it is, outputs first.");
    out_.open("std::vector<Column> collect_states()");
    out_.line("std::vector<Column> columns;");
    std::set<std::string> done;
    const auto column = [&](const ir::State& state) {
      if (!done.insert(state.name).second) return;
      std::string kinds;
      for (const ir::ScalarKind kind : state.type.elements)
        kinds += (kinds.empty() ? "" : ", ") + kind_name(kind);
      out_.line("add_columns(columns, " + quoted(state.name) + ", {" + kinds + "}, " +
                cpp_name(state.name) + ");");
    };
    for (const ir::Output& output : program_.outputs) column(*program_.find_state(output.state));
    for (const ir::State& state : program_.states) column(state);
    out_.line("return columns;");
    out_.close();
  }

  void registration() {
    out_.blank();
    out_.open("host::RunResult run(const host::RunRequest& request)");
    out_.line("host::check_request(info(), host::" + target_.kind + ", request);");
    out_.line("return " + class_name_ + "(request).run();");
    out_.close();
    out_.blank();
    out_.open("const host::Target target =");
    out_.line(".kind = host::" + target_.kind + ",");
    out_.line(".info = &info(),");
    out_.line(".run = &run,");
    out_.line(".emitted_source = host::text_of(" + target_.source_symbol + "),");
    out_.close(";");
    out_.line("const host::Registration registration(target);");
  }

  Writer& out_;
  const plan::Plan& plan_;
  const ir::Program& program_;
  const HostTarget& target_;
  std::string class_name_;
};

}  // namespace

void print_host(Writer& out, const plan::Plan& plan, const EmitOptions&, const HostTarget& target) {
  HostPrinter(out, plan, target).run();
}

void print_functions(Writer& out, const plan::Plan& plan, const std::string& qualifier) {
  for (const ir::Function& function : plan.program.functions) {
    if (!function.body) {
      print_header_function(out, function, qualifier);
      continue;
    }
    std::string head =
        qualifier + " " + cpp_type(function.result) + " " + cpp_name(function.name) + "(";
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      head += (i > 0 ? ", " : "") + cpp_type(function.parameters[i].type) + " " +
              cpp_name(function.parameters[i].name);
    out.blank();
    out.open(head + ")");
    {
      const Origin origin(out, function.location);
      out.line("return " + expr_text(*function.body) + ";");
    }
    out.close();
  }
}

void print_graph_type(Writer& out, const plan::Plan& plan) {
  out.line("using Graph = GraphView<" +
           (plan.program.edge ? cpp_type(plan.program.edge->kind) : "NoWeight") + ">;");
}

}  // namespace vertigo::compiler::emit
