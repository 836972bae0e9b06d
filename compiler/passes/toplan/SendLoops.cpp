#include "compiler/passes/toplan/SendLoops.h"

#include <algorithm>

#include "compiler/ir/program/Expr.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

Bindings bindings_of(PhaseKernels& kernels, const SendSite& site, const std::string& sender,
                     const std::string& receiver) {
  Bindings bound = kernels.bindings(sender);
  bound.vertices[kernels.phase().variable] = sender;
  if (!site.send->neighbour.empty() && !receiver.empty())
    bound.vertices[site.send->neighbour] = receiver;
  return bound;
}

ExprPtr condition_of(PhaseKernels& kernels, const SendSite& site, const std::string& sender,
                     LocalNames& names, Block& before) {
  if (!site.condition) return nullptr;
  return ExprLowering(kernels.context(), names, bindings_of(kernels, site, sender, ""))
      .lower(*site.condition, before);
}

void to_one(PhaseKernels& kernels, Block& block, ExprLowering& lowering, const ir::Expr& receiver,
            const std::function<void(Block&, const std::string&)>& deliver) {
  ExprPtr to = lowering.lower(receiver, block);
  const std::string u = lowering.names().fresh("receiver");
  add(block, let(u, std::move(to)));
  auto none = std::make_unique<ir::Expr>();
  none->op = Op::NoVertex;
  none->type = ir::ScalarKind::Vertex;
  kernels.count_edge(block);
  deliver(add(block, when(holds(Op::NotEqual, vertex(u), std::move(none)))).body, u);
}

plan::KernelStmt& along_edges(PhaseKernels& kernels, Block& block, const SendSite& site,
                              const std::string& sender, LocalNames& names,
                              const std::function<void(const Delivery&)>& deliver) {
  ExprLowering lowering(kernels.context(), names, bindings_of(kernels, site, sender, ""));
  const std::string u = names.fresh(site.send->neighbour.empty() ? "u" : site.send->neighbour);
  lowering.bindings().vertices[site.send->neighbour] = u;

  Block inside;
  ExprPtr filter = site.filter ? lowering.lower(*site.filter, inside) : nullptr;
  Block after_filter;
  ExprPtr value = lowering.lower(*site.value, after_filter);
  if (filter) hoist(filter, sender, site.send->symbol + "_filter", names, block);
  hoist(value, sender, site.send->symbol, names, block);

  plan::KernelStmt& loop =
      add(block, kernels.edges(sender, site.send->direction, u, site.send->symbol));
  loop.location = site.send->location;
  loop.body = std::move(inside);
  plan::KernelStmt* branch = filter ? &add(loop.body, when(std::move(filter))) : nullptr;
  Block& body = branch != nullptr ? branch->body : loop.body;
  for (auto& stmt : after_filter) body.push_back(std::move(stmt));
  deliver({u, body, value, branch != nullptr ? &branch->otherwise : nullptr});
  return loop;
}

plan::Kernel list_receivers(PhaseKernels& kernels) {
  plan::Kernel kernel =
      kernels.frame("Lists the neighbours of active vertices, for which messages are gathered.",
                    plan::Domain::Worklist, kernels.active());
  kernel.location = kernels.sites().front().send->location;
  LocalNames names(kernels.context());
  kernel.vertex = names.fresh(kernel.vertex);
  for (const SendSite& site : kernels.sites()) {
    Block* block = &kernel.body;
    ExprLowering lowering(kernels.context(), names, bindings_of(kernels, site, kernel.vertex, ""));
    if (site.condition) {
      ExprPtr test = lowering.lower(*site.condition, *block);
      block = &add(*block, when(std::move(test))).body;
    }
    const std::string u = names.fresh(site.send->neighbour.empty() ? "u" : site.send->neighbour);
    kernels.count_edges(*block, kernel.vertex, site.send->direction);
    plan::KernelStmt& loop =
        add(*block, kernels.edges(kernel.vertex, site.send->direction, u, site.send->symbol));
    loop.location = site.send->location;
    loop.once_if_symmetric = loop.direction == ir::EdgeDirection::Both;
    add(loop.body, set_bit(kernels.candidate_bits(), u))
        .body.push_back(append(kernels.candidates(), u));
  }
  return kernel;
}

namespace {

/// Whether messages may leave an inbox as it was although each of them changed it. Positive numbers
/// do not.
bool may_cancel(PhaseKernels& kernels, const ir::Message& message) {
  if (message.combine != ir::Combine::Sum)
    return message.combine == ir::Combine::Xor || message.combine == ir::Combine::Function;
  return std::ranges::any_of(kernels.sites(), [&](const SendSite& site) {
    if (site.send->symbol != message.name) return false;
    const auto sent = ir::integer_of(*site.value);
    return !sent || *sent <= 0;
  });
}

}  // namespace

void fold_inbox(PhaseKernels& kernels, Block& block, const std::string& message,
                const std::string& receiver, LocalNames& names, const FoldSite& fold_site,
                const std::function<void(Block&, const std::string&)>& notify) {
  const ir::Message& declared = kernels.message(message);
  const std::string inbox = kernels.context().inbox(message);
  const std::string waiting = names.fresh(message + "_waiting");
  const std::string total = names.fresh(message);
  add(block, let(waiting, load(inbox, declared.type, receiver)));
  add(block, accumulator(total, local(waiting, declared.type)));
  // What cancels out leaves the inbox as it was, but did change it: the guard must be asked.
  const bool track = !kernels.is_sweep() && kernels.analysis().asking == Asking::Pending &&
                     may_cancel(kernels, declared);
  const std::string changed = track ? names.fresh(message + "_changed") : "";
  if (track) add(block, accumulator(changed, boolean(false)));
  for (const SendSite& site : kernels.sites())
    if (site.send->symbol == message) fold_site(site, total, changed);
  ExprPtr is_changed =
      track ? local(changed, ir::ScalarKind::Bool)
            : holds(Op::NotEqual, local(total, declared.type), local(waiting, declared.type));
  Block& then = add(block, when(std::move(is_changed))).body;
  add(then, store(inbox, receiver, local(total, declared.type)));
  notify(then, total);
}

bool can_settle(const ir::Message& message) {
  if (message.combine == ir::Combine::Any) return true;
  return message.type == ir::Type(ir::ScalarKind::Bool) &&
         (message.combine == ir::Combine::Or || message.combine == ir::Combine::And);
}

ExprPtr is_settled(const ir::Message& message, const std::string& total) {
  ExprPtr now = local(total, message.type);
  if (message.combine == ir::Combine::Any)
    return holds(Op::NotEqual, std::move(now), message.identity->clone());
  return message.combine == ir::Combine::And ? negated(std::move(now)) : std::move(now);
}

void leave_when_settled(Block& block, const ir::Message& message, const std::string& total) {
  add(block, when(is_settled(message, total))).body.push_back(leave_edges());
}

}  // namespace vertigo::compiler::toplan
