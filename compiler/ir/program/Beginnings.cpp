#include "compiler/ir/program/Beginnings.h"

#include <algorithm>
#include <vector>

#include "compiler/ir/program/Uses.h"

namespace vertigo::ir {

namespace {

/// The same in every run of the program, and at every vertex.
bool is_literal(const Expr& e) {
  switch (e.op) {
    case Op::Literal:
    case Op::Infinity:
    case Op::NoVertex:
      return true;
    case Op::Negate:
    case Op::MakeTuple:
      return std::ranges::all_of(e.operands, [](const ExprPtr& part) { return is_literal(*part); });
    default:
      return false;
  }
}

/// What a phase does to what is known.
struct Effect {
  std::map<std::string, const Expr*> written;  ///< states; what all vertices are given, or null
  std::set<std::string> messages, emptied, filled;
};

/// The literals that an update of all vertices gives to states, whatever else it does.
void find_written(const Phase& phase, Effect& effect) {
  for (const std::string& state : states_written(phase)) effect.written.emplace(state, nullptr);
  if (phase.kind != PhaseKind::Sweep || phase.guard) return;
  std::map<std::string, unsigned> assignments;
  for_each_stmt(phase.body, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::AssignState) ++assignments[stmt.symbol];
  });
  for (const StmtPtr& stmt : phase.body)
    if (stmt->kind == StmtKind::AssignState && assignments[stmt->symbol] == 1 &&
        is_literal(*stmt->value))
      effect.written[stmt->symbol] = stmt->value.get();
}

/// An `update … when` empties what it reads when it ends, unless it is kept; an update of all
/// vertices takes what it reads. One of some vertices that sends nothing takes, or leaves.
void find_messages(const Program& program, const Phase& phase, Effect& effect) {
  effect.messages = messages_of(phase);
  const std::set<std::string> read = messages_read(phase), sent = messages_sent(phase);
  const bool sweeps = phase.kind == PhaseKind::Sweep;
  for (const std::string& message : effect.messages) {
    const bool empties = read.contains(message) && (sweeps ? !phase.guard && !sent.contains(message)
                                                           : !program.find_message(message)->keep);
    if (empties)
      effect.emptied.insert(message);
    else if (!sweeps || sent.contains(message))
      effect.filled.insert(message);
  }
}

}  // namespace

class BeginningsWalk {
 public:
  BeginningsWalk(const Program& program, Beginnings& found) : program_(program), found_(found) {
    for (const Phase& phase : program.phases) {
      Effect& effect = effects_[phase.name];
      find_written(phase, effect);
      find_messages(program, phase, effect);
    }
    for (const State& state : program.states)
      if (!state.is_input && is_literal(*state.initial))
        now_.literals.emplace(state.name, state.initial.get());
  }

  void run() { follow(program_.body); }

 private:
  struct Known {
    std::map<std::string, const Expr*> literals;  ///< none: vertices may differ
    std::set<std::string> filled;
  };

  void follow(const std::vector<StmtPtr>& body) {
    for (const StmtPtr& stmt : body) follow(*stmt);
  }

  void follow(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::Phase:
        return follow_phase(stmt.symbol);
      case StmtKind::If: {
        const Effect touched = touched_by(stmt);
        const Known before = kept(touched);
        follow(stmt.body);
        const Known after = kept(touched);
        put_back(touched, before);
        follow(stmt.otherwise);
        return join(touched, after);
      }
      case StmtKind::Repeat:
      case StmtKind::For:
      case StmtKind::While: {
        // A round begins with what the last one left, and there may be none.
        const Effect touched = touched_by(stmt);
        for (const auto& [state, given] : touched.written) now_.literals.erase(state);
        now_.filled.insert(touched.filled.begin(), touched.filled.end());
        const Known before = kept(touched);
        follow(stmt.body);
        return join(touched, before);
      }
      default:
        return;
    }
  }

  void follow_phase(const std::string& name) {
    const Effect& effect = effects_.at(name);
    record(name, effect);
    for (const auto& [state, given] : effect.written)
      if (given != nullptr)
        now_.literals[state] = given;
      else
        now_.literals.erase(state);
    for (const std::string& message : effect.emptied) now_.filled.erase(message);
    now_.filled.insert(effect.filled.begin(), effect.filled.end());
  }

  void record(const std::string& name, const Effect& effect) {
    const bool first = runs_.insert(name).second;
    auto& literals = found_.literals_[name];
    for (const auto& [state, given] : effect.written) {
      const Expr* const value = literal(state);
      const auto known = literals.find(state);
      if (first && value != nullptr)
        literals.emplace(state, value->clone());
      else if (known != literals.end() && (value == nullptr || !same(*known->second, *value)))
        literals.erase(known);
    }
    for (const std::string& message : effect.messages)
      if (now_.filled.contains(message)) found_.filled_[name].insert(message);
  }

  const Expr* literal(const std::string& state) const {
    const auto known = now_.literals.find(state);
    return known == now_.literals.end() ? nullptr : known->second;
  }

  /// All that the phases below a statement may change.
  Effect touched_by(const Stmt& stmt) const {
    Effect all;
    const auto add = [&](const Stmt& below) {
      if (below.kind != StmtKind::Phase) return;
      const Effect& effect = effects_.at(below.symbol);
      all.written.insert(effect.written.begin(), effect.written.end());
      all.messages.insert(effect.messages.begin(), effect.messages.end());
      all.filled.insert(effect.filled.begin(), effect.filled.end());
    };
    for_each_stmt(stmt.body, add);
    for_each_stmt(stmt.otherwise, add);
    return all;
  }
  Known kept(const Effect& touched) const {
    Known known;
    for (const auto& [state, given] : touched.written)
      if (const Expr* const value = literal(state)) known.literals.emplace(state, value);
    for (const std::string& message : touched.messages)
      if (now_.filled.contains(message)) known.filled.insert(message);
    return known;
  }
  void put_back(const Effect& touched, const Known& known) {
    for (const auto& [state, given] : touched.written) now_.literals.erase(state);
    for (const std::string& message : touched.messages) now_.filled.erase(message);
    now_.literals.insert(known.literals.begin(), known.literals.end());
    now_.filled.insert(known.filled.begin(), known.filled.end());
  }
  void join(const Effect& touched, const Known& other) {
    for (const auto& [state, given] : touched.written) {
      const Expr* const value = literal(state);
      const auto known = other.literals.find(state);
      if (value != nullptr && (known == other.literals.end() || !same(*value, *known->second)))
        now_.literals.erase(state);
    }
    now_.filled.insert(other.filled.begin(), other.filled.end());
  }

  const Program& program_;
  Beginnings& found_;
  std::map<std::string, Effect> effects_;
  std::set<std::string> runs_;
  Known now_;
};

Beginnings::Beginnings(const Program& program) { BeginningsWalk(program, *this).run(); }

const Expr* Beginnings::literal(const std::string& phase, const std::string& state) const {
  const auto states = literals_.find(phase);
  if (states == literals_.end()) return nullptr;
  const auto known = states->second.find(state);
  return known == states->second.end() ? nullptr : known->second.get();
}

bool Beginnings::empty(const std::string& phase, const std::string& message) const {
  const auto messages = filled_.find(phase);
  return messages == filled_.end() || !messages->second.contains(message);
}

}  // namespace vertigo::ir
