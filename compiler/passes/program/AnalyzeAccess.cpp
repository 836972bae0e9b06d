#include "compiler/passes/program/AnalyzeAccess.h"

#include <algorithm>
#include <map>

#include "compiler/ir/program/Spelling.h"
#include "compiler/ir/program/Walk.h"

namespace vertigo::compiler::passes {

namespace {

// In order of first use, each once.
class Names {
 public:
  void add(const std::string& name) {
    if (!contains(name)) names_.push_back(name);
  }
  bool contains(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  std::string text() const {
    if (names_.empty()) return "none";
    std::string joined;
    for (const std::string& name : names_) joined += (joined.empty() ? "" : ", ") + name;
    return joined;
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
};

struct Access {
  Names reads, writes, reads_neighbours, inboxes, sends, gathers, edge;
};

class Collector {
 public:
  void phase(const ir::Phase&) {}

  void stmt(const ir::Stmt& stmt, const ir::Scope& scope) {
    if (scope.phase == nullptr || scope.place == ir::Place::StartBody) return;
    Access& access = accesses_[scope.phase];
    if (stmt.kind == ir::StmtKind::AssignState) access.writes.add(stmt.symbol);
    if (stmt.kind == ir::StmtKind::Send)
      access.sends.add(stmt.symbol + " " + std::string(to_string(stmt.direction)));
  }

  void expr(const ir::Expr& expr, const ir::Scope& scope) {
    if (scope.phase == nullptr || scope.place < ir::Place::Guard) return;
    Access& access = accesses_[scope.phase];
    switch (expr.op) {
      case ir::Op::State:
        (expr.vertex == scope.phase->variable ? access.reads : access.reads_neighbours)
            .add(expr.symbol);
        return;
      case ir::Op::Inbox:
        return access.inboxes.add(expr.symbol);
      case ir::Op::EdgeAttribute:
        return access.edge.add(expr.symbol);
      case ir::Op::ReduceNeighbours:
        return access.gathers.add(std::string(to_string(expr.direction)));
      default:
        return;
    }
  }

  const Access& of(const ir::Phase& phase) { return accesses_[&phase]; }

 private:
  std::map<const ir::Phase*, Access> accesses_;
};

}  // namespace

void analyze_access(ir::Program& program, PassContext&) {
  Collector collector;
  const ir::Program& unchanged = program;
  ir::ProgramWalk<const ir::Program, Collector>(unchanged, collector).run();
  for (ir::Phase& phase : program.phases) {
    const Access& access = collector.of(phase);
    Names snapshot;
    for (const std::string& name : access.reads_neighbours.all())
      if (access.writes.contains(name)) snapshot.add(name);
    const auto state = [&](const char* key, const Names& names, const char* reason = "") {
      ir::set_fact(phase.facts, {key, names.text(), reason});
    };
    state("access.reads", access.reads);
    state("access.writes", access.writes);
    state("access.reads_neighbours", access.reads_neighbours);
    state("access.snapshot", snapshot,
          snapshot.all().empty() ? "" : "read at a neighbour and written in the same phase");
    state("access.inboxes", access.inboxes);
    state("access.sends", access.sends);
    state("access.gathers", access.gathers);
    state("access.edge", access.edge);
  }
}

}  // namespace vertigo::compiler::passes
