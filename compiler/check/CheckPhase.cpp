// Phases, and the bodies of starts and updates.

#include "compiler/check/Checker.h"
#include "compiler/check/Warnings.h"
#include "llvm/ADT/STLExtras.h"

namespace vertigo::compiler::check {

using ast::Stmt;
using ast::StmtKind;
using ast::Update;

void Checker::phase(ast::Phase& phase) {
  ScopeGuard scope(scopes_);
  if (!phase.decl.name.empty()) {
    if (const Decl* before = phases_.find(phase.decl.name.text))
      diagnostics_.report(diag::Redeclared, phase.decl.name.range, phase.decl.name.text)
          .note(before->name.range, "first declared here");
    phases_.add(phase.decl);
  }
  if (phase.loop_variable) {
    phase.loop_variable->type = loop_bounds(phase.first, phase.last, phase.by);
    declare(*phase.loop_variable);
  }
  if (!phase.update) return;
  filled_inboxes_.clear();
  phase_rules(phase);
  if (phase.limit) count_expr(phase.limit, "limit of steps");
  for (ast::Start& each : phase.starts) start(each);
  update(phase);
}

void Checker::phase_rules(const ast::Phase& phase) {
  const Update& update = *phase.update;
  if (update.kind == Update::Kind::Edges)
    for (const auto& [clause, word] : {std::pair(phase.serializable, "consistency serializable"),
                                       std::pair(phase.order_free, "assume order_free")})
      if (clause.valid()) diagnostics_.report(diag::ClauseOnEdges, clause, word);
  if (update.kind == Update::Kind::When) {
    if (phase.starts.empty()) {
      SourceRange before{update.range.begin, update.range.begin, update.range.file};
      diagnostics_.report(diag::NothingStarted, update.range)
          .note("'start all;' asks every vertex for its guard once")
          .fix(before, "start all; ");
    }
    return;
  }
  if (!phase.starts.empty())
    diagnostics_.report(diag::StartBeforeSweep, phase.starts.front().range)
        .note(update.range, "the update is here; 'update … when' would take a start");
  if (phase.limit) diagnostics_.report(diag::LimitOnSweep, phase.limit->range);
}

void Checker::start_set(ast::Start& start) {
  if (start.set != ast::Start::Set::Named) return;
  Expr& set = *start.vertices;
  const Decl* decl = scopes_.find(set.name.text);
  if (decl == nullptr) {
    unknown_name(set.name);
    return;
  }
  decl->read = true;
  set.decl = decl;
  set.type = decl->type;
  bool value = decl->kind == Decl::Kind::Parameter || decl->kind == Decl::Kind::HostVariable ||
               decl->kind == Decl::Kind::LoopVariable;
  if (decl->type.is_error() || (value && (decl->type.is_vertex() || decl->type.is_list()))) return;
  diagnostics_.report(diag::NotAStartSet, set.range, set.name.text)
      .note(decl->name.range, std::string("'") + set.name.text + "' is a " +
                                  ast::describe(decl->kind) +
                                  (value ? " of type " + in_words(decl->type) : ""))
      .note("start 'all', a parameter of type vertex or vertex[], or 'v where …'");
}

void Checker::start(ast::Start& start) {
  Restore place(place_, Place::Start);
  ScopeGuard scope(scopes_);
  start_set(start);
  if (start.variable) {
    start.variable->type = ScalarKind::Vertex;
    start.variable->read = true;
    declare(*start.variable);
    roles_[start.variable.get()] = Role::Own;
  }
  if (start.condition) condition(start.condition, Place::Start);
  place_ = Place::Start;
  body(start.body);
}

void Checker::bind_updated(Decl& vertex) {
  vertex.type = ScalarKind::Vertex;
  vertex.read = true;
  declare(vertex);
  roles_[&vertex] = Role::Own;
}

void Checker::update(ast::Phase& phase) {
  Update& update = *phase.update;
  ScopeGuard scope(scopes_);
  Restore<const Update*> restore(update_, &update);
  for (Decl* vertex : {update.variable.get(), update.other.get()})
    if (vertex != nullptr) bind_updated(*vertex);
  Restore edge(edge_at_hand_, updates_edges());
  read_inboxes_.clear();
  far_reads_.clear();
  far_sends_.clear();
  pending_sends_.clear();
  effect_ = false;
  if (update.condition)
    condition(update.condition, update.kind == Update::Kind::When ? Place::Guard : Place::Body);
  {
    Restore place(place_, Place::Body);
    body(update.body);
  }
  for (Stmt* each : pending_sends_) {
    Restore place(place_, Place::SendValue);
    each->sent_message = message_of(*each);
    if (each->sent_message == nullptr) continue;
    each->sent_message->written = true;
    filled_inboxes_.insert(each->sent_message);
    if (!each->value->type.is_error()) convert(each->value, each->sent_message->type);
  }
  if (!effect_) diagnostics_.report(diag::UpdateWithoutEffect, update.range);
  note_inboxes(update);
  check_serializable(phase);
}

// Vertices of one colour share no edge, but one may be the value of the other's state.
void Checker::check_serializable(const ast::Phase& phase) {
  if (!phase.serializable.valid() && !program_.serializable.valid()) return;
  std::set<const Decl*> written;
  for_each_stmt(phase.update->body, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::Assign && stmt.target->decl != nullptr)
      written.insert(stmt.target->decl);
  });
  for (const auto& [state, place] : far_reads_)
    if (written.contains(state))
      diagnostics_.report(diag::FarReadSerializable, place, state->name.text)
          .note(
              "vertices that share no edge run at the same time; without 'consistency "
              "serializable', what is read is the value from before the step");
  for (const SourceRange& receiver : far_sends_)
    diagnostics_.report(diag::FarSendSerializable, receiver)
        .note(
            "vertices that share no edge run at the same time, and one may be the other's "
            "receiver");
}

