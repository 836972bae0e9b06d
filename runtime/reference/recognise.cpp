#include "recognise.h"

#include <algorithm>
#include <map>
#include <utility>

#include "walk.h"

namespace vertigo::reference {
namespace {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::StmtKind;

std::set<std::string> written_states(const ir::Program& program) {
  std::set<std::string> written;
  walk_program(
      program,
      [&](const ir::Stmt& s) {
        if (s.kind == StmtKind::AssignState) written.insert(s.symbol);
      },
      [](const Expr&) {});
  return written;
}

ExprPtr negation(const Expr& condition) {
  auto made = std::make_unique<Expr>();
  made->op = Op::Not;
  made->type = ScalarKind::Bool;
  made->location = condition.location;
  made->operands.push_back(condition.clone());
  return made;
}

/// Reads the phase's statements into the plain form; `failed` where they do not fit it.
class PlainReader {
 public:
  PlainReader(const ir::Program& program, const ir::Phase& phase, std::set<std::string> changing)
      : program_(program), phase_(phase), changing_(std::move(changing)) {}

  bool read(PlainPhase& plain) {
    // What a limit of its own ends need not be a fixed point.
    if (phase_.kind != ir::PhaseKind::Fixpoint || phase_.serializable || !phase_.guard ||
        phase_.step_limit)
      return false;
    plain.source = &phase_;
    walk_expr(phase_.guard, [&](const Expr& e) {
      if (e.op == Op::Inbox) plain.message = program_.find_message(e.symbol);
    });
    if (plain.message == nullptr) return false;
    for (const ir::StmtPtr& statement : phase_.body)
      if (!read_statement(*statement, plain)) return false;
    if (plain.state == nullptr) return false;
    lets_.clear();
    for (const ir::Start& start : phase_.starts)
      if (!read_start(start, plain)) return false;
    return true;
  }

  /// Written out and free of everything that changes, apart from the inbox where that is allowed;
  /// null where it is not.
  ExprPtr plain_expr(const Expr& expr, const PlainPhase& plain, bool inbox_allowed) {
    ExprPtr copy = write_out(expr, plain, 0);
    if (!copy) return nullptr;
    bool plain_enough = true;
    ir::walk(static_cast<const Expr&>(*copy), [&](const Expr& e) {
      switch (e.op) {
        case Op::State:
          plain_enough &= e.operands.empty() && !changing_.contains(e.symbol);
          break;
        case Op::Inbox:
          plain_enough &= inbox_allowed && e.symbol == plain.message->name;
          break;
        case Op::Step:
        case Op::ExternCall:
          plain_enough = false;
          break;
        default:
          break;
      }
    });
    return plain_enough ? std::move(copy) : nullptr;
  }

  /// The assignment's right side, in which the state itself stands.
  ExprPtr assigned;

 private:
  bool read_statement(const ir::Stmt& statement, PlainPhase& plain) {
    switch (statement.kind) {
      case StmtKind::Let:
        // Before the assignment the state has its old value, which no certificate knows.
        lets_[statement.symbol] = plain_expr(*statement.value, plain, true);
        return lets_[statement.symbol] != nullptr;
      case StmtKind::AssignState:
        if (plain.state != nullptr) return false;
        assigned = write_out(*statement.value, plain, 0);
        plain.state = program_.find_state(statement.symbol);
        return assigned != nullptr && plain.state != nullptr;
      case StmtKind::Send:
        return read_send(statement, plain);
      case StmtKind::If:
        return read_branches(statement, plain);
      default:
        return false;
    }
  }

  /// What is sent under a condition on what never changes is sent along fewer edges.
  bool read_branches(const ir::Stmt& statement, PlainPhase& plain) {
    if (plain.state == nullptr) return false;
    const ExprPtr condition = plain_expr(*statement.value, plain, false);
    if (!condition) return false;
    const auto read = [&](const std::vector<ir::StmtPtr>& branch, ExprPtr holds) {
      ExprPtr outer = under_ ? under_->clone() : nullptr;
      under_ = ir::both(std::move(under_), std::move(holds));
      const bool fits = std::ranges::all_of(branch, [&](const ir::StmtPtr& each) {
        return each->kind != StmtKind::AssignState && read_statement(*each, plain);
      });
      under_ = std::move(outer);
      return fits;
    };
    return read(statement.body, condition->clone()) &&
           read(statement.otherwise, negation(*condition));
  }

