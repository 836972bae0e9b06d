#pragma once
// The syntax tree of one program. It owns every declaration; check adds meaning to it and changes
// nothing else.

#include <memory>
#include <string>
#include <vector>

#include "compiler/ast/Stmt.h"

namespace vertigo::compiler::ast {

/// A declaration of the program's top level.
struct ProgramDecl : Decl {
  TypeSyntax written_type;
  ExprPtr initial;  ///< default, initial value or identity; null where not given
  SourceRange range;
  using Decl::Decl;
};

struct Message : ProgramDecl {
  Name combine;
  const Decl* combine_function = nullptr;  ///< filled in by check
  bool keep = false;                       ///< a phase that ends leaves what the inboxes hold
  Message() : ProgramDecl(Kind::Message) {}
};

struct Function : ProgramDecl {
  std::vector<std::unique_ptr<ProgramDecl>> parameters;
  ExprPtr body;        ///< null where a `use`d header defines it
  std::string header;  ///< of such a function, where it is known which one
  Function() : ProgramDecl(Kind::Function) {}
};

struct Use {
  SourceRange range;
  std::string header;
};

struct Requirement {
  Name name;
  Name argument;  ///< empty where none
  SourceRange range;
};

struct Output {
  Name name;
  ExprPtr tolerance;
  const Decl* state = nullptr;  ///< filled in by check
};

struct Program {
  SourceRange range;
  Name name;
  std::vector<std::unique_ptr<ProgramDecl>> parameters;
  /// Those that updates write are states; of others, check accepts one.
  std::vector<std::unique_ptr<ProgramDecl>> edges;
  std::vector<std::unique_ptr<ProgramDecl>> states;  ///< states and inputs, in source order
  std::vector<std::unique_ptr<Message>> messages;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Use> uses;
  std::vector<Requirement> requirements;
  std::vector<Output> outputs;
  SourceRange serializable;
  SourceRange order_free;
  Block body;
  std::vector<std::unique_ptr<Decl>> bound_vertices;  ///< by reductions; filled in by check
};

}  // namespace vertigo::compiler::ast
