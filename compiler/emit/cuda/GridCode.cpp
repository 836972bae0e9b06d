#include "compiler/emit/cuda/GridCode.h"

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

namespace {

std::string type_of(const plan::Buffer& buffer) {
  if (buffer.role == BufferRole::Worklist) return "Worklist";
  if (buffer.role == BufferRole::Flag) return "Flag";
  return buffer.role == BufferRole::Bitmap ? "Bitmap" : element_type(buffer) + "*";
}

std::string counter_member(const plan::Buffer& counter) {
  if (counter.of == plan::kActiveCounter) return ".active";
  if (counter.of == plan::kOutEdgeCounter) return ".out_edges";
  if (counter.of == plan::kDeferredCounter) return ".deferred";
  return counter.of == plan::kAskedCounter ? ".asked" : ".edges";
}

bool has_body(ActionKind kind) {
  return kind == ActionKind::Barrier || kind == ActionKind::EachBlock ||
         kind == ActionKind::EndStep || kind == ActionKind::EndUpdate;
}

}  // namespace

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string launched_name(const plan::Plan& plan, const plan::Kernel& kernel) {
  return kernel.called_by == plan::Caller::Host
             ? cpp_name(kernel.name)
             : free_name(plan, cpp_name(kernel.name) + "_kernel");
}

std::string GridCode::parameter(const KernelArgument& argument) const {
  const std::string name = cpp_argument(argument);
  if (argument.kind == KernelArgument::Kind::Graph) return "const Graph graph";
  if (argument.kind == KernelArgument::Kind::List) return "const VertexList " + name;
  if (argument.kind != KernelArgument::Kind::Buffer)
    return "const " + cpp_type(argument.type) + " " + name;
  const plan::Buffer& buffer = *plan_.find_buffer(argument.name);
  if (buffer.role == BufferRole::Threshold) return "const Threshold " + name;
  if (buffer.role == BufferRole::Order) return "const VertexOrder " + name;
  if (buffer.role == BufferRole::Slots) return "const MessageSlots " + name;
  if (buffer.role == BufferRole::Hubs) return "const HubOrder " + name;
  if (buffer.role == BufferRole::Sorted)
    return "const Slices<" + cpp_type(buffer.type) + "> " + name;
  if (buffer.role == BufferRole::Ballots) return "const " + ballots_type(buffer) + " " + name;
  if (buffer.role == BufferRole::Scalar)
    return "const Scalar<" + cpp_type(buffer.type) + "> " + name;
  return (argument.written ? "" : "const ") + element_type(buffer) + "* " + name;
}

std::string GridCode::member(const std::string& buffer) const {
  return type_of(*plan_.find_buffer(buffer)) + " " + cpp_name(buffer) + ";";
}

std::string GridCode::buffer_text(const std::string& name) const {
  const plan::Buffer& buffer = *plan_.find_buffer(name);
  if (buffer.role == BufferRole::Counter) return kLoop + counter_member(buffer);
  return (holds_.contains(name) ? std::string(kBuffers) + "." : "") + cpp_name(name);
}

std::string GridCode::call(const plan::Kernel& kernel, const std::string& before) const {
  std::vector<std::string> arguments;
  for (const KernelArgument& argument : kernel.takes) {
    if (plan::is_slice_of(kernel, argument))
      arguments.push_back(std::string("shared_out(") + kLoop + ", slice_of(" +
                          cpp_name(kernel.list) + ", " + expr_text(*kernel.start) + "))");
    else if (argument.kind == KernelArgument::Kind::Buffer && argument.name == kernel.list)
      arguments.push_back(std::string("shared_out(") + kLoop + ", " + buffer_text(kernel.list) +
                          ")");
    else if (argument.kind == KernelArgument::Kind::Buffer)
      arguments.push_back(buffer_text(argument.name));
    else if (argument.kind == KernelArgument::Kind::Start)
      arguments.push_back(expr_text(*kernel.start));
    else if (argument.kind == KernelArgument::Kind::Step)
      arguments.push_back("static_cast<" + cpp_type(argument.type) + ">(" + kLoop + ".step)");
    else
      arguments.push_back(cpp_argument(argument));
    if (argument.kind == KernelArgument::Kind::Graph && !before.empty())
      arguments.push_back(before);
  }
  return cpp_name(kernel.name) + "(" + joined(arguments) + ");";
}

/// The action as a statement; of one with a body how its call begins.
std::string GridCode::text_of(const Action& action) const {
  if (action.kind == ActionKind::Launch) return call(*plan_.find_kernel(action.symbol));
  const std::string symbol = action.symbol.empty() ? "" : buffer_text(action.symbol);
  const std::string source = action.source.empty() ? "" : buffer_text(action.source);
  switch (action.kind) {
    case ActionKind::ClearBuffer:
      return "clear_all(graph, " + symbol + ");";
    case ActionKind::ClearListed:
      return "clear_listed(" + symbol + ", " + source + ");";
    case ActionKind::FillWorklist:
      return "fill_all(graph, " + symbol + ");";
    case ActionKind::RaiseFlag:
      return "raise_once(" + symbol + ");";
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
    case ActionKind::EndUpdate:
      return std::string("end_update(") + kLoop + ", ";
    default:
      return "";
  }
}

void GridCode::print_actions(Writer& out, const std::vector<Action>& actions) const {
  for (const Action& action : actions) {
    const std::string text = text_of(action);
    const plan::Kernel* const kernel =
        action.kind == ActionKind::Launch ? plan_.find_kernel(action.symbol) : nullptr;
    if (kernel != nullptr && kernel->at_ends) {
      out.open("if (is_end(" + expr_text(*kernel->start) + "))");
      out.line(text);
      print_actions(out, {{ActionKind::Barrier, "", "", {}}});
      out.close();
    } else if (!has_body(action.kind)) {
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

std::string GridCode::next_step(const plan::PhasePlan& phase) {
  std::string short_steps;
  for (const plan::Variant& variant : phase.variants)
    short_steps.insert(short_steps.begin(), variant.one_block ? '1' : '0');
  return std::string("next_step(") + kLoop + ", graph, 0b" + short_steps + ")";
}

void GridCode::print_steps(Writer& out, const plan::PhasePlan& phase) const {
  for (const plan::StepLoop::Change& change : phase.loop->changes) {
    out.open(std::string("if (") + kLoop +
             ".change == Change::" + (change.to_list ? "ToList" : "ToAll") + ")");
    print_actions(out, change.actions);
    out.line(std::string("changed_over(") + kLoop + ");");
    out.close();
  }
  out.open(std::string("switch (") + kLoop + ".variant())");
  for (const plan::StepLoop::Steps& steps : phase.loop->steps) {
    const plan::Variant* const variant = phase.find_variant(steps.variant);
    out.open("case " + std::to_string(variant - phase.variants.data()) + ":");
    out.comment(steps.variant);
    print_actions(out, steps.actions);
    out.line("break;");
    out.close();
  }
  out.close();
}

}  // namespace vertigo::compiler::emit
