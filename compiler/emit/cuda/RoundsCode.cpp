#include "compiler/emit/cuda/RoundsCode.h"

#include "compiler/emit/common/ControlText.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HostBody.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using plan::BufferRole;

namespace {

/// The word that says whether something is left to do.
std::string pending_word(const plan::Plan& plan, const std::string& pending) {
  return plan.find_buffer(pending)->role == BufferRole::Worklist ? ".count" : ".word";
}

}  // namespace

std::string RoundsCode::name(const std::string& what) const {
  const auto number = &rounds_ - plan_.rounds.data();
  return free_name(plan_, number == 0 ? what : what + "_" + std::to_string(number + 1));
}

std::string RoundsCode::name_of_struct() const {
  return free_name(plan_, type_name(name("rounds") + "_buffers"));
}

std::string RoundsCode::arguments_of_loop() const {
  return name_of_struct() + ", " + std::to_string(rounds_.parts.size());
}

std::string RoundsCode::described() const {
  const unsigned line = loop_.location.line;
  return line == 0 ? "loop " + std::to_string(rounds_.loop)
                   : "loop of line " + std::to_string(line);
}

ir::Type RoundsCode::type_of(const std::string& variable) const {
  const plan::HostVariable* const known = plan_.host->variables.find(variable);
  return known != nullptr ? known->type : ir::Type{};
}

void RoundsCode::print_kernel(Writer& out) const {
  const std::string struct_name = name_of_struct();
  out.blank();
  out.comment("What changes in the " + described() +
              ": lists, marks and flags that trade places, variables.");
  out.open("struct " + struct_name);
  for (const std::string& buffer : rounds_.holds) out.line(code_.member(buffer));
  for (const std::string& value : rounds_.values)
    out.line(cpp_type(type_of(value)) + " " + cpp_name(value) + ";");
  out.close(";");
  out.blank();
  out.comment("The " + described() +
              ", all rounds in one launch: every thread goes through the program's statements, and "
              "waits for the others where one needs what others did.");
  const std::string loop_type = "RoundLoop<" + arguments_of_loop() + ">";
  std::vector<std::string> head;
  for (const KernelArgument& argument : rounds_.takes) head.push_back(code_.parameter(argument));
  head.insert(head.begin() + 1, "const " + loop_type + " start_");
  out.open("__global__ void __launch_bounds__(kBlock, kStepBlocks) " + name("all_rounds") + "(" +
           joined(head) + ")");
  out.line("__shared__ OfBlock<" + loop_type + "> shared_;");
  out.line(loop_type + "& " + kLoop + " = shared_.value;");
  out.line(struct_name + "& " + kBuffers + " = " + kLoop + ".buffers;");
  out.line(std::string("enter(") + kLoop + ", start_);");
  for (const std::string& value : rounds_.values)
    out.line(cpp_type(type_of(value)) + " " + cpp_name(value) + " = " + kBuffers + "." +
             cpp_name(value) + ";");
  // Some run phases.
  const auto print_reductions = [&](bool of_phases) {
    for (const std::string& name : rounds_.reductions)
      if (const plan::VertexReduction& reduction = *plan_.find_reduction(name);
          reduction.phase.empty() != of_phases)
        print_reduction(out, reduction);
  };
  print_reductions(false);
  for (std::size_t i = 0; i < rounds_.parts.size(); ++i) print_part(out, i);
  print_reductions(true);
  HostBody(out, plan_, "").print_one(loop_);
  if (!rounds_.values.empty()) {
    out.open("in_each_block([&]");
    for (const std::string& value : rounds_.values)
      out.line(std::string(kBuffers) + "." + cpp_name(value) + " = " + cpp_name(value) + ";");
    out.close(");");
  }
  out.line(std::string("leave(") + kLoop + ");");
  out.close();
}

// As many parts as the host's launch has blocks, so that floating sums are the same. Of a list,
// whose order says nothing, as many as this launch has.
void RoundsCode::print_reduction(Writer& out, const plan::VertexReduction& reduction) const {
  out.open("const auto " + cpp_name(reduction.name) + " = [&]");
  if (!reduction.phase.empty()) {
    out.line(HostBody::phase_function(plan_, reduction.phase) + "();");
    out.line(std::string("return any_took_part(") + kLoop + ");");
    return out.close(";");
  }
  const plan::Kernel& kernel = *plan_.find_kernel(reduction.kernel);
  const bool listed = kernel.domain == plan::Domain::Worklist;
  out.line(std::string("for (const GridPart ") + kGridPart + " : " +
           (listed ? "block_parts()" : "reduction_parts(graph)") + ")");
  out.line("  " + code_.call(kernel, kGridPart));
  out.line(std::string("return result_of(") + kLoop + ", " + cpp_name(reduction.buffer) + ");");
  out.close(";");
}

