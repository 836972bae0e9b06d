#include "compiler/emit/cpu/CpuHost.h"

#include <algorithm>

#include "compiler/emit/common/ControlText.h"
#include "compiler/emit/common/EdgeColumns.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HostPrinter.h"
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
    case BufferRole::Hubs:
      return "HubOrderBuffer";
    case BufferRole::Classes:
      return buffer.colours.empty() ? "ColourClasses" : "FewClasses";
    case BufferRole::Ballots:
      return "BallotsBuffer<" + cpp_type(buffer.type) + ">";
    case BufferRole::Sorted:
      return "SortedVertices<" + cpp_type(buffer.type) + ">";
    default:
      return "VertexBuffer<" + element_type(buffer) + ">";
  }
}

/// What a buffer is told to find out its size.
std::string size_text(const plan::Buffer& buffer) {
  if (buffer.role == BufferRole::Messages) return cpp_name(buffer.slots) + ".slot_count()";
  if (buffer.role == BufferRole::EdgeState) return "graph.edge_count";
  if (buffer.role == BufferRole::Classes)
    return "graph, run_request_, result" +
           (buffer.colours.empty() ? "" : ", " + colours_text(buffer));
  return plan::is_sized_by_graph(buffer.role) ? "graph" : "vertices";
}

std::string member(const plan::PhasePlan& phase, const char* what) {
  return phase.phase + "_" + what + "_";
}

class CpuHost : public HostPrinter {
 public:
  CpuHost(Writer& out, const plan::Plan& plan) : HostPrinter(out, plan) {
    words_.class_name = free_name(plan, type_name(program_.name) + "Program");
    words_.comment =
        "Program " + program_.name + ": its buffers, and the loops that launch its kernels.";
    words_.report = "host::report(result, ";
    words_.buffers = "allocate_buffers";
    words_.of_buffers = "What the chosen variants need.";
    words_.list_type = "std::span<const Vertex>";
    words_.phase_type = "execute::PhaseRun";
  }

 private:
  /// Of host::ProgramInfo.
  std::string info_of(const plan::PhasePlan& phase) const {
    return "info().phases[" + std::to_string(index_of(phase)) + "]";
  }

  void print_constructor() override {
    out_.line("explicit " + words_.class_name + "(const host::RunRequest& request)");
    out_.open("    : run_request_(request), graph(view<" + edge_type(program_, "NoWeight") +
              ">(request.graph" + edge_default(program_) + "))");
    for (const ir::Parameter& parameter : program_.parameters)
      out_.line(cpp_name(parameter.name) + " = request.arguments." +
                (parameter.is_list ? "list" : "get<" + cpp_type(parameter.kind) + ">") + "(" +
                quoted(parameter.name) + ");");
    for (const plan::PhasePlan& phase : plan_.phases)
      out_.line(member(phase, "chosen") + " = execute::choose_variant(" + info_of(phase) +
                ", request);");
    out_.close();
    out_.blank();
  }

  void open_run() override {
    out_.open("host::RunResult run()");
    out_.line("allocate_buffers();");
    out_.line("begin_ = Clock::now();");
  }
  void close_run() override { out_.line("return std::move(result);"); }

  // ---- buffers

  void begin_buffers() override { out_.line("const Vertex vertices = graph.vertex_count;"); }

  std::string make(const plan::Buffer& buffer) const override {
    return cpp_name(buffer.name) + ".allocate(" + size_text(buffer) + ");";
  }
  std::string make(const EngineText& engine) const override {
    return engine.object() + ".allocate(graph, run_request_, result);";
  }

  // ---- actions

  std::string action_text(const Action& action) const override {
    const std::string symbol = cpp_name(action.symbol);
    const std::string source = cpp_name(action.source);
    switch (action.kind) {
      case ActionKind::ClearBuffer:
        return symbol + ".clear();";
      case ActionKind::ClearListed:
        return "clear_listed(" + symbol + ", " + source + ");";
      case ActionKind::FillWorklist:
        return symbol + ".fill();";
      case ActionKind::RaiseFlag:
        return symbol + ".raise();";
      case ActionKind::CopyBuffer:
        return "copy(" + symbol + ", " + source + ");";
      case ActionKind::Swap:
        return "swap(" + symbol + ", " + source + ");";
      case ActionKind::LoadInput:
        return "load_input(run_request_, " + quoted(action.symbol) + ", " + symbol + ");";
      default:
        return "";
    }
  }

  void print_launch(const plan::Kernel& kernel, const std::string& step, bool) override {
    std::string arguments;
    for (const std::string& text : argument_texts(kernel, step))
      arguments += (arguments.empty() ? "" : ", ") + text;
    out_.line(cpp_name(kernel.name) + "(" + arguments + ");");
  }

