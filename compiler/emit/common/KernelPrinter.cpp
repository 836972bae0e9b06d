#include "compiler/emit/common/KernelPrinter.h"

#include <algorithm>
#include <utility>

#include "compiler/emit/common/EdgeColumns.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/FoldText.h"
#include "compiler/emit/common/Names.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::compiler::emit {

using plan::KernelOp;
using plan::KernelStmt;

namespace {

/// The statement that gives values to the loop's ballots.
const KernelStmt& ballot_of(const KernelStmt& loop) {
  const KernelStmt* ballot = nullptr;
  plan::walk_statements(loop.body, [&](const KernelStmt& stmt) {
    if (plan::uses_ballots(stmt.op)) ballot = &stmt;
  });
  return *ballot;
}

std::string slot_of(const KernelStmt& stmt) {
  return cpp_name(stmt.buffer) + "[" + expr_text(*stmt.index) + "]";
}

/// Whether an element of the tuple may be NaN. Literals and what files hold are none.
bool may_hold_nan(const ir::Expr& tuple) {
  if (tuple.op != ir::Op::MakeTuple) return std::ranges::any_of(tuple.type.elements, ir::is_float);
  return std::ranges::any_of(tuple.operands, [](const auto& element) {
    if (!ir::is_float(element->type.scalar())) return false;
    if (element->op == ir::Op::Cast) return ir::is_float(element->operands[0]->type.scalar());
    return element->op != ir::Op::Literal && element->op != ir::Op::EdgeAttribute;
  });
}

}  // namespace

std::string KernelPrinter::slots_text(const KernelStmt& loop) {
  if (!loop.hubs.empty()) return ", " + cpp_name(loop.hubs);
  if (loop.slot.empty()) return "";
  return loop.slots.empty() ? ", Places{}" : ", " + cpp_name(loop.slots);
}

std::string KernelPrinter::edges_name(const KernelStmt& loop) {
  const std::string direction = loop.direction == ir::EdgeDirection::Out  ? "out"
                                : loop.direction == ir::EdgeDirection::In ? "in"
                                                                          : "both";
  return direction + (reads_edge(loop) ? "_edges" : "_neighbours") +
         (loop.once_if_symmetric ? "_once" : "");
}

std::string combine_suffix(ir::Combine combine) {
  return combine == ir::Combine::Function ? "with" : std::string(to_string(combine));
}

// Counters are 64-bit unsigned, as degrees are: no conversion on the way.
std::string count_text(const ir::Expr& expr) {
  switch (expr.op) {
    case ir::Op::Literal:
      return std::to_string(std::get<std::int64_t>(expr.value));
    case ir::Op::OutDegree:
      return "out_degree(graph, " + cpp_name(expr.vertex) + ")";
    case ir::Op::InDegree:
      return "in_degree(graph, " + cpp_name(expr.vertex) + ")";
    case ir::Op::Add:
      return count_text(*expr.operands[0]) + " + " + count_text(*expr.operands[1]);
    default:
      return expr_text(expr);
  }
}

std::string rank_text(const plan::Kernel& kernel) {
  std::string rank;
  plan::walk_statements(kernel.body, [&](const KernelStmt& stmt) {
    if (stmt.op == KernelOp::Sample) rank = count_text(*stmt.index);
  });
  return rank;
}

void KernelPrinter::print(const plan::Kernel& kernel) {
  out_.blank();
  const std::string quoted_line = source_.at(kernel.location);
  if (!quoted_line.empty())
    out_.line("// " + std::to_string(kernel.location.line) + ": " + in_comment(quoted_line));
  out_.comment(kernel.comment);
  open_kernel(kernel);
  block(kernel.body);
  close_kernel(kernel);
}

void KernelPrinter::open_function(const std::string& head,
                                  const std::vector<std::string>& parameters) {
  constexpr std::size_t kColumns = 98;
  std::string line = head + "(";
  const std::string indent(line.size(), ' ');
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool last = i + 1 == parameters.size();
    const std::string text = parameters[i] + (last ? ")" : ",");
    if (i > 0 && line.size() + 1 + text.size() + (last ? 2 : 0) > kColumns) {
      out_.line(line);
      line = indent + text;
    } else {
      line += (i > 0 ? " " : "") + text;
    }
  }
  out_.open(line);
}

void KernelPrinter::block(const plan::Block& block) {
  for (const auto& stmt : block) statement(*stmt);
}

