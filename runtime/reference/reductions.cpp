// What reads the graph: degrees, reductions over neighbours or vertices, common neighbours, random.
#include <algorithm>
#include <optional>

#include "arithmetic.h"
#include "operations.h"
#include "resolve.h"
#include "vertigo/core/error.h"
#include "vertigo/core/random.h"

namespace vertigo::reference {
namespace {

template <class T>
Word run_degree(const Node& node, Frame& frame) {
  const Vertex v = frame.vertex(node.slot);
  EdgeIndex degree = 0;
  for (const auto& side : *static_cast<const std::vector<EdgeSide>*>(node.data))
    degree += side.offsets[v + 1] - side.offsets[v];
  return to_word(convert<T>(degree));
}

Word run_random(const Node& node, Frame& frame) {
  const Vertex v = from_word<Vertex>(evaluate(node.a, frame));
  const auto step = from_word<std::int64_t>(evaluate(node.b, frame));
  const std::uint64_t id = static_cast<const GraphView*>(node.data)->input_id(v);
  return to_word(random_unit(0, id, static_cast<std::uint64_t>(step)));
}

/// Then a list is searched, not scanned: hubs have 10^5 neighbours.
bool is_much_longer(EdgeIndex longer, EdgeIndex shorter) {
  constexpr EdgeIndex kSearchRatio = 16;
  return longer / kSearchRatio > shorter;
}

/// Distinct vertices that stand in both ascending lists.
std::int64_t count_common(const Vertex* a, const Vertex* a_end, const Vertex* b,
                          const Vertex* b_end) {
  if (a_end - a > b_end - b) {
    std::swap(a, b);
    std::swap(a_end, b_end);
  }
  const bool search =
      is_much_longer(static_cast<EdgeIndex>(b_end - b), static_cast<EdgeIndex>(a_end - a));
  std::int64_t count = 0;
  while (a != a_end && b != b_end) {
    if (search)
      b = std::lower_bound(b, b_end, *a);
    else
      while (b != b_end && *b < *a) ++b;
    if (b != b_end && *b == *a) ++count;
    const Vertex done = *a;
    while (a != a_end && *a == done) ++a;
  }
  return count;
}

Word run_common_neighbours(const Node& node, Frame& frame) {
  const EdgeSide& out = *static_cast<const EdgeSide*>(node.data);
  const Vertex u = from_word<Vertex>(evaluate(node.a, frame));
  const Vertex v = from_word<Vertex>(evaluate(node.b, frame));
  if (u == kNoVertex || v == kNoVertex) return to_word(std::int64_t{0});
  return to_word(count_common(out.targets + out.offsets[u], out.targets + out.offsets[u + 1],
                              out.targets + out.offsets[v], out.targets + out.offsets[v + 1]));
}

/// Which edges count: `chosen` is asked of the edge in `edge_slot`.
struct CommonRecord {
  EdgeSide out;
  const Node* chosen = nullptr;
  unsigned edge_slot = 0;
};

/// Lists have no duplicates here.
Word run_common_chosen(const Node& node, Frame& frame) {
  const auto& record = *static_cast<const CommonRecord*>(node.data);
  const EdgeSide& out = record.out;
  const Vertex u = from_word<Vertex>(evaluate(node.a, frame));
  const Vertex v = from_word<Vertex>(evaluate(node.b, frame));
  if (u == kNoVertex || v == kNoVertex) return to_word(std::int64_t{0});
  const auto counts = [&](EdgeIndex e) {
    frame[record.edge_slot] = e;
    return holds(record.chosen, frame);
  };
  std::int64_t count = 0;
  EdgeIndex a = out.offsets[u], b = out.offsets[v];
  while (a < out.offsets[u + 1] && b < out.offsets[v + 1]) {
    const Vertex x = out.targets[a], y = out.targets[b];
    if (x == y && counts(a) && counts(b)) ++count;
    a += x <= y ? 1 : 0;
    b += y <= x ? 1 : 0;
  }
  return to_word(count);
}

/// Of the set that a reduction over common neighbours runs over.
struct CommonSet {
  EdgeSide out;
  const Node *u = nullptr, *v = nullptr;
  const Node* chosen = nullptr;
  unsigned edge_slot = 0;
};

struct ReductionRecord {
  ir::Reduction reduction = ir::Reduction::Sum;
  bool over_vertices = false;
  Vertex vertex_count = 0;
  std::optional<CommonSet> common;
  std::vector<EdgeSide> sides;
  unsigned vertex_slot = 0;
  unsigned bound_slot = 0;
  unsigned edge_slot = 0;
  std::vector<ScalarKind> kinds;  ///< of the value
  Nodes value;
  const Node* condition = nullptr;
  Nodes otherwise;
};

/// Each vertex that stands in both ascending lists, once.
template <class Visit>
void for_each_common(const ReductionRecord& r, Frame& frame, const Visit& visit) {
  const CommonSet& set = *r.common;
  const Vertex u = from_word<Vertex>(evaluate(set.u, frame));
  const Vertex v = from_word<Vertex>(evaluate(set.v, frame));
  if (u == kNoVertex || v == kNoVertex) return;
  const auto counts = [&](EdgeIndex e) {
    frame[set.edge_slot] = e;
    return set.chosen == nullptr || holds(set.chosen, frame);
  };
  const Vertex* const targets = set.out.targets;
  EdgeIndex a = set.out.offsets[u], b = set.out.offsets[v];
  EdgeIndex a_end = set.out.offsets[u + 1], b_end = set.out.offsets[v + 1];
  if (a_end - a > b_end - b) {
    std::swap(a, b);
    std::swap(a_end, b_end);
  }
  const bool search = is_much_longer(b_end - b, a_end - a);
  Vertex last = kNoVertex;
  for (; a < a_end && b < b_end; ++a) {
    const Vertex x = targets[a];
    if (search)
      b = static_cast<EdgeIndex>(std::lower_bound(targets + b, targets + b_end, x) - targets);
    else
      while (b < b_end && targets[b] < x) ++b;
    if (b == b_end || targets[b] != x || x == last || !counts(a) || !counts(b)) continue;
    last = x;
    frame[r.bound_slot] = x;
    if ((r.condition == nullptr || holds(r.condition, frame)) && !visit()) return;
  }
}

/// Calls `visit()` with the bound vertex (and edge) in their slots for each member that the
/// condition lets through, until it returns false.
template <class Visit>
void for_each_member(const ReductionRecord& r, Frame& frame, const Visit& visit) {
  if (r.over_vertices) {
    for (Vertex v = 0; v < r.vertex_count; ++v) {
      frame[r.bound_slot] = v;
      if (r.condition != nullptr && !holds(r.condition, frame)) continue;
      if (!visit()) return;
    }
    return;
  }
  if (r.common) return for_each_common(r, frame, visit);
  const Vertex v = frame.vertex(r.vertex_slot);
  for (const EdgeSide& side : r.sides) {
    frame[r.edge_slot + 1] = reinterpret_cast<Word>(side.weights);
    for (EdgeIndex e = side.offsets[v]; e < side.offsets[v + 1]; ++e) {
      ++frame.visited_edges;
      frame[r.edge_slot] = e;
      frame[r.bound_slot] = side.targets[e];
      if (r.condition != nullptr && !holds(r.condition, frame)) continue;
      if (!visit()) return;
    }
  }
}

template <class T>
Word run_sum(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  // Floats are added in double: a float32 sum over millions of vertices loses its last digits.
  using Sum = std::conditional_t<std::floating_point<T>, double, T>;
  Sum sum{};
  bool any = false;
  for_each_member(r, frame, [&] {
    any = true;
    sum = accumulate<Sum>(sum, from_word<T>(evaluate(r.value.front(), frame)));
    return true;
  });
  if (!any && !r.otherwise.empty()) return evaluate(r.otherwise.front(), frame);
  return to_word(static_cast<T>(sum));
}

template <class T>
Word run_extremum(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  const bool is_min = r.reduction == ir::Reduction::Min;
  T best = is_min ? kInfinity<T> : kLowest<T>;
  bool any = false;
  for_each_member(r, frame, [&] {
    const T value = from_word<T>(evaluate(r.value.front(), frame));
    best = is_min ? smaller(best, value) : larger(best, value);
    return any = true;
  });
  if (!any && !r.otherwise.empty()) return evaluate(r.otherwise.front(), frame);
  return to_word(best);
}

template <class T>
Word run_count(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  std::uint64_t count = 0;
  for_each_member(r, frame, [&] { return ++count != 0; });
  return to_word(convert<T>(count));
}

/// Or, and, xor of the bits of integers.
template <class T>
Word run_bits(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  if constexpr (std::integral<T>) {
    T bits = r.reduction == ir::Reduction::And ? static_cast<T>(~T{}) : T{};
    for_each_member(r, frame, [&] {
      const T value = from_word<T>(evaluate(r.value.front(), frame));
      bits = static_cast<T>(r.reduction == ir::Reduction::And   ? bits & value
                            : r.reduction == ir::Reduction::Xor ? bits ^ value
                                                                : bits | value);
      return true;
    });
    return to_word(bits);
  } else {
    return 0;  // refused before
  }
}

Word run_any(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  bool found = false;
  for_each_member(r, frame, [&] { return !(found = holds(r.value.front(), frame)); });
  return found ? 1 : 0;
}

Word run_all(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  bool all = true;
  for_each_member(r, frame, [&] { return all = holds(r.value.front(), frame); });
  return all ? 1 : 0;
}

template <class T>
std::vector<T> sorted_values(const ReductionRecord& r, Frame& frame) {
  std::vector<T> values;
  for_each_member(r, frame, [&] {
    values.push_back(from_word<T>(evaluate(r.value.front(), frame)));
    return true;
  });
  std::sort(values.begin(), values.end());
  return values;
}

template <class T>
Word run_distinct(const Node& node, Frame& frame) {
  std::vector<T> values = sorted_values<T>(*static_cast<const ReductionRecord*>(node.data), frame);
  const auto end = std::unique(values.begin(), values.end());
  return to_word(static_cast<std::int64_t>(end - values.begin()));
}

template <class T>
Word run_mode(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  const std::vector<T> values = sorted_values<T>(r, frame);
  if (values.empty()) return r.otherwise.empty() ? 0 : evaluate(r.otherwise.front(), frame);
  T best = values.front();
  std::size_t best_count = 0;
  for (std::size_t first = 0, last = 0; first < values.size(); first = last) {
    while (last < values.size() && values[last] == values[first]) ++last;
    if (last - first <= best_count) continue;
    best_count = last - first;
    best = values[first];
  }
  return to_word(best);
}

Word empty_extremum(ir::Reduction reduction, ScalarKind kind) {
  return with_type(kind, [&]<class T>() {
    if (reduction == ir::Reduction::Max) return to_word<T>(kLowest<T>);
    return to_word<T>(reduction == ir::Reduction::Min ? kInfinity<T> : T{});
  });
}

/// Min or max of tuples; slot: which element of the result. From the identity on, as for numbers:
/// what holds NaN stands in no order, and is not taken. Every element runs the reduction again,
/// which keeps one node one scalar.
Word run_tuple(const Node& node, Frame& frame) {
  const auto& r = *static_cast<const ReductionRecord*>(node.data);
  const bool is_min = r.reduction == ir::Reduction::Min;
  std::vector<Word> best;
  for (const ScalarKind kind : r.kinds) best.push_back(empty_extremum(r.reduction, kind));
  std::vector<Word> value(r.kinds.size());
  bool any = false;
  const std::uint64_t visited_before = frame.visited_edges;
  for_each_member(r, frame, [&] {
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = evaluate(r.value[i], frame);
    const std::partial_ordering order = compare_tuples(r.kinds, value.data(), best.data());
    const bool is_ordered = compare_tuples(r.kinds, value.data(), value.data()) == 0;
    if (is_ordered && (is_min ? order < 0 : order > 0)) best = value;
    return any = true;
  });
  const unsigned at = node.slot;
  if (at != 0) frame.visited_edges = visited_before;  // the first element counted them
  if (!any && !r.otherwise.empty()) return evaluate(r.otherwise[at], frame);
  return best[at];
}

Node::Run reduction_of(ir::Reduction reduction, ScalarKind kind) {
  return with_type(kind, [&]<class T>() -> Node::Run {
    switch (reduction) {
      case ir::Reduction::Sum:
        return run_sum<T>;
      case ir::Reduction::Min:
      case ir::Reduction::Max:
        return run_extremum<T>;
      case ir::Reduction::Count:
        return run_count<T>;
      case ir::Reduction::Any:
        return run_any;
      case ir::Reduction::All:
        return run_all;
      case ir::Reduction::Or:
      case ir::Reduction::And:
      case ir::Reduction::Xor:
        return run_bits<T>;
      case ir::Reduction::Distinct:
        return run_distinct<T>;
      case ir::Reduction::Mode:
        break;
    }
    return run_mode<T>;
  });
}

}  // namespace

const Node* Resolver::degree(const ir::Expr& expr) {
  using ir::EdgeDirection, ir::Op;
  EdgeDirection direction = EdgeDirection::Both;
  if (expr.op == Op::OutDegree || (expr.op == Op::Degree && symmetric_program_))
    direction = EdgeDirection::Out;
  else if (expr.op == Op::InDegree)
    direction = EdgeDirection::In;
  auto record = std::make_shared<std::vector<EdgeSide>>(sides(direction));
  records_.push_back(record);
  const unsigned slot = vertex_slot(expr);
  Node& node =
      make(with_type(expr.type.scalar(), []<class T>() -> Node::Run { return run_degree<T>; }));
  node.slot = slot;
  node.data = record.get();
  return &node;
}

const Node* Resolver::common_neighbours(const ir::Expr& expr) {
  auto record = std::make_shared<CommonRecord>();
  record->out = graph_.out();
  record->edge_slot = new_slots(2);
  const int outer_edge = set_edge_slot(static_cast<int>(record->edge_slot));
  record->chosen = scalar(*expr.operands.at(2));
  set_edge_slot(outer_edge);
  const Node* const u = scalar(*expr.operands.at(0));
  const Node* const v = scalar(*expr.operands.at(1));
  Node& node = make(run_common_chosen);
  node.a = u;
  node.b = v;
  node.data = record.get();
  records_.push_back(std::move(record));
  return &node;
}

const Node* Resolver::graph_function(const ir::Expr& expr) {
  const bool is_random = expr.op == ir::Op::Random;
  const ScalarKind second = is_random ? ScalarKind::Int64 : ScalarKind::Vertex;
  const Node* a = scalar(*expr.operands.at(0));
  const Node* b = coerce(scalar(*expr.operands.at(1)), expr.operands[1]->type.scalar(), second);
  Node& node = make(is_random ? run_random : run_common_neighbours);
  node.a = a;
  node.b = b;
  node.data = is_random ? static_cast<const void*>(&graph_) : &graph_.out();
  return coerce(&node, is_random ? ScalarKind::Float64 : ScalarKind::Int64, expr.type.scalar());
}

Nodes Resolver::reduction(const ir::Expr& expr) {
  auto record = std::make_shared<ReductionRecord>();
  records_.push_back(record);
  const auto operand = [&](std::size_t i) -> const ir::Expr* {
    return i < expr.operands.size() ? expr.operands[i].get() : nullptr;
  };
  record->reduction = expr.reduction;
  record->over_vertices = expr.op == ir::Op::ReduceVertices;
  record->vertex_count = graph_.vertex_count();
  const bool over_common = expr.op == ir::Op::ReduceCommon;
  if (over_common) {
    const ir::Expr& set = *operand(2);
    CommonSet common{graph_.out(), scalar(*set.operands.at(0)), scalar(*set.operands.at(1))};
    common.edge_slot = new_slots(2);
    const int outer_edge = set_edge_slot(static_cast<int>(common.edge_slot));
    if (set.operands.size() > 2) common.chosen = scalar(*set.operands[2]);
    set_edge_slot(outer_edge);
    record->common = common;
  } else if (operand(2) != nullptr) {
    record->otherwise = resolve_as(*operand(2), expr.type);
  }
  if (expr.op == ir::Op::ReduceNeighbours) {
    record->vertex_slot = vertex_slot(expr);
    record->sides = sides(expr.direction);
  }
  push_scope();
  record->bound_slot = bind_vertex(expr.symbol);
  record->edge_slot = new_slots(2);
  const int outer_edge = set_edge_slot(
      expr.op == ir::Op::ReduceNeighbours ? static_cast<int>(record->edge_slot) : edge_slot_);
  if (operand(1) != nullptr) record->condition = condition(expr.operands[1]);
  // How many different values there are is no value of their type.
  const ir::Type& type =
      expr.reduction == ir::Reduction::Distinct ? expr.operands.at(0)->type : expr.type;
  if (operand(0) != nullptr) record->value = resolve_as(*operand(0), type);
  set_edge_slot(outer_edge);
  pop_scope();
  if (record->value.empty() && expr.reduction != ir::Reduction::Count)
    damaged(expr, "a reduction without a value");
  if (type.is_tuple() && expr.reduction != ir::Reduction::Min &&
      expr.reduction != ir::Reduction::Max)
    damaged(expr, "a reduction of tuples that is neither min nor max");
  record->kinds = expr.type.elements;

  Nodes nodes;
  for (std::size_t i = 0; i < expr.type.elements.size(); ++i) {
    Node& node = make(type.is_tuple() ? run_tuple : reduction_of(expr.reduction, type.scalar()));
    node.data = record.get();
    node.slot = static_cast<unsigned>(i);
    node.literal = empty_extremum(expr.reduction, expr.type.elements[i]);
    nodes.push_back(&node);
  }
  return nodes;
}

}  // namespace vertigo::reference
