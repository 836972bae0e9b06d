#include "compiler/passes/program/RelaxationPlaces.h"

#include <algorithm>
#include <utility>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/RelaxationRound.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

template <class Visit>
void for_each_expr(const Stmt& stmt, const Visit& visit) {
  for (const ExprPtr* expr : {&stmt.value, &stmt.limit, &stmt.condition, &stmt.receiver})
    if (*expr) visit(**expr);
}
template <class Visit>
void for_each_expr(const ir::Phase& phase, const Visit& visit) {
  const auto body = [&](const std::vector<ir::StmtPtr>& stmts) {
    ir::for_each_stmt(stmts, [&](const Stmt& stmt) { for_each_expr(stmt, visit); });
  };
  if (phase.guard) visit(*phase.guard);
  if (phase.step_limit) visit(*phase.step_limit);
  for (const ir::Start& start : phase.starts) {
    if (start.vertex) visit(*start.vertex);
    if (start.condition) visit(*start.condition);
    body(start.body);
  }
  body(phase.body);
}

}  // namespace

RelaxationPlaces::RelaxationPlaces(const ir::Program& program) {
  for (const ir::Phase& phase : program.phases) {
    Read& read = phases_[phase.name];
    for_each_expr(phase, [&](const Expr& expr) {
      ir::walk(expr, [&](const Expr& node) {
        if (node.op == Op::State) read.states.insert(node.symbol);
        if (node.op == Op::HostVariable) read.variables.insert(node.symbol);
      });
    });
    written_[phase.name] = ir::states_written(phase);
  }
  for (const ir::Output& output : program.outputs) outputs_.insert(output.state);
  for (const ir::State& state : program.states)
    ir::walk(*state.initial, [&](const Expr& node) {
      if (node.op == Op::State) initials_.insert(node.symbol);
    });
  number(program.body);
}

RelaxationPlaces::Read RelaxationPlaces::read_by(const Stmt& stmt) const {
  if (stmt.kind == StmtKind::Phase) return phases_.at(stmt.symbol);
  Read read;
  for_each_expr(stmt, [&](const Expr& expr) {
    ir::walk(expr, [&](const Expr& node) {
      if (node.op == Op::State) read.states.insert(node.symbol);
      if (node.op == Op::HostVariable) read.variables.insert(node.symbol);
    });
  });
  return read;
}

void RelaxationPlaces::number(const std::vector<ir::StmtPtr>& body) {
  ir::for_each_stmt(body, [&](const Stmt& stmt) {
    const Place place = places_.size();
    places_.emplace(&stmt, place);
    const auto count = [&](std::map<std::string, Uses>& uses, const std::set<std::string>& names) {
      for (const std::string& name : names) {
        Uses& here = uses[name];
        ++here.number;
        here.first = std::min(here.first, place);
      }
    };
    const Read read = read_by(stmt);
    count(state_readers_, read.states);
    count(host_readers_, read.variables);
    if (stmt.kind != StmtKind::Phase) return;
    ++runs_[stmt.symbol];
    count(state_writers_, written_.at(stmt.symbol));
  });
}

RelaxationPlaces::Uses RelaxationPlaces::find(const std::map<std::string, Uses>& uses,
                                              const std::string& name) {
  const auto found = uses.find(name);
  return found == uses.end() ? Uses{} : found->second;
}

std::size_t RelaxationPlaces::runs_of(const std::string& phase) const {
  const auto found = runs_.find(phase);
  return found == runs_.end() ? 0 : found->second;
}

std::size_t RelaxationPlaces::readers_within(const Stmt& loop, const std::string& name,
                                             bool is_state) const {
  std::size_t number = 0;
  const auto count = [&](const Stmt& stmt) {
    const Read read = read_by(stmt);
    number += (is_state ? read.states : read.variables).contains(name) ? 1 : 0;
  };
  count(loop);
  ir::for_each_stmt(loop.body, count);
  return number;
}

namespace {

/// How many statements before a loop are looked at.
constexpr std::size_t kWindow = 16;

/// A function of the vertex and of what does not change by itself.
bool is_plain(const Expr& expr) {
  return !has_node(expr, [](const Expr& node) {
    switch (node.op) {
      case Op::Inbox:
      case Op::Local:
      case Op::EdgeAttribute:
      case Op::Step:
      case Op::Call:
      case Op::ExternCall:
      case Op::Random:
      case Op::CommonNeighbours:
      case Op::IndexIn:
      case Op::ListSize:
      case Op::ListItem:
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
      case Op::ReduceVertices:
      case Op::TupleElement:
      case Op::MakeTuple:
        return true;
      case Op::State:
        return !node.operands.empty();
      default:
        return false;
    }
  });
}

class Beginning {
 public:
  Beginning(const ir::Program& program, const RelaxationPlaces& places,
            const std::vector<ir::StmtPtr>& body, std::size_t which, const std::string& state)
      : program_(program), places_(places), body_(body), which_(which), state_(state) {}

