#pragma once
// A loop of the host level that runs in one launch: the kernel whose threads go through its
// statements, and the host's side of the launch.

#include <string>
#include <vector>

#include "compiler/emit/common/Writer.h"
#include "compiler/emit/cuda/GridCode.h"

namespace vertigo::compiler::emit {

class RoundsCode {
 public:
  RoundsCode(const plan::Plan& plan, const plan::Rounds& rounds, const ir::Stmt& loop)
      : plan_(plan), rounds_(rounds), loop_(loop), code_(plan, rounds.holds) {}

  /// The struct of what the loop hands back, and the kernel.
  void print_kernel(Writer& out) const;
  /// The member function that launches it. It answers false where the host has to go through the
  /// loop, and has done nothing then.
  void print_run(Writer& out) const;
  /// Number of the loop.
  unsigned loop() const { return rounds_.loop; }
  /// Name of that function.
  std::string function() const { return name("run_rounds"); }

  /// Name of what the loop hands back.
  std::string name_of_struct() const;
  /// `RoundMemory<RoundsBuffers, 1> rounds_memory;`.
  std::string member() const;
  /// `rounds_memory.declare(session, "loop of line 15");`.
  std::string declaration() const;

 private:
  void print_reduction(Writer& out, const plan::VertexReduction& reduction) const;
  void print_part(Writer& out, std::size_t number) const;
  std::string described_part(const plan::Rounds::Part& part) const;
  std::string described() const;
  std::string name(const std::string& what) const;
  std::string arguments_of_loop() const;
  ir::Type type_of(const std::string& variable) const;

  const plan::Plan& plan_;
  const plan::Rounds& rounds_;
  const ir::Stmt& loop_;
  GridCode code_;
};

/// One for each of the plan's.
std::vector<RoundsCode> rounds_of(const plan::Plan& plan);

}  // namespace vertigo::compiler::emit
