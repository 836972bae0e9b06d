#include "compiler/passes/program/BothWays.h"

#include <algorithm>
#include <set>

#include "compiler/ir/program/Ops.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

using Conditions = std::vector<ExprPtr>;

/// A copy in which vertices have other names: pairs of (before, after).
ExprPtr renamed(const Expr& expr, const std::map<std::string, std::string>& names) {
  ExprPtr copy = expr.clone();
  ir::walk(*copy, [&](Expr& node) {
    const auto found = names.find(node.vertex);
    if (!node.vertex.empty() && found != names.end()) node.vertex = found->second;
  });
  return copy;
}

bool contains(const Conditions& all, const Expr& one) {
  return std::ranges::any_of(all, [&](const ExprPtr& e) { return same_in_any_order(*e, one); });
}

void add_unless_there(Conditions& all, ExprPtr one) {
  if (!contains(all, *one)) all.push_back(std::move(one));
}

ExprPtr conjunction(const Conditions& all) {
  ExprPtr made;
  for (const ExprPtr& one : all) {
    if (!made) {
      made = one->clone();
      continue;
    }
    auto both = std::make_unique<Expr>();
    both->op = Op::And;
    both->type = ir::Type(ir::ScalarKind::Bool);
    both->location = made->location;
    both->operands.push_back(std::move(made));
    both->operands.push_back(one->clone());
    made = std::move(both);
  }
  return made;
}

bool reads_vertex(const Expr& expr, const std::string& name) {
  bool found = false;
  ir::walk(expr, [&](const Expr& node) { found = found || node.vertex == name; });
  return found;
}

class Finder {
 public:
  Finder(const Surroundings& around, const SymbolicUpdate& update)
      : around_(around), update_(update), own_(around.phase.variable) {
    found_.neighbour = name_of_neighbour();
  }

  BothWays run() {
    for (const Expr* part : conjuncts(*update_.guard))
      if (changing_read(*part, around_).empty()) takes_.push_back(part->clone());
    found_.takes = conjunction(takes_);
    for (const SymbolicSend& send : update_.sends) sends_.push_back(conditions_of(send));
    add_what_starts_ask_for();
    for (const Conditions& conditions : sends_) {
      check_reverse(conditions);
      check_alike(conditions);
    }
    if (found_.problem.empty()) found_.passes = conjunction(passing());
    return std::move(found_);
  }

 private:
  std::string name_of_neighbour() const {
    for (const SymbolicSend& send : update_.sends)
      if (!send.stmt->neighbour.empty()) return send.stmt->neighbour;
    return own_ == "u" ? "w" : "u";
  }

  Conditions conditions_of(const SymbolicSend& send) const {
    Conditions found;
    for (const Expr* all : {send.condition.get(), send.filter.get()})
      if (all != nullptr)
        for (const Expr* part : conjuncts(*all))
          add_unless_there(found, renamed(*part, {{send.stmt->neighbour, found_.neighbour}}));
    return found;
  }

  /// What is asked of every receiver and of every start holds of all that ever have a label.
  void add_what_starts_ask_for() {
    for (const ExprPtr& part : sends_.front()) {
      if (reads_vertex(*part, own_) || !reads_vertex(*part, found_.neighbour)) continue;
      if (!changing_read(*part, around_).empty() || ir_reads_edge(*part)) continue;
      const bool of_all_sends =
          std::ranges::all_of(sends_, [&](const Conditions& all) { return contains(all, *part); });
      ExprPtr own = renamed(*part, {{found_.neighbour, own_}});
      if (of_all_sends && all_starts_ask(*own)) add_unless_there(takes_, std::move(own));
    }
  }

  bool all_starts_ask(const Expr& wanted) const {
    return std::ranges::all_of(around_.phase.starts, [&](const ir::Start& start) {
      if (start.set != ir::StartSet::Where || !start.condition) return false;
      return std::ranges::any_of(conjuncts(*start.condition), [&](const Expr* part) {
        return same_in_any_order(*renamed(*part, {{start.variable, own_}}), wanted);
      });
    });
  }

  static bool ir_reads_edge(const Expr& expr) {
    bool found = false;
    ir::walk(expr, [&](const Expr& node) { found = found || node.op == Op::EdgeAttribute; });
    return found;
  }

