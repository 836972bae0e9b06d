#include "resolve.h"

#include <cstring>

#include "arithmetic.h"
#include "operations.h"
#include "vertigo/core/error.h"
#include "vertigo/core/header_function.h"
#include "vertigo/core/record_layout.h"

namespace vertigo::reference {
namespace {

// Deep enough for any call chain that a person writes; only recursion gets there.
constexpr int kCallDepthLimit = 256;

Word run_literal(const Node& node, Frame&) { return node.literal; }
Word run_slot(const Node& node, Frame& frame) { return frame.slots[node.slot]; }

template <class T>
Word run_column(const Node& node, Frame& frame) {
  return to_word(static_cast<const T*>(node.data)[frame.vertex(node.slot)]);
}

/// a: the vertex, which may be none; literal: what is read then.
template <class T>
Word run_at(const Node& node, Frame& frame) {
  const auto vertex = from_word<Vertex>(evaluate(node.a, frame));
  return vertex == kNoVertex ? node.literal : to_word(static_cast<const T*>(node.data)[vertex]);
}

/// a: the vertex; data: a list without order, as far as this code knows.
Word run_index(const Node& node, Frame& frame) {
  const auto& list = *static_cast<const std::vector<Vertex>*>(node.data);
  const auto vertex = from_word<Vertex>(evaluate(node.a, frame));
  std::int32_t before = 0;
  bool found = false;
  for (const Vertex each : list) {
    found = found || each == vertex;
    if (each < vertex) ++before;
  }
  return to_word(found ? before : -1);
}

Word run_list_size(const Node& node, Frame&) {
  const auto& list = *static_cast<const std::vector<Vertex>*>(node.data);
  return to_word(static_cast<std::int32_t>(list.size()));
}

/// a: a place in the list.
Word run_list_item(const Node& node, Frame& frame) {
  const auto& list = *static_cast<const std::vector<Vertex>*>(node.data);
  return to_word(
      list.at(static_cast<std::size_t>(from_word<std::int32_t>(evaluate(node.a, frame)))));
}

/// slot: the edge's index; data: a value an edge. Lists are the same in both directions.
template <class T>
Word run_edge_column(const Node& node, Frame& frame) {
  return to_word(static_cast<const T*>(node.data)[frame.slots[node.slot]]);
}

/// slot: the edge's index; slot + 1: the weights of the side that it belongs to.
template <class T>
Word run_weight(const Node& node, Frame& frame) {
  const auto* weights = reinterpret_cast<const T*>(frame.slots[node.slot + 1]);
  return to_word(weights[frame.slots[node.slot]]);
}

/// Where an attribute lies in the records of edges.
struct RecordPlace {
  unsigned stride = 0;
  unsigned offset = 0;
};

/// As run_weight, of records; data: the place in them.
template <class T>
Word run_record(const Node& node, Frame& frame) {
  const auto& place = *static_cast<const RecordPlace*>(node.data);
  const auto* records = reinterpret_cast<const std::byte*>(frame.slots[node.slot + 1]);
  T value;
  std::memcpy(&value, records + frame.slots[node.slot] * place.stride + place.offset, sizeof value);
  return to_word(value);
}

/// Evaluates the arguments into the function's slots, then its body.
struct CallRecord {
  unsigned slots = 0;
  Nodes arguments;
};

Word run_call(const Node& node, Frame& frame) {
  const auto& record = *static_cast<const CallRecord*>(node.data);
  for (std::size_t i = 0; i < record.arguments.size(); ++i)
    frame[record.slots + i] = evaluate(record.arguments[i], frame);
  return evaluate(node.a, frame);
}

/// A function of a header: its arguments are words, and stand in slots one after the other.
struct HeaderCallRecord {
  const HeaderFunction* function = nullptr;
  unsigned first_slot = 0;
};

Word run_header_function(const Node& node, Frame& frame) {
  const auto& record = *static_cast<const HeaderCallRecord*>(node.data);
  return record.function->call(frame.slots.data() + record.first_slot);
}

Word literal_word(const ir::LiteralValue& value, ScalarKind kind) {
  return with_type(kind, [&]<class T>() {
    return std::visit([](auto stored) { return to_word(convert<T>(stored)); }, value);
  });
}

}  // namespace

Resolver::Resolver(const ir::Program& program, const GraphView& graph)
    : program_(program), graph_(graph) {
  for (const ir::Requirement& requirement : program.requirements)
    symmetric_program_ |= requirement.kind == ir::RequirementKind::Symmetric;
}

void Resolver::bind_state(const std::string& name, StateColumns columns) {
  states_[name] = std::move(columns);
}
StateColumns& Resolver::state(const std::string& name) {
  const auto found = states_.find(name);
  if (found == states_.end()) throw Error(ExitCode::Other, "the program has no state " + name);
  return found->second;
}
void Resolver::bind_edge_state(const std::string& name, EdgeColumn column) {
  edge_states_[name] = column;
}
EdgeColumn& Resolver::edge_state(const std::string& name) {
  const auto found = edge_states_.find(name);
  if (found == edge_states_.end())
    throw Error(ExitCode::Other, "the program has no edge state " + name);
  return found->second;
}
void Resolver::bind_parameter(const std::string& name, ScalarKind kind, unsigned slot) {
  parameters_[name] = {kind, slot};
}
void Resolver::bind_list(const std::string& name, const std::vector<Vertex>* vertices) {
  lists_[name] = vertices;
}
void Resolver::bind_host_variable(const std::string& name, const ir::Type& type, unsigned slot) {
  host_variables_[name] = {type, slot};
}
void Resolver::bind_inbox(const std::string& name, const ir::Type& type, unsigned slot) {
  inboxes_[name] = {type, slot};
}
void Resolver::bind_local(const std::string& name, const ir::Type& type, unsigned slot) {
  scopes_.back()[name] = {type, slot};
}
unsigned Resolver::bind_vertex(const std::string& name) {
  const unsigned slot = new_slots(1);
  bind_vertex_at(name, slot);
  return slot;
}
void Resolver::bind_vertex_at(const std::string& name, unsigned slot) {
  scopes_.back()[name] = {ScalarKind::Vertex, slot, true};
}

unsigned Resolver::new_slots(std::size_t count) {
  const unsigned first = slot_count_;
  slot_count_ += static_cast<unsigned>(count);
  return first;
}

void Resolver::damaged(const ir::Expr& expr, const std::string& what) const {
  throw Error(ExitCode::Other, "damaged Program IR: " + what,
              program_.source_file + ":" + std::to_string(expr.location.line));
}

Node& Resolver::make(Node::Run run) {
  nodes_.push_back({});
  nodes_.back().run = run;
  return nodes_.back();
}

const Node* Resolver::literal(Word word) {
  Node& node = make(run_literal);
  node.literal = word;
  return &node;
}

const Node* Resolver::load_slot(unsigned slot) {
  Node& node = make(run_slot);
  node.slot = slot;
  return &node;
}

const Node* Resolver::coerce(const Node* operand, ScalarKind from, ScalarKind to) {
  if (from == to) return operand;
  Node& node = make(conversion_of(from, to));
  node.a = operand;
  return &node;
}

const Node* Resolver::single(const Nodes& nodes, const ir::Expr& expr) const {
  if (nodes.size() != 1) damaged(expr, "a scalar is expected");
  return nodes.front();
}

const Node* Resolver::condition(const ir::ExprPtr& expr) {
  return expr ? coerce(scalar(*expr), expr->type.scalar(), ScalarKind::Bool) : nullptr;
}

Nodes Resolver::resolve_as(const ir::Expr& expr, const ir::Type& type) {
  Nodes nodes = resolve(expr);
  if (nodes.size() != type.elements.size()) damaged(expr, "wrong number of tuple elements");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i] = coerce(nodes[i], expr.type.elements[i], type.elements[i]);
  return nodes;
}

