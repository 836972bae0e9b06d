#pragma once
// A phase whose steps run in one launch: the kernel that chains the parts of its variants with
// barriers between them, and the host's side of the launch.

#include <string>
#include <vector>

#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/emit/cuda/GridCode.h"

namespace vertigo::compiler::emit {

class FusedSteps {
 public:
  /// Of a phase that has a loop.
  FusedSteps(const plan::Plan& plan, const plan::PhasePlan& phase)
      : plan_(plan), phase_(phase), loop_(*phase.loop), code_(plan, loop_.holds) {}

  /// The struct of buffers that change names, and the kernel.
  void print_kernel(Writer& out) const;
  /// The member function that launches it until the phase is over.
  void print_run(Writer& out) const;
  /// The call of that function for a variant that is ready to begin.
  std::string run(const plan::Variant& variant) const;

  /// `LoopMemory<MainBuffers> main_loop;`.
  std::string member() const;
  /// `session.declare(main_loop, "loop of phase main");`.
  std::string declaration() const;

 private:
  bool is_threshold(const KernelArgument& argument) const;
  std::string name(const std::string& what) const;
  std::string name_of_struct() const;

  const plan::Plan& plan_;
  const plan::PhasePlan& phase_;
  const plan::StepLoop& loop_;
  GridCode code_;
};

}  // namespace vertigo::compiler::emit
