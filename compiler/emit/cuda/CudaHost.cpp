#include "compiler/emit/cuda/CudaHost.h"

#include <algorithm>

#include "compiler/emit/common/EdgeColumns.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HostPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/TypeNames.h"
#include "compiler/emit/cuda/CudaKernels.h"
#include "compiler/emit/cuda/FusedSteps.h"
#include "compiler/emit/cuda/RoundsCode.h"
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
    case BufferRole::Hubs:
      return "HubOrder";
    case BufferRole::Classes:
      return buffer.colours.empty() ? "ColourClasses" : "FewClasses";
    case BufferRole::Ballots:
      return ballots_type(buffer);
    case BufferRole::Sorted:
      return "SortedVertices<" + cpp_type(buffer.type) + ">";
    default:
      return element_type(buffer) + "*";
  }
}

// What engines and loops hold are structs that are called after their phases.
bool is_struct_of_phase(const plan::Plan& plan, const std::string& name) {
  for (const RoundsCode& rounds : rounds_of(plan))
    if (rounds.name_of_struct() == name) return true;
  return std::ranges::any_of(plan.phases, [&](const plan::PhasePlan& phase) {
    const std::string type = type_of_phase(plan, phase.phase);
    return name == type + "Buffers" ||
           std::ranges::any_of(phase.variants, [&](const plan::Variant& variant) {
             return variant.engine && name == type + type_name(variant.engine->name);
           });
  });
}

std::string name_of_class(const plan::Plan& plan) {
  const std::string name = type_name(plan.program.name);
  return free_name(plan, is_struct_of_phase(plan, name) ? name + "Program" : name);
}

class CudaHost : public HostPrinter {
 public:
  CudaHost(Writer& out, const plan::Plan& plan) : HostPrinter(out, plan), rounds_(rounds_of(plan)) {
    words_.class_name = name_of_class(plan);
    words_.comment = "Program " + program_.name +
                     ": its buffers on the device, and the loops that launch its kernels.";
    words_.anywhere = "__host__ __device__ ";
    words_.of_device = "__device__ ";
    words_.report = "session.report(";
    words_.buffers = "declare_buffers";
    words_.of_buffers = "What the variants that will run need.";
    words_.list_type = "VertexList";
    words_.phase_type = "Phase";
  }

 private:
  void print_constructor() override {
    out_.open("explicit " + words_.class_name + "(Session& run) : session(run)");
    for (const ir::Parameter& parameter : program_.parameters)
      if (!parameter.is_list)
        out_.line(cpp_name(parameter.name) + " = session.parameter<" + cpp_type(parameter.kind) +
                  ">(" + quoted(parameter.name) + ");");
    out_.line("declare_buffers();");
    out_.close();
    out_.blank();
  }

  void print_preparations() override {
    if (host_.preparations.empty()) return;
    out_.comment("What is done to the graph once, before the runs.");
    out_.open("void prepare()");
    for (const plan::Preparation& each : host_.preparations) {
      std::string test;
      for (const plan::VariantOf& of : each.variants) {
        const plan::PhasePlan& phase = *plan_.find_phase(of.phase);
        test += (test.empty() ? "" : " || ") + chosen(phase) +
                " == " + std::to_string(phase.find_variant(of.variant) - phase.variants.data());
      }
      out_.line("if (" + test + ") " + prepared(each) + ".prepare(session, graph);");
    }
    out_.close();
    out_.blank();
  }

  std::string prepared(const plan::Preparation& preparation) const {
    if (!preparation.buffer.empty()) return cpp_name(preparation.buffer);
    const plan::VariantOf& of = preparation.variants.front();
    const plan::PhasePlan& phase = *plan_.find_phase(of.phase);
    return EngineText(plan_, phase, *phase.find_variant(of.variant)).object();
  }

  void open_run() override { out_.open("void run()"); }
  void close_run() override {}

  // ---- buffers

  std::string transposes() const { return plan_.needs_transpose ? "true" : "false"; }

  void begin_buffers() override {
    out_.line("session.declare(graph, " + transposes() + edge_default(program_) + ");");
    if (host_.ids) out_.line("session.declare_ids(graph);");
    for (const ir::Parameter& parameter : program_.parameters)
      if (parameter.is_list)
        out_.line("session.declare(" + cpp_name(parameter.name) + ", " + quoted(parameter.name) +
                  ");");
  }

