#pragma once
// Expressions of Program IR: a typed tree of one node type. Symbols are referenced by name, so that
// the textual form reads like the source and nothing has to be renumbered when a pass adds or drops
// a declaration.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/program/Type.h"

namespace vertigo::ir {

/// A place in the .vg source; line and column count from 1, line 0 means "made by the compiler".
struct Location {
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const Location&) const = default;
};

enum class Op : std::uint8_t {
  // Leaves. `symbol` names what is read; `vertex` names the bound vertex it is read of.
  Literal,        ///< value
  Infinity,       ///< `inf` of the type
  NoVertex,       ///< `none`
  Parameter,      ///< symbol: scalar parameter of the program
  HostVariable,   ///< symbol: host-level `let`, constant while a phase runs
  Local,          ///< symbol: `let` of a body, or a parameter of a function
  BoundVertex,    ///< vertex: the vertex variable itself, as a value of type vertex
  State,          ///< symbol of vertex: a state, or a vertex input
  Inbox,          ///< symbol: the message taken (guard: waiting) at the updated vertex
  EdgeAttribute,  ///< symbol: attribute of the edge being sent along or reduced over
  OutDegree,
  InDegree,
  Degree,  ///< of vertex. Degree: out-degree if the program requires symmetric, else in + out
  VertexCount,
  EdgeCount,
  Step,  ///< number of the superstep inside the phase, from 0, int32
  // Operators; operands in source order. Integer Add, Sub, Mul saturate at the type's range.
  Negate,
  Not,
  Abs,
  Sqrt,
  Exp,
  Log,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Min,
  Max,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  And,
  Or,
  Select,  ///< condition, then, else
  Cast,    ///< to `type`
  MakeTuple,
  TupleElement,      ///< index: which
  Call,              ///< symbol: function of the program
  ExternCall,        ///< symbol: device function of a `use`d header
  Random,            ///< (vertex, step) -> float64 in [0, 1)
  CommonNeighbours,  ///< (vertex, vertex) -> int64: size of the intersection of their
                     ///< out-neighbours
  // Reductions. operands: [value, condition, otherwise], each may be null where `kind` needs none.
  ReduceNeighbours,  ///< binds `symbol` to each neighbour of `vertex` in `direction`
  ReduceVertices,    ///< binds `symbol` to every vertex; host level only
  // Only in Plan IR (made by the passes of passes/toplan, never by lower):
  Load,     ///< symbol[operand 0]: element of a plan buffer; `index` 1: another thread may write it
            ///< meanwhile (a relaxed load). Without operand, host level only: the result of the
            ///< vertex reduction `symbol`, computed now
  TestBit,  ///< bit operand 0 of bitmap `symbol`
};

enum class EdgeDirection : std::uint8_t { Out, In, Both };

/// Mode: the most frequent value, the smallest among equals.
enum class Reduction : std::uint8_t { Sum, Min, Max, Count, Any, All, Mode };

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// Bool, signed, unsigned, floating.
using LiteralValue = std::variant<bool, std::int64_t, std::uint64_t, double>;

struct Expr {
  Op op = Op::Literal;
  Type type;
  Location location;
  std::string symbol;
  std::string vertex;
  LiteralValue value = false;
  unsigned index = 0;
  EdgeDirection direction = EdgeDirection::Out;
  Reduction reduction = Reduction::Sum;
  std::vector<ExprPtr> operands;

  ExprPtr clone() const;
};

/// Same tree, locations aside.
bool same(const Expr& a, const Expr& b);

/// Calls `visit(expr)` for the node and everything below it, parents first.
template <class ExprRef, class Visit>
void walk(ExprRef& expr, const Visit& visit) {
  visit(expr);
  for (auto& operand : expr.operands)
    if (operand) walk(*operand, visit);
}

}  // namespace vertigo::ir
