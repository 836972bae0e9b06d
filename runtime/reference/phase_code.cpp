#include "phase_code.h"

#include <algorithm>
#include <set>

#include "moving.h"
#include "recognise.h"
#include "vertigo/core/error.h"
#include "walk.h"

namespace vertigo::reference {
namespace {

class PhaseResolver {
 public:
  PhaseResolver(Context& context, StateStorage& states, MessageTables& messages,
                const ir::Phase& phase)
      : context_(context),
        resolver_(context.resolver),
        states_(states),
        messages_(messages),
        phase_(phase) {}

  PhaseCode run() {
    code_.source = &phase_;
    code_.step_slot = resolver_.new_slots(1);
    if (phase_.step_limit) code_.step_limit = limit_node(*phase_.step_limit);
    resolver_.set_step_slot(code_.step_slot);
    if (!phase_.serializable) add_shadows();
    add_edge_shadows();
    for (const ir::Start& start : phase_.starts) code_.starts.push_back(resolve_start(start));
    resolver_.push_scope();
    code_.vertex_slot = resolver_.bind_vertex(phase_.variable);
    resolver_.set_own_vertex(static_cast<int>(code_.vertex_slot));
    code_.guard = resolver_.condition(phase_.guard);
    code_.body = resolve_statements(phase_.body);
    resolver_.set_own_vertex(-1);
    resolver_.pop_scope();
    for (const std::string& name : shadowed_) {
      StateColumns& columns = resolver_.state(name);
      columns.own = columns.current;
    }
    for (const std::string& name : edge_shadowed_) {
      EdgeColumn& column = resolver_.edge_state(name);
      column.own = column.current;
    }
    find_read_messages();
    if (auto moving = recognise_moving(context_.program, phase_, true))
      code_.moving = std::make_shared<const MovingPhase>(std::move(*moving));
    code_.is_linear = recognise_linear(context_.program, phase_).has_value();
    context_.grow_frame();
    return std::move(code_);
  }

 private:
  const Node* limit_node(const ir::Expr& limit) {
    return resolver_.resolve_as(limit, ScalarKind::UInt64).front();
  }

  /// States that are written here and also read of another vertex than the written one.
  void add_shadows() {
    std::set<std::string> written, read_elsewhere, own{phase_.variable};
    // Where a start names no vertex, none is its own: a vertex that is a value has no name, too.
    for (const ir::Start& start : phase_.starts)
      if (!start.variable.empty()) own.insert(start.variable);
    walk_phase(
        phase_,
        [&](const ir::Stmt& s) {
          if (s.kind == ir::StmtKind::AssignState) written.insert(s.symbol);
        },
        [&](const ir::Expr& e) {
          if (e.op == ir::Op::State && !own.contains(e.vertex)) read_elsewhere.insert(e.symbol);
        });
    for (const std::string& name : written) {
      if (!read_elsewhere.contains(name)) continue;
      StateColumns& columns = resolver_.state(name);
      columns.own = states_.shadow(name);
      for (std::size_t i = 0; i < columns.own.size(); ++i)
        code_.shadows.push_back({columns.current[i], columns.own[i]});
      shadowed_.push_back(name);
    }
  }

  /// Edges look at others as these were before the step.
  void add_edge_shadows() {
    std::set<std::string> written;
    walk_statements(
        phase_.body,
        [&](const ir::Stmt& s) {
          if (s.kind == ir::StmtKind::AssignEdge) written.insert(s.symbol);
        },
        [](const ir::Expr&) {});
    for (const std::string& name : written) {
      EdgeColumn& column = resolver_.edge_state(name);
      column.own = states_.edge_shadow(name);
      code_.edge_shadows.push_back({column.current, column.own});
      edge_shadowed_.push_back(name);
    }
  }

  void find_read_messages() {
    std::set<std::string> read;
    const auto on_expr = [&](const ir::Expr& e) {
      if (e.op == ir::Op::Inbox) read.insert(e.symbol);
    };
    walk_expr(phase_.guard, on_expr);
    walk_statements(phase_.body, [](const ir::Stmt&) {}, on_expr);
    for (const std::string& name : read) code_.read.push_back(&messages_.table(name));
  }

  StartCode resolve_start(const ir::Start& start) {
    StartCode code;
    code.set = start.set;
    if (start.vertex) code.vertex = resolver_.scalar(*start.vertex);
    if (start.set == ir::StartSet::List) {
      const auto list = context_.lists.find(start.list);
      if (list == context_.lists.end())
        throw Error(ExitCode::Other, "damaged Program IR: no list '" + start.list + "'");
      code.list = &list->second;
    }
    resolver_.push_scope();
    code.vertex_slot = resolver_.bind_vertex(start.variable);
    resolver_.set_own_vertex(static_cast<int>(code.vertex_slot));
    code.condition = resolver_.condition(start.condition);
    code.body = resolve_statements(start.body);
    resolver_.set_own_vertex(-1);
    resolver_.pop_scope();
    return code;
  }

