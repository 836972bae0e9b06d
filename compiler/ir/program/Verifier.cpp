#include "compiler/ir/program/Verifier.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/ir/program/Typing.h"
#include "compiler/ir/program/Uses.h"
#include "vertigo/core/quoted.h"

namespace vertigo::ir {

namespace {

bool is_host(StmtKind kind) { return kind >= StmtKind::HostLet; }

class ProgramVerifier {
 public:
  explicit ProgramVerifier(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    check_names();
    check_declarations();
    ProgramWalk<const Program, ProgramVerifier> walk(program_, *this);
    walk.run();
    return std::move(messages_);
  }

  void phase(const Phase& phase) {
    where_ = "phase " + quoted(phase.name);
    if (phase.variable.empty()) complain("the updated vertex has no name");
    if (phase.kind == PhaseKind::Fixpoint && !phase.guard) complain("a fixpoint has no guard");
    if (phase.guard) expect_bool(*phase.guard, "the guard");
    for (const Start& start : phase.starts) check_start(start);
  }

  void stmt(const Stmt& stmt, const Scope& scope) {
    location_ = stmt.location;
    const bool at_host = scope.phase == nullptr;
    if (stmt.kind != StmtKind::If && is_host(stmt.kind) != at_host)
      complain(at_host ? "a statement of a body stands at host level"
                       : "a statement of the host level stands in a body");
    if (stmt.kind != StmtKind::Phase && !stmt.value) return complain("a statement has no value");
    switch (stmt.kind) {
      case StmtKind::AssignState:
        if (scope.place != Place::Body) complain("a state is written outside an update");
        return check_assign_state(stmt);
      case StmtKind::AssignInbox:
        if (scope.place != Place::StartBody) complain("an inbox is filled outside a start");
        return check_message_value(stmt);
      case StmtKind::Send:
        if (scope.place != Place::Body) complain("a send outside an update");
        if (stmt.condition) expect_bool(*stmt.condition, "the filter of a send");
        if (stmt.receiver) check_receiver(stmt, scope);
        return check_message_value(stmt);
      case StmtKind::UpdateEdges:
        if (scope.phase->kind != PhaseKind::Sweep || scope.phase->guard ||
            scope.phase->serializable || scope.edges > 0)
          complain("edges are updated outside a sweep over all vertices");
        return expect_bool(*stmt.value, "the choice of edges");
      case StmtKind::AssignEdge:
        if (scope.edges == 0) complain("an edge is written where none is at hand");
        return check_assign_edge(stmt);
      case StmtKind::If:
      case StmtKind::While:
        return expect_bool(*stmt.value, "a condition");
      case StmtKind::Repeat:
      case StmtKind::For:
        if (!stmt.value->type.is_scalar() || !is_integer(stmt.value->type.scalar()))
          complain("a loop counts over integers");
        if (stmt.kind == StmtKind::For && (!stmt.limit || stmt.limit->type != stmt.value->type))
          complain("a 'for' has ends of different types");
        return;
      case StmtKind::Phase:
        if (program_.find_phase(stmt.symbol) == nullptr)
          complain("no phase is called " + quoted(stmt.symbol));
        return;
      case StmtKind::HostAssign:
        return check_host_assign(stmt, scope);
      case StmtKind::Report:
        if (!stmt.value->type.is_scalar()) complain("a report is a scalar");
        return;
      default:
        return;
    }
  }

  void expr(const Expr& expr, const Scope& scope) {
    if (expr.location.line != 0) location_ = expr.location;
    Type type;
    const std::string problem = derive_type(expr, scope, type);
    if (!problem.empty()) return complain(problem);
    if (expr.type != type)
      complain("'" + print(expr) + "' is typed " + to_string(expr.type) + ", but it is " +
               to_string(type));
    if (const auto* number = std::get_if<double>(&expr.value))
      if (expr.op == Op::Literal && !std::isfinite(*number)) complain("a literal is not finite");
    check_readable(expr, scope);
  }

