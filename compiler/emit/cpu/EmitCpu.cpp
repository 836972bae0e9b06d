#include "compiler/emit/cpu/EmitCpu.h"

#include "compiler/emit/common/EdgeColumns.h"
#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/Functions.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/ProgramInfoText.h"
#include "compiler/emit/cpu/CpuHost.h"
#include "compiler/emit/cpu/CpuProgramInfo.h"

namespace vertigo::compiler::emit {

namespace {

class CpuKernelPrinter : public KernelPrinter {
 public:
  using KernelPrinter::KernelPrinter;

 protected:
  void open_kernel(const plan::Kernel& kernel) override {
    std::vector<std::string> parameters;
    for (const KernelArgument& argument : kernel.takes) parameters.push_back(parameter(argument));
    open_function("void " + cpp_name(kernel.name), parameters);
    declare_held(kernel);
    out_.open(domain(kernel) + "[=](Vertex " + cpp_name(kernel.vertex) + ")");
  }

  void close_kernel(const plan::Kernel&) override {
    out_.close(");");
    out_.close();
  }

 private:
  std::string domain(const plan::Kernel& kernel) const {
    switch (kernel.domain) {
      case plan::Domain::AllVertices:
        return kernel.order.empty() ? "for_each_vertex(graph, "
                                    : "for_each_listed(" + cpp_name(kernel.order) + ", ";
      case plan::Domain::Worklist:
        return (reduces(plan_, kernel)    ? "for_each_left("
                : plan::is_sliced(kernel) ? "for_each_given("
                                          : "for_each_listed(") +
               cpp_name(kernel.list) + ", ";
      case plan::Domain::Sample:
        return "for_each_sampled(" + cpp_name(kernel.list) + ", " + threshold_of(kernel) + ", " +
               count_text(*kernel.start) + ", " + rank_text(kernel) + ", ";
      case plan::Domain::OneVertex:
        return std::string("for_one_vertex(graph, ") + kStartArgument + ", ";
      case plan::Domain::VertexList:
        return "for_each_given(" + cpp_name(kernel.list) + ", ";
      case plan::Domain::Part:
      case plan::Domain::Rest:
        return std::string("for_each_given(") + kPartArgument + ", ";
    }
    return "";
  }

  static std::string threshold_of(const plan::Kernel& kernel) {
    std::string name;
    plan::walk_statements(kernel.body, [&](const plan::KernelStmt& stmt) {
      if (stmt.op == plan::KernelOp::Sample) name = cpp_name(stmt.buffer);
    });
    return name;
  }

  std::string parameter(const KernelArgument& argument) const {
    const std::string name = cpp_argument(argument);
    switch (argument.kind) {
      case KernelArgument::Kind::Graph:
        return "const Graph& graph";
      case KernelArgument::Kind::List:
      case KernelArgument::Kind::Part:
        return "std::span<const Vertex> " + name;
      case KernelArgument::Kind::Start:
        return "Vertex " + name;
      case KernelArgument::Kind::Buffer:
        return buffer_type(argument) + " " + name;
      default:
        return cpp_type(argument.type) + " " + name;
    }
  }

  std::string buffer_type(const KernelArgument& argument) const {
    const plan::Buffer& buffer = *plan_.find_buffer(argument.name);
    switch (buffer.role) {
      case plan::BufferRole::Bitmap:
        return "Bitmap";
      case plan::BufferRole::Worklist:
        return "Worklist";
      case plan::BufferRole::Flag:
        return "Flag";
      case plan::BufferRole::Order:
        return "VertexOrder";
      case plan::BufferRole::Slots:
        return "MessageSlots";
      case plan::BufferRole::Hubs:
        return "HubOrder";
      case plan::BufferRole::Ballots:
        return ballots_type(buffer);
      case plan::BufferRole::Counter:
        return "Counter";
      case plan::BufferRole::Threshold:
        return "Threshold";
      case plan::BufferRole::Scalar:
        return "Scalar<" + cpp_type(buffer.type) + ">";
      case plan::BufferRole::Sorted:
        return "std::span<const Vertex>";
      default:
        return (argument.written ? "" : "const ") + element_type(buffer) + "*";
    }
  }
};

}  // namespace

std::string emit_cpu(const plan::Plan& plan, const EmitOptions& options) {
  Writer out(options.source_name, options.output_name);
  print_header(out, plan, options, "the CPU");
  out.blank();
  if (has_role(plan, plan::BufferRole::Classes))
    out.line("#include \"vertigo/cpu/colour_classes.h\"");
  out.line("#include \"vertigo/cpu/generated.h\"");
  if (has_role(plan, plan::BufferRole::Hubs)) out.line("#include \"vertigo/cpu/hub_order.h\"");
  if (has_operation(plan, plan::KernelOp::Uncount))
    out.line("#include \"vertigo/cpu/kept_counts.h\"");
  if (has_role(plan, plan::BufferRole::Ballots))
    out.line("#include \"vertigo/cpu/most_frequent.h\"");
  if (has_role(plan, plan::BufferRole::Slots)) out.line("#include \"vertigo/cpu/message_slots.h\"");
  if (has_role(plan, plan::BufferRole::Sorted))
    out.line("#include \"vertigo/cpu/sorted_vertices.h\"");
  if (has_role(plan, plan::BufferRole::Order)) out.line("#include \"vertigo/cpu/vertex_order.h\"");
  for (const std::string& engine : engines_of(plan))
    out.line("#include \"vertigo/engines/" + engine + "/cpu.h\"");
  print_header_includes(out, plan.program, options);
  out.blank();
  out.comment("The text of this file; there when the compiler of vertigo linked it in.");
  out.line("extern \"C\" [[gnu::weak]] const char vertigo_cpu_source[];");
  out.blank();
  open_program(out, plan.program, "cpu");
  print_edge_columns(out, plan.program);
  out.line("using Graph = GraphView<" + edge_type(plan.program, "NoWeight") + ">;");
  print_functions(out, plan, "inline");
  CpuKernelPrinter kernels(out, plan, options);
  for (const plan::Kernel& kernel : plan.kernels) kernels.print(kernel);
  print_cpu_program_info(out, plan, options);
  print_cpu_host(out, plan);
  print_header_table(out, plan.program);
  close_program(out, plan.program);
  return out.take();
}

}  // namespace vertigo::compiler::emit
