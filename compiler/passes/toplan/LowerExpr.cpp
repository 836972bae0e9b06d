#include "compiler/passes/toplan/LowerExpr.h"

#include <utility>

#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/program/BuildExpr.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;

namespace {

const char* name_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::Min:
      return "least";
    case Reduction::Max:
      return "greatest";
    case Reduction::Count:
      return "number";
    case Reduction::Any:
      return "found";
    case Reduction::All:
      return "all_hold";
    case Reduction::Mode:
      return "most_voted";
    case Reduction::Distinct:
      return "different";
    case Reduction::Or:
    case Reduction::And:
    case Reduction::Xor:
      return "bits";
    default:
      return "total";
  }
}

const Expr* part(const Expr& reduction, std::size_t which) {
  return which < reduction.operands.size() ? reduction.operands[which].get() : nullptr;
}

bool mentions_vertex(const Expr& expr, const std::string& name) {
  bool found = false;
  ir::walk(expr, [&](const Expr& e) { found = found || e.vertex == name; });
  return found;
}

}  // namespace

std::string name_places(KernelContext& context, LocalNames& names, const plan::KernelStmt& loop) {
  const bool has_places =
      !context.program().edge_states.empty() && loop.direction == ir::EdgeDirection::Out;
  return has_places ? names.fresh("place") : "";
}

void settle_places(plan::KernelStmt& loop, const std::string& place) {
  if (place.empty()) return;
  const auto look = [&](const ExprPtr& expr) {
    if (!expr) return;
    ir::walk(*expr, [&](const Expr& e) {
      if (e.op == Op::Local && e.symbol == place) loop.slot = place;
    });
  };
  plan::walk_statements(loop.body, [&](const plan::KernelStmt& stmt) {
    look(stmt.index);
    look(stmt.value);
    look(stmt.identity);
  });
}

bool refuse_uncompilable(KernelContext& context, const Expr& expr) {
  if (expr.op != Op::ReduceNeighbours || !ir::compares_values(expr.reduction)) return false;
  const ir::Type& type = expr.operands[0]->type;
  if (type.is_tuple() || ir::is_float(type.scalar())) {
    context.refuse(expr.location,
                   "'" + std::string(ir::to_string(expr.reduction)) + "' of " + to_string(type),
                   "integers, vertices and truth values alone can be counted");
    return true;
  }
  return false;
}

const std::string& ExprLowering::vertex_name(const std::string& name) const {
  const auto found = bindings_.vertices.find(name);
  return found == bindings_.vertices.end() ? name : found->second;
}

/// Names for intersections that are asked for twice, as long as this lives. What was named before
/// is hidden where it is of a vertex called `bound`.
class ExprLowering::Names {
 public:
  Names(ExprLowering& lowering, const std::vector<Asked>& expressions, plan::Block& before,
        const std::string& bound = "")
      : lowering_(lowering), outer_(lowering.named_) {
    if (!bound.empty())
      std::erase_if(lowering.named_,
                    [&](const auto& each) { return mentions_vertex(*each.first, bound); });
    if (lowering.bindings_.in_function || lowering.bindings_.chooses) return;
    for (const Expr* set : repeated_sets(expressions)) {
      if (!lowering.known_name(*set).empty()) continue;
      const std::string name = lowering.names_.fresh("shared");
      ExprPtr value = lowering.lower_part(*set, before);
      add(before, let(name, std::move(value))).location = set->location;
      lowering.named_.emplace_back(set, name);
    }
  }
  ~Names() { lowering_.named_ = std::move(outer_); }
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

 private:
  ExprLowering& lowering_;
  std::vector<std::pair<const Expr*, std::string>> outer_;
};

std::string ExprLowering::known_name(const Expr& set) const {
  for (const auto& [named, name] : named_)
    if (compare_alike(*named, set)) return name;
  return "";
}

ExprPtr ExprLowering::lower(const Expr& expr, plan::Block& before) {
  const Names names(*this, {{&expr, true}}, before);
  return lower_part(expr, before);
}

