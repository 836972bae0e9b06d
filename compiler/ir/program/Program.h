#pragma once
// Program IR: what a program means, without a word about its schedule. lower makes it from the
// checked AST, the passes of passes/program add facts to it, the interpreter in runtime/reference
// runs it, passes/toplan turns it into Plan IR. It depends on nothing but the standard library,
// because generated binaries carry it for `--check`.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/program/Algebra.h"
#include "compiler/ir/program/Expr.h"
#include "compiler/ir/program/NamedList.h"

namespace vertigo::ir {

struct Parameter {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;
  bool is_list = false;  ///< `vertex[]`
  ExprPtr initial;       ///< default value; null where the user must give one
  Location location;
};

/// An attribute of edges that comes with the graph; `initial` serves graphs that lack it.
struct EdgeAttribute {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;
  ExprPtr initial;  ///< null: the graph must have it
  Location location;
};

/// An attribute of every edge that the program changes. Both directions of an edge have one value;
/// the program requires a symmetric graph without duplicates. Not where every entry of the
/// out-lists has a value of its own (Stmt::apart).
struct EdgeState {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;
  ExprPtr initial;  ///< a constant, never null
  Location location;
};

struct State {
  std::string name;
  Type type;
  ExprPtr initial;  ///< evaluated once per vertex, with the vertex bound to "self"; never null
  bool is_input =
      false;  ///< `input vertex`: read from a file when given, else `initial`; never written
  Location location;
};

/// Or and And: of bool, or bit by bit of integers; Xor: of integers.
enum class Combine : std::uint8_t { Min, Max, Sum, Or, And, Xor, Any, Function };

struct Message {
  std::string name;
  Type type;
  Combine combine = Combine::Min;
  std::string function;  ///< of Combine::Function
  ExprPtr identity;      ///< never null
  bool keep = false;     ///< a phase that reads it does not empty it when it ends
  Location location;
};

/// How a reduction folds one more value; a count adds ones.
Combine combine_of(Reduction reduction);

/// Whether messages are sets of bits: combined by or, and, xor of integers.
bool combines_bits(const Message& message);

struct FunctionParameter {
  std::string name;
  Type type;
};

struct Function {
  std::string name;
  std::vector<FunctionParameter> parameters;
  Type result;
  ExprPtr body;        ///< null for a function of a `use`d header
  std::string header;  ///< of such a function
  Location location;
};

enum class StmtKind : std::uint8_t {
  // In bodies of start and update.
  Let,          ///< symbol = value, immutable
  AssignState,  ///< state `symbol` of the updated vertex = value
  AssignInbox,  ///< start only: combine value into inbox `symbol` of the started vertex
  If,           ///< value: condition; body, otherwise
  Send,  ///< message `symbol`, value, to neighbours in `direction`; neighbour bound to `neighbour`
  /// Of a Sweep without guard: `body` for every edge from the updated vertex to a vertex
  /// `neighbour`
  /// that is not before it, where `value` holds; so each edge is met once.
  UpdateEdges,
  AssignEdge,  ///< edge state `symbol` of the edge at hand = value
  // At host level.
  HostLet,     ///< symbol = value, a new mutable variable
  HostAssign,  ///< symbol = value
  Repeat,      ///< value: times (evaluated once); body
  For,  ///< symbol from value to limit, both included, down when value > limit and `downward`; body
  While,   ///< value; body
  Phase,   ///< runs phase `symbol`
  Report,  ///< symbol = value: a scalar result
};

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

struct Stmt {
  StmtKind kind = StmtKind::Let;
  Location location;
  std::string symbol;
  ExprPtr value;
  ExprPtr limit;  ///< of For
  bool downward =
      false;  ///< of For: written `a .. b` counts down (stated in the source, see docs/language.md)
  EdgeDirection direction = EdgeDirection::Out;  ///< of Send
  /// Of UpdateEdges: for every entry of the out-lists, which alone gets what is assigned; on any
  /// graph.
  bool apart = false;
  /// Of Send: name bound in `condition`; empty where none. Of UpdateEdges: the other end.
  std::string neighbour;
  ExprPtr condition;  ///< of Send: filter, may be null
  ExprPtr receiver;   ///< of Send: the one vertex it goes to, along no edge; else null
  std::vector<StmtPtr> body;
  std::vector<StmtPtr> otherwise;

