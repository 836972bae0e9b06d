#include "vertigo/reference/edges_outside.h"

#include "compiler/ir/program/Walk.h"
#include "read_verified.h"

namespace vertigo::reference {
namespace {

struct Outside {
  std::string found = {};

  void phase(const ir::Phase&) {}
  void stmt(const ir::Stmt&, const ir::Scope&) {}
  void expr(const ir::Expr& expr, const ir::Scope& scope) {
    if (scope.phase != nullptr || !found.empty()) return;
    if (expr.op == ir::Op::ReduceNeighbours) found = "a reduction over neighbours";
    if (expr.op == ir::Op::CommonNeighbours) found = "common neighbours";
  }
};

}  // namespace

std::string edges_outside_phases(std::string_view program_ir) {
  const ir::Program program = read_verified(program_ir);
  Outside outside;
  ir::ProgramWalk(program, outside).run();
  return outside.found;
}

}  // namespace vertigo::reference
