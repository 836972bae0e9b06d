#include "compiler/emit/cuda/FusedSteps.h"

#include "compiler/emit/common/ControlText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

namespace {

// Names that end in an underscore are the emitter's.
constexpr const char* kLoop = "loop_";
constexpr const char* kBuffers = "b_";

/// Held by the loop.
bool is_member(const plan::Buffer& buffer) {
  return buffer.role == BufferRole::Worklist || buffer.role == BufferRole::Flag ||
         buffer.role == BufferRole::Bitmap;
}

std::string type_of(const plan::Buffer& buffer) {
  if (buffer.role == BufferRole::Worklist) return "Worklist";
  return buffer.role == BufferRole::Flag ? "Flag" : "Bitmap";
}

std::string counter_member(const plan::Buffer& counter) {
  if (counter.of == plan::kActiveCounter) return ".active";
  if (counter.of == plan::kOutEdgeCounter) return ".out_edges";
  if (counter.of == plan::kDeferredCounter) return ".deferred";
  return counter.of == plan::kAskedCounter ? ".asked" : ".edges";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

std::string launched_name(const plan::Plan& plan, const plan::Kernel& kernel) {
  return kernel.called_by == plan::Caller::Host
             ? cpp_name(kernel.name)
             : free_name(plan, cpp_name(kernel.name) + "_kernel");
}

std::string FusedSteps::name(const std::string& what) const {
  return free_name(plan_, cpp_name(phase_.phase + "_" + what));
}

std::string FusedSteps::parameter(const KernelArgument& argument) const {
  const std::string name = cpp_argument(argument);
  if (argument.kind == KernelArgument::Kind::Graph) return "const Graph graph";
  if (argument.kind == KernelArgument::Kind::List) return "const VertexList " + name;
  if (argument.kind == KernelArgument::Kind::Start) return "const Vertex " + name;
  if (argument.kind != KernelArgument::Kind::Buffer)
    return "const " + cpp_type(argument.type) + " " + name;
  const plan::Buffer& buffer = *plan_.find_buffer(argument.name);
  if (buffer.role == BufferRole::Threshold) return "const Threshold " + name;
  if (buffer.role == BufferRole::Order) return "const VertexOrder " + name;
  if (buffer.role == BufferRole::Slots) return "const MessageSlots " + name;
  if (buffer.role == BufferRole::Ballots) return "const " + ballots_type(buffer) + " " + name;
  return (argument.written ? "" : "const ") + element_type(buffer) + "* " + name;
}

std::string FusedSteps::buffer_text(const std::string& name) const {
  const plan::Buffer& buffer = *plan_.find_buffer(name);
  if (buffer.role == BufferRole::Counter) return kLoop + counter_member(buffer);
  return (is_member(buffer) ? std::string(kBuffers) + "." : "") + cpp_name(name);
}

std::string FusedSteps::call(const std::string& name) const {
  const plan::Kernel& kernel = *plan_.find_kernel(name);
  std::vector<std::string> arguments;
  for (const KernelArgument& argument : kernel.takes) {
    if (argument.kind == KernelArgument::Kind::Buffer && argument.name == kernel.list)
      arguments.push_back(std::string("shared_out(") + kLoop + ", " + buffer_text(kernel.list) +
                          ")");
    else if (argument.kind == KernelArgument::Kind::Buffer)
      arguments.push_back(buffer_text(argument.name));
    else if (argument.kind == KernelArgument::Kind::Step)
      arguments.push_back("static_cast<" + cpp_type(argument.type) + ">(" + kLoop + ".step)");
    else
      arguments.push_back(cpp_argument(argument));
  }
  return cpp_name(name) + "(" + joined(arguments) + ");";
}

/// The action as a statement; of one with a body how its call begins.
std::string FusedSteps::text_of(const Action& action) const {
  if (action.kind == ActionKind::Launch) return call(action.symbol);
  const std::string symbol = action.symbol.empty() ? "" : buffer_text(action.symbol);
  const std::string source = action.source.empty() ? "" : buffer_text(action.source);
  switch (action.kind) {
    case ActionKind::ClearBuffer:
      return "clear_all(graph, " + symbol + ");";
    case ActionKind::ClearListed:
      return "clear_listed(" + symbol + ", " + source + ");";
    case ActionKind::CopyBuffer:
      return "copy_all(graph, " + symbol + ", " + source + ");";
    case ActionKind::Swap:
      return "swap(" + symbol + ", " + source + ");";
    case ActionKind::Renew:
      return "renew(" + symbol + ");";
    case ActionKind::Barrier:
      return std::string("barrier(") + kLoop + ", ";
    case ActionKind::EachBlock:
      return "in_each_block(";
    case ActionKind::EndStep:
      return std::string("end_step(") + kLoop + ", " + symbol + ", ";
    default:
      return "";
  }
}

void FusedSteps::print_actions(Writer& out, const std::vector<Action>& actions) const {
  for (const Action& action : actions) {
    const std::string text = text_of(action);
    const bool has_body = action.kind == ActionKind::Barrier ||
                          action.kind == ActionKind::EachBlock ||
                          action.kind == ActionKind::EndStep;
    if (!has_body) {
      out.line(text);
    } else if (action.body.empty()) {
      out.line(text + "[] {});");
    } else {
      out.open(text + "[&]");
      print_actions(out, action.body);
      out.close(");");
    }
  }
}

void FusedSteps::print_changes(Writer& out) const {
  for (const plan::StepLoop::Change& change : loop_.changes) {
    out.open(std::string("if (") + kLoop +
             ".change == Change::" + (change.to_list ? "ToList" : "ToAll") + ")");
    print_actions(out, change.actions);
    out.line(std::string("changed_over(") + kLoop + ");");
    out.close();
  }
}

std::string FusedSteps::short_steps() const {
  std::string bits;
  for (const plan::Variant& variant : phase_.variants)
    bits.insert(bits.begin(), variant.one_block ? '1' : '0');
  return "0b" + bits;
}

void FusedSteps::print_kernel(Writer& out) const {
  const std::string struct_name = name_of_struct();
  out.blank();
  out.comment("Lists, marks and flags of phase " + phase_.phase +
              ": some change places while it runs.");
  out.open("struct " + struct_name);
  for (const std::string& buffer : loop_.holds)
    out.line(type_of(*plan_.find_buffer(buffer)) + " " + cpp_name(buffer) + ";");
  out.close(";");
  out.blank();
  out.comment("Phase " + phase_.phase + ": step by step in one launch, until nothing is active.");
  std::vector<std::string> head;
  for (const KernelArgument& argument : loop_.takes) head.push_back(parameter(argument));
  head.insert(head.begin() + 1, "const StepLoop<" + struct_name + "> start_");
  out.open("__global__ void __launch_bounds__(kBlock, kStepBlocks) " + name("steps") + "(" +
           joined(head) + ")");
  out.line("__shared__ OfBlock<StepLoop<" + struct_name + ">> shared_;");
  out.line("StepLoop<" + struct_name + ">& " + kLoop + " = shared_.value;");
  out.line(struct_name + "& " + kBuffers + " = " + kLoop + ".buffers;");
  out.open(std::string("for (enter(") + kLoop + ", start_); next_step(" + kLoop + ", graph, " +
           short_steps() + ");)");
  print_changes(out);
  out.open(std::string("switch (") + kLoop + ".variant())");
  for (const plan::StepLoop::Steps& steps : loop_.steps) {
    const plan::Variant* const variant = phase_.find_variant(steps.variant);
    out.open("case " + std::to_string(variant - phase_.variants.data()) + ":");
    out.comment(steps.variant);
    print_actions(out, steps.actions);
    out.line("break;");
    out.close();
  }
  out.close();
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
  return free_name(plan_, type_name(phase_.phase) + "Buffers");
}

}  // namespace vertigo::compiler::emit