  StmtPtr clone() const;
};

enum class StartSet : std::uint8_t { All, Vertex, List, Where };

/// Which vertices a phase asks first, and what it puts into their inboxes before.
struct Start {
  StartSet set = StartSet::All;
  ExprPtr vertex;        ///< of Vertex: an expression of type vertex
  std::string list;      ///< of List: a parameter of type vertex[]
  ExprPtr condition;     ///< of Where
  std::string variable;  ///< the started vertex in the body; may be empty
  std::vector<StmtPtr> body;
  Location location;
};

/// Fixpoint: `update v when guard`: run until no vertex is active. Sweep: `update all v` / `update
/// v where guard`: one superstep over every vertex for which the guard holds (docs/semantics.md,
/// rules 3 and 9).
/// Calls `visit(stmt)` for all statements, outer ones first.
template <class Visit>
void for_each_stmt(const std::vector<StmtPtr>& body, const Visit& visit) {
  for (const StmtPtr& stmt : body) {
    visit(*stmt);
    for_each_stmt(stmt->body, visit);
    for_each_stmt(stmt->otherwise, visit);
  }
}

enum class PhaseKind : std::uint8_t { Fixpoint, Sweep };

struct Phase {
  std::string name;  ///< unique in the program; "main" where the source names none
  PhaseKind kind = PhaseKind::Fixpoint;
  std::vector<Start> starts;
  std::string variable;  ///< the updated vertex
  ExprPtr guard;         ///< null only for `update all`
  std::vector<StmtPtr> body;
  ExprPtr step_limit;         ///< null where none is stated
  bool serializable = false;  ///< `consistency serializable`
  bool assume_order_free = false;
  Location location;
  std::optional<Algebra> algebra;  ///< nothing before infer-algebra
  std::vector<Fact> facts;         ///< of the other passes
};

enum class RequirementKind : std::uint8_t { Symmetric, NonNegativeWeights, NoDuplicates };

/// Something the graph must satisfy; checked while loading.
struct Requirement {
  RequirementKind kind = RequirementKind::Symmetric;
  /// Of NonNegativeWeights: which of Program::edge_columns; empty: Program::edge.
  std::string attribute = {};
  bool derived = false;  ///< by a pass, not written by the user
  std::string reason;
  Location location;
};

struct Output {
  std::string state;
  std::optional<double> tolerance;  ///< for floating results: relative, stated by the program
  Location location;
};

struct Program {
  std::string name;
  std::string source_file;
  NamedList<Parameter> parameters;
  std::optional<EdgeAttribute> edge;  ///< the graph's weight; where it is the only one, a number
  /// Else all that come with the graph, each read from the column of its name.
  NamedList<EdgeAttribute> edge_columns;
  NamedList<EdgeState> edge_states;
  NamedList<State> states;
  NamedList<Message> messages;
  NamedList<Function> functions;
  std::vector<Requirement> requirements;
  NamedList<Phase> phases;    ///< in source order; run by Phase statements of `body`
  std::vector<StmtPtr> body;  ///< host level, in order
  std::vector<Output> outputs;
  std::vector<Fact> facts;

  const State* find_state(const std::string& name) const;
  const EdgeState* find_edge_state(const std::string& name) const;
  /// `edge`, or one of `edge_columns`.
  const EdgeAttribute* find_edge_attribute(const std::string& name) const;
  const Message* find_message(const std::string& name) const;
  const Function* find_function(const std::string& name) const;
  const Phase* find_phase(const std::string& name) const;
};

/// Whether the graph must have nothing below zero in the attribute of that name.
bool requires_nonnegative(const Program& program, const std::string& attribute);
/// The same of every attribute that comes with the graph and could be below zero; false where none
/// is required.
bool requires_nonnegative(const Program& program);

/// Everything that passes found out about the phase, in the order in which it is printed.
std::vector<Fact> all_facts(const Phase& phase);
/// What infer-algebra found; of a phase that it has not seen, that nothing is proved.
const Algebra& algebra_of(const Phase& phase);

}  // namespace vertigo::ir
