#include "compiler/ir/program/Typing.h"

#include <algorithm>

#include "compiler/ir/program/Spelling.h"
#include "vertigo/core/quoted.h"

namespace vertigo::ir {

namespace {

bool is_numeric(const Type& type) { return type.is_scalar() && ir::is_numeric(type.scalar()); }
bool is_integer(const Type& type) { return type.is_scalar() && ir::is_integer(type.scalar()); }
bool is_bool(const Type& type) { return type == Type(ScalarKind::Bool); }

class Derivation {
 public:
  Derivation(const Expr& expr, const Scope& scope, Type& type)
      : expr_(expr), scope_(scope), type_(type) {}

  std::string run() {
    if (const std::string problem = check_operands(); !problem.empty()) return problem;
    if (info(expr_.op).takes != Operands::Own) return operation();
    switch (expr_.op) {
      case Op::Literal:
        return literal();
      case Op::Infinity:
        return stated(!expr_.type.is_none(), "'inf' states no type");
      case Op::NoVertex:
        return fixed(ScalarKind::Vertex);
      case Op::BoundVertex:
        return bound() ? fixed(ScalarKind::Vertex) : no_vertex();
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
        return bound() ? stated_integer() : no_vertex();
      case Op::VertexCount:
      case Op::EdgeCount:
        return stated_integer();
      case Op::Step:
        return fixed(ScalarKind::Int32);
      case Op::Cast:
        return cast();
      case Op::Select:
        return select();
      case Op::MakeTuple:
        return make_tuple();
      case Op::TupleElement:
        return tuple_element();
      case Op::Random:
        return operand(0) == Type(ScalarKind::Vertex) && is_integer(operand(1))
                   ? fixed(ScalarKind::Float64)
                   : "'random' takes a vertex and an integer";
      case Op::CommonNeighbours:
        return common_neighbours();
      case Op::EdgeAtHand:
        return fixed(ScalarKind::UInt64);
      case Op::EdgePlace:
        return operand(0) == Type(ScalarKind::Vertex) && operand(1) == Type(ScalarKind::Vertex)
                   ? fixed(ScalarKind::UInt64)
                   : "'edge_place' takes two vertices";
      case Op::IndexIn:
        return operand(0) == Type(ScalarKind::Vertex) ? of_list(ScalarKind::Int32)
                                                      : "'index' is of a vertex";
      case Op::ListSize:
        return of_list(ScalarKind::Int32);
      case Op::ListItem:
        return operand(0) == Type(ScalarKind::Int32) ? of_list(ScalarKind::Vertex)
                                                     : "'item' is of an int32";
      case Op::Call:
      case Op::ExternCall:
        return call();
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
      case Op::ReduceVertices:
        return reduction();
      case Op::Load:
        return stated(!expr_.type.is_none(), "'load' states no type");
      case Op::TestBit:
        return fixed(ScalarKind::Bool);
      default:
        return name();
    }
  }

 private:
  const Type& operand(std::size_t i) const { return expr_.operands[i]->type; }
  bool bound(const std::string& name) const {
    return std::find(scope_.vertices.begin(), scope_.vertices.end(), name) != scope_.vertices.end();
  }
  bool bound() const { return bound(expr_.vertex); }
  std::string no_vertex() const { return quoted(expr_.vertex) + " names no vertex here"; }

  std::string fixed(Type type) {
    type_ = std::move(type);
    return "";
  }
  std::string stated(bool possible, const char* problem) {
    if (!possible) return problem;
    type_ = expr_.type;
    return "";
  }
  std::string stated_integer() {
    return stated(is_numeric(expr_.type), "a count or degree has a numeric type");
  }

  std::string check_operands() const {
    const bool reduction = is_reduction(expr_.op);
    const int arity = info(expr_.op).arity;
    if (arity >= 0 && expr_.operands.size() != static_cast<std::size_t>(arity) &&
        expr_.op != Op::Load)
      return "'" + std::string(info(expr_.op).spelling) + "' takes " + std::to_string(arity) +
             " operands, not " + std::to_string(expr_.operands.size());
    for (const ExprPtr& operand : expr_.operands)
      if (!operand && !reduction)
        return "an operand of '" + std::string(info(expr_.op).spelling) + "' is missing";
    return "";
  }

