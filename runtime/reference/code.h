#pragma once
// Resolved code: what the interpreter runs. Every name of the Program IR has become a slot of a
// frame or a column, every operator a function that was instantiated for its type, so that nothing
// is looked up while a phase runs. resolve.h makes it.

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"
#include "moving.h"
#include "vertigo/graph/graph.h"
#include "word.h"

namespace vertigo::reference {

/// Values of the names in scope. Certificates run several frames over the same code, one a thread.
struct Frame {
  std::vector<Word> slots;
  std::uint64_t visited_edges = 0;  ///< by reductions over neighbours
  std::uint64_t saturated = 0;      ///< integer results that were too large and became inf

  Word& operator[](unsigned slot) { return slots[slot]; }
  Vertex vertex(unsigned slot) const { return static_cast<Vertex>(slots[slot]); }
};

/// One operation that yields one scalar.
struct Node {
  using Run = Word (*)(const Node&, Frame&);
  Run run = nullptr;
  const Node* a = nullptr;
  const Node* b = nullptr;
  const Node* c = nullptr;
  Word literal = 0;
  unsigned slot = 0;
  const void* data = nullptr;  ///< a column, or the extra record of a larger operation
};

inline Word evaluate(const Node* node, Frame& frame) { return node->run(*node, frame); }
inline bool holds(const Node* node, Frame& frame) { return node->run(*node, frame) != 0; }

/// The scalar elements of one expression; a scalar has one.
using Nodes = std::vector<const Node*>;

/// One adjacency as code walks it. `weights` has the type of the program's edge attribute, or holds
/// records of those that are read by name (vertigo/core/record_layout.h), or is null where defaults
/// serve.
struct EdgeSide {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const void* weights = nullptr;
};

/// A message's inboxes, one per vertex, and how a value is combined into one.
struct MessageTable {
  using Deliver = bool (*)(MessageTable&, Frame&, Vertex, const Word*);
  const ir::Message* source = nullptr;
  std::vector<ColumnRef> inbox;
  std::vector<std::vector<std::byte>> storage;
  std::vector<Word> identity;
  unsigned slot = 0;            ///< of the inbox that was taken, one a tuple element
  Deliver deliver = nullptr;    ///< true where the inbox changed
  unsigned function_slots = 0;  ///< of Combine::Function: where its two arguments go
  Nodes function;
  std::vector<ColumnRef> preferred;  ///< of Combine::Any: the value to choose where it is offered
};

struct Action;
using Actions = std::vector<Action>;

/// A statement of a start or update body.
struct Action {
  ir::StmtKind kind = ir::StmtKind::Let;
  Nodes value;
  const Node* condition = nullptr;  ///< of If, UpdateEdges; of Send: its filter, may be null
  bool apart = false;               ///< of UpdateEdges: ir::Stmt::apart
  unsigned slot = 0;                ///< of Let
  std::vector<ColumnRef> target;    ///< of AssignState, and of AssignEdge: one value an edge
  MessageTable* message = nullptr;
  const Node* receiver = nullptr;  ///< of Send: the one vertex that it goes to; null: neighbours
  std::vector<EdgeSide> sides;     ///< of Send; of UpdateEdges the out-edges
  unsigned neighbour_slot = 0;
  unsigned edge_slot = 0;
  bool same_for_all = false;  ///< of Send: the value reads neither edge nor neighbour
  Actions body, otherwise;
};

struct StartCode {
  unsigned vertex_slot = 0;
  ir::StartSet set = ir::StartSet::All;
  const Node* vertex = nullptr;
  const std::vector<Vertex>* list = nullptr;
  const Node* condition = nullptr;
  Actions body;
};

/// States that a phase both writes and reads of neighbours: writes go to `next`, and to `current`
/// when the step ends.
struct Shadow {
  ColumnRef current, next;
};

struct PhaseCode {
  const ir::Phase* source = nullptr;
  std::vector<StartCode> starts;
  unsigned vertex_slot = 0;
  unsigned step_slot = 0;
  const Node* guard = nullptr;
  Actions body;
  const Node* step_limit = nullptr;
  std::vector<Shadow> shadows;
  std::vector<Shadow> edge_shadows;  ///< of the edge states that it writes
  std::vector<MessageTable*> read;   ///< messages of which the guard or the body reads the inbox
  /// Where going round a cycle may improve values for ever; else nothing.
  std::shared_ptr<const MovingPhase> moving;
  bool is_linear = false;  ///< may grow without bound
};

/// A statement at host level.
struct HostAction {
  ir::StmtKind kind = ir::StmtKind::HostLet;
  std::string symbol;
  ir::Type type;
  Nodes value;
  const Node* limit = nullptr;
  unsigned slot = 0;
  bool downward = false;
  const PhaseCode* phase = nullptr;
  std::vector<HostAction> body, otherwise;
};

}  // namespace vertigo::reference
