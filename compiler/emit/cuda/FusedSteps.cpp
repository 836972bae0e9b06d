#include "compiler/emit/cuda/FusedSteps.h"

#include <algorithm>

#include "compiler/emit/common/HybridText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

namespace {

// Names that end in an underscore are the emitter's.
constexpr const char* kLoop = "loop_";
constexpr const char* kBuffers = "b_";

bool takes_turns(const plan::Buffer& buffer) {
  return buffer.role == BufferRole::Worklist || buffer.role == BufferRole::Flag;
}

bool is_member(const plan::Buffer& buffer) {
  return takes_turns(buffer) || buffer.role == BufferRole::Bitmap;
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

/// What happens in the phase's fused steps, and between them.
template <class Visit>
void for_each_action(const plan::PhasePlan& phase, const Visit& visit) {
  for (const plan::Variant& variant : phase.variants) {
    if (!variant.fused) continue;
    for (const Action& action : variant.step) visit(action);
    if (!variant.hybrid) continue;
    for (const Action& action : variant.hybrid->to_list) visit(action);
    for (const Action& action : variant.hybrid->to_all) visit(action);
  }
}

}  // namespace

std::set<std::string> fused_parts(const plan::Plan& plan) {
  std::set<std::string> parts;
  for (const plan::PhasePlan& phase : plan.phases)
    for_each_action(phase, [&](const Action& action) {
      if (action.kind == ActionKind::Launch) parts.insert(action.symbol);
    });
  return parts;
}

std::string launched_name(const plan::Plan& plan, const std::set<std::string>& parts,
                          const std::string& kernel) {
  return parts.contains(kernel) ? free_name(plan, cpp_name(kernel) + "_kernel") : cpp_name(kernel);
}

bool FusedSteps::stands_for(const plan::PhasePlan& phase) {
  return std::any_of(phase.variants.begin(), phase.variants.end(),
                     [](const auto& variant) { return variant.fused; });
}

FusedSteps::FusedSteps(const plan::Plan& plan, const plan::PhasePlan& phase)
    : plan_(plan), phase_(phase) {
  arguments_.push_back({KernelArgument::Kind::Graph, "graph", {}, nullptr, false});
  for_each_action(phase, [&](const Action& action) {
    if (action.kind == ActionKind::Launch) return add_kernel(action.symbol);
    add_buffer(*plan.find_buffer(action.symbol), action.kind == ActionKind::CopyBuffer);
    if (!action.source.empty()) add_buffer(*plan.find_buffer(action.source), false);
  });
}

void FusedSteps::add_buffer(const plan::Buffer& buffer, bool written) {
  if (is_member(buffer)) {
    if (std::find(buffers_.begin(), buffers_.end(), &buffer) == buffers_.end())
      buffers_.push_back(&buffer);
    return;
  }
  if (buffer.role == BufferRole::Counter) return;
  for (KernelArgument& known : arguments_)
    if (known.buffer == &buffer) {
      known.written = known.written || written;
      return;
    }
  arguments_.push_back({KernelArgument::Kind::Buffer, buffer.name, buffer.type, &buffer, written});
}

void FusedSteps::add_kernel(const std::string& name) {
  for (const KernelArgument& argument : arguments_of(plan_, *plan_.find_kernel(name))) {
    if (argument.kind == KernelArgument::Kind::Buffer) {
      add_buffer(*argument.buffer, argument.written);
      continue;
    }
    if (argument.kind == KernelArgument::Kind::Step) continue;
    const bool known =
        std::any_of(arguments_.begin(), arguments_.end(), [&](const KernelArgument& other) {
          return other.kind == argument.kind && other.name == argument.name;
        });
    if (!known) arguments_.push_back(argument);
  }
}

std::string FusedSteps::name(const std::string& what) const {
  return free_name(plan_, cpp_name(phase_.phase + "_" + what));
}

std::string FusedSteps::parameters(const KernelArgument& argument) const {
  const std::string name = cpp_argument(argument);
  switch (argument.kind) {
    case KernelArgument::Kind::Graph:
      return "const Graph graph";
    case KernelArgument::Kind::List:
      return "const VertexList " + name;
    case KernelArgument::Kind::Buffer:
      if (argument.buffer->role == BufferRole::Threshold) return "const Threshold " + name;
      if (argument.buffer->role == BufferRole::Order) return "const VertexOrder " + name;
      if (argument.buffer->role == BufferRole::Slots) return "const MessageSlots " + name;
      return (argument.written ? "" : "const ") + element_type(*argument.buffer) + "* " + name;
    default:
      return "const " + cpp_type(argument.type) + " " + name;
  }
}

std::string FusedSteps::buffer_text(const std::string& name) const {
  const plan::Buffer& buffer = *plan_.find_buffer(name);
  if (buffer.role == BufferRole::Counter) return kLoop + counter_member(buffer);
  return (is_member(buffer) ? std::string(kBuffers) + "." : "") + cpp_name(name);
}

std::string FusedSteps::call(const std::string& kernel) const {
  std::vector<std::string> arguments;
  const std::string& list = plan_.find_kernel(kernel)->list;
  for (const KernelArgument& argument : arguments_of(plan_, *plan_.find_kernel(kernel))) {
    if (argument.kind == KernelArgument::Kind::Buffer && argument.name == list)
      arguments.push_back(std::string("shared_out(") + kLoop + ", " + buffer_text(list) + ")");
    else if (argument.kind == KernelArgument::Kind::Buffer)
      arguments.push_back(buffer_text(argument.name));
    else if (argument.kind == KernelArgument::Kind::Step)
      arguments.push_back("static_cast<" + cpp_type(argument.type) + ">(" + kLoop + ".step)");
    else
      arguments.push_back(cpp_argument(argument));
  }
  return cpp_name(kernel) + "(" + joined(arguments) + ");";
}

// What a thread does to its block's copy of the loop; "" for work of the whole grid.
std::string FusedSteps::local_update(const Action& action) const {
  if (action.kind == ActionKind::Swap)
    return "swap(" + buffer_text(action.symbol) + ", " + buffer_text(action.source) + ");";
  if (action.kind == ActionKind::ClearBuffer && takes_turns(*plan_.find_buffer(action.symbol)))
    return "renew(" + buffer_text(action.symbol) + ");";
  return "";
}

std::string FusedSteps::grid_work(const Action& action) const {
  const std::string symbol = action.kind == ActionKind::Launch ? "" : buffer_text(action.symbol);
  switch (action.kind) {
    case ActionKind::Launch:
      return call(action.symbol);
    case ActionKind::ClearBuffer:
      return "clear_all(graph, " + symbol + ");";
    case ActionKind::ClearListed:
      return "clear_listed(" + symbol + ", " + buffer_text(action.source) + ");";
    case ActionKind::CopyBuffer:
      return "copy_all(graph, " + symbol + ", " + buffer_text(action.source) + ");";
    default:
      return "";
  }
}

void FusedSteps::print_ending(Writer& out, const std::string& head,
                              const std::vector<std::string>& updates) {
  if (updates.empty()) return out.line(head + "[] {});");
  out.open(head + "[&]");
  for (const std::string& update : updates) out.line(update);
  out.close(");");
}

// A barrier stands between works of the grid; what one thread does for its block waits for it.
void FusedSteps::print_actions(Writer& out, const std::vector<Action>& actions,
                               const std::string& ending) const {
  std::vector<std::string> updates;
  bool works = false;
  for (const Action& action : actions) {
    const std::string update = local_update(action);
    if (!update.empty()) {
      updates.push_back(update);
      continue;
    }
    if (works)
      print_ending(out, std::string("barrier(") + kLoop + ", ", updates);
    else if (!updates.empty())
      print_ending(out, "in_each_block(", updates);
    updates.clear();
    out.line(grid_work(action));
    works = true;
  }
  if (works || !updates.empty()) print_ending(out, ending, updates);
}

void FusedSteps::print_changes(Writer& out) const {
  for (const plan::Variant& variant : phase_.variants) {
    if (!variant.hybrid) continue;
    for (const auto& [change, actions] :
         {std::pair("ToList", &variant.hybrid->to_list), {"ToAll", &variant.hybrid->to_all}}) {
      out.open(std::string("if (") + kLoop + ".change == Change::" + change + ")");
      print_actions(out, *actions, std::string("barrier(") + kLoop + ", ");
      out.line(std::string("changed_over(") + kLoop + ");");
      out.close();
    }
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
  for (const plan::Buffer* buffer : buffers_)
    out.line(type_of(*buffer) + " " + cpp_name(buffer->name) + ";");
  out.close(";");
  out.blank();
  out.comment("Phase " + phase_.phase + ": step by step in one launch, until nothing is active.");
  std::vector<std::string> head;
  for (const KernelArgument& argument : arguments_) head.push_back(parameters(argument));
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
  for (std::size_t i = 0; i < phase_.variants.size(); ++i) {
    const plan::Variant& variant = phase_.variants[i];
    if (!variant.fused || variant.hybrid) continue;
    out.open("case " + std::to_string(i) + ":");
    out.comment(variant.name());
    print_actions(out, variant.step,
                  std::string("end_step(") + kLoop + ", " + buffer_text(variant.pending) + ", ");
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
  for (const plan::Buffer* buffer : buffers_) names.push_back(cpp_name(buffer->name));
  out.line(std::string(kLoop) + ".buffers = {" + joined(names) + "};");
  for (const KernelArgument& argument : arguments_)
    if (argument.buffer != nullptr && argument.buffer->role == BufferRole::Threshold)
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
  for (std::size_t i = 1; i < arguments_.size(); ++i)
    arguments.push_back(cpp_argument(arguments_[i]));
  out.line("launch_cooperative(" + joined(arguments) + ");");
  out.close();
  for (const std::string& each : names) out.line(each + " = " + kLoop + ".buffers." + each + ";");
  out.close();
}

std::string FusedSteps::name_of_struct() const {
  return free_name(plan_, type_name(phase_.phase) + "Buffers");
}

}  // namespace vertigo::compiler::emit
