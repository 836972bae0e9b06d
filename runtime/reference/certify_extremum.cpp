// The certificate of min and max phases. With monotone messages, a result is right exactly if
//   1. no start and no edge from a settled vertex offers a better value than the head has, and
//   2. every settled value is the end of a chain of edges from a start, each giving the next value.
// By 1, no value is worse than what the program reaches; by 2, none is better. The chains of 2 are
// walked forwards from the starts, so that a cycle whose vertices support each other is noticed.
//
// Pairs (value, witness) whose values depend on values alone, and witnesses on the sender alone,
// may have such cycles and be right: a later message of the same value replaces the witness by one
// that leads back. There the chains of 2 are those of the values, and each witness must be what
// some settled vertex sends with that value, or a start.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "arithmetic.h"
#include "certify.h"
#include "vertigo/core/number_text.h"

namespace vertigo::reference {
namespace {

constexpr std::size_t kMaxElements = 8;
constexpr std::size_t kParallelFrontier = 256;
/// Vertices that a thread follows before it shares what is left: some milliseconds.
constexpr std::size_t kFollowedAlone = std::size_t{1} << 16;

/// Arithmetic of integers in what is sent, which may stop at the largest value of its type, `inf`.
/// Its operands tell that from an `inf` that is passed on.
struct Arithmetic {
  struct Operand {
    const Node* node;
    ScalarKind kind;
    bool is_number;  ///< written as one, or computed from constants, however large
  };
  /// Of a `c ? a : b` around it, which is only computed where the condition is this.
  struct Branch {
    const Node* condition;
    bool taken_if;
  };
  const Node* result;
  ScalarKind kind;
  std::vector<Operand> operands;
  std::vector<Branch> branches;
};

bool may_saturate(const ir::Expr& e) {
  if (!e.type.is_scalar() || !ir::is_integer(e.type.scalar())) return false;
  switch (e.op) {
    case ir::Op::Add:
    case ir::Op::Subtract:
    case ir::Op::Multiply:
    case ir::Op::Divide:
    case ir::Op::Negate:
    case ir::Op::Abs:
    case ir::Op::Cast:
      return true;
    default:
      return false;
  }
}

bool is_infinite(ScalarKind kind, Word word) {
  return with_type(kind, [&]<class T>() {
    if constexpr (std::same_as<T, Wide64>)
      return false;
    else
      return from_word<T>(word) == kInfinity<T>;
  });
}

/// What stands inside a reduction cannot be resolved outside of it.
template <class Visit>
void walk_outside_reductions(const ir::Expr& expr, const Visit& visit) {
  visit(expr);
  if (ir::is_reduction(expr.op)) return;
  for (const ir::ExprPtr& operand : expr.operands)
    if (operand) walk_outside_reductions(*operand, visit);
}

/// Whether the first element that is sent reads of the inbox no more than its first element, and
/// the others read nothing of it.
bool is_witnessed(const ir::Expr& sent, const std::string& state) {
  if (sent.op != ir::Op::MakeTuple) return false;
  bool holds = true;
  const auto look = [&](const auto& self, const ir::Expr& expr, bool first) -> void {
    if (first && expr.op == ir::Op::TupleElement && expr.index == 0 &&
        expr.operands[0]->op == ir::Op::Inbox)
      return;
    if (expr.op == ir::Op::Inbox || (expr.op == ir::Op::State && expr.symbol == state))
      holds = false;
    for (const ir::ExprPtr& operand : expr.operands)
      if (operand) self(self, *operand, first);
  };
  for (std::size_t i = 0; i < sent.operands.size(); ++i) look(look, *sent.operands[i], i == 0);
  return holds;
}

class ExtremumCertificate {
 public:
  ExtremumCertificate(Context& context, const CheckedState& state, const ExtremumPhase& phase)
      : context_(context), state_(state), phase_(phase), size_(state.type.elements.size()) {
    reached_ = std::vector<std::atomic<std::uint8_t>>(context.vertex_count());
    is_witnessed_ =
        !phase.sends.empty() && std::ranges::all_of(phase.sends, [&](const PlainSend& send) {
          return is_witnessed(*send.value, phase.state->name);
        });
    if (is_witnessed_) witnessed_ = std::vector<std::atomic<std::uint8_t>>(context.vertex_count());
    inbox_slot_ = context.resolver.new_slots(size_);
    for (const PlainSend& send : phase.sends) {
      sends_.push_back(
          resolve_send(context, phase, send, *send.value, phase.message->type, inbox_slot_));
      resolve_extras(send);
    }
    starts_ = resolve_starts(context, phase);
    identity_ = context.evaluate_now(*phase.message->identity, phase.message->type);
  }