const Resolver::Variable& Resolver::variable(const ir::Expr& expr, const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  damaged(expr, "nothing is called '" + name + "' here");
}

unsigned Resolver::vertex_slot(const ir::Expr& expr) const {
  const Variable& found = variable(expr, expr.vertex);
  if (!found.bound) damaged(expr, "'" + expr.vertex + "' is no bound vertex");
  return found.slot;
}

Nodes Resolver::variable_slots(const Variable& variable) {
  Nodes nodes;
  for (std::size_t i = 0; i < variable.type.elements.size(); ++i)
    nodes.push_back(load_slot(variable.slot + static_cast<unsigned>(i)));
  return nodes;
}

Nodes Resolver::literals(const ir::Expr& expr) {
  Nodes nodes;
  for (const ScalarKind kind : expr.type.elements) {
    if (expr.op == ir::Op::Literal)
      nodes.push_back(literal(literal_word(expr.value, kind)));
    else if (expr.op == ir::Op::NoVertex)
      nodes.push_back(literal(to_word(kNoVertex)));
    else
      nodes.push_back(literal(with_type(kind, []<class T>() { return to_word<T>(kInfinity<T>); })));
  }
  return nodes;
}

Nodes Resolver::state_read(const ir::Expr& expr) {
  const unsigned slot = vertex_slot(expr);
  const StateColumns& columns = state(expr.symbol);
  const bool own = own_slot_ == static_cast<int>(slot);
  Nodes nodes;
  for (const ColumnRef& column : own ? columns.own : columns.current) {
    Node& node = make(with_type(column.kind, []<class T>() -> Node::Run { return run_column<T>; }));
    node.slot = slot;
    node.data = column.data;
    nodes.push_back(&node);
  }
  return nodes;
}

