#include "compiler/passes/toplan/SendSites.h"

#include "compiler/passes/toplan/KernelTerms.h"
#include "compiler/passes/toplan/SenderValues.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

struct Branch {
  const Expr* condition;
  bool taken;
  std::size_t position;  // of the `if`: what its condition reads may be assigned before the send
};

struct RawSite {
  const Stmt* send;
  std::vector<Branch> path;
  std::size_t position;
};

// Statements numbered in order of text, so that "assigned later" is a comparison. Bodies have no
// loops.
class BodyIndex {
 public:
  explicit BodyIndex(const std::vector<ir::StmtPtr>& body) { index(body); }

  const std::vector<RawSite>& sites() const { return sites_; }
  bool assigned_from(const std::string& state, std::size_t position) const {
    const auto found = last_assigned_.find(state);
    return found != last_assigned_.end() && found->second >= position;
  }
  /// Definition and position of a `let`; names are unique in a scope, and an inner one that hides
  /// an outer is refused by the front end.
  const std::pair<const Expr*, std::size_t>* definition(const std::string& name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : &found->second;
  }

 private:
  void index(const std::vector<ir::StmtPtr>& body) {
    for (const ir::StmtPtr& stmt : body) {
      const std::size_t position = next_++;
      if (stmt->kind == StmtKind::Let)
        definitions_[stmt->symbol] = {stmt->value.get(), position};
      else if (stmt->kind == StmtKind::AssignState)
        last_assigned_[stmt->symbol] = position;
      else if (stmt->kind == StmtKind::Send)
        sites_.push_back({stmt.get(), path_, position});
      if (stmt->kind != StmtKind::If) continue;
      path_.push_back({stmt->value.get(), true, position});
      index(stmt->body);
      path_.back().taken = false;
      index(stmt->otherwise);
      path_.pop_back();
    }
  }

  std::size_t next_ = 0;
  std::vector<RawSite> sites_;
  std::vector<Branch> path_;
  std::map<std::string, std::size_t> last_assigned_;
  std::map<std::string, std::pair<const Expr*, std::size_t>> definitions_;
};

/// Whether it depends on the sender alone: neither on the edge nor on the receiver.
bool depends_on_sender(const Expr& e, const std::string& sender) {
  switch (e.op) {
    case Op::EdgeAttribute:
      return false;
    case Op::State:
    case Op::BoundVertex:
    case Op::OutDegree:
    case Op::InDegree:
    case Op::Degree:
    case Op::ReduceNeighbours:
      return e.vertex == sender;
    default:
      for (const ExprPtr& operand : e.operands)
        if (operand && !depends_on_sender(*operand, sender)) return false;
      return true;
  }
}

/// What may be computed again instead of being read from an array. Lets that use each other double
/// with every line.
class NodesLeft {
 public:
  bool take() { return --nodes_ >= 0; }
  bool exceeded() const { return nodes_ < 0; }

 private:
  int nodes_ = 200;
};

/// The value with its locals written out; null where one of them is no `let` of the body, and where
/// that is more than anyone computes again.
ExprPtr written_out(const Expr& e, const BodyIndex& body, NodesLeft& left) {
  if (!left.take()) return nullptr;
  if (e.op == Op::Local) {
    const auto* const definition = body.definition(e.symbol);
    return definition == nullptr ? nullptr : written_out(*definition->first, body, left);
  }
  ExprPtr copy = e.clone_without_operands();
  for (const ExprPtr& operand : e.operands) {
    copy->operands.push_back(operand ? written_out(*operand, body, left) : nullptr);
    if (operand && !copy->operands.back()) return nullptr;
  }
  return copy;
}

/// Whether a receiver that gathers had better read what is sent from an array of its own.
bool is_worth_saving(const ir::Program& program, const ir::Phase& phase, const RawSite& site,
                     const BodyIndex& body) {
  const ir::Combine combine = program.find_message(site.send->symbol)->combine;
  const bool keeps_identity = combine != ir::Combine::Any && combine != ir::Combine::Function;
  if (site.send->receiver || !keeps_identity) return false;
  NodesLeft left;
  const ExprPtr value = written_out(*site.send->value, body, left);
  if (!value) return false;
  return is_worth_storing(*value, phase.variable) ||
         (!site.path.empty() && depends_on_sender(*value, phase.variable));
}

