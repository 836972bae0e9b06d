#include "compiler/passes/program/PackPairs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/program/Beginnings.h"
#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/Ranges.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::ScalarKind;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

/// What the first element is multiplied with, and `inf` of both.
constexpr std::uint64_t kFirst = std::uint64_t{1} << 32;
constexpr std::int64_t kInf = std::numeric_limits<std::int32_t>::max();

const ir::Type kKey = ScalarKind::UInt64;

ExprPtr number(std::uint64_t value) {
  ExprPtr made = leaf(Op::Literal, kKey);
  made->value = value;
  return made;
}
ExprPtr cast(const ir::Type& type, ExprPtr value) {
  return value->type == type ? std::move(value) : operation(Op::Cast, type, std::move(value));
}
ExprPtr tuple(const ir::Type& type, std::vector<ExprPtr> elements, ir::Location at) {
  ExprPtr made = leaf(Op::MakeTuple, type, at);
  made->operands = std::move(elements);
  return made;
}
ExprPtr sum(ExprPtr a, ExprPtr b) {
  if (!a || !b) return a ? std::move(a) : std::move(b);
  const ir::Type type = a->type;
  return operation(Op::Add, type, std::move(a), std::move(b));
}

/// What a send says: the first and the second element of the inbox and what is added to them, null:
/// nothing; and a third element.
struct SentPair {
  const SymbolicSend* send = nullptr;
  ExprPtr first, second, third;
};

class Search {
 public:
  Search(ir::Program& program, const ir::Uses& uses, const ir::Beginnings& beginnings,
         ir::Phase& phase)
      : program_(program), uses_(uses), beginnings_(beginnings), phase_(phase) {}

  bool run() {
    if (!is_plain() || !splits_guard() || !begins_at_inf() || !takes_starts() || !takes_sends())
      return false;
    rewrite();
    return true;
  }

 private:
  Surroundings around() const {
    return {program_, phase_, message_->name, false, ir::requires_nonnegative(program_)};
  }
  bool is_message(const Expr& e) const { return is_inbox(e, message_->name); }
  bool is_element(const Expr& e, unsigned index) const {
    return is_element_of_inbox(e, message_->name, index);
  }
  /// The inbox, or a tuple of all its elements.
  bool is_whole(const Expr& e) const {
    if (e.op != Op::MakeTuple) return is_message(e);
    for (unsigned i = 0; i < e.operands.size(); ++i)
      if (!is_element(*e.operands[i], i)) return false;
    return true;
  }
  bool stays(const Expr& e) const { return changing_read(e, {program_, phase_, ""}).empty(); }
  /// Of the inbox a condition asks for the first element alone, and what is true of one is true of
  /// every smaller one.
  bool stays_true(const Expr& condition) const {
    if (!stays(*with_first(condition, *number(0)))) return false;
    const Trend moves = trend(condition, around());
    return moves == Trend::Constant || moves == Trend::Decreasing;
  }
  /// `e` with `first` for the first element of the inbox.
  ExprPtr with_first(const Expr& e, const Expr& first) const {
    return replaced(e, [&](const Expr& part) -> ExprPtr {
      return is_element(part, 0) ? first.clone() : nullptr;
    });
  }

