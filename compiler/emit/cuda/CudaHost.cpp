#include "compiler/emit/cuda/CudaHost.h"

#include <map>
#include <set>

#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HostBody.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/cuda/BalancedLoops.h"
#include "compiler/emit/cuda/FusedSteps.h"
#include "compiler/ir/plan/PlanSpelling.h"

namespace vertigo::compiler::emit {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

namespace {

std::string member_type(const plan::Buffer& buffer) {
  switch (buffer.role) {
    case BufferRole::Bitmap:
      return "Bitmap";
    case BufferRole::Worklist:
      return "Worklist";
    case BufferRole::Flag:
      return "Flag";
    case BufferRole::Counter:
      return "Counter";
    case BufferRole::Threshold:
      return "Threshold";
    case BufferRole::Scalar:
      return "Scalar<" + cpp_type(buffer.type) + ">";
    case BufferRole::Order:
      return "VertexOrder";
    case BufferRole::Slots:
      return "MessageSlots";
    default:
      return element_type(buffer) + "*";
  }
}

/// Made of the graph before the runs, by the buffer itself.
bool is_prepared(const plan::Buffer& buffer) { return plan::has_direction(buffer.role); }

bool is_always_there(const plan::Buffer& buffer) {
  return buffer.role == BufferRole::State || buffer.role == BufferRole::Inbox ||
         buffer.role == BufferRole::Counter || buffer.role == BufferRole::Scalar;
}

bool draws_random_numbers(const plan::Plan& plan) {
  bool found = false;
  for (const plan::Kernel& kernel : plan.kernels)
    plan::walk_expressions(kernel,
                           [&](const ir::Expr& e) { found = found || e.op == ir::Op::Random; });
  return found;
}

class HostPrinter {
 public:
  HostPrinter(Writer& out, const plan::Plan& plan)
      : out_(out), plan_(plan), program_(plan.program), class_name_(type_name(program_.name)) {}

  void run() {
    for_each_engine([&](const plan::PhasePlan& phase, const plan::Variant& variant) {
      EngineText(plan_, phase, variant)
          .print_operators(out_, "__host__ __device__ ", "__device__ ");
    });
    out_.blank();
    out_.comment("Program " + program_.name +
                 ": its buffers on the device, and the loops that launch its kernels.");
    out_.open("class " + class_name_);
    out_.label("public:");
    constructor();
    prepare_function();
    run_function();
    out_.label("private:");
    declare_buffers();
    initialize();
    for (const plan::VertexReduction& reduction : plan_.reductions) print_reduction(reduction);
    for (std::size_t i = 0; i < plan_.phases.size(); ++i) print_phase(plan_.phases[i], i);
    results();
    members();
    out_.close(";");
    registration();
  }

 private:
  void constructor() {
    out_.open("explicit " + class_name_ + "(Session& run) : session(run)");
    for (const ir::Parameter& parameter : program_.parameters)
      if (!parameter.is_list)
        out_.line(cpp_name(parameter.name) + " = session.parameter<" + cpp_type(parameter.kind) +
                  ">(" + quoted(parameter.name) + ");");
    out_.line("declare_buffers();");
    out_.close();
    out_.blank();
  }

  template <class Visit>
  void for_each_engine(const Visit& visit) const {
    for (const plan::PhasePlan& phase : plan_.phases)
      for (const plan::Variant& variant : phase.variants)
        if (variant.engine) visit(phase, variant);
  }

  void prepare_function() {
    const std::map<std::string, std::string> prepared = prepared_buffers();
    if (engines_of(plan_).empty() && prepared.empty()) return;
    out_.comment("What is done to the graph once, before the runs.");
    out_.open("void prepare()");
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      const plan::PhasePlan& phase = plan_.phases[p];
      for (std::size_t i = 0; i < phase.variants.size(); ++i) {
        if (!phase.variants[i].engine) continue;
        out_.line("if (session.variant(" + std::to_string(p) + ") == " + std::to_string(i) + ") " +
                  EngineText(plan_, phase, phase.variants[i]).object() +
                  ".prepare(session, graph);");
      }
    }
    for (const auto& [buffer, test] : prepared)
      out_.line("if (" + test + ") " + cpp_name(buffer) + ".prepare(session, graph);");
    out_.close();
    out_.blank();
  }

