#pragma once
// Actions of the host as works of one launch, chained by barriers: what place-barriers makes loops
// of.

#include <set>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

class GridChain {
 public:
  explicit GridChain(const plan::Plan& plan);

  /// The launch has to know what the action names.
  void note(const plan::Action& action);
  void note(const plan::Kernel& kernel);
  void note(const ir::Expr& expr);

  /// The actions with barriers: one stands before whatever waits for a work of the grid, `ending`
  /// behind the last. Nothing where there are no actions.
  std::vector<plan::Action> chained(const std::vector<plan::Action>& actions,
                                    plan::Action ending) const;

  /// Lists, marks and flags, and arrays that trade places while the launch runs.
  const std::vector<std::string>& holds() const { return holds_; }
  /// What else it takes; the graph first.
  const std::vector<plan::KernelArgument>& takes() const { return takes_; }

 private:
  bool takes_turns(const std::string& buffer) const;
  bool is_of_block(const plan::Action& action) const;
  void add_buffer(const std::string& name, bool written);
  void hold(const std::string& name);
  void add(const plan::KernelArgument& argument);

  const plan::Plan& plan_;
  std::vector<std::string> holds_;
  std::set<std::string> held_;
  std::vector<plan::KernelArgument> takes_;
};

}  // namespace vertigo::compiler::passes