  /// Known of both ends of an edge between vertices that take labels.
  bool is_known(const Expr& condition) const {
    return contains(takes_, condition) ||
           contains(takes_, *renamed(condition, {{found_.neighbour, own_}, {own_, ""}}));
  }

  void check_reverse(const Conditions& conditions) {
    for (const ExprPtr& part : conditions) {
      if (!found_.problem.empty()) return;
      const std::string text = quoted(*part);
      const std::string read = changing_read(*part, around_);
      if (!read.empty()) {
        found_.problem = "whether the inbox is sent depends on " + read;
        continue;
      }
      const ExprPtr back = renamed(*part, {{own_, found_.neighbour}, {found_.neighbour, own_}});
      if (!contains(conditions, *back) && !is_known(*back))
        found_.problem = "the inbox is sent where " + text +
                         " holds, which is not shown to hold from the receiver's side, too";
    }
  }

  /// An edge along which one send goes and not the other would lead one way.
  void check_alike(const Conditions& conditions) {
    const auto lacks = [&](const Conditions& some, const Conditions& others) {
      return std::ranges::any_of(
          some, [&](const ExprPtr& part) { return !contains(others, *part) && !is_known(*part); });
    };
    if (!found_.problem.empty()) return;
    if (lacks(conditions, sends_.front()) || lacks(sends_.front(), conditions))
      found_.problem = "the inbox is sent along edges of two conditions";
  }

  Conditions passing() const {
    Conditions all;
    for (const ExprPtr& part : takes_) {
      all.push_back(part->clone());
      all.push_back(renamed(*part, {{own_, found_.neighbour}}));
    }
    for (const ExprPtr& part : sends_.front())
      if (!contains(all, *part)) all.push_back(part->clone());
    return all;
  }

  const Surroundings& around_;
  const SymbolicUpdate& update_;
  const std::string& own_;
  Conditions takes_;
  std::vector<Conditions> sends_;
  BothWays found_;
};

/// The comparison that holds of (b, a) where `op` holds of (a, b); `op` itself where none is.
Op mirrored(Op op) {
  switch (op) {
    case Op::Less:
      return Op::Greater;
    case Op::LessEqual:
      return Op::GreaterEqual;
    case Op::Greater:
      return Op::Less;
    case Op::GreaterEqual:
      return Op::LessEqual;
    default:
      return op;
  }
}

bool may_change_places(const Expr& expr) {
  switch (expr.op) {
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
      return true;
    case Op::Min:
    case Op::Max:
      return expr.type.is_scalar() && !ir::is_float(expr.type.scalar());
    default:
      return ir::info(expr.op).commutative;
  }
}

/// |a - b| = |b - a| where no difference is cut off at zero.
bool are_distances(const Expr& a, const Expr& b) {
  if (a.op != Op::Abs || b.op != Op::Abs) return false;
  const Expr& x = *a.operands[0];
  const Expr& y = *b.operands[0];
  return x.op == Op::Subtract && y.op == Op::Subtract && x.type == y.type && x.type.is_scalar() &&
         ir::is_float(x.type.scalar()) && same_in_any_order(*x.operands[0], *y.operands[1]) &&
         same_in_any_order(*x.operands[1], *y.operands[0]);
}

}  // namespace

bool same_in_any_order(const Expr& a, const Expr& b) {
  if (ir::same(a, b) || are_distances(a, b)) return true;
  if (a.operands.empty() || a.operands.size() != b.operands.size() || a.type != b.type)
    return false;
  const auto alike = [&](std::size_t of_a, std::size_t of_b) {
    return same_in_any_order(*a.operands[of_a], *b.operands[of_b]);
  };
  if (a.operands.size() == 2 && may_change_places(a) && b.op == mirrored(a.op) && alike(0, 1) &&
      alike(1, 0))
    return true;
  if (ir::is_reduction(a.op)) return false;
  if (!ir::same(*a.clone_without_operands(), *b.clone_without_operands())) return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!a.operands[i] || !b.operands[i] || !alike(i, i)) return false;
  return true;
}

BothWays find_both_ways(const Surroundings& around, const SymbolicUpdate& update) {
  return Finder(around, update).run();
}

}  // namespace vertigo::compiler::passes
