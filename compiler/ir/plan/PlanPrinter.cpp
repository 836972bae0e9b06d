#include "compiler/ir/plan/PlanPrinter.h"

#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/ir/program/Lexer.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::plan {

namespace {

class PlanPrinter {
 public:
  explicit PlanPrinter(const ir::PrintOptions& options, unsigned indent = 0)
      : options_(options), indent_(indent) {}

  std::string take() { return std::move(text_); }

  void print(const Plan& plan) {
    open("plan");
    print_program(plan.program);
    for (const Decision& decision : plan.decisions) print(decision);
    if (plan.needs_transpose) line("needs transpose;");
    for (const Buffer& buffer : plan.buffers) print(buffer);
    for (const Kernel& kernel : plan.kernels) print(kernel);
    if (!plan.initialize.empty()) print_actions("initialize", plan.initialize);
    for (const PhasePlan& phase : plan.phases) print(phase);
    for (const VertexReduction& reduction : plan.reductions) print(reduction);
    if (!plan.body.empty()) {
      open("body");
      for (const ir::StmtPtr& stmt : plan.body) text_ += ir::print(*stmt, "", indent_, options_);
      close();
    }
    for (const Sorting& sorting : plan.sortings)
      line("sort " + sorting.buffer + " before loop " + std::to_string(sorting.loop) + ";");
    for (const Rounds& rounds : plan.rounds) print(rounds);
    if (plan.host) print(*plan.host);
    close();
  }

  void print(const Kernel& kernel) {
    std::string head = "kernel " + kernel.name + " over ";
    switch (kernel.domain) {
      case Domain::AllVertices:
        head += "all";
        break;
      case Domain::Worklist:
        head +=
            (kernel.start ? "slice " + expr(*kernel.start) + " of " : "worklist ") + kernel.list;
        break;
      case Domain::OneVertex:
        head += "vertex " + (kernel.start ? expr(*kernel.start) : "missing");
        break;
      case Domain::VertexList:
        head += "list $" + kernel.list;
        break;
      case Domain::Part:
        head += "part of " + kernel.list;
        break;
      case Domain::Rest:
        head += "rest of " + kernel.list;
        break;
      case Domain::Sample:
        head +=
            "sample " + kernel.list + " from " + (kernel.start ? expr(*kernel.start) : "missing");
        break;
    }
    head += " as " + kernel.vertex;
    if (kernel.domain == Domain::Part && kernel.start) head += " with " + expr(*kernel.start);
    head += " balance " + std::string(spelling(kBalances, kernel.balance));
    if (!kernel.order.empty()) head += " by " + kernel.order;
    if (kernel.at_ends) head += " at_ends";
    if (kernel.together) head += " together";
    if (kernel.called_by != Caller::Host)
      head += " called_by " + std::string(spelling(kCallers, kernel.called_by));
    if (!kernel.takes.empty()) head += " takes " + arguments(kernel.takes);
    open(head + because(kernel.comment) + place(kernel.location));
    print(kernel.body);
    close();
  }

 private:
  void line(std::string_view text) {
    text_.append(indent_, ' ');
    text_ += text;
    text_ += '\n';
  }
  void print(const VertexReduction& reduction) {
    const std::string head = "reduction " + reduction.name + ": " + to_string(reduction.type);
    if (!reduction.phase.empty()) return line(head + " of " + reduction.phase + ";");
    line(head + " = " + reduction.kernel + " into " + reduction.buffer + " by " +
         std::string(ir::to_string(reduction.combine)) +
         (reduction.identity ? " identity " + expr(*reduction.identity) : "") + ";");
  }
  void open(const std::string& head) {
    line(head + " {");
    indent_ += 2;
  }
  void close() {
    indent_ -= 2;
    line("}");
  }
  std::string expr(const ir::Expr& e) const { return ir::print(e, options_); }
  std::string place(const Location& location) const {
    if (!options_.locations || location.line == 0) return "";
    return " loc(" + std::to_string(location.line) + ":" + std::to_string(location.column) + ")";
  }
  static std::string because(const std::string& reason) {
    return reason.empty() ? "" : " because " + ir::quote(reason);
  }

