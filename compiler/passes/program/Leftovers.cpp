#include "compiler/passes/program/Leftovers.h"

#include "compiler/passes/program/ExprProperties.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::Op;

bool takes_all(const ir::Program& program, const ir::Phase& phase, const ir::Uses& uses,
               const std::string& name) {
  if (!phase.guard || !uses.belongs_to(phase.name, name)) return false;
  const ir::Message& message = *program.find_message(name);
  const Expr& guard = *phase.guard;
  const bool bits = ir::combines_bits(message);
  if (message.combine == Combine::Or && !bits) return is_inbox(guard, name);
  if (message.combine == Combine::And && !bits)
    return guard.op == Op::Not && is_inbox(*guard.operands[0], name);
  if (guard.op != Op::NotEqual && guard.op != Op::Less && guard.op != Op::Greater) return false;
  const std::size_t side = is_inbox(*guard.operands[0], name) ? 0 : 1;
  if (!is_inbox(*guard.operands[side], name) ||
      !ir::same(*guard.operands[1 - side], *message.identity))
    return false;
  if (guard.op == Op::NotEqual) return true;
  // The identity is the largest or the least value there is; floating numbers have NaN besides.
  if (!message.type.is_scalar() || ir::is_float(message.type.scalar())) return false;
  const bool below = (guard.op == Op::Less) == (side == 0);
  if (below) return message.combine == Combine::Min;
  const bool is_unsigned = message.type == ir::Type(ir::ScalarKind::UInt32) ||
                           message.type == ir::Type(ir::ScalarKind::UInt64);
  return message.combine == Combine::Max || (message.combine == Combine::Sum && is_unsigned);
}

}  // namespace vertigo::compiler::passes