  /// Buffer -> whether a variant that will run needs it.
  std::map<std::string, std::string> prepared_buffers() const {
    std::map<std::string, std::string> tests;
    for (std::size_t p = 0; p < plan_.phases.size(); ++p)
      for (std::size_t i = 0; i < plan_.phases[p].variants.size(); ++i)
        for (const std::string& name :
             buffers_of(plan_, plan_.phases[p], plan_.phases[p].variants[i])) {
          if (!is_prepared(*plan_.find_buffer(name))) continue;
          std::string& test = tests[name];
          test += (test.empty() ? "" : " || ") + std::string("session.variant(") +
                  std::to_string(p) + ") == " + std::to_string(i);
        }
    return tests;
  }

  void run_function() {
    out_.open("void run()");
    out_.line("set_initial_states();");
    HostBody(out_, plan_, "session.report(").print(plan_.body);
    out_.line("collect_results();");
    out_.close();
  }

  // ---- buffers

  void declare(const plan::Buffer& buffer, const std::string& indent = "") {
    const std::string name = cpp_name(buffer.name);
    if (is_prepared(buffer))
      return out_.line(indent + name + ".declare(session, " + quoted(buffer.name) + ");");
    if (buffer.role == BufferRole::Messages)
      return out_.line(indent + "session.declare(" + name + ", " + cpp_name(buffer.slots) +
                       ".slot_count, " + quoted(buffer.name) + ");");
    out_.line(indent + "session.declare(" + name + ", " + quoted(buffer.name) + ");");
  }

  void declare_buffers() {
    out_.comment("What the variants that will run need.");
    out_.open("void declare_buffers()");
    std::string weight;
    if (program_.edge && program_.edge->initial) weight = ", " + expr_text(*program_.edge->initial);
    out_.line(std::string("session.declare(graph, ") + (plan_.needs_transpose ? "true" : "false") +
              weight + ");");
    if (draws_random_numbers(plan_)) out_.line("session.declare_ids(graph);");
    for (const ir::Parameter& parameter : program_.parameters)
      if (parameter.is_list)
        out_.line("session.declare(" + cpp_name(parameter.name) + ", " + quoted(parameter.name) +
                  ");");
    for (const plan::Buffer& buffer : plan_.buffers)
      if (is_always_there(buffer)) declare(buffer);
    for (std::size_t i = 0; i < plan_.phases.size(); ++i) declare_of_phase(plan_.phases[i], i);
    out_.close();
  }

  void declare_of_phase(const plan::PhasePlan& phase, std::size_t index) {
    if (FusedSteps::stands_for(phase)) out_.line(FusedSteps(plan_, phase).declaration());
    out_.open("switch (session.variant(" + std::to_string(index) + "))");
    for (std::size_t i = 0; i < phase.variants.size(); ++i) {
      out_.line("case " + std::to_string(i) + ":  // " + phase.variants[i].name());
      const std::set<std::string> used = buffers_of(plan_, phase, phase.variants[i]);
      for (const plan::Buffer& buffer : plan_.buffers)
        if (!is_always_there(buffer) && used.contains(buffer.name)) declare(buffer, "  ");
      if (is_balanced_by_graph(plan_, phase, phase.variants[i]))
        out_.line(std::string("  session.share_lists(graph, ") +
                  (plan_.needs_transpose ? "true" : "false") + ");");
      if (phase.variants[i].engine)
        out_.line("  " + EngineText(plan_, phase, phase.variants[i]).object() +
                  ".declare(session, graph);");
      out_.line("  break;");
    }
    out_.close();
  }