  void print_program(const ir::Program& program) {
    const std::string text = ir::print(program, options_);
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = text.find('\n', from);
      line(std::string_view(text).substr(from, end - from));
      from = end + 1;
    }
  }

  void print(const Decision& decision) {
    const std::string head = "decision " + decision.subject + "." + decision.key + " = " +
                             ir::quote(decision.value) + " by " + decision.pass +
                             (decision.pinned ? " pinned" : "") + because(decision.reason);
    if (decision.alternatives.empty()) return line(head + ";");
    open(head);
    for (const Alternative& other : decision.alternatives)
      line((other.legal ? "or " : "not ") + ir::quote(other.value) + because(other.reason) + ";");
    close();
  }

  void print(const Buffer& buffer) {
    std::string text =
        "buffer " + buffer.name + ": " + std::string(spelling(kBufferRoles, buffer.role));
    if (!buffer.type.is_none()) text += " " + to_string(buffer.type);
    if (!buffer.of.empty()) text += " of " + buffer.of;
    if (buffer.packed) text += " packed";
    if (has_direction(buffer.role))
      text += " along " + std::string(ir::to_string(buffer.direction));
    if (buffer.once_if_symmetric) text += " once_if_symmetric";
    if (!buffer.slots.empty()) text += " in " + buffer.slots;
    if (!buffer.hubs.empty()) text += " by " + buffer.hubs;
    if (!buffer.colours.empty()) text += " colours " + ir::quote(buffer.colours);
    if (buffer.placement != Placement::Whole)
      text += " " + std::string(spelling(kPlacements, buffer.placement));
    line(text + because(buffer.reason) + ";");
  }