  Actions resolve_statements(const std::vector<ir::StmtPtr>& statements) {
    Actions actions;
    resolver_.push_scope();
    for (const ir::StmtPtr& statement : statements)
      actions.push_back(resolve_statement(*statement));
    resolver_.pop_scope();
    return actions;
  }

  Action resolve_statement(const ir::Stmt& statement) {
    using ir::StmtKind;
    Action action;
    action.kind = statement.kind;
    switch (statement.kind) {
      case StmtKind::Let: {
        const ir::Type& type = statement.value->type;
        action.value = resolver_.resolve(*statement.value);
        action.slot = resolver_.new_slots(type.elements.size());
        resolver_.bind_local(statement.symbol, type, action.slot);
        break;
      }
      case StmtKind::AssignState: {
        const StateColumns& columns = resolver_.state(statement.symbol);
        action.value = resolver_.resolve_as(*statement.value, columns.type);
        action.target = columns.own;
        break;
      }
      case StmtKind::AssignInbox:
        action.message = &messages_.table(statement.symbol);
        action.value = resolver_.resolve_as(*statement.value, action.message->source->type);
        break;
      case StmtKind::If:
        action.condition = resolver_.condition(statement.value);
        action.body = resolve_statements(statement.body);
        action.otherwise = resolve_statements(statement.otherwise);
        break;
      case StmtKind::Send:
        resolve_send(statement, action);
        break;
      case StmtKind::UpdateEdges:
        resolve_edges(statement, action);
        break;
      case StmtKind::AssignEdge: {
        const ColumnRef& column = resolver_.edge_state(statement.symbol).own;
        action.value = resolver_.resolve_as(*statement.value, column.kind);
        action.target = {column};
        action.edge_slot = updated_edge_;
        break;
      }
      default:
        throw Error(ExitCode::Other, "damaged Program IR: a host statement inside a phase");
    }
    return action;
  }

  void resolve_edges(const ir::Stmt& statement, Action& action) {
    action.apart = statement.apart;
    action.sides = resolver_.sides(ir::EdgeDirection::Out);
    action.edge_slot = updated_edge_ = resolver_.new_slots(3);
    const int outer_edge = resolver_.set_edge_slot(static_cast<int>(action.edge_slot));
    resolver_.set_own_edge(static_cast<int>(action.edge_slot));
    resolver_.push_scope();
    action.neighbour_slot = resolver_.bind_vertex(statement.neighbour);
    action.condition = resolver_.condition(statement.value);
    action.body = resolve_statements(statement.body);
    resolver_.pop_scope();
    resolver_.set_own_edge(-1);
    resolver_.set_edge_slot(outer_edge);
  }

  void resolve_send(const ir::Stmt& statement, Action& action) {
    action.message = &messages_.table(statement.symbol);
    if (statement.receiver)
      action.receiver = resolver_.scalar(*statement.receiver);
    else
      action.sides = resolver_.sides(statement.direction);
    action.edge_slot = resolver_.new_slots(2);
    const int outer_edge = resolver_.set_edge_slot(static_cast<int>(action.edge_slot));
    resolver_.push_scope();
    action.neighbour_slot = resolver_.bind_vertex(statement.neighbour);
    action.value = resolver_.resolve_as(*statement.value, action.message->source->type);
    action.condition = resolver_.condition(statement.condition);
    resolver_.pop_scope();
    resolver_.set_edge_slot(outer_edge);
    action.same_for_all = true;
    walk_expr(statement.value, [&](const ir::Expr& e) {
      if (e.op == ir::Op::EdgeAttribute) action.same_for_all = false;
      if (!statement.neighbour.empty() && e.vertex == statement.neighbour)
        action.same_for_all = false;
    });
  }

  Context& context_;
  Resolver& resolver_;
  StateStorage& states_;
  MessageTables& messages_;
  const ir::Phase& phase_;
  PhaseCode code_;
  std::vector<std::string> shadowed_;
  std::vector<std::string> edge_shadowed_;
  unsigned updated_edge_ =
      0;  // slots of an UpdateEdges: the edge's place, its weights, its place the other way
};

}  // namespace

PhaseCode resolve_phase(Context& context, StateStorage& states, MessageTables& messages,
                        const ir::Phase& phase) {
  return PhaseResolver(context, states, messages, phase).run();
}

}  // namespace vertigo::reference
