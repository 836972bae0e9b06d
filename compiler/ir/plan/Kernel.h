#pragma once
// Kernels of a plan: structured code over buffers, the same for every target. Everything that
// differs between schedules (what is iterated, in which direction edges are followed, where an
// atomic stands, what is appended to which list) is spelled out here by the pass build-kernels; the
// passes of passes/plan arrange it, and the emitters only print it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/program/Expr.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::plan {

using ir::Expr;
using ir::ExprPtr;
using ir::Location;
using ir::Type;

/// What a buffer is for; decides its size, its initial value and who may touch it.
enum class BufferRole : std::uint8_t {
  State,  ///< one per vertex: a state of the program
  /// One per edge, in the order of the out-lists: an edge state, or its values from before this
  /// step.
  EdgeState,
  Snapshot,   ///< one per vertex: the state's values before this step, read at neighbours
  Inbox,      ///< one per vertex: a message's inbox, identity when empty
  Payload,    ///< one per vertex: a value of an activation that its sends need after it
  Bitmap,     ///< one bit per vertex
  Worklist,   ///< vertices, each at most once, with their number on the device
  Flag,       ///< one word: something changed
  Counter,    ///< one 64-bit word
  Scalar,     ///< one value: result of a reduction over vertices
  Order,      ///< all vertices, by descending number of edges in `direction`, approximately
  Threshold,  ///< one value: what a vertex must be worth to be processed in this step
  Slots,      ///< a place for the message of every edge in `direction`, and whose it is
  Messages,   ///< one per slot of `slots`
  /// All vertices in parts, the colour classes: no two of a part share an edge. With `colours` all
  /// that are in none are the rest.
  Classes,
  Ballots,  ///< room to count the values of a list of edges in `direction`
  Sorted,   ///< all vertices by the value of the state `of`, with the place of each value's slice
  /// The place of every vertex in the order of degrees, and lists in which neighbours are called by
  /// their places.
  Hubs,
};

/// What a part of the graph needs of a buffer, if parts run apart; later ones allow more.
enum class Placement : std::uint8_t {
  Owned,       ///< the values of its own vertices
  Replicated,  ///< a copy of all, in which it changes those of its own vertices
  Whole,       ///< the one array: it changes values of any vertex
};

struct Buffer {
  std::string name;
  BufferRole role = BufferRole::State;
  Type type;       ///< element type where the role does not fix it
  std::string of;  ///< state or message it belongs to; empty where none
  /// Of an Inbox of tuples: elements are stored as one 64-bit word whose unsigned order is the
  /// tuples' lexicographic order, so that min and max are one atomic.
  bool packed = false;
  ir::EdgeDirection direction = ir::EdgeDirection::Out;  ///< of Order and Slots
  bool once_if_symmetric = false;  ///< of Slots in direction Both: as the loops that fill them
  std::string slots{};             ///< of Messages
  /// Of Payload: values lie in the order of these Hubs; "": by vertex.
  std::string hubs{};
  /// Of Classes: how many (auto, all or a number), before a rest; "": all, and there is never one.
  std::string colours{};
  Placement placement = Placement::Whole;
  std::string reason;  ///< why the plan needs it, for --explain and --dry-run

  bool operator==(const Buffer&) const = default;
};

/// Structured statements of a kernel. A kernel's body runs once per vertex of its domain.
enum class KernelOp : std::uint8_t {
  Let,          ///< symbol: type = value, immutable
  Accumulator,  ///< symbol: type = value, mutable by Accumulate
  /// symbol = combine(symbol, value); `changed`, where named, is a bool Accumulator that becomes
  /// true when that changed it.
  Accumulate,
  Store,  ///< buffer[index] = value; `atomic`: relaxed, other threads may read it meanwhile
  /// buffer[index] = combine(buffer[index], value), then `body` when that changed it. `atomic`:
  /// other threads may combine into the same element. `joined`: what neighbouring threads bring is
  /// often for one element, so they combine that first.
  CombineInto,
  /// symbol: type = buffer[index], then buffer[index] = value (the identity), as one atomic
  /// exchange.
  Take,
  If,        ///< value; body; otherwise
  ForEdges,  ///< edges of `vertex` in `direction`: binds `symbol` (the neighbour), the edge; body
  /// Messages in `buffer` for the vertex `index`, in the order of the edges that they came along:
  /// binds `symbol`: type; body.
  ForMessages,
  LeaveEdges,  ///< stops the innermost ForEdges (early exit)
  /// Inside a ForEdges that has ballots (`buffer`): a vote for `value`. When the loop ends,
  /// `symbol`, an Accumulator, becomes the value that most voted for, the smallest of several;
  /// without a vote it stays as it is.
  Vote,
  /// The same for another question: `symbol` becomes the number of different values.
  Distinguish,
  Append,      ///< vertex `value` to worklist `buffer`
  SetBit,      ///< of bitmap `buffer` at `index`, atomically, then `body` when it was clear before
  ClearBit,    ///< of bitmap `buffer` at `index`, atomically
  Raise,       ///< flag `buffer`
  Count,       ///< counter `buffer` += value
  ReduceInto,  ///< scalar `buffer` = combine(., value) over all vertices of the kernel
  /// `value` is a sample for threshold `buffer`, which becomes the `index`-th largest of all
  /// samples.
  Sample,
  /// The edge at `index` no longer counts: `buffer`, which holds for every edge how many common
  /// neighbours its ends have over counted edges, is lowered at those that it made triangles with.
  /// `identity`: whether an edge counted before; `value`: whether it still does.
  Uncount,
  /// Of a kernel whose threads work together: `body` is for the vertex's own thread, the others
  /// wait. What `outlives` it is declared in front of it.
  Alone,
};

