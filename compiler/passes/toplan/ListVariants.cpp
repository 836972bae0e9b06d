#include "compiler/passes/toplan/ListVariants.h"

#include <algorithm>
#include <set>

#include "compiler/passes/toplan/BuildMessageBuffer.h"
#include "compiler/passes/toplan/ChooseController.h"
#include "compiler/passes/toplan/ChooseTransfer.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kSerializable =
    "the program says 'consistency serializable': neighbours never run together";

class Variants {
 public:
  Variants(plan::Plan& plan, PassContext& context, plan::PhasePlan& phase)
      : plan_(plan),
        context_(context),
        phase_(phase),
        known_(*plan.program.find_phase(phase.phase)),
        beyond_engines_(beyond_engines()) {
    // Each engine and path asks for these, and decisions of thousands of phases lie far apart.
    const plan::Decision* const priority = plan_.find_decision(phase_.phase, "priority");
    has_threshold_ = priority != nullptr && priority->value == "threshold";
    pinned_axis_ = pinned_axis();
    in_parts_ = in_parts();
    for (const toplan::EngineRule& rule : toplan::engines())
      if (rule.contract.choice.on_demand && takes(rule.contract)) taken_.push_back(&rule);
  }

  void list() {
    phase_.variants.clear();
    phase_.preferred = 0;
    for (const toplan::EngineRule& rule : toplan::engines())
      if (!rule.contract.choice.on_demand || is_taken(rule)) consider(rule);
    const auto first_path = static_cast<std::ptrdiff_t>(candidates_.size());
    for (const ExecutionPath& path : kExecutionPaths)
      if (path.timing != Timing::Coloured || is_coloured(path)) consider(path);
    // An engine that is legal is preferred. Decided values stand first in what is allowed, so the
    // preferred path exists unless its pair of timing and direction cannot be had.
    const std::string best = best_name();
    std::stable_sort(candidates_.begin() + first_path, candidates_.end(),
                     [&](const Candidate& a, const Candidate& b) {
                       return (a.value == best) > (b.value == best);
                     });
    consider_hybrid(first_path);
    for (const toplan::EngineRule& rule : toplan::engines())
      if (rule.contract.choice.on_demand && !is_taken(rule)) mention(rule);
    const std::string chosen =
        decide(plan_, context_, "list-variants", phase_.phase, "variant", candidates_);
    for (std::size_t i = 0; i < phase_.variants.size(); ++i)
      if (phase_.variants[i].name() == chosen) phase_.preferred = i;
    const plan::Decision* decision = plan_.find_decision(phase_.phase, "variant");
    if (decision->pinned && !phase_.variants.empty() && chosen != kHybridName) keep_only(chosen);
  }

 private:
  bool is_allowed(const std::string& key, const std::string& value) const {
    const std::vector<std::string> values = allowed(plan_, phase_.phase, key);
    return std::find(values.begin(), values.end(), value) != values.end();
  }

  // Colour classes are for phases that ask for them: by their consistency, or by a pin. Elsewhere
  // they are legal as often as an asynchronous push is, and would be compiled beside it for nobody.
  bool is_coloured(const ExecutionPath& path) const {
    if (is_serializable()) return true;
    if (!is_allowed("timing", "coloured")) return false;
    const Pin* const variant = context_.schedule.find(phase_.phase, "variant");
    return context_.schedule.find(phase_.phase, "timing") != nullptr ||
           (variant != nullptr && variant->value == spelling(path));
  }
  bool is_serializable() const { return known_.serializable; }

  // Why the path cannot be had; empty where it can.
  std::string problem(const ExecutionPath& path) const {
    if (const std::string taken = taken_on_demand(""); !taken.empty()) return taken;
    if (has_threshold_ && path != kWaitingPath) return threshold_pinned();
    for (const AxisValue& choice : choices_of(path)) {
      const std::string key(choice.axis), value(choice.value);
      if (is_allowed(key, value)) continue;
      const plan::Decision* decision = plan_.find_decision(phase_.phase, key);
      if (decision == nullptr) return "nothing decided its " + key;
      if (decision->pinned) return decision->key + "=" + decision->value + " is pinned";
      for (const plan::Alternative& other : decision->alternatives)
        if (other.value == value) return other.reason;
      return "the phase runs " + decision->value;
    }
    if (path.timing == Timing::Asynchronous && path.direction == Direction::Pull &&
        !ir::algebra_of(known_).states_tell.value)
      return "an asynchronous pull reads the states of neighbours: " +
             ir::algebra_of(known_).states_tell.reason;
    if (path.timing == Timing::Coloured && path.direction == Direction::Pull &&
        sends(plan_, phase_.phase)) {
      if (is_serializable()) return kColouredSends;
      if (!ir::algebra_of(known_).states_tell.value)
        return kPullsStates + ir::algebra_of(known_).states_tell.reason;
    }
    return "";
  }