  bool read_send(const ir::Stmt& statement, PlainPhase& plain) {
    if (plain.state == nullptr || statement.symbol != plain.message->name || statement.receiver)
      return false;
    PlainSend send;
    send.direction = statement.direction;
    send.neighbour = statement.neighbour;
    send.value = plain_expr(*statement.value, plain, true);
    if (!send.value) return false;
    if (statement.condition) {
      send.condition = plain_expr(*statement.condition, plain, false);
      if (!send.condition) return false;
    }
    if (under_) send.condition = ir::both(under_->clone(), std::move(send.condition));
    plain.sends.push_back(std::move(send));
    return true;
  }

  bool read_start(const ir::Start& start, PlainPhase& plain) {
    PlainStart read{&start, {}};
    for (const ir::StmtPtr& statement : start.body) {
      if (statement->kind == StmtKind::Let) {
        lets_[statement->symbol] = plain_expr(*statement->value, plain, false);
        if (!lets_[statement->symbol]) return false;
        continue;
      }
      if (statement->kind != StmtKind::AssignInbox || statement->symbol != plain.message->name)
        return false;
      ExprPtr value = plain_expr(*statement->value, plain, false);
      if (!value) return false;
      read.values.push_back(std::move(value));
    }
    lets_.clear();
    if (start.condition && !plain_expr(*start.condition, plain, false)) return false;
    plain.starts.push_back(std::move(read));
    return true;
  }

  /// A copy without locals and calls. A state that was assigned the inbox is read as the inbox.
  ExprPtr write_out(const Expr& expr, const PlainPhase& plain, int depth) {
    if (depth > 32) return nullptr;
    if (expr.op == Op::Local) {
      const auto found = lets_.find(expr.symbol);
      return found == lets_.end() || !found->second ? nullptr : found->second->clone();
    }
    if (expr.op == Op::Call) return write_out_call(expr, plain, depth);
    ExprPtr copy = expr.clone();
    if (expr.op == Op::State && assigned && assigned->op == Op::Inbox &&
        expr.symbol == plain.state->name && expr.vertex == phase_.variable) {
      copy->op = Op::Inbox;
      copy->symbol = plain.message->name;
      copy->vertex.clear();
    }
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      if (!expr.operands[i]) continue;
      copy->operands[i] = write_out(*expr.operands[i], plain, depth + 1);
      if (!copy->operands[i]) return nullptr;
    }
    return copy;
  }

  ExprPtr write_out_call(const Expr& expr, const PlainPhase& plain, int depth) {
    const ir::Function* function = program_.find_function(expr.symbol);
    if (function == nullptr || !function->body) return nullptr;
    std::map<std::string, ExprPtr> arguments;
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      ExprPtr argument = write_out(*expr.operands.at(i), plain, depth + 1);
      if (!argument) return nullptr;
      arguments[function->parameters[i].name] = std::move(argument);
    }
    lets_.swap(arguments);
    ExprPtr body = write_out(*function->body, plain, depth + 1);
    lets_.swap(arguments);
    return body;
  }

  const ir::Program& program_;
  const ir::Phase& phase_;
  std::set<std::string> changing_;
  std::map<std::string, ExprPtr> lets_;
  ExprPtr under_;  ///< what holds in the branch that is read; null: no branch
};

bool is_inbox(const Expr& expr, const PlainPhase& plain) {
  return expr.op == Op::Inbox && expr.symbol == plain.message->name;
}
bool is_own_state(const Expr& expr, const PlainPhase& plain) {
  return expr.op == Op::State && expr.symbol == plain.state->name &&
         expr.vertex == plain.source->variable;
}

/// How an expression moves with the inbox.
class MonotoneReader {
 public:
  explicit MonotoneReader(ExtremumPhase& phase) : phase_(phase) {}

