#pragma once
// Kernels of a plan: structured code over buffers, the same for every target. Everything that
// differs between schedules (what is iterated, in which direction edges are followed, where an
// atomic stands, what is appended to which list) is spelled out here by the pass build-kernels; the
// emitters only print it.

#include <memory>
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
  State,     ///< one per vertex: a state of the program
  Snapshot,  ///< one per vertex: the state's values before this step, read at neighbours
  Inbox,     ///< one per vertex: a message's inbox, identity when empty
  Payload,   ///< one per vertex: a value of an activation that its sends need after it
  Start,     ///< one per vertex: what the start put into the inbox, kept for pulls from states
  Bitmap,    ///< one bit per vertex
  Worklist,  ///< vertices, with their number on the device
  Flag,      ///< one word: something changed
  Counter,   ///< one 64-bit word
  Scalar,    ///< one value: result of a reduction over vertices
};

struct Buffer {
  std::string name;
  BufferRole role = BufferRole::State;
  Type type;       ///< element type where the role does not fix it
  std::string of;  ///< state or message it belongs to; empty where none
  ExprPtr
      initial;  ///< per-vertex initial value ("self" bound), null: identity, zero or empty by role
  std::string reason;  ///< why the plan needs it, for --explain and --dry-run
};

/// Structured statements of a kernel. Locals are immutable unless declared by Accumulator.
enum class KernelOp : std::uint8_t {
  Let,          ///< symbol: type = value
  Accumulator,  ///< symbol: type = value, mutable inside the edge loops that follow
  Accumulate,   ///< symbol = combine(symbol, value)
  Store,        ///< buffer[index] = value
  CombineInto,  ///< buffer[index] = combine(buffer[index], value); `atomic`; `symbol`: bool local,
                ///< true when it changed
  Take,      ///< symbol = buffer[index], then buffer[index] = identity; `atomic`; `keep`: no reset
             ///< needed (idempotent)
  If,        ///< value; body; otherwise
  ForEdges,  ///< edges of `vertex` in `direction`: binds `symbol` (the neighbour) and the edge;
             ///< body
  LeaveEdges,  ///< stops the innermost ForEdges (early exit)
  SkipVertex,  ///< this vertex is done
  Append,      ///< vertex `value` to worklist `buffer`
  SetBit,      ///< of bitmap `buffer` at `index`; `atomic`; `symbol`: bool local, true when it was
               ///< clear before
  ClearBit,    ///< of bitmap `buffer` at `index`
  Raise,       ///< flag `buffer`
  Count,       ///< counter `buffer` += value
  ReduceInto,  ///< scalar `buffer` = combine(., value) over all threads of the kernel
};

struct KernelStmt;
using KernelStmtPtr = std::unique_ptr<KernelStmt>;

struct KernelStmt {
  KernelOp op = KernelOp::Let;
  Location location;
  std::string symbol;
  std::string buffer;
  std::string vertex;
  Type type;
  ExprPtr index;
  ExprPtr value;
  ir::Combine combine = ir::Combine::Min;
  std::string function;  ///< of Combine::Function
  ir::EdgeDirection direction = ir::EdgeDirection::Out;
  bool atomic = false;
  bool keep = false;
  std::vector<KernelStmtPtr> body;
  std::vector<KernelStmtPtr> otherwise;
};

enum class Domain : std::uint8_t { AllVertices, Worklist };

/// How the edges of a kernel's vertices are shared out among threads.
enum class Balance : std::uint8_t { Thread, Warp, Block, Mixed };

struct Kernel {
  std::string name;     ///< "relax_push_data_driven": says what it does; unique in the plan
  std::string comment;  ///< one line, what it does and why it needs (no) atomics
  Location location;    ///< the DSL line it came from
  Domain domain = Domain::AllVertices;
  std::string worklist;  ///< of Domain::Worklist
  std::string vertex;    ///< name of the vertex variable, the user's where there is one
  Balance balance = Balance::Thread;
  std::vector<KernelStmtPtr> body;
};

}  // namespace vertigo::plan
