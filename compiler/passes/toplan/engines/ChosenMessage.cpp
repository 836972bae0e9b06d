#include "compiler/passes/toplan/engines/ChosenMessage.h"

#include <functional>
#include <utility>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/engines/MessageOperators.h"
#include "compiler/passes/toplan/engines/Operators.h"
#include "compiler/passes/toplan/engines/Tolls.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

struct Reads {
  bool value = false;  ///< the sender's, or the inbox
  bool sender = false;
  bool receiver = false;
  bool edge = false;
};

class Finder {
 public:
  Finder(const PhaseAnalysis& analysis, const passes::Surroundings& around)
      : analysis_(analysis),
        around_(around),
        own_(analysis.phase->variable),
        message_(*analysis.program->find_message(analysis.message)) {}

  ChosenMessage run() {
    take_site();
    if (problem_.empty()) take_guard();
    for (ExprPtr* part : {&made_.site.condition, &made_.site.filter}) {
      if (!*part || !problem_.empty()) continue;
      for (const Expr* each : passes::conjuncts(**part)) take_condition(*each);
      part->reset();
    }
    return std::move(made_);
  }
  const std::string& problem() const { return problem_; }

 private:
  void take_site() {
    std::vector<SendSite> sites = send_sites_from_states(analysis_, problem_);
    if (problem_.empty() && sites.size() != 1) problem_ = "the phase does not send exactly once";
    if (!problem_.empty()) return;
    made_.site = std::move(sites.front());
    if (made_.site.receiver) problem_ = "the message goes to one vertex";
    if (problem_.empty()) take_tolls();
  }

  void take_tolls() {
    const Expr& sent = *made_.site.value;
    const std::string& receiver = made_.site.send->neighbour;
    const auto of_receiver = [&](const Expr& e) {
      return !receiver.empty() && e.vertex == receiver;
    };
    const auto is_toll = [&](const Expr& e) {
      return of_receiver(e) || (e.vertex == own_ && !is_value(e));
    };
    const Expr* toll = nullptr;
    bool asks_receiver = false, changes = false;
    ir::walk(sent, [&](const Expr& e) {
      changes = changes || is_looked_for(e);
      if (!is_toll(e)) return;
      toll = &e;
      asks_receiver = asks_receiver || of_receiver(e);
      changes = changes || read_that_changes(e, analysis_.written) != nullptr;
    });
    if (toll == nullptr || changes) return;
    made_.untolled = without(sent, is_toll);
    if (asks_receiver) made_.to_any = without(sent, of_receiver);
    if (made_.untolled == nullptr || (asks_receiver && made_.to_any == nullptr))
      problem_ = "that " + quoted(*toll) + " makes " + quoted(sent) + " no better is not proved";
  }
  ExprPtr without(const Expr& sent, const std::function<bool(const Expr&)>& is_toll) const {
    return without_tolls(sent, around_, message_.combine == ir::Combine::Min, is_toll,
                         [&](const Expr& e) { return is_value(e); });
  }
  /// More than a look at what is known of a vertex.
  static bool is_looked_for(const Expr& e) {
    return e.op == Op::ReduceNeighbours || e.op == Op::CommonNeighbours || e.op == Op::Random ||
           e.op == Op::ExternCall || e.op == Op::Call || e.op == Op::Step;
  }

  // What the guard asks of the inbox alone, what is sent is asked before it is sent.
  void take_guard() {
    for (const Expr* each : passes::conjuncts(*analysis_.phase->guard)) {
      if (is_improvement(*each, message_, analysis_.state, own_)) continue;
      const bool of_inbox = !reads_of(*each).sender;
      add(made_.begins, each->clone());
      if (of_inbox) {
        const Expr& sent = made_.untolled ? *made_.untolled : *made_.site.value;
        add(made_.within, passes::replaced(*each, [&](const Expr& e) -> ExprPtr {
              return e.op == Op::Inbox ? sent.clone() : nullptr;
            }));
      }
      if (!of_inbox || made_.untolled) add(made_.receives, each->clone());
    }
  }

  void take_condition(const Expr& condition) {
    const ExprPtr rest = passes::replaced(
        condition, [&](const Expr& e) -> ExprPtr { return is_value(e) ? unknown(e) : nullptr; });
    if (const Expr* const read = read_that_changes(*rest, analysis_.written)) {
      problem_ = "whether the message is sent depends on " + quoted(*read);
      return;
    }
    const Reads reads = reads_of(condition);
    if (!reads.sender && !reads.receiver && ends_for_good(condition))
      add(made_.within, condition.clone());
    else if (reads.sender && !reads.value && !reads.receiver && !reads.edge)
      add(made_.sends, condition.clone());
    else if (reads.receiver && !reads.value && !reads.sender && !reads.edge)
      add(made_.receives, condition.clone());
    else
      add(made_.passes, condition.clone());
  }

  /// Whether it does not come back as the weight gets worse. As the value does it never comes back.
  bool ends_for_good(const Expr& condition) const {
    passes::Surroundings of_weight = around_;
    of_weight.inbox = message_.name;
    of_weight.inbox_nonnegative = around_.weights_nonnegative;
    const ExprPtr moved = passes::replaced(condition, [&](const Expr& e) -> ExprPtr {
      if (is_value(e)) return unknown(e);
      if (e.op != Op::EdgeAttribute) return nullptr;
      ExprPtr variable = e.clone_without_operands();
      variable->op = Op::Inbox;
      variable->symbol = message_.name;
      return variable;
    });
    const passes::Trend found = passes::trend(*moved, of_weight);
    return found == passes::Trend::Constant ||
           found == (message_.combine == ir::Combine::Min ? passes::Trend::Decreasing
                                                          : passes::Trend::Increasing);
  }