  /// Never falls when the inbox rises.
  bool rises(const Expr& e) {
    if (!reads_inbox(e)) return true;
    const auto operand = [&](std::size_t i) -> const Expr& { return *e.operands.at(i); };
    switch (e.op) {
      case Op::Inbox:
        return true;
      case Op::Multiply:
        if (reads_inbox(operand(0))) return scaled(operand(0), operand(1));
        return scaled(operand(1), operand(0));
      case Op::Divide:
        return scaled(operand(0), operand(1));
      case Op::Cast:
        return rises(operand(0));
      case Op::Select:
        return !reads_inbox(operand(0)) && rises(operand(1)) && rises(operand(2));
      case Op::TupleElement:
        // Only the first element rises with the tuple, which is ordered lexicographically.
        return e.index == 0 && operand(0).op == Op::Inbox;
      case Op::MakeTuple:
        for (std::size_t i = 1; i < e.operands.size(); ++i)
          if (reads_inbox(operand(i))) return false;
        return rises(operand(0));
      default:
        return rises_by_table(e);
    }
  }

 private:
  bool rises_by_table(const Expr& e) {
    const ir::OpInfo& op = ir::info(e.op);
    if (!accepts(op.takes, ScalarKind::Float64) || op.is_comparison()) return false;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      const Expr& operand = *e.operands[i];
      if (op.trends[i] == ir::Trend::Increasing ? !rises(operand) : reads_inbox(operand))
        return false;
    }
    return true;
  }

  bool scaled(const Expr& inbox_part, const Expr& factor) {
    if (reads_inbox(factor)) return false;
    phase_.factors.push_back(&factor);
    return rises(inbox_part);
  }

  ExtremumPhase& phase_;
};

/// A multiple of the inbox.
bool is_linear(const Expr& e) {
  const auto operand = [&](std::size_t i) -> const Expr& { return *e.operands.at(i); };
  switch (e.op) {
    case Op::Inbox:
      return true;
    case Op::Negate:
      return is_linear(operand(0));
    case Op::Cast:
      return e.type.is_scalar() && ir::is_float(e.type.scalar()) && is_linear(operand(0));
    case Op::Add:
    case Op::Subtract:
      return is_linear(operand(0)) && is_linear(operand(1));
    case Op::Multiply:
      return (is_linear(operand(0)) && !reads_inbox(operand(1))) ||
             (is_linear(operand(1)) && !reads_inbox(operand(0)));
    case Op::Divide:
      return is_linear(operand(0)) && !reads_inbox(operand(1));
    case Op::Select:
      return !reads_inbox(operand(0)) && is_linear(operand(1)) && is_linear(operand(2));
    default:
      return false;
  }
}

const Expr& without_casts(const Expr& expr) {
  return expr.op == Op::Cast ? without_casts(*expr.operands.at(0)) : expr;
}

void split_conjunction(const Expr& guard, std::vector<const Expr*>& parts) {
  if (guard.op != Op::And) return parts.push_back(&guard);
  for (const ExprPtr& operand : guard.operands) split_conjunction(*operand, parts);
}

/// inbox > t, abs(inbox) >= t, t < inbox, inbox != 0.
bool read_threshold(const Expr& part, PlainReader& reader, LinearPhase& phase) {
  const bool left =
      part.op == Op::Greater || part.op == Op::GreaterEqual || part.op == Op::NotEqual;
  if (!left && part.op != Op::Less && part.op != Op::LessEqual) return false;
  const Expr* measured = &without_casts(*part.operands.at(left ? 0 : 1));
  const Expr& threshold = *part.operands.at(left ? 1 : 0);
  const bool is_size = measured->op == Op::Abs;
  if (is_size) measured = &without_casts(*measured->operands.at(0));
  if (!is_inbox(*measured, phase)) return false;
  const bool differs = part.op == Op::NotEqual;
  if (differs && !(threshold.op == Op::Literal && threshold.value == ir::LiteralValue{0.0}))
    return false;
  phase.tolerance = reader.plain_expr(threshold, phase, false);
  phase.absolute = is_size || differs;
  phase.inclusive = part.op == Op::GreaterEqual || part.op == Op::LessEqual;
  return phase.tolerance != nullptr;
}

}  // namespace