void KernelPrinter::edges(const KernelStmt& loop) {
  const std::string outer = std::exchange(leave_edges_, "break;");
  const std::string outer_votes = std::exchange(votes_into_, cpp_name(loop.buffer));
  open_edges(loop);
  block(loop.body);
  out_.close();
  leave_edges_ = outer;
  votes_into_ = outer_votes;
  if (loop.buffer.empty()) return;
  const KernelStmt& ballot = ballot_of(loop);
  const std::string verb = ballot.op == KernelOp::Vote ? "elect" : "count_different";
  out_.line(verb + "(" + cpp_name(loop.buffer) + ", " + cpp_name(ballot.symbol) + ");");
}

void KernelPrinter::open_edges(const KernelStmt& loop) {
  const std::string neighbour = cpp_name(loop.symbol);
  const std::string slots = slots_text(loop);
  const std::string slot = loop.slot.empty() ? "" : ", " + cpp_name(loop.slot);
  const std::string range = edges_name(loop) + "(graph, " + cpp_name(loop.vertex) + slots + ")";
  if (reads_edge(loop))
    out_.open("for (const auto [" + neighbour + ", " + edge_variable(plan_.program) + slot +
              "] : " + range + ")");
  else if (!slot.empty())
    out_.open("for (const auto [" + neighbour + slot + "] : " + range + ")");
  else
    out_.open("for (const Vertex " + neighbour + " : " + range + ")");
  name_columns(loop);
}

void KernelPrinter::name_columns(const KernelStmt& loop) {
  const std::set<std::string> read = edge_reads(loop);
  for (const ir::EdgeAttribute& column : plan_.program.edge_columns)
    if (read.contains(column.name))
      out_.line("const " + cpp_type(column.kind) + " " + cpp_name(column.name) + " = " +
                edge_variable(plan_.program) + "." + cpp_name(column.name) + ";");
}

void KernelPrinter::declaration(const KernelStmt& stmt) {
  const std::string head = (stmt.op == KernelOp::Accumulator ? "" : "const ") +
                           cpp_type(stmt.type) + " " + cpp_name(stmt.symbol) + " = ";
  if (stmt.op == KernelOp::Take)
    out_.line(head + "take(" + slot_of(stmt) + ", " + expr_text(*stmt.value) + ");");
  else
    out_.line(head + expr_text(*stmt.value) + ";");
}

void KernelPrinter::call_then_body(const std::string& call, const KernelStmt& stmt) {
  if (stmt.body.empty()) return out_.line(call + ";");
  out_.open("if (" + call + ")");
  block(stmt.body);
  out_.close();
}

std::string KernelPrinter::combined_text(const KernelStmt& stmt) const {
  const std::string text = expr_text(*stmt.value);
  const bool orders = stmt.combine == ir::Combine::Min || stmt.combine == ir::Combine::Max;
  if (!orders || !stmt.value->type.is_tuple() || !may_hold_nan(*stmt.value)) return text;
  return "for_" + combine_suffix(stmt.combine) + "(" + text + ")";
}

std::string KernelPrinter::combine_call(const KernelStmt& stmt, const std::string& prefix,
                                        const std::string& slot, const std::string& suffix) const {
  std::string text =
      prefix + combine_suffix(stmt.combine) + suffix + "(" + slot + ", " + combined_text(stmt);
  if (stmt.combine == ir::Combine::Any || stmt.joined) text += ", " + expr_text(*stmt.identity);
  if (stmt.combine == ir::Combine::Function) text += ", " + cpp_name(stmt.function);
  return text + ")";
}

// Who is told that an inbox changed is told at once, so that alone what nobody is told of is held.
void KernelPrinter::declare_held(const plan::Kernel& kernel) {
  held_.clear();
  std::unordered_map<std::string, unsigned> count;
  plan::walk_statements(kernel.body, [&](const KernelStmt& stmt) {
    if (!stmt.joined || !stmt.body.empty()) return;
    std::string name = stmt.buffer + "_held_";
    if (const unsigned number = ++count[stmt.buffer]; number > 1)
      name += std::to_string(number) + "_";
    held_.emplace(&stmt, name);
    const Origin origin(out_, stmt.location);
    const std::string type = cpp_type(stmt.type);
    const std::string empty = expr_text(*stmt.identity);
    const std::string combine =
        stmt.combine == ir::Combine::Function
            ? "[](" + type + " a, " + type + " b) { return " + cpp_name(stmt.function) + "(a, b); }"
            : operator_object(stmt.combine, type, empty);
    out_.line("Held " + name + "(" + cpp_name(stmt.buffer) + ", " + combine + ", " + empty + ");");
  });
}

