#include "compiler/passes/toplan/BuildKernels.h"

#include <algorithm>
#include <set>

#include "compiler/passes/PassContext.h"
#include "compiler/passes/toplan/BuildAsynchronous.h"
#include "compiler/passes/toplan/BuildColoured.h"
#include "compiler/passes/toplan/BuildHostLevel.h"
#include "compiler/passes/toplan/BuildHybrid.h"
#include "compiler/passes/toplan/BuildSynchronous.h"
#include "compiler/passes/toplan/ChooseDomain.h"
#include "compiler/passes/toplan/EmptyInboxes.h"
#include "compiler/passes/toplan/StoreSettling.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::toplan {

namespace {

constexpr unsigned kWidestMessage = 128;  // bits; what one atomic changes

void refuse_wide_messages(KernelContext& context) {
  for (const ir::Message& message : context.program().messages) {
    if (!message.type.is_tuple()) continue;
    const unsigned bits = 8 * ir::bytes_of(message.type);
    if (bits <= kWidestMessage) continue;
    context.refuse(message.location,
                   "message '" + message.name + "' of " + std::to_string(bits) + " bits",
                   "a tuple message has at most 128 bits, because it is combined by one atomic "
                   "operation");
  }
}

plan::Balance balance_of(const plan::Plan& plan, const std::string& phase) {
  const plan::Decision* decision = plan.find_decision(phase, "balance");
  const std::string value = decision == nullptr ? "" : decision->value;
  if (value == "auto") return plan::Balance::Auto;
  if (value == "rows") return plan::Balance::Rows;
  if (value == "thread") return plan::Balance::Thread;
  if (value == "warp") return plan::Balance::Warp;
  if (value == "block") return plan::Balance::Block;
  if (value == "edge") return plan::Balance::Edge;
  if (value == "sorted") return plan::Balance::Sorted;
  return plan::Balance::Mixed;
}

bool votes(const plan::Kernel& kernel) {
  bool found = false;
  plan::walk_statements(kernel.body, [&](const plan::KernelStmt& stmt) {
    found = found || plan::uses_ballots(stmt.op);
  });
  return found;
}

bool has_edge_loop(const plan::Kernel& kernel) {
  bool found = false;
  plan::walk_statements(kernel.body, [&](const plan::KernelStmt& stmt) {
    found = found || stmt.op == plan::KernelOp::ForEdges;
  });
  return found;
}

// Of the edges that the kernel follows from its vertices.
ir::EdgeDirection direction_of(const plan::Kernel& kernel) {
  bool out = false;
  bool in = false;
  plan::walk_statements(kernel.body, [&](const plan::KernelStmt& stmt) {
    if (stmt.op != plan::KernelOp::ForEdges || stmt.vertex != kernel.vertex) return;
    out = out || stmt.direction != ir::EdgeDirection::In;
    in = in || stmt.direction != ir::EdgeDirection::Out;
  });
  if (out && in) return ir::EdgeDirection::Both;
  return in ? ir::EdgeDirection::In : ir::EdgeDirection::Out;
}

// Edges are shared out only where there are any, and lists keep the order in which they were
// appended to. What is automatic stays so: the graph decides. Votes are counted together by the
// threads of a warp or of a block.
void settle_balance(KernelContext& context) {
  for (plan::Kernel& kernel : context.plan().kernels) {
    if (!kernel.order.empty()) continue;
    if (kernel.balance == plan::Balance::Thread && votes(kernel))
      kernel.balance = plan::Balance::Mixed;
    const bool sorted = kernel.balance == plan::Balance::Sorted;
    if (!has_edge_loop(kernel) || (sorted && kernel.domain != plan::Domain::AllVertices))
      kernel.balance = plan::Balance::Thread;
    else if (sorted)
      kernel.order = context.order(direction_of(kernel));
  }
}

plan::Decision* variant_decision(plan::Plan& plan, const std::string& phase) {
  return plan.decisions.find(plan::decision_name(phase, "variant"));
}

// The decision says of a variant without kernels why it is not there.
void drop_variant(plan::Plan& plan, const std::string& phase, const std::string& variant,
                  const std::string& reason) {
  plan::Decision* decision = variant_decision(plan, phase);
  if (decision == nullptr) return;
  for (plan::Alternative& other : decision->alternatives)
    if (other.value == variant) other = {variant, false, reason};
  if (decision->value == variant) decision->alternatives.push_back({variant, false, reason});
}

// Where the preferred variant was dropped, the decision takes the first that is left.
void settle_variant(plan::Plan& plan, const plan::PhasePlan& phase) {
  plan::Decision* decision = variant_decision(plan, phase.phase);
  if (decision == nullptr || phase.variants.empty()) return;
  const std::string name = phase.variants[phase.preferred].name();
  if (decision->value == name) return;
  decision->value = name;
  decision->reason = phase.variants[phase.preferred].reason;
  std::erase_if(decision->alternatives,
                [&](const plan::Alternative& other) { return other.value == name; });
}

// Calls `visit` for what the block appends to, outside loops over edges: no more than once per
// vertex.
template <class Visit>
void for_each_append_per_vertex(const plan::Block& block, const Visit& visit) {
  for (const auto& stmt : block) {
    if (stmt->op == plan::KernelOp::Append) visit(stmt->buffer);
    if (stmt->op == plan::KernelOp::ForEdges) continue;
    for_each_append_per_vertex(stmt->body, visit);
    for_each_append_per_vertex(stmt->otherwise, visit);
  }
}

// Whether the step visits nothing but lists that are no longer than the pending one.
bool fits_one_block(const plan::Plan& plan, const plan::Variant& variant) {
  std::set<std::string> short_lists = {variant.pending};
  for (const plan::Action& action : variant.step) {
    const plan::Buffer* buffer = plan.find_buffer(action.symbol);
    if (action.kind == plan::ActionKind::CopyBuffer || action.kind == plan::ActionKind::ForParts ||
        action.kind == plan::ActionKind::ForRest)
      return false;
    if (action.kind == plan::ActionKind::ClearBuffer && buffer->role == plan::BufferRole::Bitmap)
      return false;
    if (action.kind == plan::ActionKind::ClearListed && !short_lists.contains(action.source))
      return false;
    if (action.kind != plan::ActionKind::Launch) continue;
    const plan::Kernel& kernel = *plan.find_kernel(action.symbol);
    if (kernel.domain != plan::Domain::Worklist && kernel.domain != plan::Domain::Sample)
      return false;
    if (!short_lists.contains(kernel.list)) return false;
    for_each_append_per_vertex(kernel.body,
                               [&](const std::string& list) { short_lists.insert(list); });
  }
  return !variant.step.empty() && !variant.pending.empty();
}

void build_phase(KernelContext& context, plan::PhasePlan& plan) {
  const ir::Phase& phase = *context.program().find_phase(plan.phase);
  const plan::Decision* const few = context.plan().find_decision(plan.phase, "colours");
  const std::string colours = few == nullptr ? "" : few->value;
  const bool order_free =
      !colours.empty() ||
      std::any_of(plan.variants.begin(), plan.variants.end(), [](const plan::Variant& variant) {
        return variant.path.timing == Timing::Asynchronous;
      });
  const PhaseAnalysis analysis = analyse(context.plan(), phase, order_free);
  const bool controlled =
      std::any_of(plan.variants.begin(), plan.variants.end(),
                  [](const plan::Variant& variant) { return variant.hybrid.has_value(); });
  PhaseKernels kernels(context, analysis, balance_of(context.plan(), plan.phase), controlled);
  const std::string preferred =
      plan.variants.empty()
          ? ""
          : plan.variants[std::min(plan.preferred, plan.variants.size() - 1)].name();
  std::vector<plan::Variant> legal;
  std::string problem;
  for (plan::Variant& variant : plan.variants) {
    problem.clear();
    if (variant.engine)
      find_engine(variant.engine->name)->build(kernels, variant);
    else if (variant.hybrid)
      problem = build_hybrid(kernels, legal, variant);
    else if (variant.path.timing == Timing::Coloured)
      problem = build_coloured(kernels, variant, colours);
    else if (variant.path.timing == Timing::Synchronous)
      build_synchronous(kernels, variant);
    else if (variant.path.direction == Direction::Push)
      build_asynchronous_push(kernels, variant);
    else
      problem = build_asynchronous_pull(kernels, variant);
    variant.one_block = problem.empty() && fits_one_block(context.plan(), variant);
    if (problem.empty())
      legal.push_back(std::move(variant));
    else
      drop_variant(context.plan(), plan.phase, variant.name(), problem);
  }
  if (legal.empty() && !plan.variants.empty())
    context.refuse(phase.location, "the pinned variant '" + preferred + "'", problem);
  plan.variants = std::move(legal);
  plan.preferred = 0;
  for (std::size_t i = 0; i < plan.variants.size(); ++i)
    if (plan.variants[i].name() == preferred) plan.preferred = i;
  settle_variant(context.plan(), plan);
  empty_inboxes(kernels, plan);
  if (passes::has_listed_domain(context.plan(), plan.phase)) {
    if (context.list_of(plan.phase)->owner == plan.phase)
      context.plan().initialize.push_back({plan::ActionKind::FillWorklist, kernels.left(), ""});
    context.keeps_list(plan.phase, kernels.left());
  }
}

}  // namespace