  /// Whether the conditions hold that the IR alone does not show.
  bool applies() {
    std::atomic<bool> applies = true;
    for_all_vertices([&](Frame& frame, Vertex v) {
      Word before[kMaxElements];
      load(state_.before, v, before);
      if (better(identity_.data(), before)) applies = false;
      if (factors_.empty()) return;
      for (std::size_t i = 0; i < sends_.size(); ++i)
        for_each_sent(sends_[i], frame, v, [&](Vertex) {
          for (const auto& [node, kind] : factors_[i])
            if (value_of(evaluate(node, frame), kind).as<double>() < 0) applies = false;
        });
    });
    return applies;
  }

  /// True where all that is missing are chains.
  bool run(CheckReport& report) {
    check_values();
    check_starts();
    check_edges();
    // Chains mean nothing where values are already known to be wrong.
    const bool fixed_point = failures_.empty();
    if (fixed_point) check_chains();
    const bool unexplained = fixed_point && !failures_.empty();
    failures_.move_to(report);
    const std::string& name = phase_.state->name;
    report.checked.push_back("no start and no edge can improve '" + name + "' at its head (" +
                             counted(edges_, "edge") + ")");
    if (fixed_point)
      report.checked.push_back(
          "a chain of tight edges leads from a start to each settled vertex (" +
          grouped(settled_count_) + " of " +
          counted(context_.vertex_count(), "vertex", "vertices") + ")");
    return unexplained;
  }

 private:
  void resolve_extras(const PlainSend& send) {
    Resolver& resolver = context_.resolver;
    const SendCode& code = sends_.back();
    resolver.push_scope();
    // The same slots as the send's own code, so that its loop sets them.
    resolver.bind_vertex_at(phase_.source->variable, code.sender_slot);
    resolver.bind_vertex_at(send.neighbour, code.neighbour_slot);
    const int outer_edge = resolver.set_edge_slot(static_cast<int>(code.edge_slot));
    arithmetic_.emplace_back();
    if (!phase_.factors.empty()) factors_.emplace_back();
    walk_outside_reductions(*send.value, [&](const ir::Expr& e) {
      if (std::ranges::find(phase_.factors, &e) != phase_.factors.end())
        factors_.back().emplace_back(resolver.scalar(e), e.type.scalar());
    });
    std::vector<Arithmetic::Branch> branches;
    find_arithmetic(*send.value, branches);
    resolver.set_edge_slot(outer_edge);
    resolver.pop_scope();
    context_.grow_frame();
  }

  /// `branches`: those that the expression stands in.
  void find_arithmetic(const ir::Expr& e, std::vector<Arithmetic::Branch>& branches) {
    if (ir::is_reduction(e.op)) return;
    Resolver& resolver = context_.resolver;
    if (may_saturate(e)) {
      Arithmetic made{resolver.scalar(e), e.type.scalar(), {}, branches};
      for (const ir::ExprPtr& operand : e.operands)
        made.operands.push_back(
            {resolver.scalar(*operand), operand->type.scalar(), operand->op == ir::Op::Literal});
      arithmetic_.back().push_back(std::move(made));
    }
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      const bool is_branch = e.op == ir::Op::Select && i > 0;
      if (is_branch) branches.push_back({resolver.scalar(*e.operands[0]), i == 1});
      if (e.operands[i]) find_arithmetic(*e.operands[i], branches);
      if (is_branch) branches.pop_back();
    }
  }

  template <class Visit>
  void for_all_vertices(const Visit& visit) {
    const Vertex n = context_.vertex_count();
#pragma omp parallel if (n > kParallelVertices)
    {
      Frame frame = context_.frame;
#pragma omp for schedule(dynamic, 1024)
      for (Vertex v = 0; v < n; ++v) visit(frame, v);
    }
  }