 private:
  void complain(const std::string& message) {
    std::string text = where_.empty() ? "" : "in " + where_ + ": ";
    text += message;
    if (location_.line != 0)
      text += " (line " + std::to_string(location_.line) + ", column " +
              std::to_string(location_.column) + ")";
    messages_.push_back(std::move(text));
  }

  void expect_bool(const Expr& expr, const std::string& what) {
    if (expr.type != Type(ScalarKind::Bool))
      complain(what + " is " + to_string(expr.type) + ", not bool");
  }

  template <class Items>
  void check_unique(const Items& items, const std::string& what, std::set<std::string>& names) {
    for (const auto& item : items) {
      if (item.name.empty()) complain("a " + what + " has no name");
      if (!names.insert(item.name).second) complain(quoted(item.name) + " is declared twice");
    }
  }

  void check_names() {
    std::set<std::string> values;
    check_unique(program_.parameters, "parameter", values);
    check_unique(program_.states, "state", values);
    check_unique(program_.messages, "message", values);
    if (program_.edge && !values.insert(program_.edge->name).second)
      complain(quoted(program_.edge->name) + " is declared twice");
    check_unique(program_.edge_columns, "edge attribute", values);
    check_unique(program_.edge_states, "edge state", values);
    std::set<std::string> functions;
    check_unique(program_.functions, "function", functions);
    std::set<std::string> phases;
    check_unique(program_.phases, "phase", phases);
  }

  void check_declarations() {
    for (const Parameter& parameter : program_.parameters) {
      if (parameter.is_list && parameter.kind != ScalarKind::Vertex)
        complain("list parameter " + quoted(parameter.name) + " is not of vertices");
      if (parameter.initial && parameter.initial->type != Type(parameter.kind))
        complain("the default of " + quoted(parameter.name) + " has another type");
    }
    if (program_.edge && program_.edge->initial &&
        program_.edge->initial->type != Type(program_.edge->kind))
      complain("the default of the edge attribute has another type");
    check_edge_columns();
    check_edge_states();
    for (const State& state : program_.states)
      if (!state.initial || state.initial->type != state.type)
        complain("the initial value of " + quoted(state.name) + " is missing or of another type");
    for (const Message& message : program_.messages) check_message(message);
    for (const Function& function : program_.functions)
      if (function.body && function.body->type != function.result)
        complain(quoted(function.name) + " gives " + to_string(function.body->type) + ", not " +
                 to_string(function.result));
    check_recursion();
    for (const Output& output : program_.outputs)
      if (program_.find_state(output.state) == nullptr)
        complain("output " + quoted(output.state) + " is no state");
  }

  void check_message(const Message& message) {
    if (!message.identity || message.identity->type != message.type)
      complain("the identity of " + quoted(message.name) + " is missing or of another type");
    const bool logical = message.combine == Combine::Or || message.combine == Combine::And;
    const bool integer = message.type.is_scalar() && is_integer(message.type.scalar());
    if (logical && message.type != Type(ScalarKind::Bool) && !integer)
      complain("'or' and 'and' combine bool and integers, and " + quoted(message.name) + " is " +
               to_string(message.type));
    if (message.combine == Combine::Xor && !integer)
      complain("'xor' combines integers, and " + quoted(message.name) + " is " +
               to_string(message.type));
    if (message.combine == Combine::Sum &&
        (!message.type.is_scalar() || !is_numeric(message.type.scalar())))
      complain("'sum' combines numbers, and " + quoted(message.name) + " is " +
               to_string(message.type));
    if (message.combine != Combine::Function) return;
    const Function* function = program_.find_function(message.function);
    if (function == nullptr || function->parameters.size() != 2 ||
        function->parameters[0].type != message.type ||
        function->parameters[1].type != message.type || function->result != message.type)
      complain(quoted(message.function) + " is no function of two " + to_string(message.type) +
               " that gives one");
  }

