#include "compiler/passes/toplan/PhaseKernels.h"

#include <algorithm>
#include <initializer_list>

#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/toplan/SenderValues.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::ActionKind;
using plan::Block;
using plan::BufferRole;
using plan::KernelOp;

PhaseKernels::PhaseKernels(KernelContext& context, const PhaseAnalysis& analysis,
                           plan::Balance balance, bool controlled)
    : context_(context), analysis_(analysis), balance_(balance), controlled_(controlled) {
  if (context.program().phases.size() > 1) prefix_ = phase().name + "_";
  list_ = context.list_of(phase().name);
  slice_ = context.slice_of(phase().name);
}

const passes::ShrinkingDomain& PhaseKernels::domain() {
  if (!domain_) domain_ = passes::find_shrinking_domain(context_.program(), phase());
  return *domain_;
}

const passes::ShrinkingDomain* PhaseKernels::receivers() {
  const ir::Uses& uses = context_.plan().uses;
  const auto rules_out = [&] {
    const bool alone = std::ranges::all_of(analysis_.sent, [&](const std::string& message) {
      return uses.belongs_to(phase().name, message);
    });
    if (is_sweep() || !phase().guard || !alone || !domain().lasting) return false;
    // The phase itself may rule out more and more of them while it runs, be it only once.
    const bool assigned = passes::has_node(*domain().lasting, [&](const ir::Expr& e) {
      return e.op == Op::State && ir::writes(phase(), e.symbol);
    });
    return assigned || !passes::rules_out_few(context_.program(), uses, *domain().lasting);
  };
  if (!rules_out_receivers_) rules_out_receivers_ = rules_out();
  return *rules_out_receivers_ ? &domain() : nullptr;
}

const std::vector<SendSite>& PhaseKernels::sites() {
  if (!sites_known_) {
    const plan::Decision* const senders = context_.plan().find_decision(phase().name, "senders");
    const bool once = senders != nullptr && senders->value != "per-edge" &&
                      pulls_messages(context_.plan(), phase());
    sites_ = find_send_sites(context_, analysis_, once);
  }
  sites_known_ = true;
  return sites_;
}

std::string PhaseKernels::asked() {
  return context_.shared(BufferRole::Worklist, "asked", "vertices whose guard is to be asked");
}
std::string PhaseKernels::asked_next() {
  return context_.shared(BufferRole::Worklist, "asked_next",
                         "vertices whose guard is to be asked in the next round");
}
std::string PhaseKernels::queued() {
  return context_.shared(BufferRole::Bitmap, "queued",
                         "keeps a vertex from standing twice in asked");
}
std::string PhaseKernels::queued_next() {
  return context_.shared(BufferRole::Bitmap, "queued_next",
                         "keeps a vertex from standing twice in asked_next");
}
std::string PhaseKernels::active() {
  return context_.shared(BufferRole::Worklist, "active", "vertices that this step activated");
}
std::string PhaseKernels::active_bits() {
  return context_.shared(BufferRole::Bitmap, "active_bits",
                         "receivers and kernels over all vertices ask who is active");
}
std::string PhaseKernels::candidates() {
  return context_.shared(BufferRole::Worklist, "candidates",
                         "neighbours of active vertices, for which messages are gathered");
}
std::string PhaseKernels::candidate_bits() {
  return context_.shared(BufferRole::Bitmap, "candidate_bits",
                         "keeps a vertex from standing twice in candidates");
}
std::string PhaseKernels::left() {
  const std::string owner = prefix_.empty() ? "" : list_->owner + "_";
  return context_.shared(BufferRole::Worklist, owner + "left",
                         "vertices that may still qualify; the others never will again");
}
std::string PhaseKernels::left_next() {
  return context_.shared(BufferRole::Worklist, "left_next",
                         "those of them that are left for the next round");
}
std::string PhaseKernels::pending() {
  return context_.shared(BufferRole::Bitmap, "pending",
                         "the guard can hold on an empty inbox: who was asked must be known");
}
std::string PhaseKernels::pending_next() {
  return context_.shared(BufferRole::Bitmap, "pending_next", "who is asked in the next round");
}
std::string PhaseKernels::threshold() {
  return context_.shared(BufferRole::Threshold, "threshold",
                         "what a vertex must be worth to be processed in this step");
}
std::string PhaseKernels::classes() {
  return context_.shared(BufferRole::Classes, "classes",
                         "no two vertices of a class are neighbours");
}
std::string PhaseKernels::few_classes(const std::string& colours) {
  return context_.few_classes(colours);
}
std::string PhaseKernels::changed() {
  return context_.shared(BufferRole::Flag, "changed", "an inbox changed: another step is needed");
}