  void load(const std::vector<ColumnRef>& columns, Vertex v, Word* words) const {
    for (std::size_t i = 0; i < size_; ++i) words[i] = columns[i].load(v);
  }
  std::partial_ordering compare(const Word* a, const Word* b) const {
    return compare_tuples(state_.type.elements, a, b);
  }
  bool better(const Word* a, const Word* b) const {
    return phase_.is_min ? compare(a, b) < 0 : compare(a, b) > 0;
  }
  bool settled(Vertex v) const {
    Word after[kMaxElements], before[kMaxElements];
    load(state_.after, v, after);
    load(state_.before, v, before);
    return better(after, before);
  }
  std::string show(const Word* words) const { return describe(context_, state_.type, words); }
  std::string show(const std::vector<ColumnRef>& columns, Vertex v) const {
    Word words[kMaxElements];
    load(columns, v, words);
    return show(words);
  }
  std::string is(Vertex v) const {
    return "vertex " + context_.input_name(v) + ": '" + phase_.state->name + "' is " +
           show(state_.after, v);
  }

  void check_values() {
    std::atomic<std::uint64_t> settled_count = 0;
    for_all_vertices([&](Frame&, Vertex v) {
      Word after[kMaxElements], before[kMaxElements];
      load(state_.after, v, after);
      load(state_.before, v, before);
      if (better(after, before)) {
        settled_count.fetch_add(1, std::memory_order_relaxed);
        return;
      }
      for (std::size_t i = 0; i < size_; ++i)
        // NaN compares with nothing, and so differs from everything here.
        if (!same_value(state_.type.elements[i], after[i], before[i]) || is_nan(i, after[i])) {
          failures_.add(v, is(v) + ", which is worse than its initial value " + show(before));
          return;
        }
    });
    settled_count_ = settled_count;
  }

  bool is_nan(std::size_t element, Word word) const {
    return with_type(state_.type.elements[element], [&]<class T>() {
      if constexpr (std::floating_point<T>) return std::isnan(from_word<T>(word));
      if constexpr (std::same_as<T, Wide64>) return from_word<T>(word).is_nan();
      return false;
    });
  }

  void check_starts() {
    Frame& frame = context_.frame;
    for (const StartValues& start : starts_)
      for_each_started(context_, start, [&](Vertex v) {
        for (const Nodes& nodes : start.values) {
          Word value[kMaxElements], after[kMaxElements];
          for (std::size_t i = 0; i < size_; ++i) value[i] = evaluate(nodes[i], frame);
          load(state_.after, v, after);
          if (better(value, after))
            failures_.add(v, is(v) + ", but its start gives " + show(value));
          else if (settled(v))
            take(v, value, after, frontier_);
        }
      });
  }

  /// Loads what u sends from into the frame; false where u was never active.
  bool load_sender(Frame& frame, Vertex u) const {
    if (!settled(u)) return false;
    load(state_.after, u, &frame.slots[inbox_slot_]);
    return true;
  }

  void check_edges() {
    std::atomic<std::uint64_t> edges = 0;
    for_all_vertices([&](Frame& frame, Vertex u) {
      if (!load_sender(frame, u)) return;
      std::uint64_t visited = 0;
      for (std::size_t s = 0; s < sends_.size(); ++s)
        for_each_sent(sends_[s], frame, u, [&](Vertex v) {
          ++visited;
          Word offer[kMaxElements], after[kMaxElements];
          for (std::size_t i = 0; i < size_; ++i) offer[i] = evaluate(sends_[s].value[i], frame);
          load(state_.after, v, after);
          if (better(offer, after))
            failures_.add(v,
                          is(v) + ", but the edge " + edge_name(u, v) + " offers " + show(offer));
          else if (!arithmetic_[s].empty() && looks_unreached(v, offer))
            check_overflow(frame, s, u, v);
        });
      edges.fetch_add(visited, std::memory_order_relaxed);
    });
    edges_ = edges;
  }

  std::string edge_name(Vertex u, Vertex v) const {
    return context_.input_name(u) + " -> " + context_.input_name(v);
  }

  /// What is offered is what it held before.
  bool looks_unreached(Vertex v, const Word* offer) const {
    const ScalarKind kind = state_.type.elements[0];
    return phase_.is_min && !settled(v) &&
           compare_words(kind, offer[0], state_.before[0].load(v)) == 0;
  }

