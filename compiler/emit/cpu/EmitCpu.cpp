#include "compiler/emit/cpu/EmitCpu.h"

#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/HostPrinter.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/ProgramInfoText.h"

namespace vertigo::compiler::emit {

namespace {

class CpuKernelPrinter : public KernelPrinter {
 public:
  using KernelPrinter::KernelPrinter;

 protected:
  void open_kernel(const plan::Kernel& kernel,
                   const std::vector<KernelArgument>& arguments) override {
    std::vector<std::string> parameters;
    for (const KernelArgument& argument : arguments) parameters.push_back(parameter(argument));
    open_function("void " + cpp_name(kernel.name), parameters);
    out_.open(domain(kernel) + "[=](Vertex " + cpp_name(kernel.vertex) + ")");
  }

  void close_kernel(const plan::Kernel&) override {
    out_.close(");");
    out_.close();
  }

 private:
  static std::string domain(const plan::Kernel& kernel) {
    switch (kernel.domain) {
      case plan::Domain::AllVertices:
        return kernel.order.empty() ? "for_each_vertex(graph, "
                                    : "for_each_listed(" + cpp_name(kernel.order) + ", ";
      case plan::Domain::Worklist:
        return "for_each_listed(" + cpp_name(kernel.list) + ", ";
      case plan::Domain::Sample:
        return "for_each_sampled(" + cpp_name(kernel.list) + ", " + threshold_of(kernel) + ", " +
               count_text(*kernel.start) + ", " + rank_text(kernel) + ", ";
      case plan::Domain::OneVertex:
        return std::string("for_one_vertex(graph, ") + kStartArgument + ", ";
      case plan::Domain::VertexList:
        return "for_each_given(" + cpp_name(kernel.list) + ", ";
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

  static std::string parameter(const KernelArgument& argument) {
    const std::string name = cpp_argument(argument);
    switch (argument.kind) {
      case KernelArgument::Kind::Graph:
        return "const Graph& graph";
      case KernelArgument::Kind::List:
        return "std::span<const Vertex> " + name;
      case KernelArgument::Kind::Buffer:
        return buffer(argument, name);
      default:
        return cpp_type(argument.type) + " " + name;
    }
  }

  static std::string buffer(const KernelArgument& argument, const std::string& name) {
    switch (argument.buffer->role) {
      case plan::BufferRole::Bitmap:
        return "Bitmap " + name;
      case plan::BufferRole::Worklist:
        return "Worklist " + name;
      case plan::BufferRole::Flag:
        return "Flag " + name;
      case plan::BufferRole::Order:
        return "VertexOrder " + name;
      case plan::BufferRole::Slots:
        return "MessageSlots " + name;
      case plan::BufferRole::Counter:
        return "Counter " + name;
      case plan::BufferRole::Threshold:
        return "Threshold " + name;
      case plan::BufferRole::Scalar:
        return "Scalar<" + cpp_type(argument.buffer->type) + "> " + name;
      default:
        return (argument.written ? "" : "const ") + element_type(*argument.buffer) + "* " + name;
    }
  }
};

std::string launch(const plan::Kernel& kernel, const std::vector<std::string>& arguments) {
  std::string text = cpp_name(kernel.name) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + arguments[i];
  return text + ");";
}

const HostTarget kCpu{
    .kind = "TargetKind::Cpu", .source_symbol = "vertigo_cpu_source", .launch = launch};

}  // namespace

std::string emit_cpu(const plan::Plan& plan, const EmitOptions& options) {
  Writer out(options.source_name, options.output_name);
  print_header(out, plan, options, "the CPU");
  out.blank();
  out.line("#include \"vertigo/cpu/generated.h\"");
  if (has_role(plan, plan::BufferRole::Slots)) out.line("#include \"vertigo/cpu/message_slots.h\"");
  if (has_role(plan, plan::BufferRole::Order)) out.line("#include \"vertigo/cpu/vertex_order.h\"");
  for (const std::string& engine : engines_of(plan))
    out.line("#include \"vertigo/engines/" + engine + "/cpu.h\"");
  print_header_includes(out, plan.program, options);
  out.blank();
  out.comment("The text of this file; there when the compiler of vertigo linked it in.");
  out.line("extern \"C\" [[gnu::weak]] const char vertigo_cpu_source[];");
  out.blank();
  open_program(out, plan.program, "cpu");
  print_graph_type(out, plan);
  print_functions(out, plan, "inline");
  CpuKernelPrinter kernels(out, plan, options);
  for (const plan::Kernel& kernel : plan.kernels) kernels.print(kernel);
  print_program_info(out, plan, options);
  print_host(out, plan, options, kCpu);
  print_header_table(out, plan.program);
  close_program(out, plan.program);
  return out.take();
}

}  // namespace vertigo::compiler::emit
