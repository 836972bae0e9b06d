#include "compiler/passes/toplan/ChooseTransfer.h"

#include <algorithm>
#include <array>

#include "compiler/ir/program/Walk.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

/// Ways in which kernels find the edges of the whole graph, wherever they lie.
constexpr std::array<const char*, 3> kWhole = {"auto", "resident", "zero-copy"};

/// Finds whether some vertex reads the list of another one, which may lie in another part.
struct ListsOfOthers {
  bool read = false;
  void expr(const ir::Expr& expr, const ir::Scope&) {
    read = read || expr.op == ir::Op::CommonNeighbours;
  }
  bool in(const ir::Program& program) const { return read || !program.edge_states.empty(); }
  void stmt(const ir::Stmt&, const ir::Scope&) {}
  void phase(const ir::Phase&) {}
};

std::vector<Candidate> candidates(const plan::Plan& plan) {
  ListsOfOthers lists;
  ir::ProgramWalk(plan.program, lists).run();
  const std::string others =
      lists.read
          ? "'common_neighbours' reads the lists of two vertices, which may lie in different parts"
          : "an edge that the program writes is found in the lists of both its ends, which may "
            "lie in different parts";
  lists.read = lists.in(plan.program);
  return {
      {"auto", true,
       lists.read ? "edges lie on the device where its memory allows that, else kernels read "
                    "them in host memory"
                  : "edges lie on the device where its memory allows that; what does not fit is "
                    "read in host memory by engines, and brought in the way that costs least "
                    "to paths"},
      {"resident", true, "edges are copied once and stay on the device, or the run is refused"},
      {"zero-copy", true, "edges stay in host memory, and kernels read them over the link"},
      {"filter", !lists.read,
       lists.read ? others
                  : "edges stay in host memory, and a step copies every part that has an active "
                    "vertex"},
      {"compaction", !lists.read,
       lists.read ? others
                  : "edges stay in host memory, and the host's cores gather the lists of active "
                    "vertices, which a step copies"}};
}

}  // namespace

void choose_transfer(plan::Plan& plan, PassContext& context) {
  decide(plan, context, "choose-transfer", kWholeProgram, "transfer", candidates(plan));
}

bool may_bring_parts(const plan::Plan& plan) {
  const std::vector<std::string> ways = allowed(plan, kWholeProgram, "transfer");
  return std::ranges::any_of(ways, [](const std::string& way) {
    return way == "auto" || way == "filter" || way == "compaction";
  });
}

std::string problem_of_whole_graph(const plan::Plan& plan) {
  const plan::Decision* const decision = plan.find_decision(kWholeProgram, "transfer");
  if (decision == nullptr) return "";
  const std::vector<std::string> ways = allowed(plan, kWholeProgram, "transfer");
  if (std::ranges::find_first_of(ways, kWhole) != ways.end()) return "";
  return "transfer=" + decision->value + " brings the graph to the device in parts";
}

}  // namespace vertigo::compiler::passes