const Node* Resolver::of_list(const ir::Expr& expr, Node::Run run) {
  const auto found = lists_.find(expr.symbol);
  if (found == lists_.end()) damaged(expr, "no list is called '" + expr.symbol + "'");
  Node& node = make(run);
  if (!expr.operands.empty()) node.a = scalar(*expr.operands.front());
  node.data = found->second;
  return &node;
}

// What is read is never the own vertex's present value: that alone has a name.
Nodes Resolver::state_at(const ir::Expr& expr) {
  const Node* vertex = scalar(*expr.operands.at(0));
  Nodes nodes;
  for (const ColumnRef& column : state(expr.symbol).current) {
    Node& node = make(with_type(column.kind, []<class T>() -> Node::Run { return run_at<T>; }));
    node.a = vertex;
    node.data = column.data;
    node.literal = column.kind == ScalarKind::Bool
                       ? 0
                       : with_type(column.kind, []<class T>() { return to_word(kInfinity<T>); });
    nodes.push_back(&node);
  }
  return nodes;
}

const Node* Resolver::edge_state_read(const ir::Expr& expr) {
  if (edge_slot_ < 0) damaged(expr, "an edge state is read where there is no edge");
  const EdgeColumn& found = edge_state(expr.symbol);
  const ColumnRef& column = edge_slot_ == own_edge_slot_ ? found.own : found.current;
  Node& node =
      make(with_type(column.kind, []<class T>() -> Node::Run { return run_edge_column<T>; }));
  node.slot = static_cast<unsigned>(edge_slot_);
  node.data = column.data;
  return &node;
}

const Node* Resolver::edge_attribute(const ir::Expr& expr) {
  if (program_.find_edge_state(expr.symbol) != nullptr) return edge_state_read(expr);
  const ir::EdgeAttribute* const attribute = program_.find_edge_attribute(expr.symbol);
  if (attribute == nullptr) damaged(expr, "the program declares no edge attribute");
  if (!graph_.has_weights()) {
    if (attribute->initial)
      return coerce(scalar(*attribute->initial), attribute->initial->type.scalar(),
                    attribute->kind);
    // Without edges there is nothing to say, and nothing that would be read.
    if (graph_.edge_count() != 0)
      throw Error(ExitCode::InputRefused, "the program needs '" + attribute->name +
                                              "' of every edge, and the graph does not say it");
  }
  if (edge_slot_ < 0) damaged(expr, "an edge attribute is read where there is no edge");
  if (!program_.edge) return record_read(*attribute);
  Node& node =
      make(with_type(attribute->kind, []<class T>() -> Node::Run { return run_weight<T>; }));
  node.slot = static_cast<unsigned>(edge_slot_);
  return &node;
}

const Node* Resolver::record_read(const ir::EdgeAttribute& column) {
  std::vector<ScalarKind> kinds;
  std::size_t at = 0;
  for (const ir::EdgeAttribute& each : program_.edge_columns) {
    if (each.name == column.name) at = kinds.size();
    kinds.push_back(each.kind);
  }
  const RecordLayout layout = layout_of(kinds);
  auto place = std::make_shared<RecordPlace>(RecordPlace{layout.bytes, layout.offsets[at]});
  Node& node = make(with_type(column.kind, []<class T>() -> Node::Run { return run_record<T>; }));
  node.slot = static_cast<unsigned>(edge_slot_);
  node.data = place.get();
  records_.push_back(std::move(place));
  return &node;
}

Nodes Resolver::header_function(const ir::Function& function, unsigned slots) {
  auto record = std::make_shared<HeaderCallRecord>();
  record->function = find_header_function(program_.name.c_str(), function.name.c_str());
  if (record->function == nullptr)
    throw Error(ExitCode::Other, "'" + function.name + "' of header '" + function.header +
                                     "' is not there: 'vertigo run --interpret' compiles it");
  record->first_slot = slots;
  Node& node = make(run_header_function);
  node.data = record.get();
  records_.push_back(std::move(record));
  return {&node};
}

Nodes Resolver::function_body(const ir::Function& function, unsigned slots) {
  if (!function.body) return header_function(function, slots);
  // A function sees its parameters and nothing of its caller.
  std::vector<std::map<std::string, Variable>> outer(1);
  outer.swap(scopes_);
  for (const ir::FunctionParameter& parameter : function.parameters) {
    bind_local(parameter.name, parameter.type, slots);
    slots += static_cast<unsigned>(parameter.type.elements.size());
  }
  Nodes body = resolve_as(*function.body, function.result);
  outer.swap(scopes_);
  return body;
}

