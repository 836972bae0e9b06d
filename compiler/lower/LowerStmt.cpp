#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "compiler/lower/Lowering.h"

namespace vertigo::compiler::lower {

using ast::Decl;
using ast::Stmt;
using ast::StmtKind;
using ir::ExprPtr;
using ir::Op;
using ir::StmtPtr;

StmtPtr Lowering::make(ir::StmtKind kind, SourceRange range) {
  auto result = std::make_unique<ir::Stmt>();
  result->kind = kind;
  result->location = location(range);
  return result;
}

std::string Lowering::fresh(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted;
  last_suffix_.try_emplace(wanted, 1);
  while (!taken.insert(name).second) name = wanted + "_" + std::to_string(++last_suffix_[wanted]);
  return name;
}

std::string Lowering::host_name(const Decl& decl) {
  return host_names_[&decl] = fresh(decl.name.text, taken_);
}

std::vector<StmtPtr> Lowering::block(const ast::Block& statements) {
  std::vector<StmtPtr> result;
  for (const ast::StmtPtr& each : statements) stmt(*each, result);
  return result;
}

StmtPtr Lowering::conditional(const Stmt& stmt, std::size_t branch) {
  StmtPtr result = make(ir::StmtKind::If, stmt.range);
  result->value = expr(*stmt.branches[branch].condition);
  result->body = block(stmt.branches[branch].body);
  if (branch + 1 == stmt.branches.size()) return result;
  if (stmt.branches[branch + 1].condition)
    result->otherwise.push_back(conditional(stmt, branch + 1));
  else
    result->otherwise = block(stmt.branches[branch + 1].body);
  return result;
}

StmtPtr Lowering::send(const Stmt& stmt) {
  StmtPtr result = make(ir::StmtKind::Send, stmt.range);
  result->symbol = stmt.sent_message->name.text;
  result->value = expr(*stmt.value);
  result->direction = stmt.direction;
  result->receiver = optional(stmt.receiver);
  if (stmt.neighbour) result->neighbour = stmt.neighbour->name.text;
  result->condition = optional(stmt.condition);
  return result;
}

void Lowering::stmt(const Stmt& stmt, std::vector<StmtPtr>& into) {
  StmtPtr result;
  switch (stmt.kind) {
    case StmtKind::Let:
      if (stmt.decl->kind == Decl::Kind::HostVariable) {
        result = make(ir::StmtKind::HostLet, stmt.range);
        result->value = expr(*stmt.value);
        result->symbol = host_name(*stmt.decl);
      } else {
        result = make(ir::StmtKind::Let, stmt.range);
        result->value = expr(*stmt.value);
        result->symbol = stmt.decl->name.text;
      }
      break;
    case StmtKind::Assign: {
      const Decl& target = *stmt.target->decl;
      bool host = target.kind == Decl::Kind::HostVariable;
      result = make(host                                       ? ir::StmtKind::HostAssign
                    : target.kind == Decl::Kind::Message       ? ir::StmtKind::AssignInbox
                    : target.kind == Decl::Kind::EdgeAttribute ? ir::StmtKind::AssignEdge
                                                               : ir::StmtKind::AssignState,
                    stmt.range);
      result->symbol = host ? host_names_.at(&target) : target.name.text;
      result->value = expr(*stmt.value);
      break;
    }
    case StmtKind::If:
      result = conditional(stmt, 0);
      break;
    case StmtKind::Send:
      result = send(stmt);
      break;
    case StmtKind::Repeat:
    case StmtKind::While:
      result = make(stmt.kind == StmtKind::Repeat ? ir::StmtKind::Repeat : ir::StmtKind::While,
                    stmt.range);
      result->value = expr(*stmt.value);
      result->body = block(stmt.body);
      break;
    case StmtKind::For: {
      host_name(*stmt.decl);
      loop(stmt.range, *stmt.decl, *stmt.value, stmt.last.get(), stmt.by.get(), block(stmt.body),
           into);
      return;
    }
    case StmtKind::Phase:
      phase(*stmt.phase, into);
      return;
    case StmtKind::Report:
      result = make(ir::StmtKind::Report, stmt.range);
      result->symbol = stmt.decl->name.text;
      result->value = expr(*stmt.value);
      break;
  }
  into.push_back(std::move(result));
}

namespace {

// The value of an end that is written as a literal.
std::optional<std::int64_t> literal_end(const ast::Expr& end) {
  bool negative = end.kind == ast::ExprKind::Unary;
  const ast::Expr& size = negative ? *end.operands[0] : end;
  if (size.kind != ast::ExprKind::Integer ||
      size.integer > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  auto value = static_cast<std::int64_t>(size.integer);
  return negative ? -value : value;
}

// The direction is known while compiling, so that `1 .. n` runs no round where n is 0
// (docs/language.md).
bool counts_down(const ast::Expr& first, const ast::Expr& last, const ast::Expr* by) {
  if (by != nullptr) return by->kind == ast::ExprKind::Unary;
  auto from = literal_end(first), to = literal_end(last);
  return to && (from ? *from > *to : *to <= 1);
}

}  // namespace

void Lowering::loop(SourceRange range, const Decl& variable, const ast::Expr& first,
                    const ast::Expr* last, const ast::Expr* by, std::vector<StmtPtr> body,
                    std::vector<StmtPtr>& into) {
  StmtPtr result = make(ir::StmtKind::For, range);
  result->symbol = host_names_.at(&variable);
  if (last == nullptr) {
    go_through(*result, first.name.text);
  } else {
    result->value = expr(first);
    result->limit = expr(*last);
    result->downward = counts_down(first, *last, by);
  }
  std::ranges::move(body, std::back_inserter(result->body));
  into.push_back(std::move(result));
}

// `for s in sources` counts the places of the list, and begins each round with the vertex there.
void Lowering::go_through(ir::Stmt& loop, const std::string& list) {
  const ir::Type count = ir::ScalarKind::Int32;
  const auto made = [&](Op op, const ir::Type& type, const std::string& symbol) {
    ExprPtr expr = std::make_unique<ir::Expr>();
    expr->op = op;
    expr->type = type;
    expr->symbol = symbol;
    expr->location = loop.location;
    return expr;
  };
  const std::string vertex = std::exchange(loop.symbol, fresh(loop.symbol + "_place", taken_));
  loop.value = literal(ir::ScalarKind::Int32, 0, loop.location);
  loop.limit = made(Op::Subtract, count, "");
  loop.limit->operands.push_back(made(Op::ListSize, count, list));
  loop.limit->operands.push_back(literal(ir::ScalarKind::Int32, 1, loop.location));
  auto let = std::make_unique<ir::Stmt>();
  let->kind = ir::StmtKind::HostLet;
  let->location = loop.location;
  let->symbol = vertex;
  let->value = made(Op::ListItem, ir::ScalarKind::Vertex, list);
  let->value->operands.push_back(made(Op::HostVariable, count, loop.symbol));
  loop.body.push_back(std::move(let));
}

ir::Start Lowering::start(const ast::Start& start) {
  ir::Start result;
  result.location = location(start.range);
  result.variable = start.variable ? start.variable->name.text : "";
  at_hand_ = result.variable;
  if (start.set == ast::Start::Set::Where) {
    result.set = ir::StartSet::Where;
    result.condition = expr(*start.condition);
  } else if (start.set == ast::Start::Set::Named && start.vertices->type.is_list()) {
    result.set = ir::StartSet::List;
    result.list = start.vertices->name.text;
  } else if (start.set == ast::Start::Set::Named) {
    result.set = ir::StartSet::Vertex;
    result.vertex = expr(*start.vertices);
  }
  result.body = block(start.body);
  return result;
}

StmtPtr Lowering::edge_update(const ast::Update& update) {
  StmtPtr result = make(ir::StmtKind::UpdateEdges, update.range);
  result->neighbour = update.other->name.text;
  result->value = update.condition ? expr(*update.condition)
                                   : literal(ir::ScalarKind::Bool, 1, location(update.range));
  result->body = block(update.body);
  return result;
}

void Lowering::phase(const ast::Phase& source, std::vector<StmtPtr>& into) {
  const ast::Update& update = *source.update;
  if (source.loop_variable) host_name(*source.loop_variable);
  ir::Phase phase;
  phase.name = source.decl.name.empty() ? fresh("main", phase_names_) : source.decl.name.text;
  phase.kind =
      update.kind == ast::Update::Kind::When ? ir::PhaseKind::Fixpoint : ir::PhaseKind::Sweep;
  phase.location = location(source.range);
  for (const ast::Start& each : source.starts) phase.starts.push_back(start(each));
  phase.variable = update.variable->name.text;
  at_hand_ = phase.variable;
  if (update.kind == ast::Update::Kind::Edges) {
    phase.body.push_back(edge_update(update));
  } else {
    phase.guard = optional(update.condition);
    phase.body = block(update.body);
  }
  phase.step_limit = optional(source.limit);
  // What the program says of all phases is about vertices.
  const bool edges = update.kind == ast::Update::Kind::Edges;
  phase.serializable = !edges && (source.serializable.valid() || source_.serializable.valid());
  phase.assume_order_free = !edges && (source.order_free.valid() || source_.order_free.valid());
  at_hand_.clear();

  StmtPtr run = make(ir::StmtKind::Phase, source.range);
  run->symbol = phase.name;
  result_.phases.push_back(std::move(phase));
  if (!source.loop_variable) {
    into.push_back(std::move(run));
    return;
  }
  std::vector<StmtPtr> body;
  body.push_back(std::move(run));
  loop(source.range, *source.loop_variable, *source.first, source.last.get(), source.by.get(),
       std::move(body), into);
}

}  // namespace vertigo::compiler::lower