  void members() {
    out_.label("private:");
    out_.line("Session& session;");
    out_.line("Graph graph;");
    for (const ir::Parameter& parameter : program_.parameters)
      out_.line((parameter.is_list ? "VertexList" : cpp_type(parameter.kind)) + " " +
                cpp_name(parameter.name) + "{};");
    for (const auto& [name, type] : HostBody::variables(plan_.body))
      out_.line(cpp_type(type) + " " + cpp_name(name) + "{};");
    HostBody::declare_loop_ends(out_, plan_);
    out_.blank();
    for (const plan::Buffer& buffer : plan_.buffers)
      out_.line(member_type(buffer) + " " + cpp_name(buffer.name) + "{" +
                (is_prepared(buffer) ? along_text(buffer) : "") + "};" +
                (buffer.reason.empty() ? "" : "  // " + in_comment(buffer.reason)));
    for_each_engine([&](const plan::PhasePlan& phase, const plan::Variant& variant) {
      const EngineText engine(plan_, phase, variant);
      out_.line(engine.type() + " " + engine.object() + ";");
    });
    for (const plan::PhasePlan& phase : plan_.phases)
      if (FusedSteps::stands_for(phase)) out_.line(FusedSteps(plan_, phase).member());
  }

  // ---- actions

  std::string blocks(const plan::Kernel& kernel, bool reduces) const {
    if (reduces) return "session.reduction_blocks()";
    switch (kernel.domain) {
      case plan::Domain::AllVertices:
        return "session.blocks()";
      case plan::Domain::OneVertex:
      case plan::Domain::Sample:
        return "1";
      default:
        return "session.blocks(" + cpp_name(kernel.list) + ")";
    }
  }

  void launch(const std::string& name, bool in_phase, bool reduces = false) {
    const plan::Kernel& kernel = *plan_.find_kernel(name);
    std::string arguments;
    for (const KernelArgument& argument : arguments_of(plan_, kernel)) {
      std::string text = cpp_name(argument.name);
      if (argument.kind == KernelArgument::Kind::Graph) text = "graph";
      if (argument.kind == KernelArgument::Kind::Start) text = expr_text(*kernel.start);
      if (argument.kind == KernelArgument::Kind::Step) text = in_phase ? "phase.step()" : "0";
      arguments += (arguments.empty() ? "" : ", ") + text;
    }
    out_.line(launched_name(plan_, parts_, name) + "<<<" + blocks(kernel, reduces) +
              ", kBlock, 0, session.stream()>>>(" + arguments + ");");
    out_.line("session.launched(" + quoted(name) + ");");
  }

