#pragma once
// Statements of the syntax tree: those of the host level and those of update and start bodies share
// one node type.

#include <memory>
#include <vector>

#include "compiler/ast/Expr.h"

namespace vertigo::compiler::ast {

/// Something that a name can mean.
struct Decl {
  enum class Kind : std::uint8_t {
    Parameter,
    EdgeAttribute,
    State,
    Input,
    Message,
    Function,
    FunctionParameter,
    HostVariable,
    LoopVariable,
    Local,
    Vertex,
    Phase,
    Report,
  };
  Kind kind = Kind::Local;
  Name name;
  Type type;
  mutable bool read = false;  ///< for the warning about unused names
  /// By an update (states, of vertices or edges), a send or a start (messages).
  mutable bool written = false;

  explicit Decl(Kind kind) : kind(kind) {}
};
/// "parameter", "vertex state", …
const char* describe(Decl::Kind kind);

/// A type as it is written; check turns it into a Type.
struct TypeSyntax {
  SourceRange range;
  Name scalar;  ///< of a scalar or of the elements of a list
  bool is_list = false;
  std::vector<TypeSyntax> elements;  ///< of a tuple
  std::vector<Name> names;           ///< of its elements; empty Name where not named

  bool written() const { return range.valid(); }
};

enum class StmtKind : std::uint8_t {
  Let,     ///< let decl (: written_type) = value
  Assign,  ///< target = value; `t += e` is read as `t = t + e`
  If,      ///< branches
  Send,    ///< bodies only
  Repeat,  ///< value: times; body
  For,     ///< decl in value .. last (by step); body
  While,   ///< value; body
  Phase,   ///< phase
  Report,  ///< report decl = value
};

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;
using Block = std::vector<StmtPtr>;

/// `if condition { … }`, one for each `else if`; the last has no condition where it is an `else`.
struct Branch {
  ExprPtr condition;
  Block body;
};

/// `start all`, `start source { … }`, `start v where … { … }`.
struct Start {
  enum class Set : std::uint8_t { All, Named, Where };
  SourceRange range;
  Set set = Set::All;
  ExprPtr vertices;  ///< of Named: a vertex or a list of them
  ExprPtr condition;
  std::unique_ptr<Decl> variable;  ///< null where none is named
  Block body;
};

struct Update {
  enum class Kind : std::uint8_t { When, All, Where, Edges };
  SourceRange range;
  Kind kind = Kind::When;
  std::unique_ptr<Decl> variable;
  std::unique_ptr<Decl> other;  ///< of Edges: the end that `variable` is not
  ExprPtr condition;            ///< null for All, and where edges are not chosen
  Block body;
};

/// A phase, named or not, with the loop that its header may state.
struct Phase {
  SourceRange range;
  Decl decl{Decl::Kind::Phase};  ///< name is empty where the source names none
  std::unique_ptr<Decl> loop_variable;
  ExprPtr first, last, by;
  std::vector<Start> starts;
  std::unique_ptr<Update> update;
  ExprPtr limit;
  SourceRange serializable;  ///< where stated
  SourceRange order_free;    ///< where stated
};

struct Stmt {
  StmtKind kind;
  SourceRange range;
  std::unique_ptr<Decl> decl;
  TypeSyntax written_type;
  ExprPtr target;
  ExprPtr value;
  ExprPtr last, by;
  Block body;
  std::vector<Branch> branches;
  std::unique_ptr<Phase> phase;

  // Of Send.
  Direction direction = Direction::Out;
  Name message;                     ///< of `into`; empty where not said
  std::unique_ptr<Decl> neighbour;  ///< of `to u`
  ExprPtr receiver;                 ///< of `to v.parent`: the one vertex that it goes to
  ExprPtr condition;
  const Decl* sent_message = nullptr;  ///< filled in by check

  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};

}  // namespace vertigo::compiler::ast
