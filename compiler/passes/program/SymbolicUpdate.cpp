#include "compiler/passes/program/SymbolicUpdate.h"

#include <utility>

#include "compiler/passes/program/BuildExpr.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

// Programs of the kind that this language is for stay below a few hundred nodes.
constexpr std::size_t kNodeLimit = 20000;

struct TooLarge {};

ExprPtr binary(Op op, ExprPtr a, ExprPtr b) {
  return operation(op, ir::ScalarKind::Bool, std::move(a), std::move(b));
}

class Evaluation {
 public:
  Evaluation(const ir::Program& program, const std::string& variable)
      : program_(program), variable_(variable) {}

  ExprPtr substituted(const Expr& expr) { return substituted(expr, values_); }

  void run(const std::vector<ir::StmtPtr>& body) {
    const auto outer = values_;
    std::vector<Name> lets;
    for (const ir::StmtPtr& stmt : body) {
      if (stmt->kind == StmtKind::Let) lets.push_back(local_key(stmt->symbol));
      run(*stmt);
    }
    // A let ends with its block; what it hid comes back.
    for (const Name& name : lets) {
      const auto hidden = outer.find(name);
      if (hidden == outer.end())
        values_.erase(name);
      else
        values_[name] = hidden->second;
    }
  }

  SymbolicUpdate take() {
    for (const auto& [key, value] : values_)
      if (key.first == Holder::State) update_.states[key.second] = value->clone();
    return std::move(update_);
  }

 private:
  enum class Holder : std::uint8_t { Local, State };
  using Name = std::pair<Holder, std::string>;
  // Shared, because a branch starts from a copy of everything that is known.
  using Values = std::map<Name, std::shared_ptr<Expr>>;

  static Name local_key(const std::string& name) { return {Holder::Local, name}; }
  static Name state_key(const std::string& name) { return {Holder::State, name}; }

  void count(std::size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > kNodeLimit) throw TooLarge{};
  }

  ExprPtr substituted(const Expr& expr, const Values& values) {
    return replaced(expr, [&](const Expr& node) -> ExprPtr {
      count(1);
      if (node.op == Op::Call) return substituted_call(node, values);
      const bool is_state = ir::is_state_of(node, variable_);
      if (node.op != Op::Local && !is_state) return nullptr;
      const auto known = values.find(is_state ? state_key(node.symbol) : local_key(node.symbol));
      if (known == values.end()) return nullptr;
      ir::walk(*known->second, [&](const Expr&) { count(1); });
      return known->second->clone();
    });
  }

  ExprPtr substituted_call(const Expr& call, const Values& values) {
    const ir::Function* function = program_.find_function(call.symbol);
    if (function == nullptr || !function->body) return nullptr;
    Values arguments;
    for (std::size_t i = 0; i < call.operands.size() && i < function->parameters.size(); ++i)
      arguments[local_key(function->parameters[i].name)] = substituted(*call.operands[i], values);
    return substituted(*function->body, arguments);
  }

  void run(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::Let:
        values_[local_key(stmt.symbol)] = substituted(*stmt.value);
        return;
      case StmtKind::AssignState:
        values_[state_key(stmt.symbol)] = substituted(*stmt.value);
        return;
      case StmtKind::Send:
        return run_send(stmt);
      case StmtKind::If:
        return run_if(stmt);
      default:
        return;
    }
  }

  void run_send(const Stmt& stmt) {
    SymbolicSend send;
    send.stmt = &stmt;
    send.condition = path_ ? path_->clone() : nullptr;
    send.value = substituted(*stmt.value);
    if (stmt.condition) send.filter = substituted(*stmt.condition);
    if (stmt.receiver) send.receiver = substituted(*stmt.receiver);
    update_.sends.push_back(std::move(send));
  }

  void run_branch(const Expr& condition, bool holds, const std::vector<ir::StmtPtr>& body) {
    const std::shared_ptr<Expr> outer = path_;
    ExprPtr here = holds ? condition.clone() : negation(condition.clone());
    path_ = outer ? binary(Op::And, outer->clone(), std::move(here)) : std::move(here);
    ir::walk(*path_, [&](const Expr&) { count(1); });
    run(body);
    path_ = outer;
  }

  void run_if(const Stmt& stmt) {
    const ExprPtr condition = substituted(*stmt.value);
    const Values before = values_;
    run_branch(*condition, true, stmt.body);
    Values yes = std::move(values_);
    values_ = before;
    run_branch(*condition, false, stmt.otherwise);
    merge(*condition, before, yes);
  }

  // values_ holds the `else` side; afterwards it holds both.
  void merge(const Expr& condition, const Values& before, const Values& yes) {
    Values merged = values_;
    const auto value_in = [&](const Values& values, const Name& key) -> ExprPtr {
      const auto known = values.find(key);
      if (known != values.end()) return known->second->clone();
      return old_state(key.second);
    };
    const auto touch = [&](const Name& key) {
      if (key.first != Holder::State) return;
      const auto a = yes.find(key);
      const auto b = values_.find(key);
      const auto was = before.find(key);
      const bool a_same = a != yes.end() && was != before.end() && a->second == was->second;
      const bool b_same = b != values_.end() && was != before.end() && b->second == was->second;
      if (a_same && b_same) return;
      ExprPtr both = selection(condition.clone(), value_in(yes, key), value_in(values_, key));
      ir::walk(*both, [&](const Expr&) { count(1); });
      merged[key] = std::move(both);
    };
    for (const auto& [key, value] : yes) touch(key);
    for (const auto& [key, value] : values_)
      if (!yes.contains(key)) touch(key);
    values_ = std::move(merged);
  }

  ExprPtr old_state(const std::string& name) const {
    auto expr = std::make_unique<Expr>();
    expr->op = Op::State;
    expr->vertex = variable_;
    expr->symbol = name;
    if (const ir::State* state = program_.find_state(name)) expr->type = state->type;
    return expr;
  }

  const ir::Program& program_;
  const std::string& variable_;
  Values values_;
  std::shared_ptr<Expr> path_;
  SymbolicUpdate update_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::optional<SymbolicUpdate> evaluate_update(const ir::Program& program, const ir::Phase& phase) {
  try {
    Evaluation evaluation(program, phase.variable);
    ExprPtr guard = phase.guard ? evaluation.substituted(*phase.guard) : nullptr;
    evaluation.run(phase.body);
    SymbolicUpdate update = evaluation.take();
    update.guard = std::move(guard);
    return update;
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

ExprPtr inline_calls(const ir::Program& program, const Expr& expr) {
  try {
    const std::string nobody;
    return Evaluation(program, nobody).substituted(expr);
  } catch (const TooLarge&) {
    return nullptr;
  }
}

}  // namespace vertigo::compiler::passes
