#include "compiler/passes/plan/ArrangeHost.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

using plan::Action;
using plan::ActionKind;
using plan::BufferRole;

/// Kernels and buffers that a variant's host code names.
struct Used {
  std::set<std::string> kernels;
  std::set<std::string> buffers;
};

class Arrangement {
 public:
  explicit Arrangement(plan::Plan& plan) : plan_(plan) {
    for (const plan::Buffer& buffer : plan.buffers) places_.emplace(buffer.name, places_.size());
    for (const Action& action : plan.initialize)
      if (action.kind != ActionKind::Launch) filled_first_.insert(action.symbol);
  }

  void run() {
    for (const plan::Buffer& buffer : plan_.buffers)
      if (is_always_there(buffer)) host_.holds.push_back(buffer.name);
    for (plan::PhasePlan& phase : plan_.phases)
      for (plan::Variant& variant : phase.variants) {
        if (variant.hybrid) tell_pending(phase, *variant.hybrid);
        tell_needs(phase, variant);
      }
    list_preparations();
    host_.ids = draws_random_numbers();
    list_variables(plan_.body);
    list_columns();
    host_.graph_order = pinned("preparation");
    if (host_.graph_order == "none") host_.graph_order.clear();
    host_.all_schedules = pinned("schedules") == "all";
    host_.transfer = pinned("transfer");
    plan_.host = std::move(host_);
  }

 private:
  /// Of the program, or kept beside its states; not a snapshot of one.
  static bool is_edge_state(const plan::Buffer& buffer) {
    return buffer.role == BufferRole::EdgeState && (buffer.of == buffer.name || buffer.of.empty());
  }
  /// Whatever variants run.
  bool is_always_there(const plan::Buffer& buffer) const {
    return buffer.role == BufferRole::State || is_edge_state(buffer) ||
           buffer.role == BufferRole::Inbox || buffer.role == BufferRole::Counter ||
           buffer.role == BufferRole::Scalar || buffer.role == BufferRole::Ballots ||
           buffer.role == BufferRole::Sorted || filled_first_.contains(buffer.name);
  }
  /// What the user chose for the whole program; "": nothing.
  std::string pinned(const std::string& key) const {
    const plan::Decision* const decision = plan_.find_decision(kWholeProgram, key);
    return decision != nullptr && decision->pinned ? decision->value : "";
  }
  static void use(const std::vector<Action>& actions, Used& used) {
    for (const Action& action : actions) {
      if (action.kind == ActionKind::Launch) {
        used.kernels.insert(action.symbol);
        continue;
      }
      use(action.body, used);
      used.buffers.insert(action.symbol);
      if (!action.source.empty()) used.buffers.insert(action.source);
    }
  }

  // Of a hybrid also what the paths use that it changes between.
  void use(const plan::PhasePlan& phase, const plan::Variant& variant, Used& used) const {
    use(variant.prepare, used);
    use(variant.step, used);
    use(phase.finish, used);
    if (variant.engine)
      used.buffers.insert(variant.engine->buffers.begin(), variant.engine->buffers.end());
    if (!variant.hybrid) return;
    use(variant.hybrid->to_list, used);
    use(variant.hybrid->to_all, used);
    for (const std::string& path : variant.hybrid->paths)
      use(phase, *phase.find_variant(path), used);
  }

  void tell_needs(const plan::PhasePlan& phase, plan::Variant& variant) const {
    Used used;
    use(phase, variant, used);
    variant.by_graph = false;
    for (const std::string& name : used.kernels) {
      const plan::Kernel& kernel = *plan_.find_kernel(name);
      variant.by_graph =
          variant.by_graph || (kernel.together && (kernel.balance == plan::Balance::Auto ||
                                                   kernel.balance == plan::Balance::Rows));
      for (const plan::KernelArgument& argument : kernel.takes)
        if (argument.kind == plan::KernelArgument::Kind::Buffer) used.buffers.insert(argument.name);
    }
    std::vector<std::size_t> places;
    for (const std::string& name : used.buffers) places.push_back(places_.at(name));
    std::ranges::sort(places);
    variant.needs.clear();
    variant.threshold.clear();
    variant.prepares = false;
    for (const std::size_t place : places) {
      const plan::Buffer& buffer = plan_.buffers[place];
      if (!is_always_there(buffer)) variant.needs.push_back(buffer.name);
      if (buffer.role == BufferRole::Threshold) variant.threshold = buffer.name;
      variant.prepares =
          variant.prepares || (plan::is_prepared(buffer.role) && !plan::is_optional(buffer.role));
    }
  }