  std::string make(const plan::Buffer& buffer) const override {
    const std::string name = cpp_name(buffer.name);
    if (plan::is_sized_by_graph(buffer.role) || buffer.role == BufferRole::Sorted)
      return name + ".declare(session, " + quoted(buffer.name) +
             (buffer.colours.empty() ? "" : ", " + colours_text(buffer)) + ");";
    const std::string count = buffer.role == BufferRole::Messages
                                  ? cpp_name(buffer.slots) + ".slot_count, "
                              : buffer.role == BufferRole::EdgeState ? "graph.edge_count, "
                                                                     : "";
    return "session.declare(" + name + ", " + count + quoted(buffer.name) + ");";
  }
  std::string make(const EngineText& engine) const override {
    return engine.object() + ".declare(session, graph);";
  }
  std::string make_shares(const plan::Variant& variant) const override {
    return variant.by_graph ? "session.share_lists(graph, " + transposes() + ");" : "";
  }
  std::string make_loop(const plan::PhasePlan& phase) const override {
    return phase.loop ? FusedSteps(plan_, phase).declaration() : "";
  }
  void make_rounds() override {
    for (const RoundsCode& rounds : rounds_) out_.line(rounds.declaration());
  }

  // ---- actions

  /// What copies a value an edge; "": a value a vertex.
  std::string count_of_edges(const std::string& buffer) const {
    return plan_.find_buffer(buffer)->role == BufferRole::EdgeState ? ", graph.edge_count" : "";
  }

  std::string action_text(const Action& action) const override {
    const std::string symbol = cpp_name(action.symbol);
    const std::string source = cpp_name(action.source);
    switch (action.kind) {
      case ActionKind::ClearBuffer:
        return "session.clear(" + symbol + ");";
      case ActionKind::ClearListed:
        return "session.clear_listed(" + symbol + ", " + source + ");";
      case ActionKind::FillWorklist:
        return "session.fill(" + symbol + ");";
      case ActionKind::RaiseFlag:
        return "session.raise(" + symbol + ");";
      case ActionKind::CopyBuffer:
        return "session.copy(" + symbol + ", " + source + count_of_edges(action.symbol) + ");";
      case ActionKind::Swap:
        return "swap(" + symbol + ", " + source + ");";
      case ActionKind::LoadInput:
        return "session.load_input(" + symbol + ", " + quoted(action.symbol) + ");";
      default:
        return "";
    }
  }

  static std::string blocks(const plan::Kernel& kernel, bool reduces) {
    if (reduces) return "session.reduction_blocks()";
    switch (kernel.domain) {
      case plan::Domain::AllVertices:
        return goes_through_rows(kernel) ? "row_blocks(session, graph)"
                                         : "session.blocks_in_turn()";
      case plan::Domain::OneVertex:
      case plan::Domain::Sample:
        return "1";

      default:
        return plan::is_sliced(kernel) ? "session.blocks()"
                                       : "session.blocks(" + cpp_name(kernel.list) + ")";
    }
  }

  std::string slice_text(const plan::Kernel& kernel) const override {
    const std::string list = cpp_name(kernel.list);
    return is_cut_ ? list : list + ".slice(session, " + expr_text(*kernel.start) + ")";
  }
  std::string sort_text(const plan::Buffer& sorted) const override {
    return cpp_name(sorted.name) + ".sort(session, " + cpp_name(sorted.of) + ");";
  }

  void print_launch(const plan::Kernel& kernel, const std::string& step, bool reduces) override {
    std::string arguments;
    for (const std::string& text : argument_texts(kernel, step))
      arguments +=
          (arguments.empty() ? "" : ", ") + (text == kPartArgument ? parts_of(kernel) : text);
    const std::string name = launched_name(plan_, kernel);
    if (kernel.domain == plan::Domain::Part || kernel.domain == plan::Domain::Rest)
      out_.line("launch_parts(" + name + ", session, " + parts_of(kernel) + ", " + arguments +
                ");");
    else
      out_.line(name + "<<<" + blocks(kernel, reduces) + ", kBlock, 0, session.stream()>>>(" +
                arguments + ");");
    out_.line("session.launched(" + quoted(kernel.name) + ");");
  }

  // The kernel goes through the parts itself.
  void print_parts(const Action& action, bool in_phase) override {
    print_actions(action.body, in_phase);
  }
  static std::string parts_of(const plan::Kernel& kernel) {
    return cpp_name(kernel.list) + (kernel.domain == plan::Domain::Part ? ".parts()" : ".rest()");
  }

  // Inside the loop, graph and list are those of the part.
  void print_cut_launch(const Action& action, const std::string& step) override {
    const plan::Kernel& kernel = *plan_.find_kernel(action.symbol);
    const std::string along = ", " + along_text(*action.parts) + ")";
    if (kernel.domain == plan::Domain::Worklist) {
      const std::string list = cpp_name(kernel.list);
      out_.open("for (const auto& [graph, " + list + "] : session.in_parts(this->graph, this->" +
                (plan::is_sliced(kernel) ? slice_text(kernel) : list) + along + ")");
    } else {
      out_.open("for (const Graph& graph : session.in_parts(this->graph" + along + ")");
    }
    is_cut_ = true;
    launch(kernel.name, step);
    is_cut_ = false;
    out_.close();
  }

