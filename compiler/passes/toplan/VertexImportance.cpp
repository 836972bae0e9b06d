#include "compiler/passes/toplan/VertexImportance.h"

#include <algorithm>
#include <utility>

#include "compiler/passes/toplan/KernelTerms.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

constexpr std::size_t kDegrees = 2;  ///< parameters in front of those of inputs

class Closing {
 public:
  Closing(const ir::Program& program, plan::Operator& made) : program_(program), made_(made) {
    for (const char* degree : {"in_degree", "out_degree"})
      made_.parameters.push_back({degree, ir::Type(ir::ScalarKind::Int64)});
  }

  ExprPtr close(const Expr& expr) {
    switch (expr.op) {
      case Op::InDegree:
        return local("in_degree", expr.type);
      case Op::OutDegree:
        return local("out_degree", expr.type);
      case Op::Degree:
        return degree(expr.type);
      case Op::State:
        return input(expr.symbol);
      case Op::Parameter:
      case Op::ReduceNeighbours:
      case Op::ReduceVertices:
      case Op::ReduceCommon:
      case Op::CommonNeighbours:
      case Op::Random:
      case Op::BoundVertex:
      case Op::VertexCount:
      case Op::EdgeCount:
      case Op::Call:
      case Op::ExternCall:
        // Of the expression itself this was told where it was read.
        problem_ = "the default of input '" + of_input_ + "' is not a function of the vertex";
        return expr.clone();
      default:
        break;
    }
    ExprPtr made = expr.clone_without_operands();
    for (const ExprPtr& operand : expr.operands) made->operands.push_back(close(*operand));
    return made;
  }

  const std::string& problem() const { return problem_; }

 private:
  // As ExprLowering has it.
  ExprPtr degree(const ir::Type& type) {
    ExprPtr out = local("out_degree", type);
    for (const ir::Requirement& requirement : program_.requirements)
      if (requirement.kind == ir::RequirementKind::Symmetric) return out;
    return binary(Op::Add, std::move(out), local("in_degree", type), type);
  }

  ExprPtr input(const std::string& name) {
    const ir::State& state = *program_.find_state(name);
    const std::string given = given_name(name);
    const bool is_new = std::ranges::none_of(
        made_.parameters, [&](const ir::FunctionParameter& known) { return known.name == name; });
    if (is_new) {
      made_.parameters.push_back({name, state.type});
      made_.parameters.push_back({given, ir::Type(ir::ScalarKind::Bool)});
    }
    const std::string outer = std::exchange(of_input_, name);
    ExprPtr otherwise = close(*state.initial);
    of_input_ = outer;
    auto made = std::make_unique<Expr>();
    made->op = Op::Select;
    made->type = state.type;
    made->operands.push_back(local(given, ir::Type(ir::ScalarKind::Bool)));
    made->operands.push_back(local(name, state.type));
    made->operands.push_back(std::move(otherwise));
    return made;
  }

  // No name of the program.
  std::string given_name(const std::string& input) const {
    std::string name = input + "_given";
    while (program_.find_state(name) != nullptr) name += "_";
    return name;
  }

  const ir::Program& program_;
  plan::Operator& made_;
  std::string of_input_;
  std::string problem_;
};

}  // namespace

std::optional<plan::Operator> importance_operator(const ir::Program& program, const Expr& expr,
                                                  std::string& problem) {
  plan::Operator made;
  made.name = "importance";
  made.type = ir::Type(ir::ScalarKind::Float64);
  Closing closing(program, made);
  made.value = closing.close(expr);
  problem = closing.problem();
  if (!problem.empty()) return std::nullopt;
  return made;
}

std::vector<std::string> inputs_of(const plan::Operator& importance) {
  std::vector<std::string> names;
  for (std::size_t i = kDegrees; i < importance.parameters.size(); i += 2)
    names.push_back(importance.parameters[i].name);
  return names;
}

plan::Operator copy_of(const plan::Operator& importance) {
  plan::Operator copy;
  copy.name = importance.name;
  copy.parameters = importance.parameters;
  copy.type = importance.type;
  copy.value = importance.value->clone();
  copy.location = importance.location;
  return copy;
}

}  // namespace vertigo::compiler::toplan