  void tell_pending(const plan::PhasePlan& phase, plan::Hybrid& hybrid) const {
    for (const std::string& path : hybrid.paths) {
      const std::string& pending = phase.find_variant(path)->pending;
      const bool flag = plan_.find_buffer(pending)->role == BufferRole::Flag;
      (flag ? hybrid.flag : hybrid.list) = pending;
    }
  }

  // Engines first; buffers by name.
  void list_preparations() {
    std::map<std::string, std::vector<plan::VariantOf>> buffers;
    for (const plan::PhasePlan& phase : plan_.phases)
      for (const plan::Variant& variant : phase.variants) {
        const plan::VariantOf this_one{phase.phase, variant.name()};
        if (variant.engine) host_.preparations.push_back({"", {this_one}});
        for (const std::string& name : variant.needs)
          if (plan::is_prepared(plan_.find_buffer(name)->role)) buffers[name].push_back(this_one);
      }
    for (auto& [buffer, variants] : buffers)
      host_.preparations.push_back({buffer, std::move(variants)});
  }

  template <class Look>
  static void look_at(const plan::Operator& each, const Look& look) {
    if (each.value) ir::walk(*each.value, look);
    plan::walk_statements(each.body,
                          [&](const plan::KernelStmt& stmt) { plan::for_each_expr(stmt, look); });
  }
  bool draws_random_numbers() const {
    bool found = false;
    const auto look = [&](const ir::Expr& e) { found = found || e.op == ir::Op::Random; };
    for (const plan::Kernel& kernel : plan_.kernels) plan::walk_expressions(kernel, look);
    for (const plan::PhasePlan& phase : plan_.phases)
      for (const plan::Variant& variant : phase.variants) {
        if (!variant.engine) continue;
        for (const plan::Operator& each : variant.engine->operators) look_at(each, look);
      }
    return found;
  }

  bool is_loop_of_engine(const std::string& variable) {
    if (!engine_loops_) {
      engine_loops_.emplace();
      for (const plan::PhasePlan& phase : plan_.phases)
        for (const plan::Variant& variant : phase.variants)
          if (variant.engine && !variant.engine->loop.empty())
            engine_loops_->insert(variant.engine->loop);
    }
    return engine_loops_->contains(variable);
  }

  // In order of their first definition.
  void list_variables(const std::vector<ir::StmtPtr>& body) {
    for (const ir::StmtPtr& stmt : body) {
      const bool defines = stmt->kind == ir::StmtKind::HostLet || stmt->kind == ir::StmtKind::For;
      if (defines && known_.insert(stmt->symbol).second)
        host_.variables.push_back(
            {stmt->symbol, stmt->value->type, is_loop_of_engine(stmt->symbol)});
      list_variables(stmt->body);
      list_variables(stmt->otherwise);
    }
  }

  // Outputs first.
  void list_columns() {
    std::set<std::string> done;
    const auto add = [&](const std::string& state) {
      if (done.insert(state).second) host_.columns.push_back(state);
    };
    for (const ir::Output& output : plan_.program.outputs) add(output.state);
    for (const ir::State& state : plan_.program.states) add(state.name);
  }

  plan::Plan& plan_;
  plan::HostClass host_;
  std::unordered_map<std::string, std::size_t> places_;
  std::set<std::string> filled_first_;  // what is filled before the first phase runs
  std::set<std::string> known_;
  std::optional<std::set<std::string>> engine_loops_;
};

}  // namespace

void arrange_host(plan::Plan& plan, PassContext&) { Arrangement(plan).run(); }

}  // namespace vertigo::compiler::passes