/// How the threads of a block, or of a warp, take the edges of each other's vertices.
enum class Sharing : std::uint8_t {
  Warp,
  Block,
  Mixed,    ///< long lists go to a block, medium ones to a warp, the rest to single threads
  Edge,     ///< laid end to end
  Auto,     ///< one of these, by the lengths of the lists
  AutoAll,  ///< the same, of a kernel over all vertices
  Grid,     ///< as Auto, and those that are long for a block go to all blocks of the launch
  Rows,     ///< by length, several lists at a time: of a fold that need not know whose an edge is
};

/// Whether the statement gives a value to the ballots of its loop.
constexpr bool uses_ballots(KernelOp op) {
  return op == KernelOp::Vote || op == KernelOp::Distinguish;
}

/// A value that the thread of a vertex computed and the threads which visit its edges need.
struct KeptValue {
  std::string symbol;
  Type type;
  bool operator==(const KeptValue&) const = default;
};

/// A loop over edges that the threads go through together.
struct SharedEdges {
  Sharing way = Sharing::Mixed;
  /// The accumulator that the loop folds into; empty where it only writes to what is shared.
  std::string accumulator;
  Type accumulator_type;
  ir::Combine combine = ir::Combine::Min;
  /// Vote or Distinguish, where the accumulator becomes what ballots tell and no combination.
  std::optional<KernelOp> ballots;
  bool leaves = false;  ///< stops as soon as the fold is settled, whoever settled it
  std::vector<KeptValue> kept;
  bool operator==(const SharedEdges&) const = default;
};

struct KernelStmt;
using KernelStmtPtr = std::unique_ptr<KernelStmt>;
using Block = std::vector<KernelStmtPtr>;

struct KernelStmt {
  KernelOp op = KernelOp::Let;
  Location location;  ///< of the DSL; line 0: made by the compiler
  std::string symbol;
  std::string buffer;  ///< of ForEdges: the ballots of a loop that compares values
  std::string vertex;  ///< of ForEdges
  /// Of ForEdges: a local that holds the slot of the edge's message in `slots`, a buffer; "": none.
  /// Without `slots`, of out-edges: the place of the edge among all of them.
  std::string slot;
  std::string slots;
  /// Of ForEdges: the neighbour is its place in these Hubs, a buffer; "": it is the vertex.
  std::string hubs;
  std::string changed;  ///< of Accumulate
  Type type;
  ExprPtr index;
  ExprPtr value;
  ir::Combine combine = ir::Combine::Min;
  std::string function;  ///< of Combine::Function
  /// Of Combine::Any: what counts as empty. Of what is joined: what changes nothing.
  ExprPtr identity;
  ir::EdgeDirection direction = ir::EdgeDirection::Out;
  bool atomic = false;
  bool joined = false;
  /// Of ForEdges in direction Both: one pass is enough where the graph is symmetric, because what
  /// the body does twice with the same values changes nothing.
  bool once_if_symmetric = false;
  bool outlives = false;              ///< of what an Alone declares: read behind it
  bool together = false;              ///< of If: all threads go through its branches
  std::optional<SharedEdges> shared;  ///< of ForEdges
  Block body;
  Block otherwise;

  KernelStmtPtr clone() const;
};

/// Same statements, locations aside.
bool same(const Block& a, const Block& b);