  KnownBeginning run(bool in_loop) {
    std::size_t first = which_;
    while (first > 0 && which_ - first < kWindow && is_simple(*body_[first - 1])) --first;
    const bool is_untouched =
        !in_loop && places_.writers_of(state_).first >= places_.of(*body_[first]);
    if (is_untouched) take_initial();
    for (std::size_t i = first; i < which_; ++i) follow(*body_[i], i);
    if (found_.value && !is_plain(*found_.value)) found_.value = nullptr;
    std::ranges::reverse(found_.updates);
    found_.is_first_use = is_untouched && only_updates_ && !program_.find_state(state_)->is_input &&
                          places_.readers_of_state(state_).first >= places_.of(*body_[which_]) &&
                          !places_.read_by_initials(state_);
    return std::move(found_);
  }

 private:
  bool is_simple(const Stmt& stmt) const {
    if (!places_.knows(stmt)) return false;
    switch (stmt.kind) {
      case StmtKind::HostLet:
      case StmtKind::HostAssign:
      case StmtKind::Report:
        return true;
      case StmtKind::Phase: {
        const ir::Phase& phase = *program_.find_phase(stmt.symbol);
        return phase.kind == ir::PhaseKind::Sweep && places_.runs_of(phase.name) == 1;
      }
      default:
        return false;
    }
  }

  /// States that it reads hold what they began with.
  void take_initial() {
    const ir::State& state = *program_.find_state(state_);
    if (state.is_input) return;
    found_.value = inline_calls(program_, *state.initial);
    if (found_.value && has_node(*found_.value, [&](const Expr& node) {
          return node.op == Op::State &&
                 places_.writers_of(node.symbol).first < places_.of(*body_[which_]);
        }))
      found_.value = nullptr;
  }

  void follow(const Stmt& stmt, std::size_t place) {
    if (stmt.kind == StmtKind::HostLet || stmt.kind == StmtKind::HostAssign)
      return forget_if([&](const Expr& node) {
        return node.op == Op::HostVariable && node.symbol == stmt.symbol;
      });
    if (stmt.kind == StmtKind::Phase) follow(*program_.find_phase(stmt.symbol), place);
  }

  void follow(const ir::Phase& phase, std::size_t place) {
    const std::set<std::string> written = ir::states_written(phase);
    if (written.contains(state_)) {
      take(phase);
      bool writes_alone = written.size() == 1;
      ir::for_each_stmt(phase.body, [&](const Stmt& stmt) {
        writes_alone =
            writes_alone && stmt.kind != StmtKind::Send && stmt.kind != StmtKind::UpdateEdges;
      });
      writes_alone = writes_alone && ir::messages_read(phase).empty();
      if (writes_alone) found_.updates.push_back(place);
      only_updates_ = only_updates_ && writes_alone;
    }
    forget_if([&](const Expr& node) {
      return node.op == Op::State && node.symbol != state_ && written.contains(node.symbol);
    });
  }

  void take(const ir::Phase& phase) {
    const auto update = evaluate_update(program_, phase);
    if (!update || phase.serializable) return found_.value.reset();
    const ExprPtr before = std::move(found_.value);
    bool known = true;
    const auto in_terms = [&](const Expr& expr) {
      ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
        if (node.op != Op::State || node.symbol != state_) return nullptr;
        known = known && before && node.operands.empty() && node.vertex == phase.variable;
        return known ? before->clone() : nullptr;
      });
      return renamed_vertex(*made, phase.variable, kOwn);
    };
    ExprPtr after = in_terms(*update->states.at(state_));
    if (update->guard) {
      known = known && before;
      if (!known) return;
      after = selection(in_terms(*update->guard), std::move(after), before->clone());
    }
    if (known) found_.value = simplified(*after);
  }

  template <class Reads>
  void forget_if(const Reads& reads) {
    if (found_.value && has_node(*found_.value, reads)) found_.value = nullptr;
  }

  const ir::Program& program_;
  const RelaxationPlaces& places_;
  const std::vector<ir::StmtPtr>& body_;
  std::size_t which_;
  const std::string& state_;
  KnownBeginning found_;
  bool only_updates_ = true;
};

}  // namespace

KnownBeginning find_beginning(const ir::Program& program, const RelaxationPlaces& places,
                              const std::vector<ir::StmtPtr>& body, std::size_t which, bool in_loop,
                              const std::string& state) {
  return Beginning(program, places, body, which, state).run(in_loop);
}

}  // namespace vertigo::compiler::passes