std::set<std::string> states_written(const std::vector<ir::StmtPtr>& statements) {
  std::set<std::string> written;
  walk_statements(
      statements,
      [&](const ir::Stmt& s) {
        if (s.kind == StmtKind::AssignState) written.insert(s.symbol);
      },
      [](const Expr&) {});
  return written;
}

std::optional<ExtremumPhase> recognise_extremum(const ir::Program& program,
                                                const ir::Phase& phase) {
  ExtremumPhase result;
  PlainReader reader(program, phase, written_states(program));
  if (!reader.read(result)) return std::nullopt;
  const ir::Combine combine = result.message->combine;
  if (combine != ir::Combine::Min && combine != ir::Combine::Max) return std::nullopt;
  result.is_min = combine == ir::Combine::Min;
  if (result.state->type != result.message->type || !is_inbox(*reader.assigned, result))
    return std::nullopt;
  const Op wanted = result.is_min ? Op::Less : Op::Greater;
  const Op mirrored = result.is_min ? Op::Greater : Op::Less;
  const Expr& guard = *phase.guard;
  if (guard.op != wanted && guard.op != mirrored) return std::nullopt;
  const Expr& left = *guard.operands.at(guard.op == wanted ? 0 : 1);
  const Expr& right = *guard.operands.at(guard.op == wanted ? 1 : 0);
  if (!is_inbox(left, result) || !is_own_state(right, result)) return std::nullopt;
  MonotoneReader monotone(result);
  for (const PlainSend& send : result.sends)
    if (!monotone.rises(*send.value)) return std::nullopt;
  return result;
}

namespace {

std::optional<LinearPhase> recognise_linear(const ir::Program& program, const ir::Phase& phase,
                                            std::set<std::string> changing) {
  LinearPhase result;
  PlainReader reader(program, phase, std::move(changing));
  if (!reader.read(result)) return std::nullopt;
  if (result.message->combine != ir::Combine::Sum || !result.message->type.is_scalar() ||
      !ir::is_float(result.message->type.scalar()) ||
      result.message->type.scalar() == ScalarKind::Wide64 ||  // the certificate adds in float64
      result.state->type != result.message->type)
    return std::nullopt;
  const Expr& sum = *reader.assigned;
  if (sum.op != Op::Add) return std::nullopt;
  const Expr &a = *sum.operands.at(0), &b = *sum.operands.at(1);
  if (!(is_own_state(a, result) && is_inbox(b, result)) &&
      !(is_own_state(b, result) && is_inbox(a, result)))
    return std::nullopt;
  std::vector<const Expr*> parts;
  split_conjunction(*phase.guard, parts);
  for (const Expr* part : parts) {
    if (!result.tolerance && read_threshold(*part, reader, result)) continue;
    result.conditions.push_back(reader.plain_expr(*part, result, false));
    if (!result.conditions.back()) return std::nullopt;
  }
  if (!result.tolerance) return std::nullopt;
  for (const PlainSend& send : result.sends)
    if (!is_linear(*send.value)) return std::nullopt;
  return result;
}

}  // namespace

std::optional<LinearPhase> recognise_linear(const ir::Program& program, const ir::Phase& phase) {
  return recognise_linear(program, phase, written_states(program));
}

std::optional<LinearPhase> recognise_linear_run(const ir::Program& program,
                                                const ir::Phase& phase) {
  return recognise_linear(program, phase, states_written(phase.body));
}

const ir::Phase* only_phase(const ir::Program& program) {
  const std::set<std::string> written = written_states(program);
  const ir::Phase* phase = nullptr;
  for (const ir::StmtPtr& statement : program.body) {
    switch (statement->kind) {
      case StmtKind::HostLet: {
        bool reads_states = false;
        walk_expr(statement->value, [&](const Expr& e) {
          reads_states |= e.op == Op::State && written.contains(e.symbol);
        });
        // Before the phase, states have values that the result no longer shows.
        if (phase == nullptr && reads_states) return nullptr;
        break;
      }
      case StmtKind::Report:
        if (phase == nullptr) return nullptr;
        break;
      case StmtKind::Phase:
        if (phase != nullptr) return nullptr;
        phase = program.find_phase(statement->symbol);
        break;
      default:
        return nullptr;
    }
  }
  return phase;
}

}  // namespace vertigo::reference
