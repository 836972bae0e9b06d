#include "compiler/passes/Explain.h"

#include "compiler/ir/plan/Placement.h"
#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

class Explanation {
 public:
  Explanation(const plan::Plan& plan, llvm::raw_ostream& out) : plan_(plan), out_(out) {}

  void print() {
    out_ << "program " << plan_.program.name << "\n";
    for (const ir::Requirement& requirement : plan_.program.requirements) {
      out_ << "  requires " << ir::to_string(requirement.kind).data()
           << (requirement.derived ? " (derived)" : "") << "\n";
      if (!requirement.reason.empty()) out_ << "    because " << requirement.reason << "\n";
    }
    for (const ir::Phase& phase : plan_.program.phases) print(phase);
    out_ << "\nwhole program\n";
    for (const plan::Decision& decision : plan_.decisions)
      if (decision.subject == kWholeProgram) print(decision);
    print_buffers();
  }

 private:
  // What the values of vertices are to parts of a graph, if it runs in parts.
  void print_buffers() {
    const auto placements = plan::placements_of(plan_);
    if (placements.empty()) return;
    out_ << "  values of vertices, if the graph runs in parts  [place-buffers]\n";
    for (const plan::Buffer& buffer : plan_.buffers) {
      const auto found = placements.find(buffer.name);
      if (found == placements.end()) continue;
      const auto& [placement, kernel] = found->second;
      const std::string who = kernel.empty() ? "an engine" : kernel;
      out_ << "    " << buffer.name << " is " << plan::spelling(plan::kPlacements, placement).data()
           << (placement == plan::Placement::Owned
                   ? ": each vertex has its own alone"
                   : ": " + who +
                         (placement == plan::Placement::Whole ? " changes it at other vertices"
                                                              : " reads it at other vertices"))
           << "\n";
    }
  }

  void print(const ir::Phase& phase) {
    out_ << "\nphase " << phase.name << "\n  found by infer-algebra\n";
    for (const ir::Fact& fact : ir::all_facts(phase)) {
      out_ << "    " << fact.key << " = " << fact.value << "\n";
      if (!fact.reason.empty()) out_ << "      because " << fact.reason << "\n";
    }
    for (const plan::Decision& decision : plan_.decisions)
      if (decision.subject == phase.name) print(decision);
  }

  void print(const plan::Decision& decision) {
    out_ << "  " << decision.key << " = " << decision.value << "  [" << decision.pass
         << (decision.pinned ? ", pinned" : "") << "]\n    because " << decision.reason << "\n";
    std::string pin;
    for (const plan::Alternative& other : decision.alternatives) {
      out_ << (other.legal ? "    or " : "    not ") << other.value << ": " << other.reason << "\n";
      if (other.legal && pin.empty()) pin = pin_of(decision, other.value);
    }
    if (!pin.empty()) out_ << "    overrule: --schedule " << pin << "\n";
  }

  const plan::Plan& plan_;
  llvm::raw_ostream& out_;
};

}  // namespace

void explain(const plan::Plan& plan, llvm::raw_ostream& out) { Explanation(plan, out).print(); }

}  // namespace vertigo::compiler::passes
