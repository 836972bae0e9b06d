#include "compiler/emit/common/FoldText.h"

#include <set>
#include <vector>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Expr;
using ir::Op;

namespace {

std::string identity_text(ir::Combine combine, ir::ScalarKind kind) {
  const std::string type = cpp_type(kind);
  switch (combine) {
    case ir::Combine::Min:
      return kind == ir::ScalarKind::Bool ? "true" : "kInfinity<" + type + ">";
    case ir::Combine::Max:
      return kind == ir::ScalarKind::Bool ? "false" : "kLowest<" + type + ">";
    case ir::Combine::And:
      return kind == ir::ScalarKind::Bool ? "true" : "static_cast<" + type + ">(-1)";
    default:
      return kind == ir::ScalarKind::Bool ? "false" : type + "{0}";
  }
}

struct Kept {
  std::string type, name;
};

/// What the value reads that differs from one thread to another: locals and vertices that it does
/// not bind itself, in the order in which it reads them.
class Keeping {
 public:
  explicit Keeping(const Expr& reduction) {
    bound_.insert(reduction.symbol);
    look(*reduction.operands[0]);
  }
  const std::vector<Kept>& kept() const { return kept_; }

 private:
  void look(const Expr& expr) {
    if (expr.op == Op::Local) keep(cpp_type(expr.type), expr.symbol);
    if (!expr.vertex.empty()) keep("Vertex", expr.vertex);
    const bool inner = expr.op == Op::ReduceCommon && bound_.insert(expr.symbol).second;
    for (const ir::ExprPtr& operand : expr.operands)
      if (operand) look(*operand);
    if (inner) bound_.erase(expr.symbol);
  }
  void keep(std::string type, const std::string& symbol) {
    if (bound_.contains(symbol) || !known_.insert(symbol).second) return;
    kept_.push_back({std::move(type), cpp_name(symbol)});
  }

  std::set<std::string> bound_, known_;
  std::vector<Kept> kept_;
};

}  // namespace

std::string operator_name(ir::Combine combine) {
  switch (combine) {
    case ir::Combine::Min:
      return "Min";
    case ir::Combine::Max:
      return "Max";
    case ir::Combine::Or:
      return "Or";
    case ir::Combine::And:
      return "And";
    case ir::Combine::Xor:
      return "Xor";
    default:
      return "Sum";
  }
}

std::string operator_object(ir::Combine combine, const std::string& type,
                            const std::string& empty) {
  return combine == ir::Combine::Any ? "Any<" + type + ">{" + empty + "}"
                                     : operator_name(combine) + "{}";
}

std::string identity_text(ir::Combine combine, const ir::Type& type) {
  if (type.is_scalar()) return identity_text(combine, type.scalar());
  std::string text = cpp_type(type) + "{";
  for (std::size_t i = 0; i < type.elements.size(); ++i)
    text += (i > 0 ? ", " : "") + identity_text(combine, type.elements[i]);
  return text + "}";
}

std::string common_fold(const Expr& reduction) {
  const Expr& set = *reduction.operands[2];
  const ir::Combine combine = ir::combine_of(reduction.reduction);
  std::string names, parameters = "Vertex " + cpp_name(reduction.symbol);
  const Keeping keeping(reduction);
  for (const Kept& kept : keeping.kept()) {
    names += (names.empty() ? "" : ", ") + kept.name;
    parameters += ", " + kept.type + " " + kept.name;
  }
  std::string text = "reduce_common(graph, " + expr_text(*set.operands[0]) + ", " +
                     expr_text(*set.operands[1]) + ", " + operator_name(combine) + "{}, " +
                     identity_text(combine, reduction.type) + ", keep(" + names + "), [=](" +
                     parameters + ") { return " + expr_text(*reduction.operands[0]) + "; }";
  if (set.operands.size() > 2) text += ", " + edge_function(*set.operands[2]);
  return text + ")";
}

}  // namespace vertigo::compiler::emit