  // "layout=message-buffer is pinned: …": what cannot have its messages wait in slots; empty where
  // it can, or need not.
  std::string pinned_layout(const plan::Variant& variant) const {
    const Pin* pin = context_.schedule.find(kWholeProgram, "layout");
    if (pin == nullptr || pin->value != "message-buffer" || !sends(plan_, phase_.phase) ||
        toplan::is_buffered(variant))
      return "";
    const bool lists = variant.is_path() && variant.path.timing == Timing::Synchronous &&
                       variant.path.direction == Direction::Push;
    return std::string("layout=message-buffer is pinned: ") +
           (lists ? "a vertex that is not on the list would leave the message of an earlier step "
                    "in its slots"
                  : "only a synchronous push over all vertices fills every slot in every step");
  }

  static std::string threshold_pinned() {
    return "priority=threshold is pinned: only " + spelling(kWaitingPath) + " has vertices wait";
  }

  // "timing=sync is pinned": what takes the phase as a whole cannot be had then.
  std::string pinned_axis() const {
    if (has_threshold_) return threshold_pinned();
    for (const std::string_view axis : kAxes) {
      const std::string key(axis);
      const plan::Decision* decision = plan_.find_decision(phase_.phase, key);
      if (decision != nullptr && decision->pinned)
        return key + "=" + decision->value + " is pinned";
    }
    return "";
  }

  // "priority=none is pinned": the engine is left.
  std::string pinned_choice(const engines::Contract& contract) const {
    const std::string key(contract.choice.key);
    const plan::Decision* decision = plan_.find_decision(phase_.phase, key);
    const bool left =
        decision != nullptr && decision->pinned && decision->value == contract.choice.left;
    return left ? key + "=" + decision->value + " is pinned" : "";
  }

  // Of an engine that is taken only where the schedule asks for it.
  bool is_taken(const toplan::EngineRule& rule) const {
    const Pin* const variant = context_.schedule.find(phase_.phase, "variant");
    return takes(rule.contract) || (variant != nullptr && variant->value == rule.name());
  }
  bool takes(const engines::Contract& contract) const {
    const plan::Decision* const decision =
        plan_.find_decision(phase_.phase, std::string(contract.choice.key));
    return decision != nullptr && decision->value == toplan::taken_by(contract);
  }

  // "order=path is chosen": such an engine takes the phase; "" where there is none, or it is `but`.
  std::string taken_on_demand(const std::string& but) const {
    for (const toplan::EngineRule* const rule : taken_)
      if (rule->name() != but)
        return std::string(rule->contract.choice.key) + "=" + toplan::taken_by(rule->contract) +
               " is chosen";
    return "";
  }

  // "controller=iterative is pinned": the phase is to be run by paths that change.
  std::string pinned_controller() const {
    const Pin* pin = context_.schedule.find(phase_.phase, "controller");
    return pin == nullptr || pin->value == "fixed" ? "" : "controller=" + pin->value + " is pinned";
  }

  // "needs the whole graph on the device: transfer=filter …": what cannot run part by part.
  std::string in_parts() const {
    const std::string problem = problem_of_whole_graph(plan_);
    return problem.empty() ? "" : "needs the whole graph on the device: " + problem;
  }