  /// Arithmetic that left the type's range says that the type is too narrow, where the head then
  /// seems unreached.
  void check_overflow(Frame& frame, std::size_t send, Vertex u, Vertex v) {
    for (const Arithmetic& each : arithmetic_[send]) {
      const auto is_passed_on = [&](const Arithmetic::Operand& operand) {
        return !operand.is_number && is_infinite(operand.kind, evaluate(operand.node, frame));
      };
      const auto is_taken = [&](const Arithmetic::Branch& branch) {
        return holds(branch.condition, frame) == branch.taken_if;
      };
      if (!std::ranges::all_of(each.branches, is_taken) ||
          !is_infinite(each.kind, evaluate(each.result, frame)) ||
          std::ranges::any_of(each.operands, is_passed_on))
        continue;
      const std::string kind(ir::to_string(each.kind));
      failures_.add(v, "edge " + edge_name(u, v) + ": '" + phase_.state->name + "' exceeds " +
                           kind + " there, so vertex " + context_.input_name(v) +
                           " looks unreached; declare it " +
                           (kind == "int32"    ? "int64"
                            : kind == "uint32" ? "uint64"
                                               : "float64"));
      return;
    }
  }

  void reach(Vertex v, std::vector<Vertex>& frontier) {
    if (reached_[v].exchange(1, std::memory_order_relaxed) == 0) frontier.push_back(v);
  }

  /// v is settled, and `offer` not better than its value `after`.
  void take(Vertex v, const Word* offer, const Word* after, std::vector<Vertex>& frontier) {
    const bool is_tight = compare(offer, after) == 0;
    if (!is_witnessed_) {
      if (is_tight) reach(v, frontier);
      return;
    }
    if (is_tight) witnessed_[v].store(1, std::memory_order_relaxed);
    if (compare_words(state_.type.elements[0], offer[0], after[0]) == 0) reach(v, frontier);
  }
  bool is_explained(Vertex v) const {
    return reached_[v].load(std::memory_order_relaxed) != 0 &&
           (!is_witnessed_ || witnessed_[v].load(std::memory_order_relaxed) != 0);
  }

  void check_chains() {
    while (!frontier_.empty()) {
      std::vector<Vertex> next;
#pragma omp parallel if (frontier_.size() > kParallelFrontier)
      {
        Frame frame = context_.frame;
        std::vector<Vertex> mine;
#pragma omp for schedule(dynamic, 16) nowait
        for (std::size_t i = 0; i < frontier_.size(); ++i) follow_tight(frame, frontier_[i], mine);
        // Chains may be followed in any order: a thread goes on with what it found, because on
        // graphs of large diameter a round per level would be thousands of rounds.
        for (std::size_t left = kFollowedAlone; left > 0 && !mine.empty(); --left) {
          const Vertex u = mine.back();
          mine.pop_back();
          follow_tight(frame, u, mine);
        }
#pragma omp critical
        next.insert(next.end(), mine.begin(), mine.end());
      }
      frontier_ = std::move(next);
    }
    for_all_vertices([&](Frame&, Vertex v) {
      if (!is_explained(v) && settled(v))
        failures_.add(v, is(v) + ", but no chain of edges from a start gives that value");
    });
  }

  void follow_tight(Frame& frame, Vertex u, std::vector<Vertex>& found) {
    if (!load_sender(frame, u)) return;
    for (const SendCode& send : sends_)
      for_each_sent(send, frame, u, [&](Vertex v) {
        if (is_explained(v)) return;
        Word offer[kMaxElements], after[kMaxElements];
        for (std::size_t i = 0; i < size_; ++i) offer[i] = evaluate(send.value[i], frame);
        load(state_.after, v, after);
        if (settled(v)) take(v, offer, after, found);
      });
  }

  Context& context_;
  const CheckedState& state_;
  const ExtremumPhase& phase_;
  std::size_t size_;
  unsigned inbox_slot_ = 0;
  std::vector<SendCode> sends_;
  std::vector<std::vector<Arithmetic>> arithmetic_;  ///< by send
  std::vector<std::vector<std::pair<const Node*, ScalarKind>>> factors_;
  std::vector<StartValues> starts_;
  std::vector<Word> identity_;
  std::vector<std::atomic<std::uint8_t>> reached_;
  bool is_witnessed_ = false;
  std::vector<std::atomic<std::uint8_t>> witnessed_;  ///< only where is_witnessed_
  std::vector<Vertex> frontier_;
  Failures failures_;
  std::uint64_t settled_count_ = 0;
  std::uint64_t edges_ = 0;
};

}  // namespace

bool certify_extremum(Context& context, const BoundResult& result, const ExtremumPhase& phase,
                      CheckReport& report, bool& unexplained) {
  const CheckedState* state = result.find(phase.state->name);
  if (state == nullptr || state->type.elements.size() > kMaxElements) return false;
  ExtremumCertificate certificate(context, *state, phase);
  if (!certificate.applies()) return false;
  unexplained = certificate.run(report);
  return true;
}

}  // namespace vertigo::reference