  void action(const Action& action, bool in_phase) {
    const std::string symbol = cpp_name(action.symbol);
    const std::string source = cpp_name(action.source);
    switch (action.kind) {
      case ActionKind::Launch:
        return launch(action.symbol, in_phase);
      case ActionKind::ClearBuffer:
        return out_.line("session.clear(" + symbol + ");");
      case ActionKind::ClearListed:
        return out_.line("session.clear_listed(" + symbol + ", " + source + ");");
      case ActionKind::FillWorklist:
        return out_.line("session.fill(" + symbol + ");");
      case ActionKind::RaiseFlag:
        return out_.line("session.raise(" + symbol + ");");
      case ActionKind::CopyBuffer:
        return out_.line("session.copy(" + symbol + ", " + source + ");");
      case ActionKind::Swap:
        return out_.line("swap(" + symbol + ", " + source + ");");
      case ActionKind::LoadInput:
        return out_.line("session.load_input(" + symbol + ", " + quoted(action.symbol) + ");");
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
    out_.blank();
    out_.open(cpp_type(reduction.type) + " " + cpp_name(reduction.name) + "()");
    out_.line("session.set(" + buffer + ", " + expr_text(*fold->identity) + ");");
    launch(reduction.kernel, false, true);
    out_.line("return session.get(" + buffer + ");");
    out_.close();
  }

  // ---- phases

  std::string function_of(const plan::PhasePlan& phase, const plan::Variant& variant) const {
    std::string name = variant.name();
    for (char& c : name)
      if (c == '-') c = '_';
    return free_name(plan_, "run_" + phase.phase + "_" + name);
  }

  void print_phase(const plan::PhasePlan& phase, std::size_t index) {
    out_.blank();
    out_.comment("Phase " + phase.phase + ".");
    out_.open("void " + HostBody::phase_function(plan_, phase.phase) + "()");
    std::string limit;
    if (phase.step_limit) limit = ", limit_of(" + expr_text(*phase.step_limit) + ")";
    out_.line("Phase phase(session, " + std::to_string(index) + ", " +
              buffer_of(plan_, plan::kActiveCounter) + ", " + buffer_of(plan_, plan::kEdgeCounter) +
              limit + ");");
    if (phase.cycles != plan::Cycles::None) {
      if (phase.cycles == plan::Cycles::OverNegativeWeights)
        out_.line("if (session.has_negative_weights())");
      out_.line("  phase.watch_cycles([](void* program) { static_cast<" + class_name_ +
                "*>(program)->collect_states(); }, this);");
    }
    out_.open("switch (phase.variant())");
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
    if (FusedSteps::stands_for(phase)) FusedSteps(plan_, phase).print_run(out_);
  }

  void print_finish(const plan::PhasePlan& phase) {
    if (phase.finish_if_stopped) out_.line("if (!phase.stopped()) return;");
    for (const Action& each : phase.finish) action(each, true);
  }

  void print_variant(const plan::PhasePlan& phase, const plan::Variant& variant) {
    out_.blank();
    out_.comment(variant.reason);
    out_.open("void " + function_of(phase, variant) + "(Phase& phase)");
    for (const Action& each : variant.prepare) action(each, true);
    if (variant.engine) {
      const EngineText engine(plan_, phase, variant);
      out_.line(engine.object() + ".run(phase, " + engine.operators() + ", graph" +
                engine.arguments() + ");");
      return out_.close();
    }
    if (variant.fused)
      out_.line(FusedSteps(plan_, phase).run(variant));
    else
      print_loop(phase, variant);
    out_.close();
  }

  void print_loop(const plan::PhasePlan& phase, const plan::Variant& variant) {
    const std::string threshold = threshold_of(plan_, phase, variant);
    if (!threshold.empty())
      out_.line("phase.defers(" + cpp_name(threshold) + ", " +
                buffer_of(plan_, plan::kDeferredCounter) + ");");
    out_.open("while (phase.active(" + (variant.pending.empty() ? "" : cpp_name(variant.pending)) +
              "))");
    for (const Action& each : variant.step) action(each, true);
    if (!phase.watched_state.empty())
      out_.line("if (phase.checkpoint()) phase.require_finite(" + quoted(phase.watched_state) +
                ", " + cpp_name(phase.watched_state) + ");");
    out_.close();
  }

  // ---- results

  void output(const ir::State& state) {
    const std::string name = cpp_name(state.name);
    const std::vector<ir::ScalarKind>& kinds = state.type.elements;
    if (state.type.is_scalar()) {
      const bool vertices = kinds.front() == ir::ScalarKind::Vertex;
      out_.line(std::string("session.output") + (vertices ? "_vertices(" : "(") +
                quoted(state.name) + ", " + name + ");");
      return;
    }
    const std::string type = cpp_type(state.type);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      out_.line("session.output_element(" + quoted(state.name + "." + std::to_string(i)) + ", " +
                name + ", sizeof(" + type + "), element_offset<" + std::to_string(i) + ", " +
                element_types(state.type) + ">(), " + kind_name(kinds[i]) + ");");
  }

  void results() {
    out_.blank();
    out_.open("void collect_results()");
    out_.line("collect_states();");
    for (const plan::PhasePlan& phase : plan_.phases)
      if (!phase.watched_state.empty())
        out_.line("session.require_finite(" + quoted(phase.phase) + ", " +
                  quoted(phase.watched_state) + ");");
    out_.close();
    out_.blank();
    out_.comment("Every state as it is, outputs first.");
    out_.open("void collect_states()");
    std::set<std::string> done;
    for (const ir::Output& each : program_.outputs)
      if (done.insert(each.state).second) output(*program_.find_state(each.state));
    for (const ir::State& state : program_.states)
      if (done.insert(state.name).second) output(state);
    out_.close();
  }

  void registration() {
    out_.blank();
    out_.line("const Registration registration(");
    out_.line("    kInfo, [](Session& session) { " + class_name_ +
              " program(session); session.execute(program); }, {__CUDA_ARCH_LIST__});");
  }

  Writer& out_;
  const plan::Plan& plan_;
  const ir::Program& program_;
  const std::set<std::string> parts_ = fused_parts(plan_);
  std::string class_name_;
};

}  // namespace

void print_cuda_host(Writer& out, const plan::Plan& plan) { HostPrinter(out, plan).run(); }

}  // namespace vertigo::compiler::emit
