// The words of the language for the enumerations of the tree.

#include "compiler/ast/Program.h"

namespace vertigo::compiler::ast {

const char* describe(Decl::Kind kind) {
  switch (kind) {
    case Decl::Kind::Parameter:
      return "parameter";
    case Decl::Kind::EdgeAttribute:
      return "edge attribute";
    case Decl::Kind::State:
      return "vertex state";
    case Decl::Kind::Input:
      return "vertex input";
    case Decl::Kind::Message:
      return "message";
    case Decl::Kind::Function:
      return "function";
    case Decl::Kind::FunctionParameter:
      return "function parameter";
    case Decl::Kind::HostVariable:
      return "variable";
    case Decl::Kind::LoopVariable:
      return "loop variable";
    case Decl::Kind::Local:
      return "local";
    case Decl::Kind::Vertex:
      return "vertex";
    case Decl::Kind::Phase:
      return "phase";
    case Decl::Kind::Report:
      return "report";
  }
  return "name";
}

}  // namespace vertigo::compiler::ast