  // What forbids a controller; empty where one can change between paths of the phase.
  std::string hybrid_problem() const {
    if (is_serializable()) return kSerializable;
    if (const std::string taken = taken_on_demand(""); !taken.empty()) return taken;
    if (!in_parts_.empty()) return in_parts_;
    if (!pinned_axis_.empty()) return pinned_axis_;
    plan::Variant hybrid;
    hybrid.hybrid.emplace();
    const std::string layout = pinned_layout(hybrid);
    if (!layout.empty()) return layout;
    for (const auto& [key, value] : {std::pair("controller", "fixed"), {"fusion", "launch"}}) {
      const Pin* pin = context_.schedule.find(phase_.phase, key);
      if (pin != nullptr && pin->value == value)
        return std::string(key) + "=" + value + " is pinned";
    }
    if (known_.kind == ir::PhaseKind::Sweep) return "an update of all vertices is one step";
    if (paths_of(plan_, phase_, ir::algebra_of(known_).activity.value).size() < 2)
      return "there are no two paths to change between";
    return "";
  }

  // Beside an engine it is legal, but only spelled out on demand: its loop holds every path a
  // second time, and nvcc takes seconds for that. Beside one that is for some graphs alone, it
  // takes the others.
  void consider_hybrid(std::ptrdiff_t first_path) {
    const std::string why = hybrid_problem();
    const bool beside_engine = std::ranges::any_of(
        phase_.variants, [](const auto& each) { return each.engine && !each.is_for_some(); });
    const Pin* pin = context_.schedule.find(phase_.phase, "variant");
    const bool is_pinned =
        (pin != nullptr && pin->value == kHybridName) || !pinned_controller().empty();
    std::string reason = "the path changes between steps, to what the frontier makes the cheapest";
    if (beside_engine && !is_pinned) reason += "; built where it is pinned";
    candidates_.insert(candidates_.begin() + first_path,
                       {kHybridName, why.empty(), why.empty() ? reason : why});
    if (!why.empty() || (beside_engine && !is_pinned)) return;
    plan::Variant variant;
    variant.hybrid.emplace();
    variant.whole_graph = true;  // it changes paths within one launch
    variant.reason = reason;
    const std::vector<std::string> paths =
        paths_of(plan_, phase_, ir::algebra_of(known_).activity.value);
    for (const plan::Variant& path : phase_.variants)
      if (std::find(paths.begin(), paths.end(), path.name()) != paths.end())
        variant.deterministic = variant.deterministic && path.deterministic;
    phase_.variants.push_back(std::move(variant));
  }

  // An engine takes the phase as a whole, so that a pinned axis or controller rules it out.
  toplan::Judgement judge(const toplan::EngineRule& rule) const {
    plan::Variant taken;
    taken.engine = plan::Engine{rule.name(), {}, {}, {}, {}, ""};
    std::string pinned = is_serializable() ? kSerializable : pinned_axis_;
    if (pinned.empty()) pinned = taken_on_demand(rule.name());
    if (pinned.empty()) pinned = pinned_controller();
    if (pinned.empty()) pinned = pinned_layout(taken);
    if (pinned.empty() && rule.contract.whole_graph) pinned = in_parts_;
    if (pinned.empty()) pinned = beyond_engines_;
    if (pinned.empty() && !rule.contract.keeps_by_edge && updates_edges())
      pinned = "it updates edges";
    if (!pinned.empty()) return {false, pinned};
    toplan::Judgement judgement = rule.judge(plan_, known_);
    if (const std::string left = pinned_choice(rule.contract); judgement.legal && !left.empty())
      judgement = {false, left};
    return judgement;
  }

  // What no engine can do, whichever it is; empty where the phase asks for nothing of it.
  std::string beyond_engines() const {
    if (ir::sends_to_one(known_)) return kSendsToOne;
    if (ir::reads_of_values(known_)) return "a state is read of a vertex that is a value";
    const std::string states = use_of_edge_states();
    return states.empty() ? use_of_edge_columns() : states;
  }

  // An engine gives its operators one attribute of an edge.
  std::string use_of_edge_columns() const {
    std::string found;
    toplan::for_each_expr(known_, [&](const ir::Expr& e) {
      if (e.op == ir::Op::EdgeAttribute && plan_.program.edge_columns.find(e.symbol) != nullptr)
        found = "it reads '" + e.symbol + "' of edges by name, and engines read a weight alone";
    });
    return found;
  }

