#pragma once
// What the kernels of one phase have in common: their buffers, the way a body is lowered, the
// starts. The three builders (synchronous, asynchronous push, asynchronous pull) put them together.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compiler/passes/program/ShrinkingDomain.h"
#include "compiler/passes/toplan/LowerExpr.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"
#include "compiler/passes/toplan/SendSites.h"

namespace vertigo::compiler::toplan {

class PhaseKernels {
 public:
  /// `controlled`: some steps count what a controller asks for.
  PhaseKernels(KernelContext& context, const PhaseAnalysis& analysis, plan::Balance balance,
               bool controlled);

  KernelContext& context() { return context_; }
  const PhaseAnalysis& analysis() const { return analysis_; }
  const ir::Phase& phase() const { return *analysis_.phase; }
  bool is_sweep() const { return phase().kind == ir::PhaseKind::Sweep; }
  /// Whether it keeps a list of the vertices that it looks at (choose-domain), and what rules out
  /// the others.
  bool keeps_list() const { return list_ != nullptr; }
  /// And makes it anew when it goes through it.
  bool renews_list() const { return keeps_list() && list_->renewed; }
  const passes::ShrinkingDomain& domain();
  /// Whom its messages may still move, and what else its guard asks; null where it cannot be told,
  /// or may be anyone. Nobody else reads the messages, so that whom they cannot move need not get
  /// them.
  const passes::ShrinkingDomain* receivers();
  /// Whether it looks at a slice of the vertices, which are sorted before its loop (choose-domain).
  bool is_sliced() const { return slice_ != nullptr; }
  void run_over_slice(plan::Kernel& kernel) {
    kernel.domain = plan::Domain::Worklist;
    kernel.list = context_.sorted_by(slice_->state, slice_->loop);
    kernel.start = slice_->value->clone();
  }
  bool reads_other_slices() const { return passes::reads_other_slices(phase(), *slice_); }
  /// What the phase comes to at vertices that it need not look at again; null where it never does.
  const passes::SettledState* settles() const {
    return renews_list() && list_->settles == phase().name ? list_->settled.get() : nullptr;
  }
  /// The sends as they look after the activation; made on first use.
  const std::vector<SendSite>& sites();

  // Buffers, made on first use.
  std::string asked();       ///< worklist: vertices whose guard is to be asked
  std::string asked_next();  ///< worklist: the same, of the next round
  std::string queued();      ///< bitmap: who stands in `asked`
  std::string queued_next();
  std::string active();       ///< worklist: vertices that the step activated
  std::string active_bits();  ///< bitmap of the same
  std::string candidates();   ///< worklist: receivers to gather for
  std::string candidate_bits();
  std::string left();  ///< worklist: of an update, the vertices that its guard may still hold for
  std::string left_next();  ///< worklist: the same, of the next round
  std::string pending();    ///< bitmap: asked vertices of a step over all vertices
  std::string pending_next();
  std::string threshold();  ///< what a vertex must be worth to be processed in this step
  std::string changed();    ///< flag: an inbox changed, so that another step is needed
  std::string classes();    ///< colour classes of all vertices
  std::string few_classes(const std::string& colours);  ///< the first of them, and a rest

  /// Makes the kernel unless `name` was made for this phase before; returns its name in the plan.
  std::string kernel(const std::string& name, const std::function<plan::Kernel()>& make);
  /// A kernel of this phase without its body.
  plan::Kernel frame(const std::string& comment, plan::Domain domain, const std::string& list = "");

  Bindings bindings(const std::string& own) const;
  /// Between steps, when states are what neighbours read.
  Bindings bindings_between_steps(const std::string& own) const;
  /// Lowers the statements of the update; `on_send` prints what a send does where it stands.
  using OnSend = std::function<void(const ir::Stmt&, ExprLowering&, plan::Block&)>;
  void lower_body(const std::vector<ir::StmtPtr>& body, ExprLowering& lowering, plan::Block& block,
                  const OnSend& on_send, bool relaxed_stores = false);

