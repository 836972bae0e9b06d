#include "compiler/passes/toplan/ChooseRounds.h"

#include <map>

#include "compiler/ir/plan/Arguments.h"
#include "compiler/passes/toplan/ChooseTransfer.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

constexpr const char* kKey = "rounds";

/// Why something has to stay with the host; "": it need not.
class Problems {
 public:
  explicit Problems(const plan::Plan& plan) : plan_(plan) {
    const std::vector<const Stmt*> loops = plan::loops_of(plan);
    for (const plan::Sorting& sorting : plan.sortings)
      sorted_.emplace(loops[sorting.loop], plan.find_buffer(sorting.buffer)->of);
  }

  std::string of_loop(const Stmt& loop) const {
    if (const std::string parts = problem_of_whole_graph(plan_); !parts.empty())
      return "the host brings the edges: " + parts;
    return of_statement(loop);
  }

  /// Whether the loop asks the device for nothing but what its condition reads.
  bool is_empty(const Stmt& stmt) const {
    if (!plan::phases_run_by(plan_, stmt).empty()) return false;
    for (const auto* body : {&stmt.body, &stmt.otherwise})
      for (const ir::StmtPtr& inside : *body)
        if (!is_empty(*inside)) return false;
    return true;
  }

  /// Whether a round follows the edges of all vertices.
  bool follows_all_edges(const Stmt& stmt) const {
    for (const plan::PhasePlan* phase : plan::phases_run_by(plan_, stmt))
      if (plan::reach_of(plan_, phase->variants[phase->preferred]) == plan::Reach::AllEdges)
        return true;
    for (const auto* body : {&stmt.body, &stmt.otherwise})
      for (const ir::StmtPtr& inside : *body)
        if (follows_all_edges(*inside)) return true;
    return false;
  }

 private:
  std::string of_statement(const Stmt& stmt) const {
    if (stmt.kind == StmtKind::Report) return "'report " + stmt.symbol + "' stands in it";
    for (const plan::PhasePlan* phase : plan::phases_run_by(plan_, stmt))
      if (std::string problem = of_phase(*phase); !problem.empty()) return problem;
    for (const auto* expr : {&stmt.value, &stmt.limit})
      if (std::string problem = of_expr(expr->get()); !problem.empty()) return problem;
    for (const auto* body : {&stmt.body, &stmt.otherwise})
      for (const ir::StmtPtr& inside : *body)
        if (std::string problem = of_inside(*inside); !problem.empty()) return problem;
    return "";
  }

  std::string of_inside(const Stmt& stmt) const {
    if (const auto sorted = sorted_.find(&stmt); sorted != sorted_.end())
      return "the host sorts the vertices by '" + sorted->second + "' in it, before another loop";
    return of_statement(stmt);
  }

  std::string of_expr(const ir::Expr* expr) const {
    std::string problem;
    if (expr == nullptr) return problem;
    ir::walk(*expr, [&](const ir::Expr& e) {
      if (!problem.empty()) return;
      if (e.op == Op::ListSize || e.op == Op::ListItem)
        problem = "the host goes through the list '" + e.symbol + "' in it";
      if (e.op == Op::ExternCall) problem = "the host calls '" + e.symbol + "' of a header in it";
      if (e.op != Op::Load) return;
      const plan::VertexReduction& reduction = *plan_.find_reduction(e.symbol);
      if (reduction.phase.empty()) problem = of_kernel(reduction.kernel);
    });
    return problem;
  }

  std::string of_phase(const plan::PhasePlan& phase) const {
    const std::string name = "phase '" + phase.phase + "'";
    const plan::Variant& variant = phase.variants[phase.preferred];
    if (variant.engine) return name + " is run by engine " + variant.engine->name;
    for (const plan::Variant& other : phase.variants)
      if (other.engine && !other.engine->loop.empty())
        return "engine " + other.engine->name + " may run its rounds";
    if (phase.cycles != plan::Cycles::None)
      return "the values of " + name +
             " may improve round a cycle, for ever: the host looks for such a cycle";
    if (!phase.watched_state.empty())
      return "'" + phase.watched_state + "' may grow without bound in " + name + ": the host looks";
    if (!variant.fused && !variant.pending.empty())
      return "the host looks at every step of " + name;
    if (std::string problem = of_expr(phase.step_limit.get()); !problem.empty()) return problem;
    for (const auto* actions : {&variant.prepare, &variant.step, &phase.finish})
      if (std::string problem = of_actions(*actions); !problem.empty())
        return name + ": " + problem;
    if (!variant.hybrid) return "";
    for (const std::string& path : variant.hybrid->paths)
      if (std::string problem = of_actions(phase.find_variant(path)->step); !problem.empty())
        return name + ": " + problem;
    return "";
  }