  std::string slice_text(const plan::Kernel& kernel) const override {
    return cpp_name(kernel.list) + ".slice(" + expr_text(*kernel.start) + ")";
  }
  std::string sort_text(const plan::Buffer& sorted) const override {
    return cpp_name(sorted.name) + ".sort(" + cpp_name(sorted.of) + ");";
  }

  void print_parts(const Action& action, bool in_phase) override {
    out_.open(std::string("for (const std::span<const Vertex> ") + kPartArgument + " : " +
              cpp_name(action.symbol) +
              (action.kind == ActionKind::ForParts ? ".parts())" : ".rest())"));
    print_actions(action.body, in_phase);
    out_.close();
  }

  std::string took_part_text(const plan::PhasePlan& phase) const override {
    return member(phase, "totals") + ".active_in_step != 0";
  }
  void print_reduction_body(const plan::VertexReduction& reduction) override {
    const std::string buffer = cpp_name(reduction.buffer);
    const std::string identity = expr_text(*reduction.identity);
    out_.line(buffer + ".reset(" + identity + ");");
    launch(reduction.kernel, "0");
    out_.line("return result_" + combine_suffix(reduction.combine) + "(" + buffer + ", " +
              identity + ");");
  }

  // ---- phases

  std::string chosen(const plan::PhasePlan& phase) const override {
    return member(phase, "chosen") + ".variant";
  }
  std::string variant_of_phase(const plan::PhasePlan& phase) const override {
    return chosen(phase);
  }

  void begin_phase(const plan::PhasePlan& phase, std::size_t) override {
    std::string limit = "execute::kNoLimit";
    if (phase.step_limit) limit = "execute::limit_of(" + expr_text(*phase.step_limit) + ")";
    out_.line("execute::PhaseRun phase(" + member(phase, "totals") + ", " +
              member(phase, "chosen") + ", " + limit +
              ", run_request_.step_limit, begin_, run_request_.trace);");
    if (phase.cycles == plan::Cycles::None) return;
    out_.line(std::string(
                  phase.cycles == plan::Cycles::Any ? "" : "if (run_request_.negative_weights) ") +
              "phase.watch_cycles(run_request_, [this] { return collect_states(); });");
  }

  void print_watch(const plan::PhasePlan& phase, const std::string& when = "") {
    if (phase.watched_state.empty()) return;
    out_.line(when + "phase.require_finite(" + quoted(phase.watched_state) + ", " +
              cpp_name(phase.watched_state) + ".values());");
  }
  void after_engine(const plan::PhasePlan& phase) override { print_watch(phase); }

  static std::string counted(const std::string& buffer) { return buffer + ".take()"; }

  void print_steps(const plan::PhasePlan& phase, const plan::Variant& variant) override {
    if (variant.hybrid) return print_controlled(phase, variant);
    if (variant.pending.empty())
      out_.line("phase.next(true);");
    else
      out_.open("while (phase.next(" + is_pending(variant.pending) + "))");
    print_actions(variant.step, true);
    if (!variant.threshold.empty())
      out_.line("phase.deferred(" + cpp_name(variant.threshold) + ".value(), " +
                counted(find_counter(plan_, plan::kDeferredCounter)) + ");");
    out_.line("phase.done(" + counted(find_counter(plan_, plan::kActiveCounter)) + ", " +
              counted(find_counter(plan_, plan::kEdgeCounter)) + ");");
    print_watch(phase, kAtCheckpoints);
    if (!variant.pending.empty()) out_.close();
    print_watch(phase);
  }

  // ---- steps under a controller, which `steps_` is

  void print_controlled(const plan::PhasePlan& phase, const plan::Variant& variant) {
    const plan::Hybrid& hybrid = *variant.hybrid;
    out_.line("execute::Controlled steps_(phase, " + info_of(phase) + ", " +
              control_text(phase, variant) + ", graph.vertex_count, graph.edge_count);");
    out_.open("while (phase.next(" + is_pending(hybrid) + "))");
    print_change("steps_.begins_list()", hybrid.to_list);
    print_change("steps_.leaves_list()", hybrid.to_all);
    out_.line("steps_.begin_work();");
    out_.open("switch (steps_.variant())");
    for (std::size_t i = 0; i < phase.variants.size(); ++i) {
      const std::string name = phase.variants[i].name();
      if (std::ranges::find(hybrid.paths, name) == hybrid.paths.end()) continue;
      out_.open("case " + std::to_string(i) + ":");
      out_.comment(name);
      print_actions(phase.variants[i].step, true);
      out_.line("break;");
      out_.close();
    }
    out_.close();
    out_.line("steps_.done(" + done(hybrid) + ");");
    print_watch(phase, kAtCheckpoints);
    out_.close();
    print_watch(phase);
  }

