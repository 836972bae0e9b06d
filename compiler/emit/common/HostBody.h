#pragma once
// Host-level statements as C++: the order of phases and what is computed between them.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

class HostBody {
 public:
  /// Calls that run loops, by their number (plan::Rounds::loop). One that answers false has done
  /// nothing.
  using LoopCalls = std::map<unsigned, std::string>;
  /// What is done before loops begin, by the same numbers.
  using BeforeLoops = std::multimap<unsigned, std::string>;

  /// `report`: how a call that stores a scalar result begins; name, kind and value follow.
  HostBody(Writer& out, const plan::Plan& plan, std::string report, LoopCalls calls = {},
           BeforeLoops before = {});

  void print(const std::vector<ir::StmtPtr>& body);
  void print_one(const ir::Stmt& stmt) { statement(stmt); }

  /// Name of the function that runs a phase.
  static std::string phase_function(const plan::Plan& plan, const std::string& phase);

 private:
  void statement(const ir::Stmt& stmt);
  void loop(const ir::Stmt& stmt);
  void repeat(const ir::Stmt& stmt);
  void count_through(const ir::Stmt& stmt);
  void branch(const ir::Stmt& stmt);

  Writer& out_;
  const plan::Plan& plan_;
  std::string report_;
  LoopCalls calls_;
  BeforeLoops before_;
  unsigned next_loop_ = 0;
  std::set<std::string> kept_ends_;  ///< loops whose last value engines ask for
};

}  // namespace vertigo::compiler::emit