  std::string of_actions(const std::vector<Action>& actions) const {
    for (const Action& action : actions) {
      std::string problem;
      if (action.kind == ActionKind::ForParts || action.kind == ActionKind::ForRest)
        problem = "the host goes from one colour class to the next";
      else if (action.kind == ActionKind::LoadInput)
        problem = "the host loads an input";
      else if (action.kind == ActionKind::Launch)
        problem = of_kernel(action.symbol);
      else if (action.kind == ActionKind::CopyBuffer &&
               plan_.find_buffer(action.symbol)->role == BufferRole::EdgeState)
        problem = "the host copies '" + action.source + "'";
      else if (action.kind == ActionKind::ClearBuffer)
        problem = of_cleared(*plan_.find_buffer(action.symbol));
      if (!problem.empty()) return problem;
    }
    return "";
  }

  static std::string of_cleared(const plan::Buffer& buffer) {
    const bool clears = buffer.role == BufferRole::Worklist || buffer.role == BufferRole::Flag ||
                        buffer.role == BufferRole::Bitmap;
    return clears ? "" : "the host clears '" + buffer.name + "'";
  }

  std::string of_kernel(const std::string& name) const {
    const plan::Kernel& kernel = *plan_.find_kernel(name);
    for (const plan::KernelArgument& argument : plan::arguments_of(plan_, kernel)) {
      if (argument.kind != plan::KernelArgument::Kind::Buffer) continue;
      if (plan_.find_buffer(argument.name)->role == BufferRole::Threshold)
        return "the host sets up the threshold that vertices wait for";
      if (plan_.find_buffer(argument.name)->role == BufferRole::Ballots)
        return "'" + name +
               "' counts equal values, which takes longer than a look from the host and is "
               "quicker in a launch of its own size";
    }
    return "";
  }

  const plan::Plan& plan_;
  std::map<const Stmt*, std::string> sorted_;  ///< loop -> the state that is sorted by before it
};

std::string name_of_loop(unsigned number, const Stmt& loop) {
  return loop.location.line == 0 ? "loop " + std::to_string(number)
                                 : "the loop of line " + std::to_string(loop.location.line);
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

/// Finds the loops that can run in one launch.
class Search {
 public:
  explicit Search(plan::Plan& plan) : plan_(plan), problems_(plan) {}

  void run() {
    plan::walk_loops(plan_.body, [&](unsigned number, const Stmt& loop) {
      if (problems_.is_empty(loop)) return false;
      const std::string problem = problems_.of_loop(loop);
      const std::string name = name_of_loop(number, loop);
      if (!problem.empty()) {
        unable.push_back(name + " stays with the host, because " + problem);
        return true;
      }
      const bool sweeps = problems_.follows_all_edges(loop);
      able.push_back(sweeps ? name + " (on small graphs: it follows the edges of all vertices)"
                            : name);
      plan_.rounds.push_back({.loop = number});
      if (sweeps) search_inside(number, loop);
      return false;
    });
  }

  std::vector<std::string> able;
  std::vector<std::string> unable;

 private:
  // On large graphs the host goes through the loop.
  void search_inside(unsigned number, const Stmt& outer) {
    unsigned next = number + 1;
    plan::walk_loops(
        outer.body,
        [&](unsigned inner, const Stmt& loop) {
          if (problems_.is_empty(loop)) return false;
          if (problems_.follows_all_edges(loop)) return true;
          able.push_back(name_of_loop(inner, loop));
          plan_.rounds.push_back({.loop = inner});
          return false;
        },
        true, next);
  }

  plan::Plan& plan_;
  Problems problems_;
};

}  // namespace

void choose_rounds(plan::Plan& plan, PassContext& context) {
  plan.rounds.clear();
  Search search(plan);
  search.run();
  const std::vector<std::string>& able = search.able;
  const std::vector<std::string>& unable = search.unable;
  const Pin* const pin = context.schedule.find(kWholeProgram, kKey);
  if (able.empty() && unable.empty()) {
    if (pin != nullptr && pin->value == "device")
      context.diagnostics.report(diag::IllegalSchedule, pin->range, "rounds=device", "this program",
                                 "no loop of the host level runs a phase");
    return;
  }
  const std::string stays = joined(unable, "; ");
  const Candidate device{"device", !able.empty(),
                         able.empty() ? stays
                                      : joined(able, ", ") +
                                            ": a launch for all rounds, in which threads wait for "
                                            "each other where the host would look" +
                                            (stays.empty() ? "" : "; " + stays)};
  const Candidate host{"host", true,
                       able.empty()
                           ? stays
                           : "the host launches every kernel of a round, and looks at what "
                             "its conditions ask for"};
  if (decide(plan, context, "choose-rounds", kWholeProgram, kKey, {device, host}) != "device")
    plan.rounds.clear();
}

}  // namespace vertigo::compiler::passes