std::string PhaseKernels::kernel(const std::string& name,
                                 const std::function<plan::Kernel()>& make) {
  const auto found = kernels_.find(name);
  if (found != kernels_.end()) return found->second;
  plan::Kernel made = make();
  made.name = prefix_ + name;
  return kernels_.emplace(name, context_.add_kernel(std::move(made))).first->second;
}

// Where the source says `update`: guard and `update` share a line more often than not.
ir::Location PhaseKernels::update_location() const {
  if (phase().guard && phase().guard->location.line != 0) return phase().guard->location;
  return phase().body.empty() ? phase().location : phase().body.front()->location;
}

plan::Kernel PhaseKernels::frame(const std::string& comment, plan::Domain domain,
                                 const std::string& list) {
  plan::Kernel kernel;
  kernel.comment = comment;
  kernel.location = update_location();
  kernel.domain = domain;
  kernel.list = list;
  kernel.vertex = phase().variable;
  kernel.balance = balance_;
  return kernel;
}

Bindings PhaseKernels::bindings(const std::string& own) const {
  Bindings result;
  result.own = own;
  result.snapshots = analysis_.snapshots;
  result.edge_snapshots = analysis_.edge_snapshots;
  result.slice = slice_;
  result.count_edges = true;
  return result;
}

Bindings PhaseKernels::bindings_between_steps(const std::string& own) const {
  Bindings result = bindings(own);
  result.snapshots.clear();
  result.count_edges = false;
  return result;
}

void PhaseKernels::lower_body(const std::vector<ir::StmtPtr>& body, ExprLowering& lowering,
                              Block& block, const OnSend& on_send, bool relaxed_stores) {
  for (const ir::StmtPtr& stmt : body) lower_stmt(*stmt, lowering, block, on_send, relaxed_stores);
}

void PhaseKernels::lower_stmt(const ir::Stmt& stmt, ExprLowering& lowering, Block& block,
                              const OnSend& on_send, bool relaxed_stores) {
  switch (stmt.kind) {
    case ir::StmtKind::Let: {
      ExprPtr value = lowering.lower(*stmt.value, block);
      const std::string name = lowering.names().fresh(stmt.symbol);
      lowering.bindings().locals[stmt.symbol] = name;
      add(block, let(name, std::move(value))).location = stmt.location;
      return;
    }
    case ir::StmtKind::AssignState: {
      ExprPtr value = lowering.lower(*stmt.value, block);
      const auto& elsewhere = lowering.bindings().assigned;
      const auto other = elsewhere.find(stmt.symbol);
      add(block, store(other != elsewhere.end() ? other->second : context_.state(stmt.symbol),
                       lowering.bindings().own, std::move(value), relaxed_stores))
          .location = stmt.location;
      return;
    }
    case ir::StmtKind::If: {
      plan::KernelStmtPtr branch = when(lowering.lower(*stmt.value, block));
      branch->location = stmt.location;
      lower_body(stmt.body, lowering, branch->body, on_send, relaxed_stores);
      lower_body(stmt.otherwise, lowering, branch->otherwise, on_send, relaxed_stores);
      if (!branch->body.empty() || !branch->otherwise.empty()) add(block, std::move(branch));
      return;
    }
    case ir::StmtKind::Send:
      on_send(stmt, lowering, block);
      return;
    case ir::StmtKind::UpdateEdges:
      return lower_edges(stmt, lowering, block, on_send);
    case ir::StmtKind::AssignEdge:
      return assign_edge(stmt, lowering, block);
    default:
      return;
  }
}

const ir::Message& PhaseKernels::message(const std::string& name) const {
  return *context_.program().find_message(name);
}

ExprPtr PhaseKernels::identity(const std::string& name) const {
  return message(name).identity->clone();
}

plan::KernelStmtPtr PhaseKernels::accumulate_message(const std::string& name,
                                                     const std::string& into, ExprPtr value) const {
  const ir::Message& declared = message(name);
  plan::KernelStmtPtr stmt = accumulate(into, declared.combine, std::move(value));
  stmt->type = declared.type;
  stmt->function = declared.function;
  if (declared.combine == ir::Combine::Any) stmt->identity = identity(name);
  return stmt;
}

plan::KernelStmtPtr PhaseKernels::combine_into(const std::string& name, const std::string& u,
                                               ExprPtr value, bool atomic) {
  plan::KernelStmtPtr stmt = accumulate_message(name, "", std::move(value));
  stmt->op = KernelOp::CombineInto;
  stmt->buffer = context_.inbox(name);
  stmt->index = vertex(u);
  stmt->atomic = atomic;
  return stmt;
}

plan::KernelStmtPtr PhaseKernels::combine_joined(const std::string& name, const std::string& u,
                                                 ExprPtr value) {
  plan::KernelStmtPtr stmt = combine_into(name, u, std::move(value), true);
  stmt->joined = true;
  stmt->identity = identity(name);
  return stmt;
}