  bool is_value(const Expr& e) const { return ir::is_state_of(e, own_, analysis_.state); }
  static ExprPtr unknown(const Expr& e) {
    ExprPtr made = e.clone_without_operands();
    made->op = Op::Parameter;
    made->vertex.clear();
    return made;
  }

  Reads reads_of(const Expr& condition) const {
    Reads found;
    ir::walk(condition, [&](const Expr& e) {
      if (is_value(e) || e.op == Op::Inbox)
        found.value = true;
      else if (e.op == Op::EdgeAttribute)
        found.edge = true;
      else if (e.vertex == own_)
        found.sender = true;
      else if (!e.vertex.empty())
        found.receiver = true;
    });
    return found;
  }

  static void add(ExprPtr& all, ExprPtr part) { all = both(std::move(all), std::move(part)); }

  const PhaseAnalysis& analysis_;
  const passes::Surroundings& around_;
  const std::string& own_;
  const ir::Message& message_;
  ChosenMessage made_;
  std::string problem_;
};

/// Spells out a condition over a value, the two ends of an edge and the edge.
class Condition {
 public:
  Condition(PhaseKernels& kernels, const SendSite& site, const std::string& name)
      : kernels_(kernels),
        site_(site),
        type_(kernels.message(kernels.analysis().message).type),
        names_(kernels.context()) {
    made_.name = name;
    made_.location = site.send->location;
    made_.type = ir::Type(ir::ScalarKind::Bool);
    bound_ = kernels.bindings(kernels.phase().variable);
    bound_.count_edges = false;
  }

  /// The value, as which inbox and state of the vertex are read.
  Condition& value() {
    const std::string name = add(kernels_.analysis().message, type_);
    bound_.replace = [this, name](const Expr& e) -> ExprPtr {
      const bool is_state = e.op == Op::State && e.symbol == kernels_.analysis().state;
      return e.op == Op::Inbox || is_state ? local(name, type_) : nullptr;
    };
    return *this;
  }
  /// Sender and receiver, or one of them; one vertex may stand for both.
  Condition& vertex(bool is_sender, bool is_receiver) {
    const std::string& own = kernels_.phase().variable;
    const std::string& neighbour = site_.send->neighbour;
    const std::string name = add(is_sender           ? own
                                 : neighbour.empty() ? "u"
                                                     : neighbour,
                                 ir::ScalarKind::Vertex);
    if (is_sender) bound_.own = bound_.vertices[own] = name;
    if (is_receiver && !neighbour.empty()) bound_.vertices[neighbour] = name;
    return *this;
  }
  Condition& edge() {
    made_.parameters.push_back(edge_parameter(kernels_.context().program(), names_));
    return *this;
  }

  plan::Operator of(const Expr& condition) {
    ExprLowering lowering(kernels_.context(), names_, std::move(bound_));
    made_.value = lowering.lower(condition, made_.body);
    return std::move(made_);
  }

 private:
  std::string add(const std::string& wanted, const ir::Type& type) {
    const std::string name = names_.fresh(wanted);
    made_.parameters.push_back({name, type});
    return name;
  }

  PhaseKernels& kernels_;
  const SendSite& site_;
  ir::Type type_;
  LocalNames names_;
  Bindings bound_;
  plan::Operator made_;
};

/// The send of `sent`, where conditions that end for good allow it.
SendSite within(PhaseKernels& kernels, const ChosenMessage& message, const Expr& sent) {
  SendSite site;
  site.send = message.site.send;
  site.value = sent.clone();
  if (!message.within) return site;
  auto chosen = std::make_unique<Expr>();
  chosen->op = Op::Select;
  chosen->type = sent.type;
  chosen->location = sent.location;
  chosen->operands.push_back(message.within->clone());
  chosen->operands.push_back(std::move(site.value));
  chosen->operands.push_back(kernels.identity(kernels.analysis().message));
  site.value = std::move(chosen);
  return site;
}

}  // namespace

ChosenMessage find_chosen_message(const PhaseAnalysis& analysis, const passes::Surroundings& around,
                                  std::string& problem) {
  Finder finder(analysis, around);
  ChosenMessage found = finder.run();
  problem = finder.problem();
  return found;
}

plan::Operator sent_within_operator(PhaseKernels& kernels, const std::string& name,
                                    const ChosenMessage& message) {
  const Expr& sent = message.untolled ? *message.untolled : *message.site.value;
  return sent_operator(kernels, name, within(kernels, message, sent), {.edge = true});
}

void add_tolled_operators(PhaseKernels& kernels, const ChosenMessage& message,
                          plan::Engine& engine) {
  if (!message.untolled) return;
  const Expr& sent = *message.site.value;
  const Expr& to_any = message.to_any ? *message.to_any : sent;
  engine.operators.push_back(sent_operator(kernels, "sent_by", within(kernels, message, to_any),
                                           {.sender = true, .edge = true}));
  if (message.to_any)
    engine.operators.push_back(sent_operator(kernels, "sent_to", within(kernels, message, sent),
                                             {.sender = true, .receiver = true, .edge = true}));
}

void add_conditions(PhaseKernels& kernels, const ChosenMessage& message, plan::Engine& engine) {
  const auto spell = [&](const char* name) { return Condition(kernels, message.site, name); };
  if (message.sends)
    engine.operators.push_back(spell("sends").vertex(true, false).of(*message.sends));
  if (message.passes)
    engine.operators.push_back(
        spell("passes").value().vertex(true, false).vertex(false, true).edge().of(*message.passes));
  if (message.receives)
    engine.operators.push_back(spell("receives").value().vertex(true, true).of(*message.receives));
  if (message.begins)
    engine.operators.push_back(spell("begins").value().vertex(true, false).of(*message.begins));
}

}  // namespace vertigo::compiler::toplan