ExprPtr ExprLowering::lower_part(const Expr& expr, plan::Block& before) {
  if (bindings_.replace)
    if (ExprPtr replaced = bindings_.replace(expr)) return replaced;
  if (refuse_uncompilable(context_, expr)) return empty_value(Reduction::Sum, expr.type);
  const StoredValue* stored = stored_value(expr);
  if (stored != nullptr && !stored->is_fold) return load_stored(*stored);
  switch (expr.op) {
    case Op::State:
      return expr.operands.empty() ? lower_state(expr) : lower_state_at(expr, before);
    case Op::BoundVertex:
      return vertex(vertex_name(expr.vertex));
    case Op::OutDegree:
    case Op::InDegree:
    case Op::Degree:
      return lower_degree(expr);
    case Op::Local: {
      const auto found = bindings_.locals.find(expr.symbol);
      return local(found == bindings_.locals.end() ? expr.symbol : found->second, expr.type);
    }
    case Op::EdgeAttribute:
      return context_.program().find_edge_state(expr.symbol) != nullptr
                 ? lower_edge_state(expr)
                 : lower_children(expr, before);
    case Op::CommonNeighbours:
      if (const std::string name = known_name(expr); !name.empty()) return local(name, expr.type);
      return bindings_.own_edge && context_.kept_choice() != nullptr &&
                     passes::counts_chosen(*context_.kept_choice(), expr, bindings_.edge_own,
                                           bindings_.edge_other)
                 ? lower_kept_count(expr, before)
                 : lower_intersection(expr, before);
    case Op::ReduceNeighbours:
      return lower_reduction(expr, before);
    case Op::ReduceCommon:
      if (const std::string name = known_name(expr); !name.empty()) return local(name, expr.type);
      return lower_common_reduction(expr, before);
    case Op::And:
    case Op::Or:
      return lower_connection(expr, before);
    default:
      return lower_children(expr, before);
  }
}

// Neighbours are asked only where the operand on the left leaves the answer open.
ExprPtr ExprLowering::lower_connection(const Expr& expr, plan::Block& before) {
  ExprPtr left = lower_part(*expr.operands[0], before);
  plan::Block for_right;
  const bool counts = bindings_.edge_counts;
  bindings_.edge_counts =
      counts || (expr.op == Op::And && bindings_.own_edge && context_.kept_choice() != nullptr &&
                 passes::implies_choice(*context_.kept_choice(), *expr.operands[0]));
  ExprPtr right = lower(*expr.operands[1], for_right);
  bindings_.edge_counts = counts;
  if (for_right.empty()) return holds(expr.op, std::move(left), std::move(right));
  const bool is_and = expr.op == Op::And;
  const std::string answer = names_.fresh("holds");
  add(before, accumulator(answer, std::move(left))).location = expr.location;
  ExprPtr open = local(answer, ir::ScalarKind::Bool);
  if (!is_and) open = negated(std::move(open));
  add(for_right, accumulate(answer, is_and ? ir::Combine::And : ir::Combine::Or, std::move(right)));
  plan::KernelStmt& branch = add(before, when(std::move(open), std::move(for_right)));
  branch.location = expr.location;
  return local(answer, ir::ScalarKind::Bool);
}

ExprPtr ExprLowering::lower_children(const Expr& expr, plan::Block& before) {
  ExprPtr copy = expr.clone_without_operands();
  for (const ExprPtr& operand : expr.operands)
    copy->operands.push_back(lower_part(*operand, before));
  return copy;
}

const StoredValue* ExprLowering::stored_value(const Expr& expr) const {
  const auto found = bindings_.stored.find(&expr);
  return found == bindings_.stored.end() ? nullptr : &found->second;
}

ExprPtr ExprLowering::load_stored(const StoredValue& stored) const {
  return load(stored.buffer, stored.type, vertex_name(stored.neighbour));
}

ExprPtr ExprLowering::lower_state(const Expr& expr) {
  const std::string& at = vertex_name(expr.vertex);
  const bool old = at != bindings_.own && bindings_.snapshots.contains(expr.symbol);
  ExprPtr result =
      load(old ? context_.snapshot(expr.symbol) : context_.state(expr.symbol), expr.type, at);
  if (old && bindings_.slice)
    result = from_before(std::move(result), load(context_.state(expr.symbol), expr.type, at));
  result->location = expr.location;
  return result;
}

// Nobody outside the slice changes in this step, so that their states need no snapshot.
ExprPtr ExprLowering::from_before(ExprPtr snapshot, ExprPtr state) const {
  ExprPtr key = snapshot->clone();
  key->symbol = context_.state(bindings_.slice->state);
  key->type = bindings_.slice->value->type;
  return passes::selection(holds(Op::Equal, std::move(key), bindings_.slice->value->clone()),
                           std::move(snapshot), std::move(state));
}

ExprPtr ExprLowering::lower_edge_state(const Expr& expr) {
  const bool old = !bindings_.own_edge && bindings_.edge_snapshots.contains(expr.symbol);
  ExprPtr place;
  if (bindings_.chooses) {
    place = std::make_unique<Expr>();
    place->op = Op::EdgeAtHand;
    place->type = ir::ScalarKind::UInt64;
  } else {
    place = place_at_hand();
  }
  ExprPtr result =
      load_edge(old ? context_.edge_snapshot(expr.symbol) : context_.edge_state(expr.symbol),
                expr.type, std::move(place));
  result->location = expr.location;
  return result;
}

