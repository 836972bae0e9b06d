// Reductions over neighbours (in updates and initial values) and over all vertices (at host level).

#include "compiler/check/Checker.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::compiler::check {

using ast::ReductionOp;

std::optional<ReductionOp> reduction_op(llvm::StringRef word) { return ir::find_reduction(word); }

Type Checker::infer_reduction(Expr& expr) {
  auto op = reduction_op(expr.name.text);
  if (!op) {
    suggest(diagnostics_.report(diag::UnknownFunction, expr.name.range, expr.name.text), expr.name,
            {"sum", "min", "max", "count", "any", "all", "mode", "distinct", "or", "and", "xor"});
    return Type::Form::Error;
  }
  expr.reduction = *op;
  if (ir::compares_values(*op) && expr.common) {
    diagnostics_.report(diag::ModeOfCommon, expr.range, expr.name.text);
    return Type::Form::Error;
  }
  if (*op == ReductionOp::Mode && !expr.otherwise && expr.over_neighbours) {
    SourceRange behind{expr.range.end, expr.range.end, expr.range.file};
    diagnostics_.report(diag::ModeWithoutElse, expr.range).fix(behind, " else …");
    return Type::Form::Error;
  }
  if (*op != ReductionOp::Mode && expr.otherwise) {
    diagnostics_.report(diag::ElseMisused, expr.otherwise->range, expr.name.text);
    return Type::Form::Error;
  }
  if (expr.common) return over_common(expr, *op);
  return expr.over_neighbours ? over_neighbours(expr, *op) : over_vertices(expr, *op);
}

// The vertex that the reduction binds, in the scope that stands.
void Checker::bind_reduced(Expr& expr, Role role) {
  auto vertex = std::make_unique<Decl>(Decl::Kind::Vertex);
  vertex->name = expr.binder;
  vertex->type = ScalarKind::Vertex;
  vertex->read = true;
  declare(*vertex);
  expr.decl = vertex.get();
  roles_[vertex.get()] = role;
  program_.bound_vertices.push_back(std::move(vertex));
}

// Of a reduction over neighbours that cannot stand there.
const char* Checker::where_it_stands() const {
  switch (place_) {
    case Place::Guard:
      return "in a guard, which is asked when a message arrives";
    case Place::Host:
      return "at host level, where no vertex is at hand";
    case Place::Start:
      return "in a start";
    case Place::Function:
      return "in a function";
    case Place::Constant:
      return "in a constant";
    default:
      break;
  }
  if (in_common_) return "in one over common neighbours";
  return "where an edge is already at hand";
}

Type Checker::over_neighbours(Expr& expr, ReductionOp op) {
  bool here = place_ == Place::Initial || place_ == Place::Body || place_ == Place::SendValue;
  // The vertex whose neighbours are meant is the one at hand; another reduction would make it
  // ambiguous.
  if (here && (edge_at_hand_ || in_common_)) here = false;
  if (!here) {
    diagnostics_.report(diag::NeighbourReductionHere, expr.range, where_it_stands());
    return Type::Form::Error;
  }
  // The value for no neighbours is taken at the vertex itself, where `u` means nothing.
  if (expr.otherwise) infer(expr.otherwise);
  ScopeGuard scope(scopes_);
  bind_reduced(expr, Role::Reduced);
  Restore edge(edge_at_hand_, true);
  if (expr.condition) condition(expr.condition, place_);
  Type type = reduce_value(expr, op);
  if (expr.otherwise && !type.is_error()) convert(expr.otherwise, type);
  if (expr.otherwise && type.is_error()) settle(expr.otherwise);
  return type;
}

// Two vertices are named, so another edge or reduction may be at hand. Of the edges that lead to a
// common neighbour none is.
Type Checker::over_common(Expr& expr, ReductionOp op) {
  if ((place_ != Place::Initial && place_ != Place::Body) || chooses_edges_) {
    const bool is_sent = place_ == Place::SendValue || place_ == Place::SendFilter;
    const char* where = chooses_edges_ ? "where edges are chosen"
                        : is_sent      ? "in what is sent"
                                       : where_it_stands();
    diagnostics_.report(diag::NeighbourReductionHere, expr.range, where);
    return Type::Form::Error;
  }
  if (infer(expr.common).is_error()) return Type::Form::Error;
  ScopeGuard scope(scopes_);
  bind_reduced(expr, Role::Common);
  Restore common(in_common_, true);
  Restore edge(edge_at_hand_, false);
  if (expr.condition) condition(expr.condition, place_);
  return reduce_value(expr, op);
}