void Checker::note_inboxes(const Update& update) {
  const bool empties = update.kind == Update::Kind::When;
  for (const Decl* message : filled_inboxes_)
    if (!empties || !read_inboxes_.contains(message)) left_inboxes_.insert(message);
  if (empties)
    for_each_stmt(update.body, [&](const Stmt& stmt) {
      if (stmt.sent_message != nullptr) asking_messages_.insert(stmt.sent_message);
    });
  for (const auto& [message, place] : read_inboxes_)
    if (!filled_inboxes_.contains(message)) plain_reads_.emplace_back(message, place);
}

void Checker::body(ast::Block& block) {
  ScopeGuard scope(scopes_);
  for (ast::StmtPtr& each : block) body_stmt(*each);
}

void Checker::body_stmt(Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::Let:
      let(stmt);
      host_variables_.push_back(stmt.decl.get());
      break;
    case StmtKind::Assign:
      body_assign(stmt);
      break;
    case StmtKind::If:
      for (ast::Branch& branch : stmt.branches) {
        if (branch.condition) condition(branch.condition, place_);
        body(branch.body);
      }
      break;
    case StmtKind::Send:
      send(stmt);
      break;
    default:
      break;  // the parser let no other through
  }
}

// `best = e` in a start.
const Decl* Checker::assigned_inbox(Stmt& stmt) {
  Expr& target = *stmt.target;
  const Decl* decl = target.kind == ExprKind::Reference ? scopes_.find(target.name.text) : nullptr;
  if (decl != nullptr && decl->kind == Decl::Kind::Message) return decl;
  if (target.kind == ExprKind::Reference && decl == nullptr) {
    unknown_name(target.name);
  } else if (target.kind == ExprKind::Member ||
             (decl != nullptr && decl->kind == Decl::Kind::State)) {
    diagnostics_.report(diag::WriteInStart, target.range)
        .note("give the state its initial value where it is declared, or write it in the update");
  } else {
    diagnostics_.report(diag::NotAssignable, target.range,
                        "in a start, '" + diagnostics_.text(target.range).str() + "'");
  }
  return nullptr;
}

