#include "compiler/parse/Builder.h"
#include "compiler/parse/Parse.h"

namespace vertigo::compiler::parse {

using ast::Decl;
using ast::Stmt;
using ast::StmtKind;
using ast::StmtPtr;

bool Builder::allowed(Grammar::StatementContext* tree, Place place) {
  bool body = dynamic_cast<Grammar::SendStatementContext*>(tree) != nullptr;
  bool both = dynamic_cast<Grammar::LetStatementContext*>(tree) != nullptr ||
              dynamic_cast<Grammar::AssignStatementContext*>(tree) != nullptr ||
              dynamic_cast<Grammar::IfStatementContext*>(tree) != nullptr;
  const bool fits = place == Place::Host ? !body : place != Place::Edges && body;
  if (both || fits) return true;
  SourceRange word = range(tree->getStart());
  const char* where = place == Place::Host    ? "at host level; it belongs into an update"
                      : place == Place::Start ? "in the body of a start"
                      : place == Place::Edges ? "in an update of edges"
                                              : "in the body of an update";
  diagnostics_.report(diag::StatementMisplaced, word, diagnostics_.text(word), where);
  return false;
}

ast::Block Builder::block(Grammar::BlockContext* tree, Place place) {
  ast::Block result;
  ++block_depth_;
  if (!shallow(block_depth_, kMaxBlockDepth, tree)) {
    // Nothing below is worth building: the error stops the program.
  } else if (place == Place::Host) {
    host_statements(tree->statement(), result);
  } else {
    for (Grammar::StatementContext* each : tree->statement())
      if (allowed(each, place)) result.push_back(statement(each, place));
  }
  --block_depth_;
  return result;
}

void Builder::finish_phase(std::unique_ptr<ast::Phase>& open, ast::Block& into) {
  if (!open) return;
  if (!open->update) {
    diagnostics_.report(diag::StartWithoutUpdate, open->range);
  } else {
    auto stmt = std::make_unique<Stmt>(StmtKind::Phase, open->range);
    stmt->phase = std::move(open);
    into.push_back(std::move(stmt));
  }
  open.reset();
}

void Builder::limit(ast::Phase& phase, Grammar::ExprContext* tree) {
  if (phase.limit)
    diagnostics_.report(diag::SecondClause, range(tree), "the limit")
        .note(phase.limit->range, "first stated here");
  else
    phase.limit = expr(tree);
}

namespace {

bool is_update(Grammar::StatementContext* tree) {
  return dynamic_cast<Grammar::UpdateStatementContext*>(tree) != nullptr ||
         dynamic_cast<Grammar::EdgeUpdateStatementContext*>(tree) != nullptr;
}

}  // namespace

bool Builder::take_update(ast::Phase& phase, Grammar::StatementContext* tree) {
  if (auto* node = dynamic_cast<Grammar::UpdateStatementContext*>(tree)) {
    phase.update = update(node);
    if (node->LIMIT() != nullptr) limit(phase, node->expr().back());
    return true;
  }
  auto* node = dynamic_cast<Grammar::EdgeUpdateStatementContext*>(tree);
  if (node != nullptr) phase.update = edge_update(node);
  return node != nullptr;
}

// Starts and the update that follows them are one phase without a name.
void Builder::host_statements(const std::vector<Grammar::StatementContext*>& trees,
                              ast::Block& into) {
  std::unique_ptr<ast::Phase> open;
  for (Grammar::StatementContext* tree : trees) {
    if (auto* node = dynamic_cast<Grammar::StartStatementContext*>(tree)) {
      if (!open) open = std::make_unique<ast::Phase>();
      open->range = open->range.joined(range(node));
      open->starts.push_back(start(node));
      continue;
    }
    if (is_update(tree)) {
      if (!open) open = std::make_unique<ast::Phase>();
      open->range = open->range.joined(range(tree));
      take_update(*open, tree);
      finish_phase(open, into);
      continue;
    }
    finish_phase(open, into);
    if (allowed(tree, Place::Host)) into.push_back(statement(tree, Place::Host));
  }
  finish_phase(open, into);
}

StmtPtr Builder::statement(Grammar::StatementContext* tree, Place place) {
  if (auto* node = dynamic_cast<Grammar::LetStatementContext*>(tree)) return let(node, place);
  if (auto* node = dynamic_cast<Grammar::AssignStatementContext*>(tree)) return assign(node);
  if (auto* node = dynamic_cast<Grammar::IfStatementContext*>(tree))
    return conditional(node, place);
  if (auto* node = dynamic_cast<Grammar::SendStatementContext*>(tree)) return send(node);
  if (auto* node = dynamic_cast<Grammar::PhaseStatementContext*>(tree)) return phase(node);
  if (auto* node = dynamic_cast<Grammar::ForStatementContext*>(tree)) return loop(node);
  SourceRange where = range(tree);
  if (auto* node = dynamic_cast<Grammar::RepeatStatementContext*>(tree)) {
    auto result = std::make_unique<Stmt>(StmtKind::Repeat, where);
    result->value = expr(node->expr());
    result->body = block(node->block(), Place::Host);
    return result;
  }
  if (auto* node = dynamic_cast<Grammar::WhileStatementContext*>(tree)) {
    auto result = std::make_unique<Stmt>(StmtKind::While, where);
    result->value = expr(node->expr());
    result->body = block(node->block(), Place::Host);
    return result;
  }
  auto* node = dynamic_cast<Grammar::ReportStatementContext*>(tree);
  auto result = std::make_unique<Stmt>(StmtKind::Report, where);
  result->decl = named(Decl::Kind::Report, node->name());
  result->value = expr(node->expr());
  return result;
}

StmtPtr Builder::let(Grammar::LetStatementContext* tree, Place place) {
  auto result = std::make_unique<Stmt>(StmtKind::Let, range(tree));
  result->decl =
      named(place == Place::Host ? Decl::Kind::HostVariable : Decl::Kind::Local, tree->name());
  if (tree->type() != nullptr) result->written_type = type(tree->type());
  result->value = expr(tree->expr());
  return result;
}

StmtPtr Builder::assign(Grammar::AssignStatementContext* tree) {
  auto result = std::make_unique<Stmt>(StmtKind::Assign, range(tree));
  result->target = expr(tree->expr(0));
  result->value = expr(tree->expr(1));
  std::string op = text(tree->op);
  if (op == "=") return result;
  auto sum = std::make_unique<ast::Expr>(ast::ExprKind::Binary, result->range);
  op.pop_back();
  sum->op = *ir::find_source_op(op, ir::Source::Infix);
  sum->operands.push_back(expr(tree->expr(0)));
  sum->operands.push_back(std::move(result->value));
  result->value = std::move(sum);
  return result;
}

StmtPtr Builder::conditional(Grammar::IfStatementContext* tree, Place place) {
  auto result = std::make_unique<Stmt>(StmtKind::If, range(tree));
  std::vector<Grammar::ExprContext*> conditions = tree->expr();
  std::vector<Grammar::BlockContext*> blocks = tree->block();
  if (blocks.size() > kMaxBranches) {
    diagnostics_.report(diag::TooManyBranches, range(tree->getStart()), kMaxBranches);
    return result;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    result->branches.push_back(
        {i < conditions.size() ? expr(conditions[i]) : nullptr, block(blocks[i], place)});
  return result;
}

StmtPtr Builder::send(Grammar::SendStatementContext* tree) {
  auto result = std::make_unique<Stmt>(StmtKind::Send, range(tree));
  if (tree->direction != nullptr)
    result->direction =
        tree->direction->getType() == Grammar::BACK ? ast::Direction::In : ast::Direction::Both;
  result->value = expr(tree->expr(0));
  if (tree->INTO() != nullptr) result->message = name(tree->name());
  if (tree->TO() == nullptr) return result;
  // A name is the neighbour's, unless it is declared: check knows.
  if (auto* receiver = dynamic_cast<Grammar::NameExprContext*>(tree->expr(1)))
    result->neighbour = named(Decl::Kind::Vertex, receiver->name());
  else
    result->receiver = expr(tree->expr(1));
  if (tree->WHERE() != nullptr) result->condition = expr(tree->expr(2));
  return result;
}

StmtPtr Builder::loop(Grammar::ForStatementContext* tree) {
  auto result = std::make_unique<Stmt>(StmtKind::For, range(tree));
  result->decl = named(Decl::Kind::LoopVariable, tree->name());
  std::vector<Grammar::ExprContext*> bounds = tree->range()->expr();
  result->value = expr(bounds[0]);
  if (bounds.size() > 1) result->last = expr(bounds[1]);
  if (bounds.size() > 2) result->by = expr(bounds[2]);
  result->body = block(tree->block(), Place::Host);
  return result;
}

StmtPtr Builder::phase(Grammar::PhaseStatementContext* tree) {
  auto phase = std::make_unique<ast::Phase>();
  phase->range = range(tree);
  phase->decl.name = name(tree->name(0));
  if (tree->range() != nullptr) {
    phase->loop_variable = named(Decl::Kind::LoopVariable, tree->name(1));
    std::vector<Grammar::ExprContext*> bounds = tree->range()->expr();
    phase->first = expr(bounds[0]);
    if (bounds.size() > 1) phase->last = expr(bounds[1]);
    if (bounds.size() > 2) phase->by = expr(bounds[2]);
  }
  for (Grammar::PhaseItemContext* item : tree->phaseItem()) {
    if (item->clause() != nullptr) {
      clause(item->clause(), phase->serializable, phase->order_free);
    } else if (item->LIMIT() != nullptr) {
      limit(*phase, item->expr());
    } else if (auto* node = dynamic_cast<Grammar::StartStatementContext*>(item->statement())) {
      phase->starts.push_back(start(node));
    } else if (is_update(item->statement())) {
      if (phase->update)
        diagnostics_.report(diag::SecondUpdate, range(item->getStart()))
            .note(phase->update->range, "the update of this phase");
      else
        take_update(*phase, item->statement());
    } else {
      SourceRange word = range(item->getStart());
      diagnostics_.report(diag::StatementMisplaced, word, diagnostics_.text(word),
                          "in a phase; it belongs before or after it");
    }
  }
  if (!phase->update)
    diagnostics_.report(diag::PhaseWithoutUpdate, phase->decl.name.range, phase->decl.name.text);
  auto result = std::make_unique<Stmt>(StmtKind::Phase, phase->range);
  result->phase = std::move(phase);
  return result;
}

ast::Start Builder::start(Grammar::StartStatementContext* tree) {
  ast::Start result;
  result.range = range(tree);
  Grammar::StartSetContext* set = tree->startSet();
  std::vector<Grammar::NameContext*> names = set->name();
  if (set->ALL() != nullptr) {
    if (!names.empty()) result.variable = named(Decl::Kind::Vertex, names[0]);
  } else if (set->WHERE() != nullptr) {
    result.set = ast::Start::Set::Where;
    result.variable = named(Decl::Kind::Vertex, names[0]);
    result.condition = expr(set->expr());
  } else {
    result.set = ast::Start::Set::Named;
    result.vertices = std::make_unique<ast::Expr>(ast::ExprKind::Reference, range(names[0]));
    result.vertices->name = name(names[0]);
    if (names.size() > 1) result.variable = named(Decl::Kind::Vertex, names[1]);
  }
  if (tree->block() != nullptr) result.body = block(tree->block(), Place::Start);
  return result;
}

std::unique_ptr<ast::Update> Builder::update(Grammar::UpdateStatementContext* tree) {
  auto result = std::make_unique<ast::Update>();
  result->range = range(tree->getStart()).joined(range(tree->name()));
  result->variable = named(Decl::Kind::Vertex, tree->name());
  if (tree->kind == nullptr) {
    result->kind = ast::Update::Kind::All;
  } else {
    result->kind =
        tree->kind->getType() == Grammar::WHEN ? ast::Update::Kind::When : ast::Update::Kind::Where;
    result->condition = expr(tree->expr(0));
  }
  result->body = block(tree->block(), Place::Update);
  return result;
}

std::unique_ptr<ast::Update> Builder::edge_update(Grammar::EdgeUpdateStatementContext* tree) {
  auto result = std::make_unique<ast::Update>();
  result->range = range(tree->getStart()).joined(range(tree->name(1)));
  result->kind = ast::Update::Kind::Edges;
  result->variable = named(Decl::Kind::Vertex, tree->name(0));
  result->other = named(Decl::Kind::Vertex, tree->name(1));
  if (tree->expr() != nullptr) result->condition = expr(tree->expr());
  result->body = block(tree->block(), Place::Edges);
  return result;
}

}  // namespace vertigo::compiler::parse