class Rewriter {
 public:
  Rewriter(const PhaseAnalysis& phase, const BodyIndex& body, KernelContext* context, bool once)
      : phase_(phase), own_(phase.phase->variable), body_(body), context_(context), once_(once) {}

  SendSite rewrite(const RawSite& raw) {
    SendSite site;
    site.send = raw.send;
    site_ = &site;
    if (once_ && is_worth_saving(*phase_.program, *phase_.phase, raw, body_)) {
      site.value = saved(*raw.send->value, false);
      if (!raw.path.empty())
        site.saved.back().otherwise =
            phase_.program->find_message(raw.send->symbol)->identity->clone();
    } else {
      site.value = at_sender(*raw.send->value, raw.position);
      rewrite_path(raw, site);
    }
    if (raw.send->condition) site.filter = at_sender(*raw.send->condition, raw.position);
    if (raw.send->receiver) site.receiver = at_sender(*raw.send->receiver, raw.position);
    return site;
  }
  const std::string& problem() const { return problem_; }

 private:
  bool from_states() const { return context_ == nullptr; }

  // The value in terms of what is stored at the sender after its body; null where something that
  // it needs is gone, or where it is too much to compute again.
  ExprPtr recompute(const Expr& e, std::size_t position, NodesLeft& left) const {
    if (!left.take()) return nullptr;
    switch (e.op) {
      case Op::Inbox:
        return recompute_inbox(e);
      case Op::Local: {
        const auto* definition = body_.definition(e.symbol);
        return definition == nullptr ? nullptr
                                     : recompute(*definition->first, definition->second, left);
      }
      case Op::State:
        return survives(e, position) ? e.clone() : nullptr;
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
      case Op::CommonNeighbours:
      case Op::ExternCall:
        return nullptr;
      default: {
        ExprPtr copy = e.clone_without_operands();
        for (const ExprPtr& operand : e.operands) {
          ExprPtr part = recompute(*operand, position, left);
          if (!part) return nullptr;
          copy->operands.push_back(std::move(part));
        }
        return copy;
      }
    }
  }

  bool survives(const Expr& state, std::size_t position) const {
    if (!from_states()) return !body_.assigned_from(state.symbol, position);
    // A pull sees the states of any moment: one that the phase writes may be older or newer than
    // the activation whose message is wanted. The absorbing state alone is right at any moment.
    if (!phase_.written.contains(state.symbol)) return true;
    const bool assigned =
        phase_.absorption != Absorption::None && phase_.absorption != Absorption::Accumulated;
    return assigned && state.symbol == phase_.state && !body_.assigned_from(state.symbol, position);
  }

  ExprPtr recompute_inbox(const Expr& e) const {
    const auto state_of = [&](const std::string& name) {
      auto state = std::make_unique<Expr>();
      state->op = Op::State;
      state->type = phase_.program->find_state(name)->type;
      state->symbol = name;
      state->vertex = own_;
      state->location = e.location;
      return state;
    };
    if (from_states() && phase_.absorption == Absorption::Accumulated) return growth(e, state_of);
    const auto holder = phase_.state_of_inbox.find(e.symbol);
    return holder == phase_.state_of_inbox.end() ? nullptr : state_of(holder->second);
  }

  // What the state gained since its initial value: the sum of all inboxes taken.
  template <class StateOf>
  ExprPtr growth(const Expr& inbox, const StateOf& state_of) const {
    ExprPtr state = state_of(phase_.state);
    const Expr& initial = *phase_.program->find_state(phase_.state)->initial;
    const auto* zero = initial.op == Op::Literal ? std::get_if<double>(&initial.value) : nullptr;
    const auto* none =
        initial.op == Op::Literal ? std::get_if<std::int64_t>(&initial.value) : nullptr;
    if ((zero != nullptr && *zero == 0) || (none != nullptr && *none == 0)) return state;
    return binary(Op::Subtract, std::move(state), initial_at_sender(initial), inbox.type);
  }

