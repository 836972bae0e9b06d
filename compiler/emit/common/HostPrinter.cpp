#include "compiler/emit/common/HostPrinter.h"

#include <algorithm>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using plan::Action;
using plan::ActionKind;

template <class Visit>
void HostPrinter::for_each_engine(const Visit& visit) const {
  for (const plan::PhasePlan& phase : plan_.phases)
    for (const plan::Variant& variant : phase.variants)
      if (variant.engine) visit(EngineText(plan_, phase, variant));
}

void HostPrinter::print() {
  for_each_engine([&](const EngineText& engine) {
    engine.print_operators(out_, words_.anywhere, words_.of_device);
  });
  out_.blank();
  out_.comment(words_.comment);
  out_.open("class " + words_.class_name);
  out_.label("public:");
  print_constructor();
  print_preparations();
  print_run();
  out_.label("private:");
  print_buffers();
  print_initialize();
  for (const plan::VertexReduction& reduction : plan_.reductions) print_reduction(reduction);
  for (const plan::PhasePlan& phase : plan_.phases) print_phase(phase);
  after_phases();
  print_results();
  print_members();
  out_.close(";");
  out_.blank();
  print_registration();
}

HostBody::BeforeLoops HostPrinter::sortings() const {
  HostBody::BeforeLoops before;
  for (const plan::Sorting& sorting : plan_.sortings)
    before.emplace(sorting.loop, sort_text(*plan_.find_buffer(sorting.buffer)));
  return before;
}

void HostPrinter::print_run() {
  open_run();
  out_.line("set_initial_states();");
  HostBody(out_, plan_, words_.report, loop_calls(), sortings()).print(plan_.body);
  out_.line("collect_results();");
  close_run();
  out_.close();
}

void HostPrinter::print_buffers() {
  out_.comment(words_.of_buffers);
  out_.open("void " + words_.buffers + "()");
  begin_buffers();
  for (const std::string& name : host_.holds) out_.line(make(*plan_.find_buffer(name)));
  for (const plan::PhasePlan& phase : plan_.phases) print_buffers_of(phase);
  make_rounds();
  out_.close();
}

void HostPrinter::print_buffers_of(const plan::PhasePlan& phase) {
  if (const std::string loop = make_loop(phase); !loop.empty()) out_.line(loop);
  out_.open("switch (" + chosen(phase) + ")");
  for (std::size_t i = 0; i < phase.variants.size(); ++i) {
    const plan::Variant& variant = phase.variants[i];
    out_.line("case " + std::to_string(i) + ":  // " + variant.name());
    for (const std::string& name : variant.needs) out_.line("  " + make(*plan_.find_buffer(name)));
    if (const std::string shares = make_shares(variant); !shares.empty()) out_.line("  " + shares);
    if (variant.engine) out_.line("  " + make(EngineText(plan_, phase, variant)));
    out_.line("  break;");
  }
  out_.close();
}

// ---- actions

std::vector<std::string> HostPrinter::argument_texts(const plan::Kernel& kernel,
                                                     const std::string& step) const {
  std::vector<std::string> texts;
  for (const KernelArgument& argument : kernel.takes) {
    if (argument.kind == KernelArgument::Kind::Start)
      texts.push_back(expr_text(*kernel.start));
    else if (plan::is_slice_of(kernel, argument))
      texts.push_back(slice_text(kernel));
    else if (argument.kind == KernelArgument::Kind::Step)
      texts.push_back(step);
    else
      texts.push_back(cpp_argument(argument));
  }
  return texts;
}

void HostPrinter::launch(const std::string& kernel, const std::string& step, bool reduces) {
  const plan::Kernel& launched = *plan_.find_kernel(kernel);
  if (launched.at_ends) out_.open("if (is_end(" + expr_text(*launched.start) + "))");
  print_launch(launched, step, reduces);
  if (launched.at_ends) out_.close();
}