// `alive = e` in an update of edges.
const Decl* Checker::assigned_edge_state(Stmt& stmt) {
  const Expr& target = *stmt.target;
  const Decl* decl = target.kind == ExprKind::Reference ? scopes_.find(target.name.text) : nullptr;
  if (decl != nullptr && decl->kind == Decl::Kind::EdgeAttribute) return decl;
  if (decl != nullptr && decl->kind == Decl::Kind::Local)
    diagnostics_.report(diag::LocalAssigned, target.range, target.name.text)
        .note(decl->name.range, "fixed here; use '? :' to choose between values");
  else if (target.kind == ExprKind::Reference && decl == nullptr)
    unknown_name(target.name);
  else
    diagnostics_
        .report(diag::NotAssignable, target.range,
                "in an update of edges, '" + diagnostics_.text(target.range).str() + "'")
        .note("it writes attributes of its edge alone; 'update all v' writes states of vertices");
  return nullptr;
}

// `v.distance = e` in an update.
const Decl* Checker::assigned_state(Stmt& stmt) {
  Expr& target = *stmt.target;
  std::string own = update_->variable->name.text;
  if (target.kind == ExprKind::Reference) {
    const Decl* decl = scopes_.find(target.name.text);
    SourceRange before{target.range.begin, target.range.begin, target.range.file};
    if (decl == nullptr)
      unknown_name(target.name);
    else if (decl->kind == Decl::Kind::State || decl->kind == Decl::Kind::Input)
      diagnostics_
          .report(diag::StateWithoutVertex, target.range, target.name.text,
                  ast::describe(decl->kind))
          .fix(before, own + ".");
    else if (decl->kind == Decl::Kind::Message)
      diagnostics_.report(diag::InboxWritten, target.range);
    else if (decl->kind == Decl::Kind::Local)
      diagnostics_.report(diag::LocalAssigned, target.range, target.name.text)
          .note(decl->name.range, "fixed here; use '? :' to choose between values");
    else
      diagnostics_
          .report(diag::NotAssignable, target.range,
                  std::string(ast::describe(decl->kind)) + " '" + target.name.text +
                      "' inside an update")
          .note(decl->name.range, decl->kind == Decl::Kind::EdgeAttribute
                                      ? "declared here; 'update edge (u, v)' writes it"
                                      : "declared here");
    return nullptr;
  }
  const Expr* base = target.kind == ExprKind::Member ? target.operands[0].get() : nullptr;
  const Decl* vertex = base != nullptr && base->kind == ExprKind::Reference
                           ? scopes_.find(base->name.text)
                           : nullptr;
  if (base != nullptr && base->kind == ExprKind::Reference && vertex == nullptr) {
    diag::Report& report = diagnostics_.report(diag::WriteToNeighbour, target.range, own);
    const std::string& word = base->name.text;
    if (word == "this" || word == "self" || word == "node")
      report.note("it is called '" + own + "'").fix(base->range, own);
    else
      report.note("what is meant for a neighbour is sent to it");
    return nullptr;
  }
  if (vertex == nullptr || vertex->kind != Decl::Kind::Vertex) {
    bool element = base != nullptr && base->kind == ExprKind::Member;
    auto& report = diagnostics_.report(diag::NotAssignable, target.range,
                                       "'" + diagnostics_.text(target.range).str() + "'");
    if (element)
      report.note("assign the whole tuple: '" + diagnostics_.text(base->range).str() + " = (…);'");
    return nullptr;
  }
  // Writing is no use: a state that is only written still deserves the warning.
  const Decl* const member = scopes_.find_of_program(target.name.text);
  const bool read_before = member != nullptr && member->read;
  Type type = infer_member(target);
  if (member != nullptr) member->read = read_before;
  if (type.is_error()) return nullptr;
  if (target.decl == nullptr) {
    diagnostics_.report(diag::NotAssignable, target.range, "a degree");
    return nullptr;
  }
  if (target.decl->kind == Decl::Kind::Input) {
    diagnostics_.report(diag::WriteToInput, target.range, target.name.text)
        .note(target.decl->name.range, "declared here");
    return nullptr;
  }
  target.type = type;
  return target.decl;
}