void PhaseKernels::count_active(Block& block) {
  add(block, count(context_.shared(BufferRole::Counter, plan::kActiveCounter, "for the trace"),
                   number(ir::ScalarKind::Int64, 1)));
}

void PhaseKernels::count_for_controller(Block& block, const std::string& v) {
  if (!controlled_) return;
  const ir::EdgeDirection direction = sites().front().send->direction;
  if (direction != ir::EdgeDirection::Out) context_.plan().needs_transpose = true;
  add(block, count(context_.shared(BufferRole::Counter, plan::kOutEdgeCounter,
                                   "edges of active vertices, for the controller"),
                   degree(v, direction)));
}

void PhaseKernels::count_asked(Block& block) {
  if (!controlled_) return;
  add(block, count(context_.shared(BufferRole::Counter, plan::kAskedCounter,
                                   "whom the next step asks, for the controller"),
                   number(ir::ScalarKind::Int64, 1)));
}

void PhaseKernels::count_deferred(Block& block) {
  add(block, count(context_.shared(BufferRole::Counter, plan::kDeferredCounter,
                                   "active vertices that wait, for the trace"),
                   number(ir::ScalarKind::Int64, 1)));
}

void PhaseKernels::count_edges(Block& block, const std::string& of, ir::EdgeDirection direction) {
  if (direction != ir::EdgeDirection::Out) context_.plan().needs_transpose = true;
  add(block, count(context_.shared(BufferRole::Counter, plan::kEdgeCounter,
                                   "for the trace and the summary"),
                   degree(of, direction)));
}

void PhaseKernels::count_edge(Block& block) {
  add(block, count(context_.shared(BufferRole::Counter, plan::kEdgeCounter,
                                   "for the trace and the summary"),
                   number(ir::ScalarKind::Int64, 1)));
}

plan::KernelStmtPtr PhaseKernels::edges(const std::string& of, ir::EdgeDirection direction,
                                        const std::string& neighbour, const std::string& name) {
  if (direction != ir::EdgeDirection::Out) context_.plan().needs_transpose = true;
  plan::KernelStmtPtr loop = for_edges(of, direction, neighbour);
  const ir::Combine combine = message(name).combine;
  loop->once_if_symmetric = direction == ir::EdgeDirection::Both && combine != ir::Combine::Sum &&
                            combine != ir::Combine::Xor && combine != ir::Combine::Function;
  return loop;
}

bool PhaseKernels::order_shows() const {
  return std::any_of(analysis_.sent.begin(), analysis_.sent.end(), [&](const std::string& name) {
    const ir::Message& declared = message(name);
    if (declared.combine == ir::Combine::Any) return true;
    if (declared.combine != ir::Combine::Sum && declared.combine != ir::Combine::Function)
      return false;
    return std::any_of(declared.type.elements.begin(), declared.type.elements.end(), ir::is_float);
  });
}

namespace {

// Reads nothing but values of vertex `of` and constants of the kernel.
bool depends_only_on(const ir::Expr& e, const std::string& of) {
  if (e.op == Op::EdgeAttribute || e.op == Op::Local) return false;
  if ((e.op == Op::BoundVertex || e.op == Op::OutDegree || e.op == Op::InDegree) && e.vertex != of)
    return false;
  return std::all_of(e.operands.begin(), e.operands.end(), [&](const ExprPtr& operand) {
    return !operand || depends_only_on(*operand, of);
  });
}

bool is_cheap(const ir::Expr& e) {
  return e.operands.empty() && e.op != Op::OutDegree && e.op != Op::InDegree;
}

}  // namespace

void hoist(ExprPtr& value, const std::string& of, const std::string& name, LocalNames& names,
           Block& before) {
  if (is_cheap(*value)) return;
  if (depends_only_on(*value, of)) {
    const std::string wanted = value->op == Op::Load ? value->symbol + "_of_" + of : name;
    const std::string known = names.fresh(wanted);
    ir::Type type = value->type;
    const ir::Location location = value->location;
    add(before, let(known, std::move(value))).location = location;
    value = local(known, std::move(type));
    return;
  }
  if (value->op == Op::Load) return;
  for (ExprPtr& operand : value->operands)
    if (operand) hoist(operand, of, name + "_part", names, before);
}

plan::Action launch(std::string kernel) { return {ActionKind::Launch, std::move(kernel), ""}; }
plan::Action clear(std::string buffer) { return {ActionKind::ClearBuffer, std::move(buffer), ""}; }
plan::Action swap(std::string a, std::string b) {
  return {ActionKind::Swap, std::move(a), std::move(b)};
}
plan::Action copy(std::string to, std::string from) {
  return {ActionKind::CopyBuffer, std::move(to), std::move(from)};
}

}  // namespace vertigo::compiler::toplan