void HostPrinter::print_actions(const std::vector<Action>& actions, bool in_phase) {
  for (const Action& action : actions) {
    if (action.kind == ActionKind::Launch && action.parts)
      print_cut_launch(action, in_phase ? "phase.step()" : "0");
    else if (action.kind == ActionKind::Launch)
      launch(action.symbol, in_phase ? "phase.step()" : "0");
    else if (action.kind == ActionKind::ForParts || action.kind == ActionKind::ForRest)
      print_parts(action, in_phase);
    else
      out_.line(action_text(action));
  }
}

void HostPrinter::print_initialize() {
  out_.blank();
  out_.open("void set_initial_states()");
  print_actions(plan_.initialize, false);
  out_.close();
}

void HostPrinter::print_reduction(const plan::VertexReduction& reduction) {
  out_.blank();
  if (!reduction.phase.empty()) out_.comment("Runs the update; whether anyone took part in it.");
  out_.open(cpp_type(reduction.type) + " " + cpp_name(reduction.name) + "()");
  if (reduction.phase.empty()) {
    print_reduction_body(reduction);
  } else {
    out_.line(HostBody::phase_function(plan_, reduction.phase) + "();");
    out_.line("return " + took_part_text(*plan_.find_phase(reduction.phase)) + ";");
  }
  out_.close();
}

// ---- phases

std::string HostPrinter::function_of(const plan::PhasePlan& phase,
                                     const plan::Variant& variant) const {
  std::string name = variant.name();
  std::ranges::replace(name, '-', '_');
  return free_name(plan_, "run_" + phase.phase + "_" + name);
}

void HostPrinter::print_phase(const plan::PhasePlan& phase) {
  out_.blank();
  out_.comment("Phase " + phase.phase + ".");
  out_.open("void " + HostBody::phase_function(plan_, phase.phase) + "()");
  begin_phase(phase, index_of(phase));
  out_.open("switch (" + variant_of_phase(phase) + ")");
  for (std::size_t i = 0; i < phase.variants.size(); ++i) {
    const std::string call = function_of(phase, phase.variants[i]) + "(phase);";
    out_.line("case " + std::to_string(i) + ":");
    out_.line((phase.finish.empty() ? "  return " : "  ") + call);
    if (!phase.finish.empty()) out_.line("  break;");
  }
  out_.close();
  if (phase.finish_if_stopped) out_.line("if (!phase.stopped()) return;");
  print_actions(phase.finish, true);
  out_.close();
  for (const plan::Variant& variant : phase.variants) print_variant(phase, variant);
  after_variants(phase);
}

void HostPrinter::print_variant(const plan::PhasePlan& phase, const plan::Variant& variant) {
  out_.blank();
  out_.comment(variant.reason);
  out_.open("void " + function_of(phase, variant) + "(" + words_.phase_type + "& phase)");
  print_actions(variant.prepare, true);
  if (variant.engine) {
    const EngineText engine(plan_, phase, variant);
    out_.line(engine.object() + ".run(phase, " + engine.operators() + ", graph" +
              engine.arguments() + ");");
    after_engine(phase);
  } else {
    print_steps(phase, variant);
  }
  out_.close();
}

// ---- members

void HostPrinter::print_members() {
  out_.label("private:");
  print_own_members();
  print_variables();
  out_.blank();
  for (const plan::Buffer& buffer : plan_.buffers)
    out_.line(member_text(buffer) + ";" +
              (buffer.reason.empty() ? "" : "  // " + in_comment(buffer.reason)));
  for_each_engine(
      [&](const EngineText& engine) { out_.line(engine.type() + " " + engine.object() + ";"); });
  print_last_members();
}

void HostPrinter::print_variables() {
  for (const ir::Parameter& parameter : program_.parameters)
    out_.line((parameter.is_list ? words_.list_type : cpp_type(parameter.kind)) + " " +
              cpp_name(parameter.name) + "{};");
  for (const plan::HostVariable& variable : host_.variables)
    out_.line(cpp_type(variable.type) + " " + cpp_name(variable.name) + "{};");
  for (const plan::HostVariable& variable : host_.variables)
    if (variable.has_end)
      out_.line(cpp_type(variable.type) + " " + EngineText::loop_end(plan_, variable.name) + "{};");
}

}  // namespace vertigo::compiler::emit
