#include "compiler/emit/common/KernelArguments.h"

#include <algorithm>

#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Expr;
using ir::Op;
using plan::KernelOp;
using plan::KernelStmt;

namespace {

void add_edge_reads(const plan::Block& block, std::set<std::string>& found) {
  for (const auto& stmt : block) {
    plan::for_each_expr(*stmt, [&](const Expr& e) {
      if (e.op == Op::EdgeAttribute) found.insert(e.symbol);
    });
    if (stmt->op == KernelOp::ForEdges) continue;
    add_edge_reads(stmt->body, found);
    add_edge_reads(stmt->otherwise, found);
  }
}

}  // namespace

std::string cpp_argument(const KernelArgument& argument) {
  switch (argument.kind) {
    case KernelArgument::Kind::Graph:
      return "graph";
    case KernelArgument::Kind::Step:
      return "step";
    case KernelArgument::Kind::Start:
      return kStartArgument;
    case KernelArgument::Kind::Part:
      return kPartArgument;
    default:
      return cpp_name(argument.name);
  }
}

std::string colours_text(const plan::Buffer& classes) {
  if (classes.colours == "auto") return "kDerivedColours";
  return classes.colours == "all" ? "kAllColours" : classes.colours;
}

std::set<std::string> edge_reads(const KernelStmt& loop) {
  std::set<std::string> found;
  add_edge_reads(loop.body, found);
  return found;
}
bool reads_edge(const KernelStmt& loop) { return !edge_reads(loop).empty(); }

bool reduces(const plan::Plan& plan, const plan::Kernel& kernel) {
  for (const KernelArgument& argument : kernel.takes)
    if (argument.kind == KernelArgument::Kind::Buffer &&
        plan.find_buffer(argument.name)->role == plan::BufferRole::Scalar)
      return true;
  return false;
}

}  // namespace vertigo::compiler::emit
