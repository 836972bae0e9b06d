#pragma once
// The class of an emitted program: its buffers, its phases with the loop of every variant, its host
// level, and the registration. What stands in it, and in which order, the plan says; this walks
// through it, and a target spells.

#include <string>
#include <vector>

#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/HostBody.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

class HostPrinter {
 public:
  HostPrinter(Writer& out, const plan::Plan& plan)
      : out_(out), plan_(plan), program_(plan.program), host_(*plan.host) {}
  virtual ~HostPrinter() = default;

  void print();

 protected:
  /// What is the same in every program of a target.
  struct Words {
    std::string class_name;
    std::string comment;     ///< what the class is
    std::string anywhere;    ///< before operators of engines, and
    std::string of_device;   ///< before those that ask what only the device can answer
    std::string report;      ///< how a call that stores a scalar result begins
    std::string buffers;     ///< the function that makes buffers, and
    std::string of_buffers;  ///< a comment before it
    std::string list_type;   ///< of a parameter of type vertex[]
    std::string phase_type;  ///< of the run of a phase
  };

  // ---- spelled by a target, in the order in which they stand in the class
  virtual void print_constructor() = 0;
  virtual void print_preparations() {}
  virtual void open_run() = 0;
  virtual void close_run() = 0;
  /// First of all in the function that makes buffers.
  virtual void begin_buffers() = 0;
  virtual std::string make(const plan::Buffer& buffer) const = 0;
  virtual std::string make(const EngineText& engine) const = 0;
  /// What else a variant wants of the graph; "": nothing.
  virtual std::string make_shares(const plan::Variant&) const { return ""; }
  virtual std::string make_loop(const plan::PhasePlan&) const { return ""; }
  virtual void make_rounds() {}
  virtual std::string action_text(const plan::Action& action) const = 0;
  virtual void print_launch(const plan::Kernel& kernel, const std::string& step, bool reduces) = 0;
  /// A launch that may be cut; targets that have all edges at hand need not.
  virtual void print_cut_launch(const plan::Action& action, const std::string& step) {
    launch(action.symbol, step);
  }
  /// A launch for each part of a list of vertices, or one that goes through them.
  virtual void print_parts(const plan::Action& action, bool in_phase) = 0;
  /// The list of a kernel that runs over a slice, and what sorts vertices into slices.
  virtual std::string slice_text(const plan::Kernel& kernel) const = 0;
  virtual std::string sort_text(const plan::Buffer& sorted) const = 0;
  /// Which loops of the host level may run in one launch.
  virtual HostBody::LoopCalls loop_calls() const { return {}; }
  virtual void print_reduction_body(const plan::VertexReduction& reduction) = 0;
  /// Whether anyone took part in the update that has just run.
  virtual std::string took_part_text(const plan::PhasePlan& phase) const = 0;
  virtual void begin_phase(const plan::PhasePlan& phase, std::size_t index) = 0;
  virtual std::string chosen(const plan::PhasePlan& phase) const = 0;
  virtual std::string variant_of_phase(const plan::PhasePlan& phase) const = 0;
  /// Until the phase is over; of a variant without an engine.
  virtual void print_steps(const plan::PhasePlan& phase, const plan::Variant& variant) = 0;
  virtual void after_engine(const plan::PhasePlan&) {}
  virtual void after_variants(const plan::PhasePlan&) {}
  virtual void after_phases() {}
  virtual void print_results() = 0;
  virtual void print_own_members() = 0;
  virtual std::string member_text(const plan::Buffer& buffer) const = 0;
  virtual void print_last_members() {}
  virtual void print_registration() = 0;

  // ---- for targets
  void print_actions(const std::vector<plan::Action>& actions, bool in_phase);
  void launch(const std::string& kernel, const std::string& step, bool reduces = false);
  std::vector<std::string> argument_texts(const plan::Kernel& kernel,
                                          const std::string& step) const;
  std::size_t index_of(const plan::PhasePlan& phase) const {
    return static_cast<std::size_t>(&phase - &*plan_.phases.begin());
  }

  Writer& out_;
  const plan::Plan& plan_;
  const ir::Program& program_;
  const plan::HostClass& host_;
  Words words_;

 private:
  template <class Visit>
  void for_each_engine(const Visit& visit) const;

  HostBody::BeforeLoops sortings() const;
  void print_run();
  void print_buffers();
  void print_buffers_of(const plan::PhasePlan& phase);
  void print_initialize();
  void print_reduction(const plan::VertexReduction& reduction);
  void print_phase(const plan::PhasePlan& phase);
  void print_variant(const plan::PhasePlan& phase, const plan::Variant& variant);
  void print_members();
  void print_variables();
  std::string function_of(const plan::PhasePlan& phase, const plan::Variant& variant) const;
};

}  // namespace vertigo::compiler::emit