void RoundsCode::print_part(Writer& out, std::size_t number) const {
  const plan::Rounds::Part& part = rounds_.parts[number];
  const plan::PhasePlan& phase = *plan_.find_phase(part.phase);
  const plan::Variant& variant = phase.variants[phase.preferred];
  const std::string index = std::to_string(number);
  out.open("const auto " + HostBody::phase_function(plan_, part.phase) + " = [&]");
  if (!variant.fused) {
    out.line(std::string("begin_update(") + kLoop + ", " + index + ");");
    code_.print_actions(out, part.begin);
    code_.print_actions(out, part.finish);
    return out.close(";");
  }
  out.line(std::string("begin_phase(") + kLoop + ", " + index + ", " +
           (phase.step_limit ? "limit_of(" + expr_text(*phase.step_limit) + ")" : "kNoLimit") +
           ");");
  code_.print_actions(out, part.begin);
  out.line(std::string("begin_steps(") + kLoop + ", " + code_.buffer_text(variant.pending) +
           pending_word(plan_, variant.pending) + ");");
  out.open("while (" + GridCode::next_step(phase) + ")");
  code_.print_steps(out, phase);
  out.close();
  if (!part.finish.empty() && phase.finish_if_stopped)
    out.open(std::string("if (was_stopped(") + kLoop + "))");
  code_.print_actions(out, part.finish);
  if (!part.finish.empty() && phase.finish_if_stopped) out.close();
  out.line(std::string("end_phase(") + kLoop + ");");
  out.close(";");
}

std::string RoundsCode::member() const {
  return "RoundMemory<" + arguments_of_loop() + "> " + name("rounds_memory") + ";";
}

std::string RoundsCode::declaration() const {
  return name("rounds_memory") + ".declare(session, " + quoted(described()) + ");";
}

std::string RoundsCode::described_part(const plan::Rounds::Part& part) const {
  const plan::PhasePlan& phase = *plan_.find_phase(part.phase);
  const plan::Variant& variant = phase.variants[phase.preferred];
  return "{" + std::to_string(&phase - &*plan_.phases.begin()) + ", " +
         std::to_string(phase.preferred) + ", " +
         (variant.fused ? control_text(phase, variant) : "execute::Control::Fixed, {}") +
         (part.reach == plan::Reach::AllEdges      ? ", Reach::AllEdges}"
          : part.reach == plan::Reach::AllVertices ? ", Reach::AllVertices}"
                                                   : "}");
}

void RoundsCode::print_run(Writer& out) const {
  out.blank();
  out.comment("The " + described() +
              " in one launch. False where the host has to look at its rounds.");
  out.open("bool " + function() + "()");
  out.open("static const RoundPart parts_[] =");
  for (const plan::Rounds::Part& part : rounds_.parts) out.line(described_part(part) + ",");
  out.close(";");
  out.line("Rounds launch_(session, parts_);");
  out.line("if (!launch_.on_device()) return false;");
  out.line("RoundLoop<" + arguments_of_loop() + "> " + kLoop + "{};");
  std::vector<std::string> names;
  for (const std::string& buffer : rounds_.holds) names.push_back(cpp_name(buffer));
  for (const std::string& value : rounds_.values) names.push_back(cpp_name(value));
  out.line(std::string(kLoop) + ".buffers = {" + joined(names) + "};");
  out.line(std::string("launch_.begin(") + kLoop + ", " + name("rounds_memory") + ");");
  std::vector<std::string> arguments = {
      name("all_rounds"),
      "launch_.blocks(most_resident_blocks(" + name("all_rounds") + ", kBlock))",
      "kBlock",
      "session.stream()",
      "graph",
      kLoop};
  for (std::size_t i = 1; i < rounds_.takes.size(); ++i)
    arguments.push_back(cpp_argument(rounds_.takes[i]));
  out.line("launch_cooperative(" + joined(arguments) + ");");
  out.line(std::string("launch_.end(") + kLoop + ");");
  for (const std::string& each : names) out.line(each + " = " + kLoop + ".buffers." + each + ";");
  out.line("return true;");
  out.close();
}

std::vector<RoundsCode> rounds_of(const plan::Plan& plan) {
  const std::vector<const ir::Stmt*> loops = plan::loops_of(plan);
  std::vector<RoundsCode> codes;
  for (const plan::Rounds& rounds : plan.rounds)
    codes.emplace_back(plan, rounds, *loops[rounds.loop]);
  return codes;
}

}  // namespace vertigo::compiler::emit
