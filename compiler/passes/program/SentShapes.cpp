#include "compiler/passes/program/SentShapes.h"

#include <algorithm>
#include <set>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/program/BothWays.h"
#include "compiler/passes/program/ImprovingCycles.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

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

// Reads the inbox and what is the same for all, and nothing else.
bool reads_inbox_alone(const Expr& value, const Surroundings& around) {
  bool alone = is_constant(value);
  ir::walk(value, [&](const Expr& node) {
    if (node.op == Op::Inbox) alone = alone && node.symbol == around.inbox;
    if (node.op == Op::EdgeAttribute || node.op == Op::Step || node.op == Op::Local) alone = false;
  });
  return alone;
}

// What is sent where the guard has found the inbox to be better than the state.
bool keeps_value(const Expr& value, const Surroundings& around) {
  const ir::Combine combine = message_of(around).combine;
  const bool is_flag = combine == ir::Combine::Or || combine == ir::Combine::And;
  if (is_inbox(value, around.inbox)) return true;
  const auto* flag = value.op == Op::Literal ? std::get_if<bool>(&value.value) : nullptr;
  return is_flag && flag != nullptr && *flag == (combine == ir::Combine::Or);
}

bool never_better_alone(const Expr& value, const Surroundings& around) {
  if (keeps_value(value, around)) return true;
  const ir::Combine combine = message_of(around).combine;
  if (combine != ir::Combine::Min && combine != ir::Combine::Max) return false;
  return value.type.is_scalar() && reads_inbox_alone(value, around) &&
         never_better(value, around, combine == ir::Combine::Min,
                      [&](const Expr& e) { return is_inbox(e, around.inbox); });
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
      case Op::ReduceCommon:
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

bool starts_one_value(const ir::Phase& phase) {
  const Expr* first = nullptr;
  for (const ir::Start& start : phase.starts) {
    // Who is started without a value has an empty inbox.
    if (start.body.size() != 1 || start.body.front()->kind != ir::StmtKind::AssignInbox)
      return false;
    const Expr& value = *start.body.front()->value;
    if (!is_same_for_all(value) || (first != nullptr && !ir::same(*first, value))) return false;
    first = &value;
  }
  return first != nullptr;
}

std::string problem_of_uniform_cost(const Surroundings& around, const SymbolicUpdate& update,
                                    ExprPtr& sent) {
  const ir::Combine combine = message_of(around).combine;
  const bool is_min = combine == ir::Combine::Min;
  if (!is_min && combine != ir::Combine::Max && combine != ir::Combine::Or &&
      combine != ir::Combine::And)
    return combined_otherwise(around, "min");
  if (update.sends.empty()) return "nothing is sent";
  const bool alike = starts_one_value(around.phase);
  for (const SymbolicSend& send : update.sends) {
    const std::string text = "sent value " + quoted(*send.value);
    const ExprPtr step = is_min ? uniform_step(*send.value, around) : nullptr;
    const bool uniform = step || (alike && never_better_alone(*send.value, around));
    if (!uniform && reads_edge(*send.value)) return text + " depends on the edge";
    if (!uniform)
      return text + (is_min   ? " is not the inbox plus one positive constant"
                     : !alike ? " may differ: the starts do not put one value into all inboxes"
                              : " is no function of the inbox alone that is never better than it");
    if (sent && !ir::same(*sent, *send.value) &&
        !(step && uniform_step(*sent, around) && ir::same(*step, *uniform_step(*sent, around))))
      return "sent values are " + quoted(*sent) + " and " + quoted(*send.value);
    sent = send.value->clone();
  }
  return "";
}

std::string reason_of_uniform_cost(const Surroundings& around, const Expr& sent) {
  const ExprPtr step =
      message_of(around).combine == ir::Combine::Min ? uniform_step(sent, around) : nullptr;
  return step ? "every sent value is the inbox + " + ir::print_short(*step)
              : "every sent value is " + quoted(sent) +
                    ", which is never better than the inbox and reads nothing else";
}

ir::Found<ir::Labels> find_labels(const Surroundings& around, const SymbolicUpdate& update) {
  using ir::Labels;
  const ir::Combine combine = message_of(around).combine;
  if (combine != ir::Combine::Min && combine != ir::Combine::Max)
    return {Labels::No, combined_otherwise(around, "min or max")};
  if (update.sends.empty()) return {Labels::No, "nothing is sent"};
  std::set<ir::EdgeDirection> directions;
  for (const SymbolicSend& send : update.sends) {
    if (!is_inbox(*send.value, around.inbox))
      return {Labels::No, "sent value " + quoted(*send.value) + " is not the inbox itself"};
    directions.insert(send.stmt->direction);
  }
  const BothWays ways = find_both_ways(around, update);
  if (!ways.problem.empty()) return {Labels::No, ways.problem};
  const std::string where =
      ways.passes ? " where " + quoted(*ways.passes) + " holds, the same both ways" : "";
  const bool both_ways = directions.size() > 1 || directions.contains(ir::EdgeDirection::Both);
  if (!both_ways && !requires_symmetric(around.program))
    return {Labels::OfSymmetric, "the inbox itself is sent along one direction of every edge" +
                                     where + "; on a symmetric graph, that is both"};
  return {Labels::Yes, "the inbox itself is sent along both directions of every edge" + where};
}

}  // namespace vertigo::compiler::passes
