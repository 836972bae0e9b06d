// The words of the language for the enumerations of the tree.

#include "compiler/ast/Program.h"

namespace vertigo::compiler::ast {

const char* spelling(Operator op) {
  switch (op) {
    case Operator::Negate:
    case Operator::Subtract:
      return "-";
    case Operator::Not:
      return "!";
    case Operator::Add:
      return "+";
    case Operator::Multiply:
      return "*";
    case Operator::Divide:
      return "/";
    case Operator::Modulo:
      return "%";
    case Operator::Equal:
      return "==";
    case Operator::NotEqual:
      return "!=";
    case Operator::Less:
      return "<";
    case Operator::LessEqual:
      return "<=";
    case Operator::Greater:
      return ">";
    case Operator::GreaterEqual:
      return ">=";
    case Operator::And:
      return "&&";
    case Operator::Or:
      return "||";
  }
  return "?";
}

const char* spelling(Direction direction) {
  switch (direction) {
    case Direction::Out:
      return "out";
    case Direction::In:
      return "in";
    case Direction::Both:
      return "both";
  }
  return "?";
}

const char* spelling(ReductionOp op) {
  switch (op) {
    case ReductionOp::Sum:
      return "sum";
    case ReductionOp::Min:
      return "min";
    case ReductionOp::Max:
      return "max";
    case ReductionOp::Count:
      return "count";
    case ReductionOp::Any:
      return "any";
    case ReductionOp::All:
      return "all";
    case ReductionOp::Mode:
      return "mode";
  }
  return "?";
}

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