  ExprPtr initial_at_sender(const Expr& initial) const {
    ExprPtr copy = initial.clone();
    ir::walk(*copy, [&](Expr& e) {
      if (e.vertex == "self") e.vertex = own_;
    });
    return copy;
  }

  ExprPtr at_sender(const Expr& e, std::size_t position) {
    if (depends_on_sender(e, own_)) {
      NodesLeft left;
      if (ExprPtr again = recompute(e, position, left)) return again;
      return saved(e, left.exceeded());
    }
    ExprPtr copy = e.clone_without_operands();
    for (const ExprPtr& operand : e.operands)
      copy->operands.push_back(operand ? at_sender(*operand, position) : nullptr);
    return copy;
  }

  /// `too_much`: nothing that it needs is gone.
  ExprPtr saved(const Expr& e, bool too_much) {
    if (from_states()) {
      if (problem_.empty())
        problem_ = "what is sent does not follow from the states that a neighbour can read";
      return boolean(false);
    }
    return load(payload(e.type, &e, too_much), e.type, own_);
  }

  std::string why_saved(bool is_value, bool too_much) const {
    if (once_) return "what is sent is computed once, and read along every edge";
    if (too_much) return "what is sent is too much to be computed again along every edge";
    return is_value ? "what is sent cannot be computed from the states after the activation"
                    : "whether it is sent cannot be told from the states after the activation";
  }

  std::string payload(const ir::Type& type, const Expr* value, bool too_much) {
    const std::string name = context_->add_buffer(
        {.name = site_->send->symbol + (value != nullptr ? "_payload" : "_sent"),
         .role = plan::BufferRole::Payload,
         .type = type,
         .of = site_->send->symbol,
         .packed = false,
         .reason = why_saved(value != nullptr, too_much)});
    site_->saved.push_back({name, value, nullptr});
    return name;
  }

  void rewrite_path(const RawSite& raw, SendSite& site) {
    ExprPtr all;
    for (const Branch& branch : raw.path) {
      NodesLeft left;
      ExprPtr condition = recompute(*branch.condition, branch.position, left);
      if (!condition) {
        site.condition = saved_reach(left.exceeded());
        return;
      }
      if (!branch.taken) condition = unary(Op::Not, std::move(condition), ir::ScalarKind::Bool);
      all = both(std::move(all), std::move(condition));
    }
    site.condition = std::move(all);
  }

  ExprPtr saved_reach(bool too_much) {
    if (from_states()) {
      problem_ = "whether something is sent does not follow from the states";
      return boolean(false);
    }
    return load(payload(ir::ScalarKind::Bool, nullptr, too_much), ir::ScalarKind::Bool, own_);
  }

  const PhaseAnalysis& phase_;
  const std::string& own_;
  const BodyIndex& body_;
  KernelContext* context_;  // null: from states
  bool once_;
  SendSite* site_ = nullptr;
  std::string problem_;
};

}  // namespace

std::vector<SendSite> find_send_sites(KernelContext& context, const PhaseAnalysis& phase,
                                      bool once) {
  const BodyIndex body(phase.phase->body);
  Rewriter rewriter(phase, body, &context, once);
  std::vector<SendSite> sites;
  for (const RawSite& raw : body.sites()) sites.push_back(rewriter.rewrite(raw));
  return sites;
}

std::vector<const Expr*> values_worth_saving(const ir::Program& program, const ir::Phase& phase) {
  const BodyIndex body(phase.body);
  std::vector<const Expr*> values;
  for (const RawSite& raw : body.sites())
    if (is_worth_saving(program, phase, raw, body)) values.push_back(raw.send->value.get());
  return values;
}

std::vector<SendSite> send_sites_from_states(const PhaseAnalysis& phase, std::string& why_not) {
  const BodyIndex body(phase.phase->body);
  Rewriter rewriter(phase, body, nullptr, false);
  std::vector<SendSite> sites;
  for (const RawSite& raw : body.sites()) sites.push_back(rewriter.rewrite(raw));
  why_not = rewriter.problem();
  return sites;
}

}  // namespace vertigo::compiler::toplan