  bool is_plain() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || phase_.serializable ||
        phase_.assume_order_free || phase_.step_limit || ir::sends_to_one(phase_))
      return false;
    const std::set<std::string> messages = ir::messages_of(phase_);
    if (messages.size() != 1) return false;
    message_ = program_.find_message(*messages.begin());
    const std::vector<ScalarKind>& elements = message_->type.elements;
    if (message_->combine != ir::Combine::Min || message_->keep || elements.size() < 2 ||
        elements.size() > 3 || elements[0] != ScalarKind::Int32 ||
        (elements[1] != ScalarKind::Int32 && !has_vertex()) ||
        !beginnings_.empty(phase_.name, message_->name))
      return false;
    update_ = evaluate_update(program_, phase_);
    return update_ && update_->guard && !update_->sends.empty() &&
           !prove_improvement(around(), *update_).held();
  }

  // -- States and guard

  /// An improvement of the states that take the inbox, and conditions that stay.
  bool splits_guard() {
    for (const Expr* part : conjuncts(*update_->guard)) {
      if (targets_.empty() && finds_targets(*part)) continue;
      if (!stays_true(*part)) return false;
      rest_ = ir::both(std::move(rest_), part->clone());
    }
    return !targets_.empty() && targets_.size() == update_->states.size();
  }
  bool finds_targets(const Expr& part) {
    if (part.op == Op::Or)
      return finds_spelt_out(*part.operands[0], *part.operands[1]) ||
             finds_spelt_out(*part.operands[1], *part.operands[0]);
    if (part.op != Op::Less && part.op != Op::Greater) return false;
    const unsigned less = part.op == Op::Less ? 0 : 1;
    const Expr& held = *part.operands[1 - less];
    if (!is_whole(*part.operands[less])) return false;
    if (held.op != Op::MakeTuple) return take_whole(held);
    std::vector<const Expr*> elements;
    for (const ExprPtr& operand : held.operands) elements.push_back(operand.get());
    return take_elements(elements);
  }
  bool take_elements(const std::vector<const Expr*>& held) {
    for (unsigned i = 0; i < held.size(); ++i)
      if (!is_target(*held[i]) || !is_element(*update_->states[held[i]->symbol], i)) {
        targets_.clear();
        return false;
      }
    return true;
  }
  /// `m.a < v.a || (m.a == v.a && m.b < v.b)`, of pairs.
  bool finds_spelt_out(const Expr& less, const Expr& otherwise) {
    const Expr* const first = held_beside(less, 0, {Op::Less});
    if (first == nullptr || otherwise.op != Op::And || message_->type.elements.size() != 2)
      return false;
    for (const unsigned side : {0u, 1u}) {
      const Expr* const again =
          held_beside(*otherwise.operands[side], 0, {Op::Equal, Op::LessEqual});
      const Expr* const second = held_beside(*otherwise.operands[1 - side], 1, {Op::Less});
      if (again == nullptr || second == nullptr || !ir::same(*first, *again)) continue;
      const bool one = first->op == Op::TupleElement && second->op == Op::TupleElement &&
                       first->index == 0 && second->index == 1 &&
                       ir::same(*first->operands[0], *second->operands[0]);
      return one ? take_whole(*first->operands[0]) : take_elements({first, second});
    }
    return false;
  }
  bool take_whole(const Expr& held) {
    if (is_target(held) && is_whole(*update_->states[held.symbol])) return true;
    targets_.clear();
    return false;
  }
  /// What that element of the inbox is compared with, by one of `ops`; null where it is not.
  const Expr* held_beside(const Expr& e, unsigned index, std::initializer_list<Op> ops) const {
    if (e.operands.size() != 2) return nullptr;
    const bool greater = e.op == Op::Greater || e.op == Op::GreaterEqual;
    const Op op = e.op == Op::Greater ? Op::Less : e.op == Op::GreaterEqual ? Op::LessEqual : e.op;
    if (std::ranges::find(ops, op) == ops.end()) return nullptr;
    for (const unsigned side : {0u, 1u})
      if ((op == Op::Equal || side == (greater ? 1u : 0u)) && is_element(*e.operands[side], index))
        return e.operands[1 - side].get();
    return nullptr;
  }
  bool is_target(const Expr& e) {
    if (e.op != Op::State || !e.operands.empty() || e.vertex != phase_.variable ||
        !update_->states.contains(e.symbol) || std::ranges::count(targets_, e.symbol) != 0)
      return false;
    targets_.push_back(e.symbol);
    return true;
  }
  /// What an element holds before; null where it is not known.
  const Expr* before(unsigned index) const {
    const Expr* const held =
        beginnings_.literal(phase_.name, targets_[targets_.size() == 1 ? 0 : index]);
    if (held == nullptr || targets_.size() > 1) return held;
    return held->op == Op::MakeTuple ? held->operands[index].get() : nullptr;
  }
  bool begins_at_inf() const {
    for (unsigned i = 0; i < message_->type.elements.size(); ++i)
      if (before(i) == nullptr) return false;
    return is_extreme(*before(0), true);
  }

  // -- What is put into inboxes and sent

  bool takes_starts() {
    for (const ir::Start& start : phase_.starts) {
      if (start.body.size() != 1 || start.body.front()->kind != StmtKind::AssignInbox ||
          start.body.front()->value->op != Op::MakeTuple)
        return false;
      const std::vector<ExprPtr>& pair = start.body.front()->value->operands;
      const auto first = ir::integer_of(*pair[0]);
      if (!first || *first < 0 || *first >= kInf) return false;
      if (!has_vertex() && !takes_started(*pair[1], start)) return false;
    }
    return !phase_.starts.empty();
  }
  /// A number that begins the second elements of a path.
  bool takes_started(const Expr& value, const ir::Start& start) {
    // A vertex that a list starts has a place in it.
    const bool has_place = value.op == Op::IndexIn && value.symbol == start.list &&
                           value.operands[0]->op == Op::BoundVertex &&
                           value.operands[0]->vertex == start.variable;
    const Range range = has_place ? Range{0, kInf - 1} : range_of(value, around());
    if (!(range.low >= 0) || !(range.high < static_cast<double>(kInf))) return false;
    most_started_ = std::max(most_started_, static_cast<std::int64_t>(range.high));
    return true;
  }

  bool takes_sends() {
    for (const SymbolicSend& send : update_->sends) {
      SentPair made{&send, nullptr, nullptr, nullptr};
      for (const ExprPtr* condition : {&send.condition, &send.filter})
        if (*condition && !stays_true(**condition)) return false;
      if (send.value->op != Op::MakeTuple || !adds(*send.value->operands[0], 0, made.first) ||
          !adds(*send.value->operands[1], 1, made.second))
        return false;
      if (message_->type.elements.size() == 3) {
        if (!stays(*send.value->operands[2])) return false;
        made.third = send.value->operands[2]->clone();
      }
      if (made.first && !nonnegative(*made.first, around())) return false;
      if (made.second && !counts(*made.second)) return false;
      sent_.push_back(std::move(made));
    }
    // The sums of a path along all vertices, each of which is on it once.
    return most_added_ == 0 || most_vertices() > 1;
  }
  /// `value` is that element of the inbox and a sum of what stays, which `added` becomes.
  bool adds(const Expr& value, unsigned index, ExprPtr& added) const {
    if (is_element(value, index)) return true;
    if (value.op != Op::Add) return false;
    for (const unsigned side : {0u, 1u})
      if (stays(*value.operands[1 - side]) && adds(*value.operands[side], index, added)) {
        added = sum(std::move(added), value.operands[1 - side]->clone());
        return true;
      }
    return false;
  }
  bool counts(const Expr& added) {
    const Range range = range_of(added, around());
    if (!(range.low >= 0) || !(range.high < static_cast<double>(kInf))) return false;
    most_added_ = std::max(most_added_, static_cast<std::int64_t>(std::ceil(range.high)));
    return true;
  }
  std::int64_t most_vertices() const { return (kInf - 1 - most_started_) / most_added_; }

  // -- Rewriting

  /// The second element is a vertex, whose number has 32 bits; `none` has them all.
  bool has_vertex() const { return message_->type.elements[1] == ScalarKind::Vertex; }
  bool has_third() const { return message_->type.elements.size() == 3; }
  /// A key, or a pair of it and the third element.
  ir::Type packed_type() const {
    if (!has_third()) return kKey;
    return ir::Type({ScalarKind::UInt64, message_->type.elements[2]});
  }
  ExprPtr packed(ExprPtr key, const Expr* third, ir::Location at) const {
    if (!has_third()) return key;
    std::vector<ExprPtr> elements;
    elements.push_back(std::move(key));
    elements.push_back(third->clone());
    return tuple(packed_type(), std::move(elements), at);
  }
  ExprPtr key_of(ExprPtr value) const {
    return has_third() ? element_of(std::move(value), 0) : std::move(value);
  }
  ExprPtr held(const std::string& vertex, ir::Location at = {}) const {
    return state_of(*program_.find_state(state_), vertex, at);
  }

  /// A condition on the first element, which stops at inf, as one on the packed inbox.
  ExprPtr of_key(const Expr& condition, const Expr& inbox) const {
    ExprPtr first = operation(Op::Divide, kKey, key_of(inbox.clone()), number(kFirst));
    first = operation(Op::Min, kKey, std::move(first), number(static_cast<std::uint64_t>(kInf)));
    return with_first(condition, *cast(ScalarKind::Int32, std::move(first)));
  }

  void rewrite() {
    const ir::Location at = phase_.location;
    declare();
    ir::Phase search = take_search();
    const std::string name = phase_.name, variable = phase_.variable;
    StmtPtr choice = std::make_unique<Stmt>();
    choice->kind = StmtKind::If;
    choice->value = sums_at_inf();
    std::vector<StmtPtr> pairs = unpacked();
    ir::Phase kept = std::move(phase_);
    phase_ = std::move(search);
    kept.name = unused_name(program_, name + "_at_inf");
    choice->body.push_back(run_of(kept.name));
    // Adding phases moves this one.
    program_.phases.push_back(std::move(kept));
    ExprPtr reached = comparison(Op::NotEqual, *key_of(held(variable)), *infinity(kKey));
    choice->otherwise.push_back(run_of(
        add_sweep(program_, name + "_writes", variable, std::move(reached), std::move(pairs), at)));
    run_beside(program_.body, name, *choice, true);
    if (uses_.runs_once(name)) return;
    std::vector<StmtPtr> reset;
    reset.push_back(assignment(state_, program_.find_state(state_)->initial->clone(), at));
    const std::string begins =
        add_sweep(program_, name + "_begins", variable, nullptr, std::move(reset), at);
    run_beside(program_.body, name, *run_of(begins), false);
  }

  void declare() {
    packed_ = unused_name(program_, message_->name + "_packed");
    const ir::Location at = message_->location;
    const ExprPtr none = has_third() ? message_->identity->operands[2]->clone() : nullptr;
    program_.messages.push_back({packed_, packed_type(), ir::Combine::Min, "",
                                 packed(infinity(kKey), none.get(), at), false, at});
    message_ = program_.find_message(*ir::messages_of(phase_).begin());
    state_ = unused_name(program_, packed_ + "_taken");
    program_.states.push_back({state_, packed_type(),
                               packed(infinity(kKey), has_third() ? before(2) : nullptr, at), false,
                               at});
  }

  ir::Phase take_search() const {
    ir::Phase made;
    made.name = phase_.name;
    made.variable = phase_.variable;
    made.location = phase_.location;
    for (const ir::Start& start : phase_.starts) made.starts.push_back(start_of(start));
    const ir::Location at = phase_.guard->location;
    const ExprPtr inbox = inbox_of(*program_.find_message(packed_), at);
    made.guard = ir::both(comparison(Op::Less, *inbox, *held(phase_.variable, at)),
                          rest_ ? of_key(*rest_, *inbox) : nullptr);
    made.body.push_back(assignment(state_, inbox->clone(), at));
    for (const SentPair& sent : sent_) made.body.push_back(statement(sent, *inbox));
    return made;
  }
  ir::Start start_of(const ir::Start& start) const {
    ir::Start made;
    made.set = start.set;
    made.vertex = start.vertex ? start.vertex->clone() : nullptr;
    made.list = start.list;
    made.condition = start.condition ? start.condition->clone() : nullptr;
    made.variable = start.variable;
    made.location = start.location;
    made.body.push_back(start.body.front()->clone());
    const std::vector<ExprPtr>& pair = start.body.front()->value->operands;
    const auto first = static_cast<std::uint64_t>(*ir::integer_of(*pair[0]));
    ExprPtr key = folded_expr(*sum(number(first * kFirst), cast(kKey, pair[1]->clone())));
    made.body.front()->symbol = packed_;
    made.body.front()->value =
        packed(std::move(key), has_third() ? pair[2].get() : nullptr, start.location);
    return made;
  }
  StmtPtr statement(const SentPair& sent, const Expr& inbox) const {
    StmtPtr made = sent.send->stmt->clone();
    made->symbol = packed_;
    made->condition = sent.send->filter ? of_key(*sent.send->filter, inbox) : nullptr;
    // One after the other, so that engines tell a weight from what the ends of the edge ask for.
    ExprPtr key = key_of(inbox.clone());
    if (sent.first)
      key = sum(std::move(key),
                folded_expr(*operation(Op::Multiply, kKey, cast(kKey, sent.first->clone()),
                                       number(kFirst))));
    if (sent.second) key = sum(std::move(key), folded_expr(*cast(kKey, sent.second->clone())));
    made->value = packed(std::move(key), sent.third.get(), made->location);
    if (!sent.send->condition) return made;
    auto branch = std::make_unique<Stmt>();
    branch->kind = StmtKind::If;
    branch->location = made->location;
    branch->value = of_key(*sent.send->condition, inbox);
    branch->body.push_back(std::move(made));
    return branch;
  }

  /// Of some vertex the first element came to inf, or a second one could have.
  ExprPtr sums_at_inf() const {
    const std::string variable = phase_.variable;
    const ExprPtr key = key_of(held(variable));
    ExprPtr any = leaf(Op::ReduceVertices, ScalarKind::Bool);
    any->reduction = ir::Reduction::Any;
    any->symbol = variable;
    any->operands.push_back(operation(Op::And, ScalarKind::Bool,
                                      operation(Op::GreaterEqual, ScalarKind::Bool, key->clone(),
                                                number(static_cast<std::uint64_t>(kInf) * kFirst)),
                                      comparison(Op::NotEqual, *key, *infinity(kKey))));
    any->operands.push_back(nullptr);
    any->operands.push_back(nullptr);
    if (most_added_ == 0) return any;
    ExprPtr vertices = leaf(Op::VertexCount, ScalarKind::Int64), most = vertices->clone();
    most->op = Op::Literal;
    most->value = most_vertices();
    return operation(Op::Or, ScalarKind::Bool,
                     operation(Op::Greater, ScalarKind::Bool, std::move(vertices), std::move(most)),
                     std::move(any));
  }

  /// What the states of a vertex that was reached are.
  std::vector<StmtPtr> unpacked() const {
    const ir::Location at = phase_.location;
    std::vector<ExprPtr> elements;
    for (const unsigned i : {0u, 1u})
      elements.push_back(cast(message_->type.elements[i],
                              operation(i == 0 ? Op::Divide : Op::Modulo, kKey,
                                        key_of(held(phase_.variable, at)), number(kFirst))));
    if (has_third()) elements.push_back(element_of(held(phase_.variable, at), 1));
    std::vector<StmtPtr> made;
    if (targets_.size() == 1)
      made.push_back(assignment(targets_[0], tuple(message_->type, std::move(elements), at), at));
    else
      for (std::size_t i = 0; i < targets_.size(); ++i)
        made.push_back(assignment(targets_[i], std::move(elements[i]), at));
    return made;
  }

  ir::Program& program_;
  const ir::Uses& uses_;
  const ir::Beginnings& beginnings_;
  ir::Phase& phase_;
  const ir::Message* message_ = nullptr;
  std::optional<SymbolicUpdate> update_;
  std::vector<std::string> targets_;  ///< the state that takes the inbox, or one per element
  ExprPtr rest_;                      ///< what the guard asks besides
  std::vector<SentPair> sent_;
  std::int64_t most_started_ = 0, most_added_ = 0;  ///< of second elements
  std::string packed_, state_;  ///< the message of the search, and what takes it
};

bool takes_tuples(const ir::Program& program) {
  return std::ranges::any_of(program.messages,
                             [](const ir::Message& message) { return message.type.is_tuple(); });
}

}  // namespace

void pack_pairs(ir::Program& program, PassContext&) {
  if (!takes_tuples(program)) return;
  const ir::Uses uses(program);
  const ir::Beginnings beginnings(program);
  const std::size_t phases = program.phases.size();
  for (std::size_t which = 0; which < phases; ++which)
    Search(program, uses, beginnings, program.phases[which]).run();
}

}  // namespace vertigo::compiler::passes
