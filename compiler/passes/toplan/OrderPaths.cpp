#include "compiler/passes/toplan/OrderPaths.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cmath>

#include "compiler/passes/toplan/ChooseTransfer.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/VertexImportance.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kPass = "order-paths";
constexpr const char* kKey = "order";
constexpr const char* kImportance = "importance";

std::string is_pinned(const Pin& pin) { return pin.key + "=" + pin.value + " is pinned"; }

// What else of the schedule says how the phase runs; "" where nothing does.
std::string other_pin(const PassContext& context, const std::string& phase,
                      const toplan::EngineRule& paths) {
  const auto pinned = [&](const std::string& key, const std::string& harmless) -> std::string {
    const Pin* const pin = context.schedule.find(phase, key);
    return pin == nullptr || pin->value == harmless ? "" : is_pinned(*pin);
  };
  for (const char* axis : {"timing", "direction", "activation"})
    if (const std::string why = pinned(axis, ""); !why.empty()) return why;
  if (const std::string why = pinned("variant", paths.name()); !why.empty()) return why;
  if (const std::string why = pinned("controller", "fixed"); !why.empty()) return why;
  if (const std::string why = pinned("priority", "none"); !why.empty()) return why;
  const Pin* const layout = context.schedule.find(kWholeProgram, "layout");
  if (layout != nullptr && layout->value == "message-buffer") return is_pinned(*layout);
  for (const toplan::EngineRule& other : toplan::engines()) {
    const engines::Choice& choice = other.contract.choice;
    if (choice.key.empty() || choice.key == kKey || choice.key == "priority") continue;
    const std::string why = pinned(std::string(choice.key), std::string(choice.left));
    if (!why.empty()) return why;
  }
  return "";
}

// Why values cannot travel along paths; "" where they can.
std::string problem_of(const plan::Plan& plan, const PassContext& context, const ir::Phase& phase,
                       const toplan::EngineRule& paths) {
  if (phase.serializable)
    return "the program says 'consistency serializable': along paths, neighbours run together";
  const toplan::Judgement judgement = paths.judge(plan, phase);
  if (!judgement.legal) return judgement.reason;
  if (const std::string why = problem_of_whole_graph(plan); !why.empty())
    return "paths need the whole graph on the device: " + why;
  return other_pin(context, phase.name, paths);
}

bool names_variant(const PassContext& context, const std::string& phase, const std::string& name) {
  const Pin* const pin = context.schedule.find(phase, "variant");
  return pin != nullptr && pin->value == name;
}

void decide_number(plan::Plan& plan, PassContext& context, const std::string& phase,
                   const std::string& key, double most, const std::string& derived,
                   const std::string& pinned) {
  std::vector<Candidate> values = {{"derived", true, derived}};
  const Pin* const pin = context.schedule.find(phase, key);
  if (pin != nullptr && pin->value != "derived") {
    double number = 0;
    const bool is_share = most == 1;
    const bool fits = !llvm::StringRef(pin->value).getAsDouble(number) && number <= most &&
                      (is_share || number == std::floor(number));
    const std::string limit =
        is_share ? "it is a share of all vertices" : "it is a whole number up to 1024";
    values.push_back({pin->value, fits, fits ? pinned : limit});
  }
  decide(plan, context, kPass, phase, key, values);
}

// Which vertices are hubs: an expression that the schedule gives, else the degree.
void decide_importance(plan::Plan& plan, PassContext& context, plan::PhasePlan& planned) {
  std::vector<Candidate> values = {
      {"degree", true, "hubs are the vertices that have most edges, in and out"}};
  const Pin* const pin = context.schedule.find(planned.phase, kImportance);
  if (pin != nullptr && pin->expression != nullptr) {
    std::string problem;
    planned.importance = toplan::importance_operator(plan.program, *pin->expression, problem);
    values.push_back(
        {pin->value, problem.empty(),
         problem.empty() ? "hubs are the vertices for which it is greatest" : problem});
  }
  decide(plan, context, kPass, planned.phase, kImportance, values);
}

void refuse_pin(PassContext& context, const std::string& phase, const std::string& key) {
  if (const Pin* const pin = context.schedule.find(phase, key))
    context.diagnostics.report(diag::IllegalSchedule, pin->range, key + "=" + pin->value,
                               "phase '" + phase + "'", "the phase has no paths (order=vertex)");
}

}  // namespace

void order_paths(plan::Plan& plan, PassContext& context) {
  const toplan::EngineRule& paths = toplan::engine_chosen_by(kKey);
  const engines::Choice& choice = paths.contract.choice;
  const std::string taken = toplan::taken_by(paths.contract);
  for (plan::PhasePlan& planned : plan.phases) {
    planned.importance.reset();
    const std::string& phase = planned.phase;
    const std::string problem = problem_of(plan, context, *plan.program.find_phase(phase), paths);
    std::vector<Candidate> candidates = {
        {std::string(choice.left), true, std::string(choice.why_left)},
        {taken, problem.empty(),
         problem.empty() ? std::string(choice.why_taken) + "; built where it is pinned" : problem}};
    if (names_variant(context, phase, paths.name()) && problem.empty())
      std::ranges::reverse(candidates);
    if (decide(plan, context, kPass, phase, kKey, candidates) == taken) {
      decide_importance(plan, context, planned);
      decide_number(plan, context, phase, "hub-share", 1,
                    "of all vertices; from the degrees: 0.005 where vertices have 18 neighbours "
                    "and more, else 0.025",
                    "so many of all vertices are hubs, those of the greatest importance");
      decide_number(plan, context, phase, "hub-sample", 1,
                    "of all vertices; so many that the share of hubs is off by a few percent",
                    "so many of all vertices are looked at for the importance that makes a hub");
      decide_number(plan, context, phase, "hub-turns", 1024,
                    "from lengths and degrees: 2 to 4, most where paths are long",
                    "so often paths between hubs are walked in a step");
    } else {
      for (const char* key : {kImportance, "hub-share", "hub-sample", "hub-turns"})
        refuse_pin(context, phase, key);
    }
  }
}

}  // namespace vertigo::compiler::passes
