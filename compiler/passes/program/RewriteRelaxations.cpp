#include "compiler/passes/program/RewriteRelaxations.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/passes/PassContext.h"
#include "compiler/passes/program/RelaxationLoop.h"
#include "compiler/passes/program/RemoveUnread.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

constexpr const char* kKey = "loop";

bool is_loop(const Stmt& stmt) {
  return stmt.kind == StmtKind::While || stmt.kind == StmtKind::Repeat ||
         stmt.kind == StmtKind::For;
}

class Rewriting {
 public:
  Rewriting(ir::Program& program, PassContext& context)
      : program_(program), context_(context), places_(program) {}

  void run() {
    visit(program_.body, false);
    refuse_other_pins();
    if (removed_.empty()) return;
    replace_phases();
    remove_unread(program_, states_, variables_);
  }

 private:
  void visit(std::vector<StmtPtr>& body, bool in_loop) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      Stmt& stmt = *body[i];
      const bool loops = is_loop(stmt);
      const std::size_t behind = body.size() - i;
      if (loops && rewrite(body, i, in_loop)) {
        i = body.size() - behind;
        continue;
      }
      visit(stmt.body, in_loop || loops);
      visit(stmt.otherwise, in_loop);
    }
  }

  bool rewrite(std::vector<StmtPtr>& body, std::size_t which, bool in_loop) {
    RelaxationLoop loop(program_, places_, body, which, in_loop);
    if (!loop.is_relaxation()) return false;
    const std::string phase = loop.gathering_phase();
    found_.insert(phase);
    const Pin* const pin = context_.schedule.find(phase, kKey);
    const bool keeps_rounds = pin != nullptr && pin->value == "rounds";
    const std::string problem = keeps_rounds ? "pinned" : loop.make_phase();
    if (!problem.empty() && pin != nullptr && !keeps_rounds) refuse(*pin, phase, problem);
    if (!problem.empty()) {
      program_.phases.find(phase)->facts.push_back({kKey, "rounds", problem});
      return false;
    }
    for (const std::string& name : loop.written())
      if (name != loop.state()) states_.insert(name);
    variables_.insert(loop.assigned().begin(), loop.assigned().end());
    RewrittenLoop rewritten = loop.rewrite(retired_);
    removed_.merge(rewritten.removed);
    for (ir::Phase& made : rewritten.phases) {
      if (made.kind == ir::PhaseKind::Fixpoint)
        made.facts.push_back(
            {kKey, "phase",
             loop.reason() + "; --schedule " + phase + ".loop=rounds keeps its rounds"});
      made_[phase].push_back(std::move(made));
    }
    return true;
  }

  void refuse(const Pin& pin, const std::string& phase, const std::string& problem) {
    context_.diagnostics.report(diag::IllegalSchedule, pin.range, std::string(kKey) + "=phase",
                                "phase " + quoted(phase), problem);
  }
  /// Of phases that are named and gather in no such loop.
  void refuse_other_pins() {
    for (const ir::Phase& phase : program_.phases) {
      const Pin* const pin = context_.schedule.find(phase.name, kKey);
      if (pin != nullptr && pin->phase == phase.name && pin->value == "phase" &&
          !found_.contains(phase.name))
        refuse(*pin, phase.name, "no loop that relaxes reads its neighbours there");
    }
  }

  /// New phases stand where the one stood that gathered.
  void replace_phases() {
    ir::NamedList<ir::Phase> phases;
    for (ir::Phase& phase : program_.phases) {
      if (const auto made = made_.find(phase.name); made != made_.end())
        for (ir::Phase& each : made->second) phases.push_back(std::move(each));
      if (!removed_.contains(phase.name)) phases.push_back(std::move(phase));
    }
    program_.phases = std::move(phases);
  }

  ir::Program& program_;
  PassContext& context_;
  const RelaxationPlaces places_;
  std::map<std::string, std::vector<ir::Phase>> made_;  ///< by the phase whose place they take
  std::vector<StmtPtr> retired_;
  std::set<std::string> found_;               ///< phases that gather in loops
  std::set<std::string> removed_;             ///< phases that nothing runs any more
  std::set<std::string> states_, variables_;  ///< that rounds wrote
};

}  // namespace

void rewrite_relaxations(ir::Program& program, PassContext& context) {
  bool has_loop = false;
  ir::for_each_stmt(program.body, [&](const Stmt& stmt) { has_loop |= is_loop(stmt); });
  if (has_loop || !context.schedule.empty()) Rewriting(program, context).run();
}

}  // namespace vertigo::compiler::passes