Nodes Resolver::call(const ir::Expr& expr) {
  const ir::Function* function = program_.find_function(expr.symbol);
  if (function == nullptr) damaged(expr, "no function is called '" + expr.symbol + "'");
  if (function->parameters.size() != expr.operands.size()) damaged(expr, "wrong argument count");
  if (++call_depth_ > kCallDepthLimit)
    throw Error(ExitCode::Other, "function '" + expr.symbol + "' calls itself");
  auto record = std::make_shared<CallRecord>();
  for (std::size_t i = 0; i < expr.operands.size(); ++i)
    for (const Node* node : resolve_as(*expr.operands[i], function->parameters[i].type))
      record->arguments.push_back(node);
  record->slots = new_slots(record->arguments.size());
  records_.push_back(record);
  Nodes nodes;
  for (const Node* element : function_body(*function, record->slots)) {
    Node& node = make(run_call);
    node.a = element;
    node.data = record.get();
    nodes.push_back(&node);
  }
  --call_depth_;
  return nodes;
}

std::vector<EdgeSide> Resolver::sides(ir::EdgeDirection direction) const {
  switch (direction) {
    case ir::EdgeDirection::Out:
      return {graph_.out()};
    case ir::EdgeDirection::In:
      return {graph_.in()};
    case ir::EdgeDirection::Both:
      break;
  }
  return {graph_.out(), graph_.in()};
}

Nodes Resolver::resolve(const ir::Expr& expr) {
  using ir::Op;
  switch (expr.op) {
    case Op::Literal:
    case Op::Infinity:
    case Op::NoVertex:
      return literals(expr);
    case Op::Parameter:
    case Op::HostVariable:
    case Op::Inbox: {
      const auto& names = expr.op == Op::Parameter      ? parameters_
                          : expr.op == Op::HostVariable ? host_variables_
                                                        : inboxes_;
      const auto found = names.find(expr.symbol);
      if (found == names.end()) damaged(expr, "nothing is called '" + expr.symbol + "'");
      return variable_slots(found->second);
    }
    case Op::Local:
      return variable_slots(variable(expr, expr.symbol));
    case Op::BoundVertex:
      return {load_slot(vertex_slot(expr))};
    case Op::State:
      return expr.operands.empty() ? state_read(expr) : state_at(expr);
    case Op::EdgeAttribute:
      return {edge_attribute(expr)};
    case Op::OutDegree:
    case Op::InDegree:
    case Op::Degree:
      return {degree(expr)};
    case Op::VertexCount:
    case Op::EdgeCount: {
      const std::uint64_t count =
          expr.op == Op::VertexCount ? graph_.vertex_count() : graph_.edge_count();
      return {literal(literal_word(count, expr.type.scalar()))};
    }
    case Op::Step:
      if (step_slot_ < 0) damaged(expr, "'step' outside a phase");
      return {coerce(load_slot(static_cast<unsigned>(step_slot_)), ScalarKind::Int32,
                     expr.type.scalar())};
    case Op::Cast:
      return {cast(expr)};
    case Op::Select:
      return select(expr);
    case Op::MakeTuple: {
      Nodes nodes;
      for (std::size_t i = 0; i < expr.operands.size(); ++i)
        nodes.push_back(coerce(scalar(*expr.operands[i]), expr.operands[i]->type.scalar(),
                               expr.type.elements.at(i)));
      return nodes;
    }
    case Op::TupleElement: {
      const Nodes elements = resolve(*expr.operands.at(0));
      if (expr.index >= elements.size()) damaged(expr, "no such tuple element");
      return {elements[expr.index]};
    }
    case Op::IndexIn:
      return {of_list(expr, run_index)};
    case Op::ListSize:
      return {of_list(expr, run_list_size)};
    case Op::ListItem:
      return {of_list(expr, run_list_item)};
    case Op::Call:
    case Op::ExternCall:
      return call(expr);
    case Op::CommonNeighbours:
      if (expr.operands.size() > 2) return {common_neighbours(expr)};
      [[fallthrough]];
    case Op::Random:
      return {graph_function(expr)};
    case Op::ReduceNeighbours:
    case Op::ReduceCommon:
    case Op::ReduceVertices:
      return reduction(expr);
    default:
      break;
  }
  if (ir::info(expr.op).takes != ir::Operands::Own) return operation(expr);
  damaged(expr, "an operation of Plan IR in Program IR");
}

}  // namespace vertigo::reference
