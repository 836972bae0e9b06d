#include "compiler/emit/common/KernelArguments.h"

#include <algorithm>

#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Expr;
using ir::Op;
using plan::KernelOp;
using plan::KernelStmt;

namespace {

bool reads_edge_in(const plan::Block& block);

bool reads_edge_of(const KernelStmt& stmt) {
  for (const auto* expr : {&stmt.index, &stmt.value, &stmt.identity}) {
    bool found = false;
    if (*expr) ir::walk(**expr, [&](const Expr& e) { found = found || e.op == Op::EdgeAttribute; });
    if (found) return true;
  }
  return stmt.op != KernelOp::ForEdges &&
         (reads_edge_in(stmt.body) || reads_edge_in(stmt.otherwise));
}

bool reads_edge_in(const plan::Block& block) {
  return std::any_of(block.begin(), block.end(),
                     [](const auto& stmt) { return reads_edge_of(*stmt); });
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

bool reads_edge(const KernelStmt& loop) { return reads_edge_in(loop.body); }

bool reduces(const plan::Plan& plan, const plan::Kernel& kernel) {
  for (const KernelArgument& argument : kernel.takes)
    if (argument.kind == KernelArgument::Kind::Buffer &&
        plan.find_buffer(argument.name)->role == plan::BufferRole::Scalar)
      return true;
  return false;
}

}  // namespace vertigo::compiler::emit
