#include "compiler/passes/toplan/ChooseHubs.h"

#include <algorithm>
#include <set>

#include "compiler/ir/plan/HubForm.h"
#include "compiler/ir/plan/SharedForm.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

using plan::Action;
using plan::ActionKind;
using plan::Kernel;
using plan::KernelOp;
using plan::KernelStmt;

constexpr const char* kKey = "hubs";
constexpr const char* kBuffer = "hub_order";

/// Which arrays can lie by hubs, and which loops read them so.
class Search {
 public:
  explicit Search(plan::Plan& plan) : plan_(plan) {
    for (const plan::Buffer& buffer : plan.buffers)
      if (buffer.role == plan::BufferRole::Payload) arrays_.insert(buffer.name);
    for (Kernel& kernel : plan.kernels) find_loops(kernel);
  }

  /// Leaves out arrays, and loops that read what is left out, until nothing more has to go.
  void run() {
    if (loops_.empty()) arrays_.clear();
    for (const Kernel& kernel : plan_.kernels) leave_out(kernel);
    const auto lies = [&](const std::string& buffer) { return arrays_.contains(buffer); };
    for (std::size_t before = 0; before != arrays_.size() + loops_.size();) {
      before = arrays_.size() + loops_.size();
      std::erase_if(loops_, [&](const Loop& loop) {
        return !plan::reads_by_neighbour_alone(*loop.stmt, lies);
      });
      for (const Kernel& kernel : plan_.kernels) leave_out_of_other_loops(kernel);
      leave_out_partners();
    }
    std::erase_if(arrays_, [&](const std::string& array) { return !is_read(array); });
    leave_out_partners();
  }

  bool any() const { return !loops_.empty() && !arrays_.empty(); }
  const std::set<std::string>& arrays() const { return arrays_; }
  bool is_repeated() const {
    return std::ranges::any_of(plan_.phases, [&](const plan::PhasePlan& phase) {
      return !plan_.uses.runs_once(phase.phase) && launches_a_loop(phase);
    });
  }
  void mark() {
    bool in = false;
    bool out = false;
    for (const Loop& loop : loops_) {
      loop.stmt->hubs = kBuffer;
      in = in || loop.stmt->direction != ir::EdgeDirection::Out;
      out = out || loop.stmt->direction != ir::EdgeDirection::In;
    }
    for (plan::Buffer& buffer : plan_.buffers)
      if (arrays_.contains(buffer.name)) buffer.hubs = kBuffer;
    plan::Buffer order{.name = kBuffer,
                       .role = plan::BufferRole::Hubs,
                       .type = {},
                       .of = "",
                       .packed = false,
                       .direction = in && out ? ir::EdgeDirection::Both
                                    : in      ? ir::EdgeDirection::In
                                              : ir::EdgeDirection::Out,
                       .reason = "values of hubs lie side by side"};
    plan_.buffers.push_back(std::move(order));
  }

 private:
  struct Loop {
    const Kernel* kernel;
    KernelStmt* stmt;
  };

  /// Of all vertices of a kernel, folds that need not know whose an edge is.
  void find_loops(Kernel& kernel) {
    if (kernel.balance != plan::Balance::Rows) return;
    const plan::SharedForms forms(kernel);
    for (const plan::KernelStmtPtr& stmt : kernel.body) {
      if (stmt->op != KernelOp::ForEdges) continue;
      const std::optional<plan::SharedEdges> form = forms.of(*stmt);
      if (form && plan::folds_rows(kernel, *stmt, *form)) loops_.push_back({&kernel, stmt.get()});
    }
  }
  bool is_found(const KernelStmt& stmt) const {
    return std::ranges::any_of(loops_, [&](const Loop& loop) { return loop.stmt == &stmt; });
  }

  /// What is written in another way than whole, by the kernel's own vertex, or filled by the host.
  void leave_out(const Kernel& kernel) {
    plan::walk_statements(kernel.body, [&](const KernelStmt& stmt) {
      if (stmt.op == KernelOp::Store && stmt.index && plan::is_vertex(*stmt.index, kernel.vertex) &&
          !stmt.atomic)
        return;
      arrays_.erase(stmt.buffer);
    });
  }