  HostBody::LoopCalls loop_calls() const override {
    HostBody::LoopCalls calls;
    for (const RoundsCode& rounds : rounds_) calls.emplace(rounds.loop(), rounds.function());
    return calls;
  }

  std::string took_part_text(const plan::PhasePlan& phase) const override {
    return "Phase::took_part(session, " + std::to_string(index_of(phase)) + ")";
  }
  void print_reduction_body(const plan::VertexReduction& reduction) override {
    const std::string buffer = cpp_name(reduction.buffer);
    launch(reduction.kernel, "0", true);
    out_.line("return session.get(" + buffer + ");");
  }

  // ---- phases

  std::string chosen(const plan::PhasePlan& phase) const override {
    return "session.variant(" + std::to_string(index_of(phase)) + ")";
  }
  std::string variant_of_phase(const plan::PhasePlan&) const override { return "phase.variant()"; }

  void begin_phase(const plan::PhasePlan& phase, std::size_t index) override {
    std::string limit;
    if (phase.step_limit) limit = ", limit_of(" + expr_text(*phase.step_limit) + ")";
    out_.line("Phase phase(session, " + std::to_string(index) + ", " +
              find_counter(plan_, plan::kActiveCounter) + ", " +
              find_counter(plan_, plan::kEdgeCounter) + limit + ");");
    if (phase.cycles == plan::Cycles::None) return;
    if (phase.cycles == plan::Cycles::OverNegativeWeights)
      out_.line("if (session.has_negative_weights())");
    out_.line("  phase.watch_cycles([](void* program) { static_cast<" + words_.class_name +
              "*>(program)->collect_states(); }, this);");
  }

  void print_steps(const plan::PhasePlan& phase, const plan::Variant& variant) override {
    if (variant.fused) return out_.line(FusedSteps(plan_, phase).run(variant));
    if (!variant.threshold.empty())
      out_.line("phase.defers(" + cpp_name(variant.threshold) + ", " +
                find_counter(plan_, plan::kDeferredCounter) + ");");
    out_.open("while (phase.active(" + (variant.pending.empty() ? "" : cpp_name(variant.pending)) +
              "))");
    print_actions(variant.step, true);
    if (!phase.watched_state.empty())
      out_.line("if (phase.checkpoint()) phase.require_finite(" + quoted(phase.watched_state) +
                ", " + cpp_name(phase.watched_state) + ");");
    out_.close();
  }

  void after_variants(const plan::PhasePlan& phase) override {
    if (phase.loop) FusedSteps(plan_, phase).print_run(out_);
  }

  void after_phases() override {
    for (const RoundsCode& rounds : rounds_) rounds.print_run(out_);
  }

  // ---- results

  void print_column(const ir::State& state) {
    const std::string name = cpp_name(state.name);
    const std::vector<ir::ScalarKind>& kinds = state.type.elements;
    if (state.type.is_scalar()) {
      const bool vertices = kinds.front() == ir::ScalarKind::Vertex;
      out_.line(std::string("session.output") + (vertices ? "_vertices(" : "(") +
                quoted(state.name) + ", " + name + ");");
      return;
    }
    for (std::size_t i = 0; i < kinds.size(); ++i)
      out_.line("session.output_element(" + quoted(state.name + "." + std::to_string(i)) + ", " +
                name + ", sizeof(" + cpp_type(state.type) + "), element_offset<" +
                std::to_string(i) + ", " + element_types(state.type) + ">(), " +
                kind_name(kinds[i]) + ");");
  }

  void print_results() override {
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
    for (const std::string& state : host_.columns) print_column(*program_.find_state(state));
    out_.close();
  }

  // ---- members

  void print_own_members() override {
    out_.line("Session& session;");
    out_.line("Graph graph;");
  }

  std::string member_text(const plan::Buffer& buffer) const override {
    return member_type(buffer) + " " + cpp_name(buffer.name) + "{" +
           (plan::has_direction(buffer.role) ? along_text(buffer) : "") + "}";
  }

  void print_last_members() override {
    for (const plan::PhasePlan& phase : plan_.phases)
      if (phase.loop) out_.line(FusedSteps(plan_, phase).member());
    for (const RoundsCode& rounds : rounds_) out_.line(rounds.member());
  }

  void print_registration() override {
    out_.line("const Registration registration(");
    out_.line("    kInfo, [](Session& session) { " + words_.class_name +
              " program(session); session.execute(program); }, {__CUDA_ARCH_LIST__});");
  }

  const std::vector<RoundsCode> rounds_;
  bool is_cut_ = false;  ///< inside a loop over parts, which has named the list of each
};

}  // namespace

void print_cuda_host(Writer& out, const plan::Plan& plan) { CudaHost(out, plan).print(); }

}  // namespace vertigo::compiler::emit
