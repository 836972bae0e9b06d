#include "compiler/passes/Explain.h"

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
  }

 private:
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