std::vector<Refusal> build_kernels(plan::Plan& plan) {
  KernelContext context(plan);
  refuse_wide_messages(context);
  add_state_buffers(context);
  add_edge_state_buffers(context);
  context.shared(plan::BufferRole::Counter, plan::kActiveCounter, "for the trace");
  context.shared(plan::BufferRole::Counter, plan::kEdgeCounter, "for the trace and the summary");
  if (!context.refusals().empty()) return context.refusals();
  for (plan::PhasePlan& phase : plan.phases) {
    build_phase(context, phase);
    if (!context.refusals().empty()) return context.refusals();
  }
  build_host_level(context);
  build_initialize(context);
  for (plan::Action& action : context.after_initialization())
    plan.initialize.push_back(std::move(action));
  for (plan::Kernel& kernel : plan.kernels) store_settling(kernel);
  settle_balance(context);
  return context.refusals();
}

}  // namespace vertigo::compiler::toplan

namespace vertigo::compiler::passes {

void build_kernels(plan::Plan& plan, PassContext& context) {
  for (const toplan::Refusal& refusal : toplan::build_kernels(plan))
    context.diagnostics.report(
        diag::NotCompiled,
        context.diagnostics.range_at(refusal.location.line, refusal.location.column),
        refusal.construct, refusal.reason);
}

}  // namespace vertigo::compiler::passes
