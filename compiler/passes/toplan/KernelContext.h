#pragma once
// The plan under construction: buffers and kernels by name, made once however many variants use
// them, and what had to be refused.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"
#include "compiler/passes/program/FallingChoice.h"
#include "compiler/passes/program/SlicedDomain.h"
#include "compiler/passes/toplan/BuildKernels.h"
#include "compiler/passes/toplan/SharedLists.h"

namespace vertigo::compiler::toplan {

class KernelContext {
 public:
  explicit KernelContext(plan::Plan& plan);

  plan::Plan& plan() { return plan_; }
  const ir::Program& program() const { return plan_.program; }

  /// The buffer of a state or of a message's inbox.
  const std::string& state(const std::string& name) const { return name; }
  std::string inbox(const std::string& message);
  /// The buffer of an edge state, and its copy from before the step.
  const std::string& edge_state(const std::string& name) const { return name; }
  std::string edge_snapshot(const std::string& state);
  /// Of which edges numbers of common neighbours are kept; null where they are counted anew.
  const passes::FallingChoice* kept_choice() const;
  /// The number of every edge, at the entry of its end that comes first, and which edges count:
  /// as they were when an update last changed the choice.
  std::string kept_counts();
  std::string counted();
  /// The copy of a state from before the step.
  std::string snapshot(const std::string& state);
  /// What neighbours read of a vertex; `purpose` tells the values of a program apart.
  std::string for_neighbours(const std::string& purpose, const std::string& wanted,
                             const ir::Type& type);
  /// Of every vertex, a neighbour that the phase remembers.
  std::string remembered(const std::string& phase);
  /// All vertices by the number of their edges in the direction.
  std::string order(ir::EdgeDirection direction);
  /// All vertices sorted by the state before the loop of this number.
  std::string sorted_by(const std::string& state, unsigned loop);
  /// What is sorted where host code stands, in the loops that it has entered.
  std::vector<plan::Sorting> sortings_at_hand() const;
  void enter_loop(unsigned number) { loops_.push_back(number); }
  void leave_loop() { loops_.pop_back(); }
  /// Places for the messages that loops over these edges write.
  std::string slots(ir::EdgeDirection direction, bool once_if_symmetric);
  /// Room to find the most frequent of the values along these edges.
  std::string ballots(const ir::Type& value, ir::EdgeDirection direction);
  /// Messages in these slots; `purpose` tells those of one send from another's.
  std::string messages(const std::string& purpose, const std::string& wanted,
                       const ir::Message& message, const std::string& slots);
  /// Colour classes, and a rest of the vertices that are in none; `colours` as the schedule says
  /// it.
  std::string few_classes(const std::string& colours);
  /// A buffer that phases share because none uses it while another runs (worklists, bitmaps, flag,
  /// counters); made on first use. Returns its name, which differs from `wanted` where the program
  /// has that name.
  std::string shared(plan::BufferRole role, const std::string& wanted, const std::string& reason);
  /// A buffer of its own, named `wanted` or, where that is taken, with a number.
  std::string add_buffer(plan::Buffer buffer);
  /// Adds the kernel under its name, or with a number where that is taken; returns the name.
  std::string add_kernel(plan::Kernel kernel);

  /// A kernel that phases share; made on first use. Its name in the plan.
  std::string kernel(const std::string& name, const std::function<plan::Kernel()>& make);

  /// `wanted`, or with a number where it is taken; nobody else gets it.
  std::string claim(const std::string& wanted);

  /// Neither a name of the program nor of a buffer: free for a local.
  bool is_free(const std::string& name) const { return !names_.contains(name); }

  void refuse(const ir::Location& location, const std::string& construct,
              const std::string& reason);
  const std::vector<Refusal>& refusals() const { return refusals_; }

  /// Something that phases find done when they begin, once all states have their initial values.
  void launch_after_initialization(plan::Action action) {
    after_initialization_.push_back(std::move(action));
  }
  std::vector<plan::Action>& after_initialization() { return after_initialization_; }

  /// Of a phase that keeps a list of the vertices which may still qualify; null where it keeps
  /// none.
  const SharedList* list_of(const std::string& phase) const {
    const auto found = shared_lists_.find(phase);
    return found == shared_lists_.end() ? nullptr : &found->second;
  }
  /// Of a phase that looks at a slice of the vertices; null where it does not.
  std::shared_ptr<const passes::SlicedDomain> slice_of(const std::string& phase) const {
    const auto found = slices_.find(phase);
    return found == slices_.end() ? nullptr : found->second;
  }
  /// That list is in the plan: whoever asks for no other vertices need not look at them.
  void keeps_list(const std::string& phase, const std::string& list) { lists_[phase] = list; }
  /// Phase -> list.
  const std::map<std::string, std::string>& kept_lists() const { return lists_; }

 private:
  plan::Plan& plan_;
  std::set<std::string> names_;
  std::map<std::string, unsigned> next_;  // of a name, the number to try next
  std::map<std::string, std::string> shared_;
  std::string edge_array(const std::string& wanted, const ir::Type& type,
                         const std::string& reason);

  std::optional<passes::FallingChoice> kept_choice_;
  std::vector<unsigned> loops_;
  std::vector<Refusal> refusals_;
  std::vector<plan::Action> after_initialization_;
  std::map<std::string, SharedList> shared_lists_;
  std::map<std::string, std::shared_ptr<const passes::SlicedDomain>> slices_;
  std::map<std::string, std::string> lists_;
};

/// Names of one kernel's locals and bound vertices.
class LocalNames {
 public:
  explicit LocalNames(const KernelContext& context) : context_(&context) {}
  /// `wanted`, or with a number where it is taken.
  std::string fresh(const std::string& wanted);

 private:
  const KernelContext* context_;
  std::set<std::string> used_;
  std::map<std::string, unsigned> next_;  // of each wanted name, the number to try
};

}  // namespace vertigo::compiler::toplan
