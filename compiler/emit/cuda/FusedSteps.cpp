#include "compiler/emit/cuda/FusedSteps.h"

#include "compiler/emit/common/ControlText.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/TypeNames.h"

namespace vertigo::compiler::emit {

using plan::BufferRole;

std::string FusedSteps::name(const std::string& what) const {
  return free_name(plan_, cpp_name(phase_.phase + "_" + what));
}

void FusedSteps::print_kernel(Writer& out) const {
  const std::string struct_name = name_of_struct();
  out.blank();
  out.comment("Lists, marks and flags of phase " + phase_.phase +
              ": some change places while it runs.");
  out.open("struct " + struct_name);
  for (const std::string& buffer : loop_.holds) out.line(code_.member(buffer));
  out.close(";");
  out.blank();
  out.comment("Phase " + phase_.phase + ": step by step in one launch, until nothing is active.");
  std::vector<std::string> head;
  for (const KernelArgument& argument : loop_.takes) head.push_back(code_.parameter(argument));
  head.insert(head.begin() + 1, "const StepLoop<" + struct_name + "> start_");
  out.open("__global__ void __launch_bounds__(kBlock, kStepBlocks) " + name("steps") + "(" +
           joined(head) + ")");
  out.line("__shared__ OfBlock<StepLoop<" + struct_name + ">> shared_;");
  out.line("StepLoop<" + struct_name + ">& " + kLoop + " = shared_.value;");
  out.line(struct_name + "& " + kBuffers + " = " + kLoop + ".buffers;");
  out.open(std::string("for (enter(") + kLoop + ", start_); " + GridCode::next_step(phase_) + ";)");
  code_.print_steps(out, phase_);
  out.close();
  out.close();
}

std::string FusedSteps::member() const {
  return "LoopMemory<" + name_of_struct() + "> " + name("loop") + ";";
}

std::string FusedSteps::declaration() const {
  return "session.declare(" + name("loop") + ", " + quoted("loop of phase " + phase_.phase) + ");";
}

std::string FusedSteps::run(const plan::Variant& variant) const {
  const bool list = plan_.find_buffer(variant.pending)->role == BufferRole::Worklist;
  return name("run") + "(phase, " + cpp_name(variant.pending) + (list ? ".count" : ".word") + ", " +
         control_text(phase_, variant) + ");";
}

bool FusedSteps::is_threshold(const KernelArgument& argument) const {
  return argument.kind == KernelArgument::Kind::Buffer &&
         plan_.find_buffer(argument.name)->role == BufferRole::Threshold;
}

void FusedSteps::print_run(Writer& out) const {
  out.blank();
  out.comment("Launches the steps of phase " + phase_.phase +
              " until it is over; the host looks in between where a limit or a watched state asks "
              "for it.");
  out.open("void " + name("run") +
           "(Phase& phase, const std::uint32_t* pending_, execute::Control control_, "
           "ListOf<execute::Path> paths_)");
  out.line("StepLoop<" + name_of_struct() + "> " + kLoop + "{};");
  std::vector<std::string> names;
  for (const std::string& buffer : loop_.holds) names.push_back(cpp_name(buffer));
  out.line(std::string(kLoop) + ".buffers = {" + joined(names) + "};");
  for (const KernelArgument& argument : loop_.takes)
    if (is_threshold(argument))
      out.line(std::string(kLoop) + ".threshold = " + cpp_argument(argument) + ";");
  out.line(std::string("phase.begin(") + kLoop + ", " + name("loop") +
           ", pending_, control_, paths_);");
  out.open(std::string("while (phase.more(") + kLoop + "))");
  if (!phase_.watched_state.empty())
    out.line("if (phase.checkpoint()) phase.require_finite(" + quoted(phase_.watched_state) + ", " +
             cpp_name(phase_.watched_state) + ");");
  std::vector<std::string> arguments = {
      name("steps"), "phase.blocks(most_resident_blocks(" + name("steps") + ", kBlock))",
      "kBlock",      "session.stream()",
      "graph",       kLoop};
  for (std::size_t i = 1; i < loop_.takes.size(); ++i)
    arguments.push_back(cpp_argument(loop_.takes[i]));
  out.line("launch_cooperative(" + joined(arguments) + ");");
  out.close();
  for (const std::string& each : names) out.line(each + " = " + kLoop + ".buffers." + each + ";");
  out.close();
}

std::string FusedSteps::name_of_struct() const {
  return free_name(plan_, type_of_phase(plan_, phase_.phase) + "Buffers");
}

}  // namespace vertigo::compiler::emit
