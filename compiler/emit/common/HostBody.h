#pragma once
// Host-level statements as C++: the order of phases and what is computed between them.

#include <string>
#include <utility>
#include <vector>

#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

class HostBody {
 public:
  /// `report`: how a call that stores a scalar result begins; name, kind and value follow.
  HostBody(Writer& out, const plan::Plan& plan, std::string report = "host::report(result, ")
      : out_(out), plan_(plan), report_(std::move(report)) {}

  void print(const std::vector<ir::StmtPtr>& body);

  /// Name of the function that runs a phase.
  static std::string phase_function(const plan::Plan& plan, const std::string& phase);

  /// Host variables in order of their first definition; members of the class, because kernels of
  /// any phase may read them.
  static std::vector<std::pair<std::string, ir::Type>> variables(
      const std::vector<ir::StmtPtr>& body);
  /// The members that hold the ends of loops which engines run.
  static void declare_loop_ends(Writer& out, const plan::Plan& plan);

 private:
  void statement(const ir::Stmt& stmt);
  void repeat(const ir::Stmt& stmt);
  void count_through(const ir::Stmt& stmt);
  void branch(const ir::Stmt& stmt);

  Writer& out_;
  const plan::Plan& plan_;
  std::string report_;
};

}  // namespace vertigo::compiler::emit