  std::string literal() {
    if (!expr_.type.is_scalar()) return "a literal has a scalar type";
    const ScalarKind kind = expr_.type.scalar();
    const std::size_t wanted = kind == ScalarKind::Bool  ? 0
                               : is_signed_integer(kind) ? 1
                               : ir::is_float(kind)      ? 3
                                                         : 2;
    return stated(expr_.value.index() == wanted, "a literal's value does not fit its type");
  }

  std::string named(const Type* type, const char* what) {
    if (type == nullptr) return std::string("no ") + what + " is called " + quoted(expr_.symbol);
    return fixed(*type);
  }

  std::string name() {
    const Program& program = *scope_.program;
    switch (expr_.op) {
      case Op::Local:
        return named(scope_.locals.find(expr_.symbol), "local");
      case Op::HostVariable:
        return named(scope_.host.find(expr_.symbol), "host variable");
      case Op::Parameter:
        for (const Parameter& parameter : program.parameters)
          if (parameter.name == expr_.symbol && !parameter.is_list) return fixed(parameter.kind);
        return named(nullptr, "scalar parameter");
      case Op::State: {
        const bool far = expr_.operands.size() == 1;
        if (far && operand(0) != Type(ScalarKind::Vertex))
          return "a state is read of a vertex, not of " + to_string(operand(0));
        if (!far && (!bound() || !expr_.operands.empty())) return no_vertex();
        const State* state = program.find_state(expr_.symbol);
        return named(state ? &state->type : nullptr, "state");
      }
      case Op::Inbox: {
        const Message* message = program.find_message(expr_.symbol);
        return named(message ? &message->type : nullptr, "message");
      }
      default:
        if (const EdgeState* state = program.find_edge_state(expr_.symbol))
          return fixed(state->kind);
        if (const EdgeAttribute* attribute = program.find_edge_attribute(expr_.symbol))
          return fixed(attribute->kind);
        return named(nullptr, "edge attribute");
    }
  }

  std::string operation() {
    const OpInfo& op = info(expr_.op);
    const Type& first = operand(0);
    const std::string spelling = "'" + std::string(op.spelling) + "'";
    if (op.takes == Operands::Bools) {
      for (const ExprPtr& operand : expr_.operands)
        if (!is_bool(operand->type))
          return spelling + " takes bool, not " + to_string(operand->type);
      return fixed(ScalarKind::Bool);
    }
    if (expr_.operands.size() == 2 && first != operand(1))
      return spelling + " has operands of types " + to_string(first) + " and " +
             to_string(operand(1));
    if (op.is_comparison()) return fixed(ScalarKind::Bool);
    switch (op.takes) {
      case Operands::Floats:
        if (!first.is_scalar() || !accepts(op.takes, first.scalar()))
          return spelling + " takes float32 or float64";
        break;
      case Operands::Integers:
        if (!is_integer(first)) return spelling + " takes integers";
        break;
      case Operands::Numbers:
      case Operands::Signed:  // a pass may write 0 - x of an unsigned x so
        if (!is_numeric(first)) return spelling + " takes numbers, not " + to_string(first);
        break;
      default:  // tuples and bool, too, of which messages are combined
        break;
    }
    return fixed(first);
  }

  std::string cast() {
    if (!expr_.type.is_scalar() || !operand(0).is_scalar()) return "a cast is between scalar types";
    return stated(true, "");
  }

  std::string select() {
    if (!is_bool(operand(0))) return "the condition of 'select' is not bool";
    if (operand(1) != operand(2))
      return "'select' has branches of types " + to_string(operand(1)) + " and " +
             to_string(operand(2));
    return fixed(operand(1));
  }

  std::string make_tuple() {
    std::vector<ScalarKind> elements;
    for (const ExprPtr& operand : expr_.operands) {
      if (!operand->type.is_scalar()) return "elements of a tuple are scalars";
      elements.push_back(operand->type.scalar());
    }
    if (elements.size() < 2) return "a tuple has at least two elements";
    return fixed(Type(std::move(elements)));
  }

