#pragma once
// From Program IR to resolved code: names become slots and columns, operators become functions of
// their type. Done once per run; throws Error(Other) where the IR is damaged.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "code.h"
#include "graph_view.h"

namespace vertigo::reference {

/// Where the elements of a state lie. `own` differs from `current` while a phase shadows it.
struct StateColumns {
  ir::Type type;
  std::vector<ColumnRef> current;
  std::vector<ColumnRef> own;
};

/// Where an edge state lies, by the place of an edge among the out-edges.
struct EdgeColumn {
  ColumnRef current;
  ColumnRef own;  ///< what the edge at hand of an update of edges reads
};

/// Resolves expressions. Keeps the nodes that it made, so it outlives the code.
class Resolver {
 public:
  Resolver(const ir::Program& program, const GraphView& graph);

  // What is in scope.
  void bind_state(const std::string& name, StateColumns columns);
  StateColumns& state(const std::string& name);
  void bind_edge_state(const std::string& name, EdgeColumn column);
  EdgeColumn& edge_state(const std::string& name);
  void bind_parameter(const std::string& name, ScalarKind kind, unsigned slot);
  /// `vertices` lives as long as what is resolved.
  void bind_list(const std::string& name, const std::vector<Vertex>* vertices);
  void bind_host_variable(const std::string& name, const ir::Type& type, unsigned slot);
  void bind_inbox(const std::string& name, const ir::Type& type, unsigned slot);
  void bind_local(const std::string& name, const ir::Type& type, unsigned slot);
  unsigned bind_vertex(const std::string& name);
  void bind_vertex_at(const std::string& name, unsigned slot);
  void push_scope() { scopes_.emplace_back(); }
  void pop_scope() { scopes_.pop_back(); }
  /// The updated vertex: its own states are read from StateColumns::own. -1: none.
  void set_own_vertex(int slot) { own_slot_ = slot; }
  void set_step_slot(unsigned slot) { step_slot_ = slot; }
  /// The edge that is updated: its own states are read from EdgeColumn::own. -1: none.
  void set_own_edge(int slot) { own_edge_slot_ = slot; }
  /// The innermost edge in scope (two slots: its index and its side's weights), and the one before.
  int set_edge_slot(int slot) { return std::exchange(edge_slot_, slot); }

  unsigned new_slots(std::size_t count);
  /// A frame with room for every slot that was given out so far.
  Frame make_frame() const { return Frame{std::vector<Word>(slot_count_ + 1)}; }

  Nodes resolve(const ir::Expr& expr);
  /// Converted to `type` element by element where the expression's own differs.
  Nodes resolve_as(const ir::Expr& expr, const ir::Type& type);
  const Node* scalar(const ir::Expr& expr) { return single(resolve(expr), expr); }
  const Node* condition(const ir::ExprPtr& expr);
  /// The function's body, with its arguments read from slots from `slots` on.
  Nodes function_body(const ir::Function& function, unsigned slots);

  std::vector<EdgeSide> sides(ir::EdgeDirection direction) const;
  const GraphView& graph() const { return graph_; }
  const ir::Program& program() const { return program_; }

 private:
  struct Variable {
    ir::Type type;
    unsigned slot = 0;
    bool bound = false;  ///< a bound vertex: always a valid one
  };

  Node& make(Node::Run run);
  const Node* single(const Nodes& nodes, const ir::Expr& expr) const;
  const Node* literal(Word word);
  const Node* load_slot(unsigned slot);
  const Node* coerce(const Node* node, ScalarKind from, ScalarKind to);
  const Variable& variable(const ir::Expr& expr, const std::string& name) const;
  /// The slot of the vertex `expr.vertex`.
  unsigned vertex_slot(const ir::Expr& expr) const;
  [[noreturn]] void damaged(const ir::Expr& expr, const std::string& what) const;

  Nodes literals(const ir::Expr& expr);
  Nodes variable_slots(const Variable& variable);
  Nodes state_read(const ir::Expr& expr);
  Nodes state_at(const ir::Expr& expr);
  const Node* of_list(const ir::Expr& expr, Node::Run run);
  const Node* edge_attribute(const ir::Expr& expr);
  /// Of an attribute that is read by name.
  const Node* record_read(const ir::EdgeAttribute& column);
  const Node* edge_state_read(const ir::Expr& expr);
  const Node* degree(const ir::Expr& expr);
  const Node* cast(const ir::Expr& expr);
  Nodes operation(const ir::Expr& expr);
  Nodes on_tuples(const ir::Expr& expr);
  Nodes select(const ir::Expr& expr);
  Nodes call(const ir::Expr& expr);
  Nodes header_function(const ir::Function& function, unsigned slots);
  Nodes reduction(const ir::Expr& expr);
  const Node* graph_function(const ir::Expr& expr);
  const Node* common_neighbours(const ir::Expr& expr);

  const ir::Program& program_;
  const GraphView& graph_;
  bool symmetric_program_ = false;
  std::map<std::string, StateColumns> states_;
  std::map<std::string, EdgeColumn> edge_states_;
  std::map<std::string, Variable> parameters_, host_variables_, inboxes_;
  std::map<std::string, const std::vector<Vertex>*> lists_;
  std::vector<std::map<std::string, Variable>> scopes_{1};
  std::deque<Node> nodes_;
  std::deque<std::shared_ptr<void>> records_;  ///< extra records that nodes point to
  unsigned slot_count_ = 0;
  int own_slot_ = -1;
  int edge_slot_ = -1;
  int own_edge_slot_ = -1;
  int step_slot_ = -1;
  int call_depth_ = 0;
};

}  // namespace vertigo::reference