  void leave_out_of_other_loops(const Kernel& kernel) {
    const auto leave = [&](const ir::Expr& e) {
      if (e.op == ir::Op::Load) arrays_.erase(e.symbol);
    };
    if (kernel.start) ir::walk(*kernel.start, leave);
    for (const plan::KernelStmtPtr& stmt : kernel.body) {
      if (is_found(*stmt)) continue;
      plan::for_each_expr(*stmt, leave);
      for (const plan::Block* block : {&stmt->body, &stmt->otherwise})
        plan::walk_statements(
            *block, [&](const KernelStmt& inside) { plan::for_each_expr(inside, leave); });
    }
  }

  /// What trades places with an array lies as it does; what the host fills lies by vertex.
  void leave_out_partners() {
    const auto look = [&](const auto& self, const std::vector<Action>& actions) -> void {
      for (const Action& action : actions) {
        self(self, action.body);
        if (action.kind == ActionKind::Launch) continue;
        const bool swaps = action.kind == ActionKind::Swap && arrays_.contains(action.symbol) &&
                           arrays_.contains(action.source);
        if (swaps) continue;
        arrays_.erase(action.symbol);
        arrays_.erase(action.source);
      }
    };
    look(look, plan_.initialize);
    for (const plan::PhasePlan& phase : plan_.phases) {
      look(look, phase.finish);
      for (const plan::Variant& variant : phase.variants) {
        look(look, variant.prepare);
        look(look, variant.step);
        if (variant.engine)
          for (const std::string& buffer : variant.engine->buffers) arrays_.erase(buffer);
      }
    }
  }

  /// By a loop, or by one after it has traded places.
  bool is_read(const std::string& array) const {
    const auto reads = [&](const std::string& name) {
      return std::ranges::any_of(loops_, [&](const Loop& loop) {
        bool found = false;
        plan::walk_statements(loop.stmt->body, [&](const KernelStmt& stmt) {
          plan::for_each_expr(stmt, [&](const ir::Expr& e) {
            found = found || (e.op == ir::Op::Load && e.symbol == name);
          });
        });
        return found;
      });
    };
    if (reads(array)) return true;
    return std::ranges::any_of(plan_.phases, [&](const plan::PhasePlan& phase) {
      return std::ranges::any_of(phase.variants, [&](const plan::Variant& variant) {
        return std::ranges::any_of(variant.step, [&](const Action& action) {
          return action.kind == ActionKind::Swap &&
                 ((action.symbol == array && reads(action.source)) ||
                  (action.source == array && reads(action.symbol)));
        });
      });
    });
  }

  bool launches_a_loop(const plan::PhasePlan& phase) const {
    return std::ranges::any_of(phase.variants, [&](const plan::Variant& variant) {
      return std::ranges::any_of(variant.step, [&](const Action& action) {
        return action.kind == ActionKind::Launch &&
               std::ranges::any_of(
                   loops_, [&](const Loop& loop) { return loop.kernel->name == action.symbol; });
      });
    });
  }

  plan::Plan& plan_;
  std::set<std::string> arrays_;
  std::vector<Loop> loops_;
};

std::vector<Candidate> candidates(const Search& search) {
  if (!search.any()) {
    const std::string problem =
        "no update goes through rows in which an edge reads nothing of the neighbour but what it "
        "has stored";
    return {{"scattered", true, problem}, {"together", false, problem}};
  }
  std::string arrays;
  for (const std::string& array : search.arrays()) arrays += (arrays.empty() ? "" : ", ") + array;
  const Candidate together{
      "together", true,
      arrays +
          ": in the order of degrees, where the graph has hubs and the run may prepare: most "
          "edges read values of few vertices, which then share lines of the cache"};
  const Candidate scattered{"scattered", true, "values lie by vertex: nothing is prepared"};
  if (search.is_repeated()) return {together, scattered};
  return {{"scattered", true, "values are read once: sorting would take longer than it saves"},
          together};
}

}  // namespace

void choose_hubs(plan::Plan& plan, PassContext& context) {
  const bool goes_through_rows = std::ranges::any_of(
      plan.kernels, [](const Kernel& kernel) { return kernel.balance == plan::Balance::Rows; });
  if (!goes_through_rows && context.schedule.find(kWholeProgram, kKey) == nullptr) return;
  Search search(plan);
  search.run();
  if (decide(plan, context, "choose-hubs", kWholeProgram, kKey, candidates(search)) == "together")
    search.mark();
}

}  // namespace vertigo::compiler::passes
