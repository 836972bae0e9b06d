#pragma once
// What the kernels that deliver messages have in common: a loop over the edges of a sender, and the
// fold of what a receiver finds into its inbox.

#include <functional>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// `receiver`: the kernel's name, "" while there is none.
Bindings bindings_of(PhaseKernels& kernels, const SendSite& site, const std::string& sender,
                     const std::string& receiver);

/// Of the branches around the send; null where there are none.
ir::ExprPtr condition_of(PhaseKernels& kernels, const SendSite& site, const std::string& sender,
                         LocalNames& names, plan::Block& before);

/// A message at its edge.
struct Delivery {
  const std::string& receiver;
  plan::Block& at;
  ir::ExprPtr& value;
  plan::Block* unsent;  ///< runs for edges that the send's filter leaves out; null: it has none
};

/// One loop over the edges of `sender`, who sends. What depends on the sender alone is computed in
/// front of it.
/// A message to the one vertex that `receiver` gives; to `none`, nothing is delivered.
void to_one(PhaseKernels& kernels, plan::Block& block, ExprLowering& lowering,
            const ir::Expr& receiver,
            const std::function<void(plan::Block&, const std::string&)>& deliver);

plan::KernelStmt& along_edges(PhaseKernels& kernels, plan::Block& block, const SendSite& site,
                              const std::string& sender, LocalNames& names,
                              const std::function<void(const Delivery&)>& deliver);

/// A kernel that lists the neighbours of active vertices, for which messages are gathered.
plan::Kernel list_receivers(PhaseKernels& kernels);

/// Folds what waits and what `fold_site` adds to it (into the local `total`; `changed` is a bool
/// local to raise, or ""), stores it where that changed the inbox, and lets `notify` say so, which
/// is told the name of the total. One thread owns `receiver`.
using FoldSite =
    std::function<void(const SendSite& site, const std::string& total, const std::string& changed)>;
void fold_inbox(PhaseKernels& kernels, plan::Block& block, const std::string& message,
                const std::string& receiver, LocalNames& names, const FoldSite& fold_site,
                const std::function<void(plan::Block&, const std::string& total)>& notify);

/// Whether a fold of the message can come to a value that no further message changes.
bool can_settle(const ir::Message& message);
/// Whether the fold `total` has come to it; and, inside a loop over edges, its end.
ir::ExprPtr is_settled(const ir::Message& message, const std::string& total);
void leave_when_settled(plan::Block& block, const ir::Message& message, const std::string& total);

}  // namespace vertigo::compiler::toplan