  ir::ExprPtr identity(const std::string& message) const;
  const ir::Message& message(const std::string& name) const;
  /// `inbox[u] = combine(inbox[u], value)`.
  plan::KernelStmtPtr combine_into(const std::string& message, const std::string& u,
                                   ir::ExprPtr value, bool atomic);
  /// The same of a message along no edge, atomically: many threads may name the same receiver.
  plan::KernelStmtPtr combine_joined(const std::string& message, const std::string& u,
                                     ir::ExprPtr value);
  /// `into = combine(into, value)`.
  plan::KernelStmtPtr accumulate_message(const std::string& message, const std::string& into,
                                         ir::ExprPtr value) const;
  void count_active(plan::Block& block);
  /// The edges of the active vertex, and a vertex that the next step asks; where the phase has a
  /// controller.
  void count_for_controller(plan::Block& block, const std::string& v);
  void count_asked(plan::Block& block);
  void count_deferred(plan::Block& block);
  /// All edges of `of`; and, inside a loop that may stop early, the edge at hand.
  void count_edges(plan::Block& block, const std::string& of, ir::EdgeDirection direction);
  void count_edge(plan::Block& block);
  plan::KernelStmtPtr edges(const std::string& of, ir::EdgeDirection direction,
                            const std::string& neighbour, const std::string& message);

  /// What runs when the phase starts: clears lists and marks, then one kernel per `start`.
  /// `list`: started vertices go to `asked`; else, where the phase needs it, into `pending`.
  std::vector<plan::Action> starts(bool list);

  /// The frame with a body that asks the guard between steps. `known`: message -> local that holds
  /// its inbox.
  using Inboxes = std::map<std::string, std::string>;
  using OnHold = std::function<void(plan::Block&, const std::string& v, const Inboxes& known)>;
  plan::Kernel ask_guard(plan::Kernel frame, const OnHold& holds);
  /// A kernel that puts the vertices whose guard holds on the list of those to ask.
  std::string list_asked();

  /// Whether some inbox that the phase reads is not empty; `known`: message -> local that holds it.
  ir::ExprPtr some_inbox_filled(const std::map<std::string, std::string>& known) const;

  /// True where the order in which messages are combined can be seen in the result.
  bool order_shows() const;

 private:
  ir::Location update_location() const;
  void lower_stmt(const ir::Stmt& stmt, ExprLowering& lowering, plan::Block& block,
                  const OnSend& on_send, bool relaxed_stores);
  void assign_edge(const ir::Stmt& stmt, ExprLowering& lowering, plan::Block& block);
  void lower_edges(const ir::Stmt& stmt, ExprLowering& lowering, plan::Block& block,
                   const OnSend& on_send);
  std::vector<plan::Action> ask_everyone();
  plan::Kernel ask_left();
  plan::Kernel start_kernel(const ir::Start& start, bool list, bool everyone);
  void lower_start_body(const std::vector<ir::StmtPtr>& body, ExprLowering& lowering,
                        plan::Block& block, const std::string& own);

  KernelContext& context_;
  const PhaseAnalysis& analysis_;
  plan::Balance balance_;
  bool controlled_;
  const SharedList* list_ = nullptr;
  std::optional<passes::ShrinkingDomain> domain_;
  std::optional<bool> rules_out_receivers_;
  std::shared_ptr<const passes::SlicedDomain> slice_;
  std::string prefix_;  // of kernel names where the program has several phases
  std::map<std::string, std::string> kernels_;
  std::vector<SendSite> sites_;
  bool sites_known_ = false;
};

/// Moves what depends on vertex `of` alone out of an edge loop: loads become locals in `before`, so
/// that they are read once and not once per edge.
void hoist(ir::ExprPtr& value, const std::string& of, const std::string& name, LocalNames& names,
           plan::Block& before);

plan::Action launch(std::string kernel);
plan::Action clear(std::string buffer);
plan::Action swap(std::string a, std::string b);
plan::Action copy(std::string to, std::string from);

}  // namespace vertigo::compiler::toplan
