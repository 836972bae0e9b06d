#pragma once
// The sends of an update, seen from after the activation. A synchronous step delivers in a second
// kernel, a pull reads at the neighbour: both need each sent value in terms of what is stored at
// the sender. What follows from the states as the body leaves them is computed again; the rest is
// saved by the activation in payload buffers.

#include <map>
#include <string>
#include <vector>

#include "compiler/passes/toplan/KernelContext.h"
#include "compiler/passes/toplan/PhaseAnalysis.h"

namespace vertigo::compiler::toplan {

/// A value that the activation saves where it passes the send.
struct Saved {
  std::string buffer;
  const ir::Expr* value;  ///< in terms of the body; null: the word "true" (the send was reached)
  ir::ExprPtr otherwise;  ///< what is saved where the send is not reached; null: nothing
};

/// One `send` statement. `value`, `conditions` and `filter` are expressions of Program IR over the
/// sender's final states, parameters and payload buffers (a Load at the sender's variable): no
/// inbox and no `let` occurs in them.
struct SendSite {
  const ir::Stmt* send = nullptr;
  ir::ExprPtr value;
  ir::ExprPtr condition;  ///< of the branches around it; null where none
  ir::ExprPtr filter;     ///< null where none; may read the receiver
  ir::ExprPtr receiver;   ///< the one vertex that it goes to; null: neighbours
  std::vector<Saved> saved;
};

/// For synchronous variants. Adds the payload buffers to the plan. `once`: what depends on the
/// sender alone and takes more than one read is saved as well, so that a receiver that gathers
/// reads one element an edge; with what changes nothing where nothing is sent.
std::vector<SendSite> find_send_sites(KernelContext& context, const PhaseAnalysis& phase,
                                      bool once);

/// The values that `once` is about, in terms of the body.
std::vector<const ir::Expr*> values_worth_saving(const ir::Program& program,
                                                 const ir::Phase& phase);

/// For pulls from states: every inbox replaced by what the state says of it (the state itself where
/// it was assigned, its growth since the initial value where it was accumulated). `why_not` says
/// why that cannot be, and is empty otherwise.
std::vector<SendSite> send_sites_from_states(const PhaseAnalysis& phase, std::string& why_not);

}  // namespace vertigo::compiler::toplan