void KernelPrinter::combine_into(const KernelStmt& stmt) {
  if (const auto held = held_.find(&stmt); held != held_.end())
    return out_.line("hold(" + held->second + ", " + expr_text(*stmt.index) + ", " +
                     combined_text(stmt) + ");");
  const std::string suffix = stmt.joined ? "_joined" : stmt.atomic ? "" : "_owned";
  call_then_body(combine_call(stmt, "combine_", slot_of(stmt), suffix), stmt);
}

void KernelPrinter::store(const KernelStmt& stmt) {
  const plan::Buffer* const buffer = plan_.find_buffer(stmt.buffer);
  const std::string element = buffer == nullptr || buffer->hubs.empty()
                                  ? slot_of(stmt)
                                  : cpp_name(stmt.buffer) + "[" + cpp_name(buffer->hubs) +
                                        ".place(" + expr_text(*stmt.index) + ")]";
  const std::string value = expr_text(*stmt.value);
  out_.line(stmt.atomic ? "store_relaxed(" + element + ", " + value + ");"
                        : element + " = " + value + ";");
}

void KernelPrinter::branch(const KernelStmt& stmt) {
  const bool only_else = stmt.body.empty();
  out_.open("if (" + (only_else ? "!" + operand_text(*stmt.value) : expr_text(*stmt.value)) + ")");
  block(only_else ? stmt.otherwise : stmt.body);
  if (!only_else && !stmt.otherwise.empty()) {
    out_.reopen("else");
    block(stmt.otherwise);
  }
  out_.close();
}

void KernelPrinter::statement(const KernelStmt& stmt) {
  const Origin origin(out_, stmt.location);
  switch (stmt.op) {
    case KernelOp::Let:
    case KernelOp::Accumulator:
    case KernelOp::Take:
      return declaration(stmt);
    case KernelOp::Accumulate: {
      const std::string call = combine_call(stmt, "accumulate_", cpp_name(stmt.symbol), "");
      return out_.line(stmt.changed.empty() || stmt.symbol == gathered_
                           ? call + ";"
                           : "if (" + call + ") " + cpp_name(stmt.changed) + " = true;");
    }
    case KernelOp::Store:
      return store(stmt);
    case KernelOp::CombineInto:
      return combine_into(stmt);
    case KernelOp::If:
      return branch(stmt);
    case KernelOp::ForEdges:
      return edges(stmt);
    case KernelOp::ForMessages:
      out_.open("for (const " + cpp_type(stmt.type) + " " + cpp_name(stmt.symbol) +
                " : messages_of(" + cpp_name(plan_.find_buffer(stmt.buffer)->slots) + ", " +
                cpp_name(stmt.buffer) + ", " + expr_text(*stmt.index) + "))");
      block(stmt.body);
      return out_.close();
    case KernelOp::LeaveEdges:
      return out_.line(leave_edges_);
    case KernelOp::Vote:
    case KernelOp::Distinguish:
      return out_.line("vote(" + votes_into_ + ", " + expr_text(*stmt.value) + ");");
    case KernelOp::Append:
      return out_.line("append(" + cpp_name(stmt.buffer) + ", " + expr_text(*stmt.value) + ");");
    case KernelOp::SetBit:
      return call_then_body((stmt.body.empty() ? "set_bit(" : "test_and_set(") +
                                cpp_name(stmt.buffer) + ", " + expr_text(*stmt.index) + ")",
                            stmt);
    case KernelOp::ClearBit:
      return out_.line("clear_bit(" + cpp_name(stmt.buffer) + ", " + expr_text(*stmt.index) + ");");
    case KernelOp::Raise:
      return out_.line("raise(" + cpp_name(stmt.buffer) + ");");
    case KernelOp::Count:
      return out_.line("count(" + cpp_name(stmt.buffer) + ", " + count_text(*stmt.value) + ");");
    case KernelOp::Sample:
      return out_.line("sample(" + cpp_name(stmt.buffer) + ", " + expr_text(*stmt.value) + ");");
    case KernelOp::Uncount:
      return out_.line("uncount(graph, " + expr_text(*stmt.index->operands[0]) + ", " +
                       expr_text(*stmt.index->operands[1]) + ", " + cpp_name(stmt.buffer) + ", " +
                       edge_function(*stmt.identity) + ", " + edge_function(*stmt.value) + ");");
    case KernelOp::ReduceInto:
      return out_.line(combine_call(stmt, "reduce_", cpp_name(stmt.buffer), "") + ";");
    case KernelOp::Alone:
      return alone(stmt);
  }
}

}  // namespace vertigo::compiler::emit