void Checker::body_assign(Stmt& stmt) {
  bool starting = place_ == Place::Start;
  const Decl* decl = starting          ? assigned_inbox(stmt)
                     : updates_edges() ? assigned_edge_state(stmt)
                                       : assigned_state(stmt);
  effect_ = true;
  if (decl == nullptr) return;
  decl->written = true;
  if (starting) filled_inboxes_.insert(decl);
  stmt.target->decl = decl;
  stmt.target->type = decl->type;
  expect(stmt.value, decl->type);
}

const Decl* Checker::message_of(Stmt& stmt) {
  if (program_.messages.empty()) {
    diagnostics_.report(diag::NoMessage, stmt.range);
    return nullptr;
  }
  if (program_.messages.size() == 1) return program_.messages.front().get();
  if (read_inboxes_.size() == 1) return read_inboxes_.begin()->first;
  std::string names;
  for (const auto& each : program_.messages)
    names += (names.empty() ? "'" : ", '") + each->name.text + "'";
  diagnostics_.report(diag::MessageUnclear, stmt.range)
      .note("say which: 'send … into " + program_.messages.front()->name.text + ";' (of " + names +
            ")");
  return nullptr;
}

// `to u` binds a neighbour, unless `u` is declared: then it is a vertex, as `to v.parent` is.
void Checker::find_receiver(Stmt& stmt) {
  if (stmt.neighbour && scopes_.find(stmt.neighbour->name.text) != nullptr) {
    stmt.receiver = std::make_unique<Expr>(ExprKind::Reference, stmt.neighbour->name.range);
    stmt.receiver->name = stmt.neighbour->name;
    stmt.neighbour.reset();
  }
  if (!stmt.receiver) return;
  Restore place(place_, Place::Body);
  expect(stmt.receiver, ScalarKind::Vertex);
  if (stmt.direction != ast::Direction::Out)
    diagnostics_
        .report(diag::SendToOne, stmt.receiver->range,
                stmt.direction == ast::Direction::In ? "back" : "both")
        .note("it goes to that vertex alone, along no edge");
  if (stmt.condition)
    diagnostics_.report(diag::SendToOne, stmt.condition->range, "where")
        .note("'where' chooses among neighbours; put the send into an 'if'");
  far_sends_.push_back(stmt.receiver->range);
}

void Checker::send(Stmt& stmt) {
  effect_ = true;
  if (place_ == Place::Start) {
    diagnostics_.report(diag::SendInStart, stmt.range);
    return;
  }
  ScopeGuard scope(scopes_);
  find_receiver(stmt);
  if (stmt.neighbour) {
    stmt.neighbour->type = ScalarKind::Vertex;
    stmt.neighbour->read = true;
    declare(*stmt.neighbour);
    roles_[stmt.neighbour.get()] = Role::Target;
  }
  const Decl* message = nullptr;
  if (!stmt.message.empty()) {
    message = scopes_.find_of_program(stmt.message.text);
    if (message == nullptr || message->kind != Decl::Kind::Message) {
      std::vector<std::string> known;
      for (const auto& each : program_.messages) known.push_back(each->name.text);
      suggest(diagnostics_.report(diag::NotAMessage, stmt.message.range, stmt.message.text),
              stmt.message, known);
      message = nullptr;
    }
  } else if (program_.messages.size() == 1) {
    message = program_.messages.front().get();
  }
  Restore edge(edge_at_hand_, stmt.receiver == nullptr);
  if (stmt.condition) condition(stmt.condition, Place::SendFilter);
  Restore place(place_, Place::SendValue);
  if (message != nullptr) {
    message->written = true;
    filled_inboxes_.insert(message);
    stmt.sent_message = message;
    expect(stmt.value, message->type);
  } else {
    // What else the update reads decides; a literal must wait for it.
    infer(stmt.value);
    if (stmt.message.empty()) pending_sends_.push_back(&stmt);
  }
}

}  // namespace vertigo::compiler::check