// Finds the vertex that `sum(v.rank where …)` runs over: the one name in it that nothing declares.
bool Checker::bind_vertex(Expr& expr) {
  ast::Name found;
  bool good = true;
  auto consider = [&](const Expr& node) {
    if (node.kind != ExprKind::Reference || scopes_.find(node.name.text) != nullptr ||
        value_builtin(node.name.text) != Builtin::None || functions_.count(node.name.text) != 0)
      return;
    if (found.empty()) {
      found = node.name;
    } else if (found.text != node.name.text && good) {
      diagnostics_.report(diag::ReductionVertexUnclear, node.range, found.text, node.name.text)
          .note(found.range, "the first is here");
      good = false;
    }
  };
  if (expr.value) ast::walk(*expr.value, consider);
  if (expr.condition) ast::walk(*expr.condition, consider);
  auto vertex = std::make_unique<Decl>(Decl::Kind::Vertex);
  vertex->name = found;
  vertex->type = ScalarKind::Vertex;
  vertex->read = true;
  if (!found.empty()) scopes_.add(*vertex);
  expr.binder = found;
  expr.decl = vertex.get();
  roles_[vertex.get()] = Role::Reduced;
  program_.bound_vertices.push_back(std::move(vertex));
  return good;
}

Type Checker::over_vertices(Expr& expr, ReductionOp op) {
  bool here = place_ == Place::Host && !in_vertex_reduction_ && !ir::compares_values(op);
  if (!here) {
    auto& report = diagnostics_.report(diag::VertexReductionInBody, expr.range);
    if (place_ >= Place::Guard)
      report.note(
          "say 'over in u', 'over out u' or 'over both u' for neighbours; or take it before the "
          "update: 'let x = " +
          expr.name.text + "(…);'");
    return Type::Form::Error;
  }
  ScopeGuard scope(scopes_);
  if (!bind_vertex(expr)) return Type::Form::Error;
  Restore reducing(in_vertex_reduction_, true);
  if (expr.condition) condition(expr.condition, Place::Host);
  return reduce_value(expr, op);
}

Type Checker::reduce_value(Expr& expr, ReductionOp op) {
  if (!expr.value) {
    if (op == ReductionOp::Count) return ScalarKind::Int64;
    diagnostics_.report(diag::ArgumentCount, expr.range, expr.name.text, "a value", 0);
    return Type::Form::Error;
  }
  Type value = value_of(expr.value);
  return value.is_error() ? value : reduced_type(expr, op, value);
}

Type Checker::reduced_type(Expr& expr, ReductionOp op, const Type& value) {
  bool fits = true;
  Type result = value;
  switch (op) {
    case ReductionOp::Sum:
      fits = value.is_scalar() && value.is_number();
      // A sum of integers has room for many of them; a sum over all vertices also keeps digits of
      // float32.
      if (value.is(ScalarKind::Int32) || value.is(ScalarKind::UInt32)) {
        result = value.is(ScalarKind::Int32) ? ScalarKind::Int64 : ScalarKind::UInt64;
        wrap(expr.value, result.elements[0]);
      } else if (value.is(ScalarKind::Float32) && !expr.over_neighbours) {
        result = ScalarKind::Float64;
        wrap(expr.value, ScalarKind::Float64);
      }
      break;
    case ReductionOp::Min:
    case ReductionOp::Max:
      fits = value.is_scalar() ? value.is_number() || value.is_vertex()
                               : value.is_tuple() && expr.over_neighbours;
      // No vertex lies below every other, so `max` over none would have no value.
      for (ScalarKind kind : value.elements)
        fits = fits && kind != ScalarKind::Bool &&
               (op == ReductionOp::Min || kind != ScalarKind::Vertex);
      break;
    case ReductionOp::Count:
      fits = value.is_vertex() && expr.value->kind == ExprKind::Reference;
      result = ScalarKind::Int64;
      break;
    case ReductionOp::Any:
    case ReductionOp::All:
      fits = value.is_bool();
      break;
    case ReductionOp::Mode:
      fits = value.is_scalar() && !value.is_float();
      break;
    case ReductionOp::Distinct:
      fits = value.is_scalar() && !value.is_float();
      result = ScalarKind::Int64;
      break;
    case ReductionOp::Or:
    case ReductionOp::And:
    case ReductionOp::Xor:
      fits = value.is_scalar() && value.is_integer();
      break;
  }
  if (fits) return result;
  auto& report =
      diagnostics_.report(diag::ReductionType, expr.value->range, expr.name.text, in_words(value));
  if (op == ReductionOp::Count) report.note("write 'count(v where …)'");
  if (value.is_bool() && (op == ReductionOp::Or || op == ReductionOp::And))
    report.note(op == ReductionOp::Or ? "write 'any' for truth values"
                                      : "write 'all' for truth values");
  return Type::Form::Error;
}

}  // namespace vertigo::compiler::check
