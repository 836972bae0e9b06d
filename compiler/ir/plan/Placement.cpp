#include "compiler/ir/plan/Placement.h"

#include <utility>

namespace vertigo::plan {

namespace {

bool is_per_vertex(BufferRole role) {
  return role == BufferRole::State || role == BufferRole::Snapshot || role == BufferRole::Inbox ||
         role == BufferRole::Payload || role == BufferRole::Bitmap;
}

class Placements {
 public:
  explicit Placements(const Plan& plan) {
    for (const Buffer& buffer : plan.buffers)
      if (is_per_vertex(buffer.role)) placed_.emplace(buffer.name, Placed{});
    for (const Kernel& kernel : plan.kernels) look_at(kernel);
    // An engine reaches all vertices; its contract says that it needs the whole graph.
    for (const PhasePlan& phase : plan.phases)
      for (const Variant& variant : phase.variants)
        if (variant.engine)
          for (const std::string& buffer : variant.engine->buffers)
            ask(buffer, Placement::Whole, "");
    for (const PhasePlan& phase : plan.phases)
      for (const Variant& variant : phase.variants)
        for (const std::vector<Action>* actions : {&variant.prepare, &variant.step})
          for (const Action& action : *actions)
            if (action.kind == ActionKind::Swap) share(action.symbol, action.source);
  }
  std::map<std::string, Placed> take() { return std::move(placed_); }

 private:
  void look_at(const Kernel& kernel) {
    const auto is_own = [&](const Expr& index) {
      return index.op == ir::Op::BoundVertex && index.vertex == kernel.vertex;
    };
    walk_statements(kernel.body, [&](const KernelStmt& stmt) {
      if (stmt.index && !is_own(*stmt.index)) ask(stmt.buffer, Placement::Whole, kernel.name);
    });
    walk_expressions(kernel, [&](const Expr& e) {
      // The value of a threshold is of no vertex.
      const bool reads = (e.op == ir::Op::Load || e.op == ir::Op::TestBit) && !e.operands.empty();
      if (reads && !is_own(*e.operands.front())) ask(e.symbol, Placement::Replicated, kernel.name);
    });
  }
  void ask(const std::string& buffer, Placement placement, const std::string& kernel) {
    const auto found = placed_.find(buffer);
    if (found != placed_.end() && placement > found->second.placement)
      found->second = {placement, kernel};
  }

  /// Buffers that change names are one in the next step.
  void share(const std::string& a, const std::string& b) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      const auto found = placed_.find(from);
      if (found != placed_.end()) ask(to, found->second.placement, found->second.kernel);
    }
  }

  std::map<std::string, Placed> placed_;
};

}  // namespace

std::map<std::string, Placed> placements_of(const Plan& plan) { return Placements(plan).take(); }

}  // namespace vertigo::plan