enum class Domain : std::uint8_t {
  AllVertices,
  /// The vertices of worklist `list`; of a list that is Sorted, those that may have the value of
  /// `start`.
  Worklist,
  OneVertex,   ///< the value of `start`; nothing runs where that is no vertex of the graph
  VertexList,  ///< parameter `list` of type vertex[], each vertex once
  Sample,      ///< some vertices of worklist `list`, none of a short one
  Part,        ///< the vertices of the part of `list` that ActionKind::ForParts is at
  Rest,        ///< the vertices of `list` that are in none of its parts
};

/// How the edges of a kernel's vertices are shared out among threads.
enum class Balance : std::uint8_t {
  Thread,
  Warp,
  Block,
  Mixed,
  Edge,
  Sorted,  ///< as Thread, the vertices taken in `order`: neighbouring threads have as much to do
  Auto,    ///< while it runs, by the longest list of the graph and the lists at hand
  Rows,    ///< as Auto, but folds of what neighbours alone bring go through many lists at a time
};

/// What a kernel takes.
struct KernelArgument {
  enum class Kind : std::uint8_t {
    Graph,
    Buffer,
    Parameter,  ///< scalar parameter or host variable `name` of `type`
    List,       ///< parameter `name` of type vertex[]
    Step,       ///< number of the superstep
    Start,      ///< the one vertex of Domain::OneVertex
    Part,       ///< the part of Domain::Part, the vertices of Domain::Rest
  };
  Kind kind = Kind::Graph;
  std::string name;  ///< of a buffer or parameter
  Type type;
  bool written = false;  ///< of a buffer
  bool operator==(const KernelArgument&) const = default;
};

/// Who runs a kernel.
enum class Caller : std::uint8_t {
  Host,
  Loop,  ///< the loop over steps in one launch, of which the kernel is a part
  Both,
};

struct Kernel {
  std::string name;     ///< "relax_push_data_driven": says what it does; unique in the plan
  std::string comment;  ///< what it does and why it needs (no) atomics; one line
  Location location;    ///< the DSL line it came from
  Domain domain = Domain::AllVertices;
  std::string list;  ///< of Worklist, VertexList, Part and Rest
  /// Of OneVertex; of Sample the length of lists that are not short; of a slice the value of its
  /// vertices; of Part, where it is not null, whether `vertex` may take part, which nobody changes
  /// for others: parts without such a vertex are passed over.
  ExprPtr start;
  std::string vertex;  ///< name of the vertex variable, the user's where there is one
  Balance balance = Balance::Thread;
  std::string order;  ///< buffer (Order or Slots), of Balance::Sorted over AllVertices
  /// Of a slice: it runs only where the value is at an end of its type, and the next one waits for
  /// it there and nowhere else.
  bool at_ends = false;
  /// Where threads help each other with edges: the body is nothing but statements that they all go
  /// through, which are Alone, If `together` and ForEdges `shared`.
  bool together = false;
  Caller called_by = Caller::Host;
  std::vector<KernelArgument> takes;  ///< in order; empty: nobody has listed it
  Block body;

  Kernel clone() const;
};

/// Whether the kernel runs over a slice of what is sorted, and whether this argument is that slice.
inline bool is_sliced(const Kernel& kernel) {
  return kernel.domain == Domain::Worklist && kernel.start != nullptr;
}
inline bool is_slice_of(const Kernel& kernel, const KernelArgument& argument) {
  return is_sliced(kernel) && argument.kind == KernelArgument::Kind::Buffer &&
         argument.name == kernel.list;
}

/// Calls `visit(stmt)` for every statement of the block and below, parents first.
template <class BlockRef, class Visit>
void walk_statements(BlockRef& block, const Visit& visit) {
  for (auto& stmt : block) {
    visit(*stmt);
    walk_statements(stmt->body, visit);
    walk_statements(stmt->otherwise, visit);
  }
}

/// Calls `visit(expr)` for every expression node of the statement itself, not of those below it.
template <class Stmt, class Visit>
void for_each_expr(Stmt& stmt, const Visit& visit) {
  for (auto* expr : {&stmt.index, &stmt.value, &stmt.identity})
    if (*expr) ir::walk(**expr, visit);
}

/// Calls `visit(expr)` for every expression node of the kernel.
template <class KernelRef, class Visit>
void walk_expressions(KernelRef& kernel, const Visit& visit) {
  if (kernel.start) ir::walk(*kernel.start, visit);
  walk_statements(kernel.body, [&](auto& stmt) { for_each_expr(stmt, visit); });
}

}  // namespace vertigo::plan