  // One number is the graph's weight; all else is read by name.
  void check_edge_columns() {
    if (program_.edge && !program_.edge_columns.empty())
      complain("one edge attribute is the weight, and others are columns");
    for (const EdgeAttribute& column : program_.edge_columns) {
      if (column.kind == ScalarKind::Vertex || column.kind == ScalarKind::Wide64)
        complain("edge attribute " + quoted(column.name) + " is neither a number nor a bool");
      if (column.initial && column.initial->type != Type(column.kind))
        complain("the default of " + quoted(column.name) + " has another type");
    }
    for (const Requirement& each : program_.requirements)
      if (each.kind == RequirementKind::NonNegativeWeights &&
          each.attribute.empty() == !program_.edge_columns.empty())
        complain("what must not be negative is no edge attribute that comes with the graph");
      else if (!each.attribute.empty() && program_.edge_columns.find(each.attribute) == nullptr)
        complain(quoted(each.attribute) + " is no edge attribute that comes with the graph");
  }

  /// Every update of edges is one of entries.
  bool updates_apart() const {
    bool apart = true;
    for (const Phase& phase : program_.phases)
      for (const StmtPtr& stmt : phase.body)
        apart = apart && (stmt->kind != StmtKind::UpdateEdges || stmt->apart);
    return apart;
  }

  // An edge is found by its ends, from either.
  void check_edge_states() {
    if (program_.edge_states.empty()) return;
    for (const EdgeState& state : program_.edge_states)
      if (!state.initial || state.initial->type != Type(state.kind))
        complain("the initial value of " + quoted(state.name) + " is missing or of another type");
    if (updates_apart()) return;
    for (const RequirementKind kind : {RequirementKind::Symmetric, RequirementKind::NoDuplicates})
      if (std::ranges::find(program_.requirements, kind, &Requirement::kind) ==
          program_.requirements.end())
        complain("edge states need a graph that is symmetric, without duplicates");
  }

  // A function may call only functions that stand before it, so none calls itself.
  void check_recursion() {
    std::set<std::string> known;
    for (const Function& function : program_.functions) {
      if (function.body)
        walk(*function.body, [&](const Expr& expr) {
          if (expr.op == Op::Call && !known.contains(expr.symbol))
            complain(quoted(function.name) + " calls " + quoted(expr.symbol) +
                     ", which does not stand before it");
        });
      known.insert(function.name);
    }
  }

  void check_start(const Start& start) {
    location_ = start.location;
    if (start.set == StartSet::Vertex &&
        (!start.vertex || start.vertex->type != Type(ScalarKind::Vertex)))
      complain("a start names no vertex");
    if (start.set == StartSet::Where) {
      if (!start.condition) return complain("a 'start where' has no condition");
      expect_bool(*start.condition, "the condition of a start");
    }
    if (start.set != StartSet::List) return;
    for (const Parameter& parameter : program_.parameters)
      if (parameter.name == start.list && parameter.is_list) return;
    complain(quoted(start.list) + " is no list parameter");
  }

  void check_receiver(const Stmt& stmt, const Scope& scope) {
    if (stmt.receiver->type != Type(ScalarKind::Vertex)) complain("a receiver is no vertex");
    if (stmt.condition || !stmt.neighbour.empty())
      complain("a send to one vertex looks at a neighbour");
    if (scope.phase->serializable)
      complain("a serializable phase sends to a vertex that is a value");
  }

  void check_assign_state(const Stmt& stmt) {
    const State* state = program_.find_state(stmt.symbol);
    if (state == nullptr) return complain("no state is called " + quoted(stmt.symbol));
    if (state->is_input) complain("vertex input " + quoted(stmt.symbol) + " is written");
    if (stmt.value->type != state->type)
      complain(quoted(stmt.symbol) + " is " + to_string(state->type) + " and is given " +
               to_string(stmt.value->type));
  }

  void check_assign_edge(const Stmt& stmt) {
    const EdgeState* state = program_.find_edge_state(stmt.symbol);
    if (state == nullptr) return complain("no edge state is called " + quoted(stmt.symbol));
    if (stmt.value->type != Type(state->kind))
      complain(quoted(stmt.symbol) + " is " + std::string(to_string(state->kind)) +
               " and is given " + to_string(stmt.value->type));
  }