ExprPtr ExprLowering::place_at_hand() const {
  return bindings_.edge_place.empty() ? edge_place(bindings_.edge_from, bindings_.edge_to)
                                      : local(bindings_.edge_place, ir::ScalarKind::UInt64);
}

ExprPtr ExprLowering::place_of_reverse() const {
  return edge_place(bindings_.edge_to, bindings_.edge_from);
}

// The third operand is asked of two edges for each neighbour that both have.
ExprPtr ExprLowering::lower_intersection(const Expr& expr, plan::Block& before) {
  ExprPtr copy = expr.clone_without_operands();
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    const bool own = std::exchange(bindings_.own_edge, bindings_.own_edge && i < 2);
    const bool chooses = std::exchange(bindings_.chooses, i == 2);
    copy->operands.push_back(lower_part(*expr.operands[i], before));
    bindings_.own_edge = own;
    bindings_.chooses = chooses;
  }
  return copy;
}

// Numbers are kept of edges that count. They are over the edges that counted before the step.
ExprPtr ExprLowering::lower_kept_count(const Expr& expr, plan::Block& before) {
  auto kept = std::make_unique<Expr>();
  kept->op = Op::Cast;
  kept->type = expr.type;
  kept->location = expr.location;
  kept->operands.push_back(
      load_edge(context_.kept_counts(), ir::ScalarKind::Int32, place_at_hand()));
  if (bindings_.edge_counts) return kept;
  return passes::selection(load_edge(context_.counted(), ir::ScalarKind::Bool, place_at_hand()),
                           std::move(kept), lower_intersection(expr, before), expr.location);
}

// A value at each vertex that both have: a function of it, in front of which nothing can stand.
ExprPtr ExprLowering::lower_common_reduction(const Expr& expr, plan::Block& before) {
  ExprPtr copy = expr.clone_without_operands();
  copy->symbol = names_.fresh(expr.symbol);
  ExprPtr set = lower_intersection(*expr.operands[2], before);
  const std::string shadowed = vertex_name(expr.symbol);
  bindings_.vertices[expr.symbol] = copy->symbol;
  const Names names(*this, {}, before, expr.symbol);
  const bool outer_function = std::exchange(bindings_.in_function, true);
  if (expr.reduction == Reduction::Count) copy->reduction = Reduction::Sum;
  const StoredValue* stored = stored_value(expr);
  ExprPtr value = stored != nullptr                    ? load_stored(*stored)
                  : expr.reduction == Reduction::Count ? number(expr.type.scalar(), 1)
                                                       : lower_part(*expr.operands[0], before);
  if (const Expr* condition = stored != nullptr ? nullptr : part(expr, 1)) {
    value = passes::selection(lower_part(*condition, before), std::move(value),
                              empty_value(copy->reduction, expr.type), expr.location);
  }
  bindings_.in_function = outer_function;
  bindings_.vertices[expr.symbol] = shadowed;
  copy->operands.resize(3);
  copy->operands[0] = std::move(value);
  copy->operands[2] = std::move(set);
  return copy;
}

// The vertex is computed once where it can have a name, and `none` holds what no vertex has.
ExprPtr ExprLowering::lower_state_at(const Expr& expr, plan::Block& before) {
  const bool old = bindings_.snapshots.contains(expr.symbol);
  ExprPtr at = lower_part(*expr.operands[0], before);
  const ir::Type type = ir::ScalarKind::Vertex;
  ExprPtr again;
  if (bindings_.in_function) {
    again = at->clone();
  } else {
    const std::string name = names_.fresh(expr.symbol + "_of");
    add(before, let(name, std::move(at))).location = expr.location;
    at = local(name, type);
    again = local(name, type);
  }
  ExprPtr read = std::make_unique<Expr>();
  read->op = Op::Load;
  read->type = expr.type;
  read->symbol = old ? context_.snapshot(expr.symbol) : context_.state(expr.symbol);
  read->operands.push_back(std::move(again));
  if (old && bindings_.slice) {
    ExprPtr now = read->clone();
    now->symbol = context_.state(expr.symbol);
    read = from_before(std::move(read), std::move(now));
  }
  return passes::selection(holds(Op::Equal, std::move(at), passes::leaf(Op::NoVertex, type)),
                           state_of_none(expr.type), std::move(read), expr.location);
}

ExprPtr ExprLowering::lower_degree(const Expr& expr) {
  const auto one = [&](Op op) {
    ExprPtr copy = expr.clone_without_operands();
    copy->op = op;
    copy->vertex = vertex_name(expr.vertex);
    if (op == Op::InDegree) context_.plan().needs_transpose = true;
    return copy;
  };
  if (expr.op != Op::Degree) return one(expr.op);
  for (const ir::Requirement& requirement : context_.program().requirements)
    if (requirement.kind == ir::RequirementKind::Symmetric) return one(Op::OutDegree);
  return binary(Op::Add, one(Op::OutDegree), one(Op::InDegree), expr.type);
}

