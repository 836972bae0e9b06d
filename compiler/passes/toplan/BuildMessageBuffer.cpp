#include "compiler/passes/toplan/BuildMessageBuffer.h"

#include "compiler/passes/toplan/SendLoops.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using plan::Block;

namespace {

constexpr ir::ScalarKind kSlotIndex = ir::ScalarKind::UInt64;

// One buffer for each send: two may pass the same edge in one step.
std::string messages_of(PhaseKernels& kernels, const SendSite& site) {
  KernelContext& context = kernels.context();
  const plan::KernelStmtPtr loop =
      kernels.edges("", site.send->direction, "", site.send->symbol);  // which edges it follows
  const std::string slots = context.slots(loop->direction, loop->once_if_symmetric);
  std::size_t number = 0;
  for (const SendSite& other : kernels.sites()) {
    if (&other == &site) break;
    number += other.send->symbol == site.send->symbol ? 1 : 0;
  }
  const std::string wanted =
      site.send->symbol + "_messages" + (number > 0 ? "_" + std::to_string(number + 1) : "");
  // Phases share them: none runs while another's messages wait.
  return context.messages(wanted + " in " + slots, wanted, kernels.message(site.send->symbol),
                          slots);
}

std::string slots_of(PhaseKernels& kernels, const SendSite& site) {
  return kernels.context().plan().find_buffer(messages_of(kernels, site))->slots;
}

class Writer {
 public:
  Writer(PhaseKernels& kernels, const SendSite& site, const std::string& sender, LocalNames& names)
      : kernels_(kernels),
        site_(site),
        sender_(sender),
        names_(names),
        messages_(messages_of(kernels, site)),
        slots_(slots_of(kernels, site)) {}

  void send(Block& block) {
    const std::string slot = names_.fresh("slot");
    plan::KernelStmt& loop =
        along_edges(kernels_, block, site_, sender_, names_, [&](const Delivery& delivery) {
          write(delivery.at, slot, std::move(delivery.value));
          if (delivery.unsent != nullptr) write(*delivery.unsent, slot, identity());
        });
    take_slots(loop, slot);
  }

  void send_nothing(Block& block) {
    const std::string slot = names_.fresh("slot");
    plan::KernelStmt& loop = add(block, kernels_.edges(sender_, site_.send->direction,
                                                       names_.fresh("u"), site_.send->symbol));
    loop.location = site_.send->location;
    write(loop.body, slot, identity());
    take_slots(loop, slot);
  }

 private:
  ExprPtr identity() const { return kernels_.identity(site_.send->symbol); }

  void take_slots(plan::KernelStmt& loop, const std::string& slot) const {
    loop.slot = slot;
    loop.slots = slots_;
  }

  void write(Block& block, const std::string& slot, ExprPtr value) const {
    plan::KernelStmt& made = add(block, store(messages_, "", std::move(value)));
    made.index = local(slot, kSlotIndex);
    made.location = site_.send->location;
  }

  PhaseKernels& kernels_;
  const SendSite& site_;
  const std::string& sender_;
  LocalNames& names_;
  std::string messages_;
  std::string slots_;
};

}  // namespace

bool has_message_buffer(const plan::Plan& plan) {
  const plan::Decision* layout = plan.find_decision("program", "layout");
  return layout != nullptr && layout->value == "message-buffer";
}

bool is_buffered(const plan::Variant& variant) {
  return variant.is_path() && variant.path == ExecutionPath{Timing::Synchronous, Direction::Push,
                                                            Activation::TopologyDriven};
}

plan::Kernel write_messages(PhaseKernels& kernels, bool all_active) {
  plan::Kernel kernel = kernels.frame(
      "Writes into the slot of every edge what its sender sends, the identity where that is "
      "nothing; a slot has one writer, so no atomics.",
      plan::Domain::AllVertices);
  kernel.location = kernels.sites().front().send->location;
  LocalNames names(kernels.context());
  kernel.vertex = names.fresh(kernel.vertex);
  for (const SendSite& site : kernels.sites()) {
    Writer writer(kernels, site, kernel.vertex, names);
    kernels.count_edges(kernel.body, kernel.vertex, site.send->direction);
    ExprPtr test = all_active ? nullptr : test_bit(kernels.active_bits(), kernel.vertex);
    test = both(std::move(test), condition_of(kernels, site, kernel.vertex, names, kernel.body));
    if (!test) {
      writer.send(kernel.body);
      continue;
    }
    plan::KernelStmt& branch = add(kernel.body, when(std::move(test)));
    writer.send(branch.body);
    writer.send_nothing(branch.otherwise);
  }
  return kernel;
}

plan::Kernel combine_messages(PhaseKernels& kernels, const OnChange& on_change) {
  plan::Kernel kernel = kernels.frame(
      "Combines the messages in the slots of each receiver, in the order of its edges; one thread "
      "owns a receiver, so no atomics on inboxes.",
      plan::Domain::AllVertices);
  kernel.location = kernels.sites().front().send->location;
  kernel.balance = plan::Balance::Sorted;
  kernel.order = slots_of(kernels, kernels.sites().front());
  LocalNames names(kernels.context());
  kernel.vertex = names.fresh("u");
  const std::string& u = kernel.vertex;
  for (const std::string& name : kernels.analysis().sent)
    fold_inbox(
        kernels, kernel.body, name, u, names,
        [&](const SendSite& site, const std::string& total, const std::string& changed) {
          const ir::Type& type = kernels.message(name).type;
          const std::string found = names.fresh("message");
          plan::KernelStmt& loop =
              add(kernel.body, for_messages(messages_of(kernels, site), found, type, u));
          loop.location = site.send->location;
          plan::KernelStmt& fold =
              add(loop.body, kernels.accumulate_message(name, total, local(found, type)));
          fold.changed = changed;
          fold.location = site.send->location;
        },
        [&](Block& then, const std::string& total) { on_change(then, name, u, total, names); });
  return kernel;
}

}  // namespace vertigo::compiler::toplan
