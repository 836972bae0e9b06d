#pragma once
// What lies by hubs (BufferRole::Hubs) is read by places: the loops that may, and what they read.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

/// Whether the expression is that vertex itself, whatever binds it.
inline bool is_vertex(const Expr& e, const std::string& name) {
  return (e.op == ir::Op::BoundVertex && e.vertex == name) ||
         (e.op == ir::Op::Local && e.symbol == name);
}

/// Whether the loop uses its neighbour, and for nothing but to read buffers for which `lies` holds.
template <class Lies>
bool reads_by_neighbour_alone(const KernelStmt& loop, const Lies& lies) {
  std::size_t mentioned = 0;
  std::size_t read = 0;
  walk_statements(loop.body, [&](const KernelStmt& stmt) {
    for_each_expr(stmt, [&](const Expr& e) {
      if (e.vertex == loop.symbol || is_vertex(e, loop.symbol)) ++mentioned;
      if (e.op == ir::Op::Load && e.operands.size() == 1 &&
          is_vertex(*e.operands.front(), loop.symbol) && lies(e.symbol))
        ++read;
    });
  });
  return read > 0 && read == mentioned;
}

/// What is wrong with the kernel's use of hubs; "": nothing.
std::string problem_of_hubs(const Plan& plan, const Kernel& kernel);

}  // namespace vertigo::plan
