#pragma once
// A phase whose steps run in one launch: the kernel that chains the parts of its variants with
// barriers between them, and the host's side of the launch.

#include <set>
#include <string>
#include <vector>

#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/Writer.h"

namespace vertigo::compiler::emit {

class FusedSteps {
 public:
  /// Whether some variant of the phase is fused.
  static bool stands_for(const plan::PhasePlan& phase);
  /// Of such a phase.
  FusedSteps(const plan::Plan& plan, const plan::PhasePlan& phase);

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
  void add_buffer(const plan::Buffer& buffer, bool written);
  void add_kernel(const std::string& name);
  std::string parameters(const KernelArgument& argument) const;
  std::string buffer_text(const std::string& name) const;
  std::string call(const std::string& kernel) const;
  std::string local_update(const plan::Action& action) const;
  std::string grid_work(const plan::Action& action) const;
  void print_actions(Writer& out, const std::vector<plan::Action>& actions,
                     const std::string& ending) const;
  void print_changes(Writer& out) const;
  static void print_ending(Writer& out, const std::string& head,
                           const std::vector<std::string>& updates);
  std::string short_steps() const;
  std::string name(const std::string& what) const;
  std::string name_of_struct() const;

  const plan::Plan& plan_;
  const plan::PhasePlan& phase_;
  std::vector<const plan::Buffer*> buffers_;  ///< lists, bitmaps and flags: members of the struct
  std::vector<KernelArgument> arguments_;     ///< what else the parts take, each once
};

/// Kernels that are functions of the device, called by fused variants.
std::set<std::string> fused_parts(const plan::Plan& plan);

/// What the host launches in place of a kernel that is one of these parts: a kernel that does
/// nothing but call it.
std::string launched_name(const plan::Plan& plan, const std::set<std::string>& parts,
                          const std::string& kernel);

}  // namespace vertigo::compiler::emit
