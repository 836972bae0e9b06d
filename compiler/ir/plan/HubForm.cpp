#include "compiler/ir/plan/HubForm.h"

namespace vertigo::plan {

namespace {

std::string hubs_of(const Plan& plan, const std::string& buffer) {
  const Buffer* const found = plan.find_buffer(buffer);
  return found == nullptr ? "" : found->hubs;
}

class Check {
 public:
  explicit Check(const Plan& plan) : plan_(plan) {}

  void look(const Block& block, const std::string& hubs) {
    for (const KernelStmtPtr& stmt : block) {
      for_each_expr(*stmt, [&](const Expr& e) { look(e, hubs); });
      const bool is_loop = stmt->op == KernelOp::ForEdges;
      if (is_loop && !stmt->hubs.empty()) look_at_loop(*stmt);
      look(stmt->body, is_loop ? stmt->hubs : hubs);
      look(stmt->otherwise, hubs);
    }
  }
  std::string problem;

 private:
  void look(const Expr& e, const std::string& hubs) {
    if (e.op != ir::Op::Load) return;
    const std::string lies = hubs_of(plan_, e.symbol);
    if (!lies.empty() && lies != hubs)
      complain("'" + e.symbol + "' lies by '" + lies + "' and is read by a vertex");
  }
  void look_at_loop(const KernelStmt& loop) {
    const Buffer* const hubs = plan_.find_buffer(loop.hubs);
    if (hubs == nullptr || hubs->role != BufferRole::Hubs)
      return complain("a loop goes by '" + loop.hubs + "', which are no hubs");
    if (hubs->direction != ir::EdgeDirection::Both && hubs->direction != loop.direction)
      complain("hubs '" + loop.hubs + "' are of other edges than the loop's");
    if (!reads_by_neighbour_alone(
            loop, [&](const std::string& buffer) { return hubs_of(plan_, buffer) == loop.hubs; }))
      complain("'" + loop.symbol + "' is a place in '" + loop.hubs + "' and is used as a vertex");
  }
  void complain(const std::string& text) {
    if (problem.empty()) problem = text;
  }

  const Plan& plan_;
};

}  // namespace

std::string problem_of_hubs(const Plan& plan, const Kernel& kernel) {
  Check check(plan);
  check.look(kernel.body, "");
  return check.problem;
}

}  // namespace vertigo::plan