  // No engine knows of attributes that change between phases: what it makes of them would be kept.
  std::string use_of_edge_states() const {
    std::string found;
    toplan::for_each_expr(known_, [&](const ir::Expr& e) {
      if (e.op == ir::Op::EdgeAttribute && plan_.program.find_edge_state(e.symbol) != nullptr)
        found = "it reads '" + e.symbol + "' of edges, which the program writes";
    });
    return found;
  }
  bool updates_edges() const {
    return !known_.body.empty() && known_.body.front()->kind == ir::StmtKind::UpdateEdges;
  }

  void consider(const toplan::EngineRule& rule) {
    const toplan::Judgement judgement = judge(rule);
    candidates_.push_back({rule.name(), judgement.legal, judgement.reason});
    if (!judgement.legal) return;
    plan::Variant variant;
    variant.engine = plan::Engine{rule.name(), {}, {}, {}, {}, ""};
    variant.reason = judgement.reason;
    variant.deterministic = judgement.deterministic;
    variant.non_negative = judgement.non_negative;
    variant.symmetric = judgement.symmetric;
    variant.no_duplicates = judgement.no_duplicates;
    variant.whole_graph = rule.contract.whole_graph;
    phase_.variants.push_back(std::move(variant));
  }

  // It is legal or not like any other, but not built.
  void mention(const toplan::EngineRule& rule) {
    toplan::Judgement judgement = judge(rule);
    if (judgement.legal) judgement.reason += "; built where it is pinned";
    candidates_.push_back({rule.name(), judgement.legal, judgement.reason});
  }

  void consider(const ExecutionPath& path) {
    plan::Variant variant;
    variant.path = path;
    std::string why = problem(path);
    if (why.empty()) why = pinned_layout(variant);
    if (!why.empty()) {
      candidates_.push_back({variant.name(), false, why});
      return;
    }
    variant.reason = path.timing == Timing::Coloured
                         ? is_serializable()
                               ? "one colour class after the other: neighbours never run together"
                               : "few colour classes one after the other, then all other vertices"
                     : path.timing == Timing::Asynchronous ? "the order of activations is free"
                     : path.direction == Direction::Pull && sends(plan_, phase_.phase)
                         ? "receivers read what active neighbours saved"
                         : "steps are kept apart";
    variant.deterministic = is_deterministic(variant);
    candidates_.push_back({variant.name(), true, variant.reason});
    phase_.variants.push_back(std::move(variant));
  }

  // Floating sums depend on the order of threads, unless one thread adds a vertex's messages up in
  // the order of its edges.
  bool is_deterministic(const plan::Variant& variant) const {
    if (variant.path.timing == Timing::Synchronous && variant.path.direction == Direction::Pull)
      return true;
    const std::set<std::string> sent = ir::messages_sent(known_);
    return std::ranges::none_of(sent, [&](const std::string& name) {
      const ir::Message& message = *plan_.program.find_message(name);
      return message.combine == ir::Combine::Any || message.combine == ir::Combine::Function ||
             (message.combine == ir::Combine::Sum && ir::is_float(message.type.scalar()));
    });
  }

  // Of the path that the decisions on the axes make; "" where no timing is legal.
  std::string best_name() const {
    const auto is_decided = [&](const AxisValue& choice) {
      const plan::Decision* decision = plan_.find_decision(phase_.phase, std::string(choice.axis));
      return decision != nullptr && decision->value == choice.value;
    };
    for (const ExecutionPath& path : kExecutionPaths)
      if (std::ranges::all_of(choices_of(path), is_decided)) return spelling(path);
    return "";
  }

  void keep_only(const std::string& name) {
    std::erase_if(phase_.variants,
                  [&](const plan::Variant& variant) { return variant.name() != name; });
    phase_.preferred = 0;
  }

  plan::Plan& plan_;
  PassContext& context_;
  plan::PhasePlan& phase_;
  const ir::Phase& known_;
  std::string beyond_engines_;
  bool has_threshold_ = false;
  std::string pinned_axis_;
  std::string in_parts_;
  std::vector<const toplan::EngineRule*> taken_;  ///< on demand
  std::vector<Candidate> candidates_;
};

}  // namespace

void list_variants(plan::Plan& plan, PassContext& context) {
  for (plan::PhasePlan& phase : plan.phases) Variants(plan, context, phase).list();
}

}  // namespace vertigo::compiler::passes