  void print_change(const std::string& test, const std::vector<Action>& actions) {
    if (actions.empty()) return;
    out_.open("if (" + test + ")");
    print_actions(actions, true);
    out_.close();
  }

  /// `!asked.empty()`, `changed.is_raised()`.
  std::string is_pending(const std::string& buffer) const {
    const std::string name = cpp_name(buffer);
    return plan_.find_buffer(buffer)->role == BufferRole::Flag ? name + ".is_raised()"
                                                               : "!" + name + ".empty()";
  }

  std::string is_pending(const plan::Hybrid& hybrid) const {
    if (hybrid.list.empty()) return is_pending(hybrid.flag);
    if (hybrid.flag.empty()) return is_pending(hybrid.list);
    return "steps_.is_listed() ? " + is_pending(hybrid.list) + " : " + is_pending(hybrid.flag);
  }

  /// "0" where the plan does not count that.
  std::string count_of(const char* counter) const {
    const std::string buffer = find_counter(plan_, counter);
    return buffer.empty() ? "0" : counted(buffer);
  }

  /// The arguments of Controlled::done().
  std::string done(const plan::Hybrid& hybrid) const {
    const std::string counts = count_of(plan::kActiveCounter) + ", " +
                               count_of(plan::kEdgeCounter) + ", " +
                               count_of(plan::kOutEdgeCounter) + ", ";
    const std::string asked = count_of(plan::kAskedCounter);
    if (hybrid.list.empty()) return counts + asked + ", [&] { return 0; }";
    const std::string list = cpp_name(hybrid.list);
    return counts + (hybrid.flag.empty() ? "" : "steps_.lists() ? ") + list + ".size()" +
           (hybrid.flag.empty() ? "" : " : " + asked) + ", [&] { return out_edges_of(graph, " +
           list + "); }";
  }

  // ---- results

  void print_results() override {
    out_.blank();
    out_.open("void collect_results()");
    out_.line("result.timing.run = std::chrono::duration<double>(Clock::now() - begin_).count();");
    out_.line("result.states = collect_states();");
    for (const plan::PhasePlan& phase : plan_.phases)
      out_.line("host::add_phase(result, " + member(phase, "totals") + ");");
    out_.close();
    out_.blank();
    out_.comment("Every state as it is, outputs first.");
    out_.open("std::vector<Column> collect_states()");
    out_.line("std::vector<Column> columns;");
    for (const std::string& state : host_.columns) print_column(*program_.find_state(state));
    out_.line("return columns;");
    out_.close();
  }

  void print_column(const ir::State& state) {
    std::string kinds;
    for (const ir::ScalarKind kind : state.type.elements)
      kinds += (kinds.empty() ? "" : ", ") + kind_name(kind);
    out_.line("add_columns(columns, " + quoted(state.name) + ", {" + kinds + "}, " +
              cpp_name(state.name) + ");");
  }

  // ---- members

  void print_own_members() override {
    out_.line("using Clock = std::chrono::steady_clock;");
    out_.blank();
    out_.line("const host::RunRequest& run_request_;");
    out_.line("Graph graph;");
    out_.line("host::RunResult result;");
    out_.line("Clock::time_point begin_;");
    for (const plan::PhasePlan& phase : plan_.phases) {
      out_.line("execute::Chosen " + member(phase, "chosen") + ";");
      out_.line("execute::PhaseTotals " + member(phase, "totals") +
                "{.phase = " + quoted(phase.phase) + "};");
    }
    out_.blank();
  }

  std::string member_text(const plan::Buffer& buffer) const override {
    return owner_type(buffer) + " " + cpp_name(buffer.name) +
           (plan::has_direction(buffer.role) ? "{" + along_text(buffer) + "}" : "");
  }

  void print_registration() override {
    out_.open("host::RunResult run(const host::RunRequest& request)");
    out_.line("host::check_request(info(), host::TargetKind::Cpu, request);");
    out_.line("return " + words_.class_name + "(request).run();");
    out_.close();
    out_.blank();
    out_.open("const host::Target target =");
    out_.line(".kind = host::TargetKind::Cpu,");
    out_.line(".info = &info(),");
    out_.line(".run = &run,");
    out_.line(".emitted_source = host::text_of(vertigo_cpu_source),");
    out_.close(";");
    out_.line("const host::RegisterTarget registration(target);");
  }

  static constexpr const char* kAtCheckpoints = "if (phase.checkpoint()) ";
};

}  // namespace

void print_cpu_host(Writer& out, const plan::Plan& plan) { CpuHost(out, plan).print(); }

}  // namespace vertigo::compiler::emit