  std::string tuple_element() {
    if (!operand(0).is_tuple() || expr_.index >= operand(0).elements.size())
      return "there is no element " + std::to_string(expr_.index) + " in " + to_string(operand(0));
    return fixed(operand(0).elements[expr_.index]);
  }

  std::string common_neighbours() {
    const std::size_t count = expr_.operands.size();
    if (count < 2 || count > 3 || operand(0) != Type(ScalarKind::Vertex) ||
        operand(1) != Type(ScalarKind::Vertex))
      return "'common_neighbours' takes two vertices";
    if (count == 3 && !is_bool(operand(2)))
      return "what chooses edges in 'common_neighbours' is not bool";
    return fixed(ScalarKind::Int64);
  }

  std::string of_list(ScalarKind kind) {
    for (const Parameter& parameter : scope_.program->parameters)
      if (parameter.name == expr_.symbol && parameter.is_list) return fixed(kind);
    return named(nullptr, "list parameter");
  }

  std::string call() {
    const Function* function = scope_.program->find_function(expr_.symbol);
    if (function == nullptr) return "no function is called " + quoted(expr_.symbol);
    if ((expr_.op == Op::ExternCall) != (function->body == nullptr))
      return quoted(expr_.symbol) +
             " is called as what it is not: 'call' is for functions of the "
             "program, 'extern' for those of a header";
    if (function->parameters.size() != expr_.operands.size())
      return quoted(expr_.symbol) + " takes " + std::to_string(function->parameters.size()) +
             " arguments, not " + std::to_string(expr_.operands.size());
    for (std::size_t i = 0; i < expr_.operands.size(); ++i)
      if (operand(i) != function->parameters[i].type)
        return "argument " + std::to_string(i + 1) + " of " + quoted(expr_.symbol) + " is " +
               to_string(operand(i)) + ", not " + to_string(function->parameters[i].type);
    return fixed(function->result);
  }

  std::string reduction() {
    if (expr_.op == Op::ReduceNeighbours && !bound()) return no_vertex();
    const Expr* value = expr_.operands[0].get();
    const Expr* condition = expr_.operands[1].get();
    const bool of_common = expr_.op == Op::ReduceCommon;
    const Expr* otherwise = of_common ? nullptr : expr_.operands[2].get();
    const std::string spelling = "'" + std::string(to_string(expr_.reduction)) + "'";
    if (of_common && (!expr_.operands[2] || expr_.operands[2]->op != Op::CommonNeighbours ||
                      compares_values(expr_.reduction)))
      return spelling + " is over no common neighbours";
    if (condition != nullptr && !is_bool(condition->type))
      return "the condition of " + spelling + " is not bool";
    if (expr_.reduction == Reduction::Count)
      return stated(value == nullptr && is_numeric(expr_.type), "'count' takes no value");
    if (value == nullptr) return spelling + " takes a value";
    if (expr_.reduction == Reduction::Distinct)
      return stated(otherwise == nullptr && expr_.type == Type(ScalarKind::Int64),
                    "'distinct' is int64 and has no 'else'");
    if (otherwise != nullptr && otherwise->type != expr_.type)
      return "the 'else' of " + spelling + " is " + to_string(otherwise->type) + ", not " +
             to_string(expr_.type);
    if (expr_.reduction == Reduction::Any || expr_.reduction == Reduction::All)
      return is_bool(value->type) && is_bool(expr_.type) ? fixed(expr_.type)
                                                         : spelling + " is over bool";
    if (expr_.reduction == Reduction::Sum)
      return is_numeric(value->type) && is_numeric(expr_.type) ? fixed(expr_.type)
                                                               : spelling + " is over numbers";
    if (is_bitwise(expr_.reduction) &&
        !(value->type.is_scalar() && is_integer(value->type.scalar())))
      return spelling + " is over integers";
    return value->type == expr_.type ? fixed(expr_.type) : spelling + " has the type of its value";
  }

  const Expr& expr_;
  const Scope& scope_;
  Type& type_;
};

}  // namespace

std::string derive_type(const Expr& expr, const Scope& scope, Type& type) {
  return Derivation(expr, scope, type).run();
}

}  // namespace vertigo::ir
