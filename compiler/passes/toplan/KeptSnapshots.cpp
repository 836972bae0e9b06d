#include "compiler/passes/toplan/KeptSnapshots.h"

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/toplan/ChooseSnapshots.h"
#include "compiler/passes/toplan/SharedLists.h"

namespace vertigo::compiler::toplan {

namespace {

bool assigns_one(const ir::Phase& phase, const std::set<std::string>& states) {
  return std::ranges::any_of(states,
                             [&](const std::string& state) { return ir::writes(phase, state); });
}

/// Follows the host level from the keeper's runs to the reader's.
class Order {
 public:
  Order(const ir::Program& program, const ir::Phase& keeper, const ir::Phase& reader,
        const std::set<std::string>& states)
      : program_(program), keeper_(keeper), reader_(reader), states_(states) {}

  /// Whether each run of the reader finds what the keeper noted, and nobody's values have changed
  /// in between.
  bool holds() {
    look(program_.body, false);
    return holds_;
  }

 private:
  /// `noted`: what is noted is up to date. Returns whether it is behind `body`, too.
  bool look(const std::vector<ir::StmtPtr>& body, bool noted) {
    for (const ir::StmtPtr& stmt : body) switch (stmt->kind) {
        case ir::StmtKind::Phase: {
          const ir::Phase& phase = *program_.find_phase(stmt->symbol);
          if (&phase == &reader_) holds_ = holds_ && noted;
          noted = &phase == &keeper_ || (noted && !assigns_one(phase, states_));
          break;
        }
        case ir::StmtKind::Repeat:
        case ir::StmtKind::For:
        case ir::StmtKind::While:
          // A round may follow another, and there may be none.
          look(stmt->body, false);
          noted = false;
          break;
        default: {
          const bool one_way = look(stmt->body, noted);
          const bool other_way = look(stmt->otherwise, noted);
          noted = one_way && other_way;
        }
      }
    return noted;
  }

  const ir::Program& program_;
  const ir::Phase& keeper_;
  const ir::Phase& reader_;
  const std::set<std::string>& states_;
  bool holds_ = true;
};

}  // namespace

std::set<std::string> read_and_assigned(const ir::Phase& phase) {
  std::set<std::string> states;
  passes::for_each_read(phase, [&](const ir::Expr& expr) {
    ir::walk(expr, [&](const ir::Expr& e) {
      if (e.op == ir::Op::State && e.vertex != phase.variable && ir::writes(phase, e.symbol))
        states.insert(e.symbol);
    });
  });
  return states;
}

const ir::Phase* find_keeper(const plan::Plan& plan, const ir::Phase& phase,
                             const std::set<std::string>& states) {
  const ir::Program& program = plan.program;
  const std::map<std::string, SharedList> lists = shared_lists(plan);
  const auto of_reader = lists.find(phase.name);
  if (of_reader == lists.end()) return nullptr;
  const auto shares_list = [&](const ir::Phase& other) {
    const auto list = lists.find(other.name);
    return other.kind == ir::PhaseKind::Sweep && list != lists.end() &&
           list->second.owner == of_reader->second.owner;
  };
  if (!std::ranges::all_of(program.phases, [&](const ir::Phase& other) {
        return shares_list(other) || !assigns_one(other, states);
      }))
    return nullptr;
  // Who leaves the list elsewhere is not met by the keeper any more.
  const auto makes_anew = [&](const ir::Phase& other) {
    const auto list = lists.find(other.name);
    return list != lists.end() && list->second.owner == of_reader->second.owner &&
           list->second.renewed;
  };
  if (std::ranges::count_if(program.phases, makes_anew) != 1) return nullptr;
  const ir::Phase& keeper = *std::ranges::find_if(program.phases, makes_anew);
  return shares_list(keeper) && !assigns_one(keeper, states) &&
                 Order(program, keeper, phase, states).holds()
             ? &keeper
             : nullptr;
}

std::set<std::string> kept_by(const plan::Plan& plan, const ir::Phase& phase) {
  std::set<std::string> kept;
  for (const ir::Phase& reader : plan.program.phases) {
    if (!passes::finds_snapshots(plan, reader)) continue;
    const std::set<std::string> states = read_and_assigned(reader);
    if (find_keeper(plan, reader, states) == &phase) kept.insert(states.begin(), states.end());
  }
  return kept;
}

}  // namespace vertigo::compiler::toplan
