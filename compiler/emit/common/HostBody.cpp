#include "compiler/emit/common/HostBody.h"

#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Stmt;
using ir::StmtKind;

HostBody::HostBody(Writer& out, const plan::Plan& plan, std::string report, LoopCalls calls,
                   BeforeLoops before)
    : out_(out),
      plan_(plan),
      report_(std::move(report)),
      calls_(std::move(calls)),
      before_(std::move(before)) {
  for (const plan::HostVariable& variable : plan.host->variables)
    if (variable.has_end) kept_ends_.insert(variable.name);
}

std::string HostBody::phase_function(const plan::Plan& plan, const std::string& phase) {
  return free_name(plan, "run_phase_" + phase);
}

void HostBody::print(const std::vector<ir::StmtPtr>& body) {
  for (const ir::StmtPtr& stmt : body) statement(*stmt);
}

void HostBody::statement(const Stmt& stmt) {
  const Origin origin(out_, stmt.location);
  switch (stmt.kind) {
    case StmtKind::HostLet:
    case StmtKind::HostAssign:
      return out_.line(cpp_name(stmt.symbol) + " = " + expr_text(*stmt.value) + ";");
    case StmtKind::Phase:
      return out_.line(phase_function(plan_, stmt.symbol) + "();");
    case StmtKind::Report:
      return out_.line(report_ + quoted(stmt.symbol) + ", " + kind_name(stmt.value->type.scalar()) +
                       ", " + expr_text(*stmt.value) + ");");
    case StmtKind::Repeat:
    case StmtKind::For:
    case StmtKind::While:
      return loop(stmt);
    case StmtKind::If:
      return branch(stmt);
    default:
      return;
  }
}

void HostBody::loop(const Stmt& stmt) {
  const auto [first, last] = before_.equal_range(next_loop_);
  for (auto each = first; each != last; ++each) out_.line(each->second);
  const auto call = calls_.find(next_loop_++);
  if (call != calls_.end()) out_.open("if (!" + call->second + "())");
  if (stmt.kind == StmtKind::Repeat) {
    repeat(stmt);
  } else if (stmt.kind == StmtKind::For) {
    count_through(stmt);
  } else {
    out_.open("while (" + expr_text(*stmt.value) + ")");
    print(stmt.body);
    out_.close();
  }
  if (call != calls_.end()) out_.close();
}

// Names that end in an underscore are the emitter's; an inner loop may hide an outer one's.
void HostBody::repeat(const Stmt& stmt) {
  const std::string type = cpp_type(stmt.value->type);
  out_.open("for (" + type + " round_ = 0, rounds_ = " + expr_text(*stmt.value) +
            "; round_ < rounds_; ++round_)");
  print(stmt.body);
  out_.close();
}

// Both ends are included, and the last may be the end of the type's range: the loop ends by
// comparing, not by stepping past it.
void HostBody::count_through(const Stmt& stmt) {
  const std::string name = cpp_name(stmt.symbol);
  const std::string last = "last_";
  out_.open("if (const " + cpp_type(stmt.value->type) + " first_ = " + expr_text(*stmt.value) +
            ", " + last + " = " + expr_text(*stmt.limit) + "; first_ " +
            (stmt.downward ? ">=" : "<=") + " " + last + ")");
  if (kept_ends_.contains(stmt.symbol))
    out_.line(EngineText::loop_end(plan_, stmt.symbol) + " = " + last + ";");
  out_.open("for (" + name + " = first_;; " + (stmt.downward ? "--" : "++") + name + ")");
  print(stmt.body);
  out_.line("if (" + name + " == " + last + ") break;");
  out_.close();
  out_.close();
}

void HostBody::branch(const Stmt& stmt) {
  out_.open("if (" + expr_text(*stmt.value) + ")");
  print(stmt.body);
  if (!stmt.otherwise.empty()) {
    out_.reopen("else");
    print(stmt.otherwise);
  }
  out_.close();
}

}  // namespace vertigo::compiler::emit
