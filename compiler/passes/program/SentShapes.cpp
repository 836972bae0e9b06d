#include "compiler/passes/program/SentShapes.h"

#include <algorithm>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

std::string quoted(const Expr& expr) { return "'" + ir::print(expr) + "'"; }

const ir::Message& message_of(const Surroundings& around) {
  return *around.program.find_message(around.inbox);
}

std::string combined_otherwise(const Surroundings& around, const char* wanted) {
  return "messages are combined by " + std::string(to_string(message_of(around).combine)) +
         ", not by " + wanted;
}

bool reads_edge(const Expr& expr) {
  bool found = false;
  ir::walk(expr, [&](const Expr& node) { found = found || node.op == Op::EdgeAttribute; });
  return found;
}

// inbox + c, c > 0, or the same in the first element of a tuple, with one c for every edge and
// vertex.
ExprPtr uniform_step(const Expr& value, const Surroundings& around) {
  if (value.op == Op::MakeTuple) return uniform_step(*value.operands[0], around);
  if (value.op != Op::Add) return nullptr;
  for (const std::size_t side : {0U, 1U}) {
    const Expr& inbox = *value.operands[side];
    const Expr& step = *value.operands[1 - side];
    const bool first = inbox.op == Op::TupleElement && inbox.index == 0 &&
                       is_inbox(*inbox.operands[0], around.inbox);
    if ((first || is_inbox(inbox, around.inbox)) && is_constant(step) &&
        changing_read(step, around).empty() && !reads_edge(step) && nonnegative(step, around) &&
        !is_zero(step))
      return step.clone();
  }
  return nullptr;
}

bool requires_symmetric(const ir::Program& program) {
  return std::any_of(program.requirements.begin(), program.requirements.end(),
                     [](const ir::Requirement& requirement) {
                       return requirement.kind == ir::RequirementKind::Symmetric;
                     });
}

}  // namespace

bool is_constant(const Expr& expr) {
  bool constant = true;
  ir::walk(expr, [&](const Expr& node) {
    switch (node.op) {
      case Op::BoundVertex:
      case Op::State:
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
      case Op::Random:
      case Op::CommonNeighbours:
      case Op::ReduceNeighbours:
      case Op::ExternCall:
      case Op::Call:
        constant = false;
        break;
      default:
        break;
    }
  });
  return constant;
}

std::string problem_of_uniform_cost(const Surroundings& around, const SymbolicUpdate& update,
                                    ExprPtr& step) {
  if (message_of(around).combine != ir::Combine::Min) return combined_otherwise(around, "min");
  if (update.sends.empty()) return "nothing is sent";
  for (const SymbolicSend& send : update.sends) {
    const std::string text = "sent value " + quoted(*send.value);
    ExprPtr here = uniform_step(*send.value, around);
    if (!here && reads_edge(*send.value)) return text + " depends on the edge";
    if (!here) return text + " is not the inbox plus one positive constant";
    if (step && !ir::same(*step, *here))
      return "sent values are the inbox + " + ir::print(*step) + " and the inbox + " +
             ir::print(*here);
    step = std::move(here);
  }
  return "";
}

std::string problem_of_labels(const Surroundings& around, const SymbolicUpdate& update) {
  const ir::Combine combine = message_of(around).combine;
  if (combine != ir::Combine::Min && combine != ir::Combine::Max)
    return combined_otherwise(around, "min or max");
  if (update.sends.empty()) return "nothing is sent";
  const bool symmetric = requires_symmetric(around.program);
  for (const SymbolicSend& send : update.sends) {
    if (!is_inbox(*send.value, around.inbox))
      return "sent value " + quoted(*send.value) + " is not the inbox itself";
    if (send.condition) return "the inbox is sent only where " + quoted(*send.condition) + " holds";
    if (send.filter)
      return "the inbox is sent only to neighbours where " + quoted(*send.filter) + " holds";
    if (send.stmt->direction != ir::EdgeDirection::Both && !symmetric)
      return "the inbox is sent along one direction of edges, and the program does not require "
             "'symmetric'";
  }
  return "";
}

}  // namespace vertigo::compiler::passes
