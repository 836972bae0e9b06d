// What one edge and one activation of a phase move, read off the names that its update mentions.
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "compiler/ir/program/Walk.h"
#include "read_verified.h"
#include "vertigo/graph/graph.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {
namespace {

std::uint64_t width_of(const ir::Type& type) {
  std::uint64_t bytes = 0;
  for (const ScalarKind kind : type.elements) bytes += size_of(kind);
  return bytes;
}

struct Reads {
  const ir::Program& program;
  std::map<std::string, PhaseBytes> bytes = {};
  /// (phase, name, of the updated vertex): counted already.
  std::set<std::tuple<std::string, std::string, bool>> counted = {};

  void phase(const ir::Phase& phase) {
    bytes[phase.name] = {.per_edge = sizeof(Vertex), .per_activation = 2 * sizeof(EdgeIndex)};
  }
  void count(const ir::Phase& phase, const std::string& name, bool own, std::uint64_t width) {
    if (!counted.insert({phase.name, name, own}).second) return;
    (own ? bytes[phase.name].per_activation : bytes[phase.name].per_edge) += width;
  }

  void expr(const ir::Expr& expr, const ir::Scope& scope) {
    if (!is_update(scope)) return;
    if (expr.op == ir::Op::EdgeAttribute)
      count(*scope.phase, expr.symbol, false, width_of(expr.type));
    if (expr.op == ir::Op::State)
      count(*scope.phase, expr.symbol, expr.vertex == scope.phase->variable, width_of(expr.type));
    if (expr.op == ir::Op::Inbox) count(*scope.phase, expr.symbol, true, width_of(expr.type));
  }
  void stmt(const ir::Stmt& stmt, const ir::Scope& scope) {
    if (!is_update(scope)) return;
    if (stmt.kind == ir::StmtKind::AssignState)
      count(*scope.phase, stmt.symbol, true, width_of(program.find_state(stmt.symbol)->type));
    if (stmt.kind == ir::StmtKind::AssignEdge)
      count(*scope.phase, stmt.symbol, false, width_of(stmt.value->type));
    if (stmt.kind == ir::StmtKind::Send)
      count(*scope.phase, stmt.symbol, false, width_of(program.find_message(stmt.symbol)->type));
  }
  static bool is_update(const ir::Scope& scope) {
    return scope.phase != nullptr && scope.place >= ir::Place::Guard;
  }
};

}  // namespace

std::map<std::string, PhaseBytes> bytes_of_phases(std::string_view program_ir) {
  const ir::Program program = read_verified(program_ir);
  Reads reads{program};
  ir::ProgramWalk(program, reads).run();
  return std::move(reads.bytes);
}

}  // namespace vertigo::reference