// What the reduction is before its loop.
ExprPtr ExprLowering::lower_start(const Expr& expr, plan::Block& before) {
  const Expr* otherwise = part(expr, 2);
  return otherwise != nullptr ? lower(*otherwise, before) : empty_value(expr.reduction, expr.type);
}

// One accumulator, one loop. `any` and `all` leave the loop once their value is settled, and like
// `min`, `max`, `or` and `and` they find no more in edges that are met twice; `mode` and `distinct`
// are settled when the loop ends.
ExprPtr ExprLowering::lower_reduction(const Expr& expr, plan::Block& before) {
  if (expr.reduction == Reduction::Count && part(expr, 1) == nullptr) {
    if (expr.direction != ir::EdgeDirection::Out) context_.plan().needs_transpose = true;
    return degree(vertex_name(expr.vertex), expr.direction);
  }
  const std::string total = names_.fresh(name_of(expr.reduction));
  const std::string neighbour = names_.fresh(expr.symbol);
  const std::string& of = vertex_name(expr.vertex);
  const bool votes = ir::compares_values(expr.reduction);
  if (expr.direction != ir::EdgeDirection::Out) context_.plan().needs_transpose = true;

  const bool leaves = expr.reduction == Reduction::Any || expr.reduction == Reduction::All;
  // Where both directions are the same list, every value would get twice the votes.
  const bool repeats = leaves || votes || expr.reduction == Reduction::Min ||
                       expr.reduction == Reduction::Max || expr.reduction == Reduction::Or ||
                       expr.reduction == Reduction::And;

  ExprPtr start = lower_start(expr, before);
  add(before, accumulator(total, std::move(start))).location = expr.location;
  const auto count_edges = [&](plan::Block& block, ExprPtr number) {
    if (bindings_.count_edges)
      add(block, count(context_.shared(plan::BufferRole::Counter, plan::kEdgeCounter, ""),
                       std::move(number)));
  };
  if (!leaves) count_edges(before, degree(of, expr.direction));
  plan::KernelStmt& loop = add(before, for_edges(of, expr.direction, neighbour));
  loop.location = expr.location;
  loop.once_if_symmetric = repeats && expr.direction == ir::EdgeDirection::Both;
  if (votes) loop.buffer = context_.ballots(part(expr, 0)->type, expr.direction);
  if (leaves) count_edges(loop.body, number(ir::ScalarKind::Int64, 1));

  const auto outer = bindings_.vertices.find(expr.symbol);
  const bool shadows = outer != bindings_.vertices.end();
  const std::string shadowed = shadows ? outer->second : "";
  bindings_.vertices[expr.symbol] = neighbour;
  const std::string outer_from = std::exchange(bindings_.edge_from, of);
  const std::string outer_to = std::exchange(bindings_.edge_to, neighbour);
  const std::string outer_place =
      std::exchange(bindings_.edge_place, name_places(context_, names_, loop));
  const bool outer_own = std::exchange(bindings_.own_edge, false);

  const StoredValue* stored = stored_value(expr);
  const Expr* value = stored != nullptr ? nullptr : part(expr, 0);
  const Expr* condition = stored != nullptr ? nullptr : part(expr, 1);
  plan::Block* inside = &loop.body;
  const Names names(*this, {{condition, true}, {value, condition == nullptr}}, *inside,
                    expr.symbol);
  if (condition != nullptr) {
    ExprPtr test = lower_part(*condition, *inside);
    inside = &add(*inside, when(std::move(test))).body;
  }
  ExprPtr next = stored != nullptr                                        ? load_stored(*stored)
                 : value != nullptr && expr.reduction != Reduction::Count ? lower(*value, *inside)
                 : expr.reduction == Reduction::Any                       ? boolean(true)
                 : expr.reduction == Reduction::All                       ? boolean(true)
                                                    : number(expr.type.scalar(), 1);
  add(*inside, votes ? vote(expr.reduction, total, std::move(next))
                     : accumulate(total, ir::combine_of(expr.reduction), std::move(next)));
  if (leaves) {
    ExprPtr settled = local(total, expr.type);
    if (expr.reduction == Reduction::All) settled = negated(std::move(settled));
    add(*inside, when(std::move(settled))).body.push_back(leave_edges());
  }
  settle_places(loop, bindings_.edge_place);
  bindings_.edge_from = outer_from;
  bindings_.edge_to = outer_to;
  bindings_.edge_place = outer_place;
  bindings_.own_edge = outer_own;

  if (shadows)
    bindings_.vertices[expr.symbol] = shadowed;
  else
    bindings_.vertices.erase(expr.symbol);
  return local(total, expr.type);
}

}  // namespace vertigo::compiler::toplan