  void check_message_value(const Stmt& stmt) {
    const Message* message = program_.find_message(stmt.symbol);
    if (message == nullptr) return complain("no message is called " + quoted(stmt.symbol));
    if (stmt.value->type != message->type)
      complain(quoted(stmt.symbol) + " is " + to_string(message->type) + " and is given " +
               to_string(stmt.value->type));
  }

  void check_host_assign(const Stmt& stmt, const Scope& scope) {
    const Type* type = scope.host.find(stmt.symbol);
    if (type == nullptr) return complain("no host variable is called " + quoted(stmt.symbol));
    if (*type != stmt.value->type)
      complain("host variable " + quoted(stmt.symbol) + " is " + to_string(*type) +
               " and is given " + to_string(stmt.value->type));
  }

  void check_readable(const Expr& expr, const Scope& scope) {
    const Place place = scope.place;
    const auto refuse = [&](bool allowed, const std::string& what) {
      if (!allowed) complain(what + " cannot be read here");
    };
    switch (expr.op) {
      case Op::Parameter:
      case Op::VertexCount:
      case Op::EdgeCount:
        return refuse(expr.op == Op::Parameter ? place != Place::Constant : true, "a parameter");
      case Op::HostVariable:
        return refuse(place >= Place::Host, "a host variable");
      case Op::Inbox:
        return refuse(place >= Place::Guard, "an inbox");
      case Op::EdgeAttribute:
        if (program_.find_edge_state(expr.symbol) != nullptr)
          return refuse((place == Place::Guard || place == Place::Body) && scope.edges > 0,
                        "an edge state");
        return refuse(place >= Place::SendValue || scope.edges > 0, "an edge attribute");
      case Op::IndexIn:
        return refuse(place == Place::StartBody, "the place in a list");
      case Op::ListSize:
      case Op::ListItem:
        return refuse(place == Place::Host, "a list");
      case Op::Step:
      case Op::Random:
        return refuse(expr.op == Op::Random ? place >= Place::StartBody : place >= Place::Guard,
                      expr.op == Op::Step ? "'step'" : "'random'");
      case Op::State:
        if (expr.operands.empty()) return;
        refuse(place != Place::Guard || scope.phase->kind == PhaseKind::Sweep ||
                   program_.find_state(expr.symbol)->is_input,
               "a state of another vertex");
        if (scope.phase != nullptr && scope.phase->serializable)
          refuse(!writes(*scope.phase, expr.symbol),
                 "what the serializable phase writes, of any vertex,");
        return;
      case Op::Load:
      case Op::TestBit:
      case Op::EdgePlace:
      case Op::EdgeAtHand:
        return refuse(false, "a buffer of a plan");
      case Op::ReduceVertices:
        return refuse(place == Place::Host, "a reduction over all vertices");
      case Op::ReduceNeighbours:
        return refuse(place == Place::Initial || place >= Place::StartBody,
                      "a reduction over neighbours");
      case Op::ReduceCommon:
        refuse(place == Place::Initial || place == Place::Body ||
                   (place == Place::Guard && scope.phase->kind == PhaseKind::Sweep),
               "a reduction over common neighbours");
        return check_at_common(expr, scope);
      default:
        return;
    }
  }

  // A common neighbour may be any vertex, and no edge leads there from where the reduction stands.
  void check_at_common(const Expr& reduction, const Scope& scope) {
    const bool serializable = scope.phase != nullptr && scope.phase->serializable;
    for (const std::size_t i : {0u, 1u}) {
      if (!reduction.operands[i]) continue;
      walk(*reduction.operands[i], [&](const Expr& expr) {
        if (expr.op == Op::ReduceNeighbours)
          complain("a reduction over neighbours stands in one over common neighbours");
        if (serializable && expr.op == Op::State && expr.vertex == reduction.symbol &&
            writes(*scope.phase, expr.symbol))
          complain("what the serializable phase writes is read of common neighbours");
      });
    }
  }

  const Program& program_;
  std::string where_;
  Location location_;
  std::vector<std::string> messages_;
};

}  // namespace

std::vector<std::string> verify(const Program& program) { return ProgramVerifier(program).run(); }

}  // namespace vertigo::ir