  static std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }
  void print_list(const std::string& head, const std::vector<std::string>& names) {
    if (!names.empty()) line(head + " " + list(names) + ";");
  }

  static std::string arguments(const std::vector<KernelArgument>& arguments) {
    std::vector<std::string> texts;
    for (const KernelArgument& argument : arguments) {
      std::string text(spelling(kArguments, argument.kind));
      if (!argument.name.empty()) text += " " + argument.name;
      if (!argument.type.is_none()) text += ": " + to_string(argument.type);
      if (argument.written) text += " written";
      texts.push_back(std::move(text));
    }
    return list(texts);
  }

  void print_actions(const std::string& head, const std::vector<Action>& actions) {
    open(head);
    for (const Action& action : actions) {
      std::string text(spelling(kActions, action.kind));
      if (has_symbol(action.kind)) text += " " + action.symbol;
      if (!action.source.empty()) text += " from " + action.source;
      if (action.parts) text += " in_parts " + std::string(ir::to_string(*action.parts));
      if (action.body.empty())
        line(text + ";");
      else
        print_actions(text, action.body);
    }
    close();
  }

  void print(const StepLoop& loop) {
    open("loop");
    print_list("holds", loop.holds);
    if (!loop.takes.empty()) line("takes " + arguments(loop.takes) + ";");
    for (const StepLoop::Change& change : loop.changes)
      print_actions(change.to_list ? "to_list" : "to_all", change.actions);
    for (const StepLoop::Steps& steps : loop.steps)
      print_actions("steps " + steps.variant, steps.actions);
    close();
  }

  void print(const Rounds& rounds) {
    const std::string head = "rounds of loop " + std::to_string(rounds.loop);
    if (rounds.takes.empty()) return line(head + ";");
    open(head);
    print_list("holds", rounds.holds);
    print_list("values", rounds.values);
    line("takes " + arguments(rounds.takes) + ";");
    print_list("reduces", rounds.reductions);
    for (const Rounds::Part& part : rounds.parts) {
      open("runs " + part.phase +
           (part.reach == Reach::Some ? "" : " " + std::string(spelling(kReaches, part.reach))));
      if (!part.begin.empty()) print_actions("begin", part.begin);
      if (!part.finish.empty()) print_actions("finish", part.finish);
      close();
    }
    close();
  }

  void print(const HostClass& host) {
    open("host");
    print_list("holds", host.holds);
    if (host.ids) line("ids;");
    for (const Preparation& each : host.preparations) {
      std::vector<std::string> variants;
      for (const VariantOf& variant : each.variants)
        variants.push_back(variant.phase + "." + variant.variant);
      line("prepare " + (each.buffer.empty() ? "engine" : "buffer " + each.buffer) + " for " +
           list(variants) + ";");
    }
    for (const HostVariable& variable : host.variables)
      line("variable " + variable.name + ": " + to_string(variable.type) +
           (variable.has_end ? " to its end;" : ";"));
    print_list("columns", host.columns);
    if (!host.graph_order.empty()) line("graph " + ir::quote(host.graph_order) + ";");
    if (host.all_schedules) line("all_schedules;");
    if (!host.transfer.empty()) line("transfer " + ir::quote(host.transfer) + ";");
    close();
  }

  void print(const Engine& engine) {
    std::string head = "engine on";
    for (const std::string& buffer : engine.buffers)
      head += (&buffer == &engine.buffers.front() ? " " : ", ") + buffer;
    if (!engine.loop.empty()) head += " over @" + engine.loop;
    open(head);
    for (const OperatorConstant& each : engine.constants)
      line(each.name + " = " + (each.value ? "true" : "false") + ";");
    print_list("inputs", engine.inputs);
    for (const Operator& each : engine.operators) print(each);
    close();
  }

  void print(const Operator& each) {
    std::string parameters;
    for (const ir::FunctionParameter& parameter : each.parameters)
      parameters +=
          (parameters.empty() ? "" : ", ") + parameter.name + ": " + to_string(parameter.type);
    const std::string text = "operator " + each.name + "(" + parameters +
                             "): " + to_string(each.type) + " = " + expr(*each.value) +
                             place(each.location);
    if (each.body.empty()) return line(text + ";");
    open(text + " after");
    print(each.body);
    close();
  }

  void print(const Hybrid& hybrid) {
    std::string head = "control " + hybrid.control;
    for (const std::string& path : hybrid.paths)
      head += (&path == &hybrid.paths.front() ? " over " : ", ") + path;
    open(head);
    if (!hybrid.to_list.empty()) print_actions("to_list", hybrid.to_list);
    if (!hybrid.to_all.empty()) print_actions("to_all", hybrid.to_all);
    if (!hybrid.list.empty()) line("list " + hybrid.list + ";");
    if (!hybrid.flag.empty()) line("flag " + hybrid.flag + ";");
    close();
  }

  void print(const PhasePlan& phase) {
    open("phase " + phase.phase + " prefers " + std::to_string(phase.preferred));
    if (phase.step_limit) line("limit " + expr(*phase.step_limit) + ";");
    if (phase.importance) print(*phase.importance);
    if (phase.cycles == Cycles::Any) line("cycles any;");
    if (phase.cycles == Cycles::OverNegativeWeights) line("cycles over negative_weights;");
    if (!phase.watched_state.empty()) line("watch " + phase.watched_state + ";");
    if (!phase.finish.empty())
      print_actions(phase.finish_if_stopped ? "finish if stopped" : "finish", phase.finish);
    if (phase.loop) print(*phase.loop);
    for (const Variant& variant : phase.variants) {
      open("variant " + variant.name() + (variant.deterministic ? "" : " nondeterministic") +
           because(variant.reason));
      if (!variant.prepare.empty()) print_actions("prepare", variant.prepare);
      if (!variant.step.empty()) print_actions("step", variant.step);
      if (variant.engine) print(*variant.engine);
      if (variant.hybrid) print(*variant.hybrid);
      if (!variant.pending.empty())
        line("pending " + variant.pending + (variant.one_block ? " in one block;" : ";"));
      if (variant.fused) line("fused;");
      if (variant.non_negative) line("non_negative_weights;");
      if (variant.symmetric) line("symmetric_graphs;");
      if (variant.no_duplicates) line("no_duplicates;");
      if (variant.whole_graph) line("whole_graph;");
      print_list("needs", variant.needs);
      if (!variant.threshold.empty()) line("waits for " + variant.threshold + ";");
      if (variant.prepares) line("prepares;");
      if (variant.by_graph) line("shares by graph;");
      close();
    }
    close();
  }

  void print(const Block& block) {
    for (const KernelStmtPtr& stmt : block) print(*stmt);
  }

  void print(const KernelStmt& stmt) {
    std::string text(spelling(kKernelOps, stmt.op));
    if (!stmt.symbol.empty()) text += " " + stmt.symbol;
    if (stmt.op == KernelOp::ForEdges)
      text += " " + std::string(ir::to_string(stmt.direction)) + "(" + stmt.vertex + ")";
    if (!stmt.slot.empty())
      text +=
          stmt.slots.empty() ? " place " + stmt.slot : " slot " + stmt.slot + " in " + stmt.slots;
    if (!stmt.hubs.empty()) text += " hubs " + stmt.hubs;
    if (stmt.op == KernelOp::If && stmt.value) text += " " + expr(*stmt.value);
    if (!stmt.buffer.empty()) text += " at " + stmt.buffer;
    if (stmt.index) text += "[" + expr(*stmt.index) + "]";
    if (!stmt.type.is_none()) text += ": " + to_string(stmt.type);
    if (combines(stmt.op)) {
      text += " by " + std::string(ir::to_string(stmt.combine));
      if (stmt.combine == ir::Combine::Function) text += " " + stmt.function;
    }
    if (stmt.value && stmt.op != KernelOp::If) text += " = " + expr(*stmt.value);
    if (stmt.identity)
      text += (stmt.op == KernelOp::Uncount ? " before " : " identity ") + expr(*stmt.identity);
    if (!stmt.changed.empty()) text += " changed " + stmt.changed;
    if (stmt.atomic) text += " atomic";
    if (stmt.joined) text += " joined";
    if (stmt.once_if_symmetric) text += " once_if_symmetric";
    if (stmt.outlives) text += " outlives";
    if (stmt.together) text += " together";
    if (stmt.shared) text += shared(*stmt.shared);
    text += place(stmt.location);
    if (stmt.body.empty() && stmt.otherwise.empty()) return line(text + ";");
    open(text);
    print(stmt.body);
    if (!stmt.otherwise.empty()) {
      indent_ -= 2;
      line("} else {");
      indent_ += 2;
      print(stmt.otherwise);
    }
    close();
  }

  static std::string shared(const SharedEdges& edges) {
    std::string text = " shared " + std::string(spelling(kSharings, edges.way));
    if (!edges.accumulator.empty()) {
      text += " into " + edges.accumulator + ": " + to_string(edges.accumulator_type) + " by " +
              (edges.ballots ? *edges.ballots == KernelOp::Vote ? "votes" : "distinct"
                             : std::string(ir::to_string(edges.combine)));
      if (edges.leaves) text += " until_settled";
    }
    std::vector<std::string> kept;
    for (const KeptValue& value : edges.kept)
      kept.push_back(value.symbol + ": " + to_string(value.type));
    return text + (kept.empty() ? "" : " keeps " + list(kept));
  }

  static bool combines(KernelOp op) {
    return op == KernelOp::Accumulate || op == KernelOp::CombineInto || op == KernelOp::ReduceInto;
  }

  const ir::PrintOptions& options_;
  unsigned indent_;
  std::string text_;
};

}  // namespace

std::string print(const Plan& plan, const ir::PrintOptions& options) {
  PlanPrinter printer(options);
  printer.print(plan);
  return printer.take();
}

std::vector<std::string> choices(const Plan& plan) {
  std::vector<std::string> lines;
  for (const Decision& decision : plan.decisions)
    lines.push_back(decision.subject + ": " + decision.key + " = " + decision.value +
                    (decision.pinned ? " (pinned)" : ""));
  return lines;
}

std::string print(const Kernel& kernel, unsigned indent, const ir::PrintOptions& options) {
  PlanPrinter printer(options, indent);
  printer.print(kernel);
  return printer.take();
}

}  // namespace vertigo::plan
