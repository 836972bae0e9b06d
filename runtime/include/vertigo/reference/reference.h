#pragma once
// The meaning of a program, executed: a serial interpreter of Program IR and the certificates of
// `--check`. Nothing here is shared with the emitters or with the code that they emit, so that
// agreement says something.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::ir {
struct Program;
}

namespace vertigo::reference {

/// Runs the program, synchronously and in the order of vertex ids (docs/semantics.md). Supports
/// the whole language; functions of a `use`d header are called as the CPU target compiled them.
/// `request.schedule` is ignored. A limit of steps that ends a phase early leaves `converged`
/// false. Throws Error: NotConverged where no fixed point exists (a negative cycle is named),
/// InputRefused for parameters.
host::RunResult interpret(const ir::Program& program, const host::RunRequest& request);

/// What a check found. `passed` with an empty `checked` never happens.
struct CheckReport {
  bool passed = true;
  std::vector<std::string> checked;  ///< one line per property that was checked, with counts
  std::vector<std::string>
      failures;  ///< first few, each naming vertex (input id), value and expectation
  double seconds = 0;
};

/// Checks a result by certificates derived from the algebra (docs/semantics.md, rule 14). Phases of
/// min and max: no edge can still improve its head, and every settled vertex has a chain of tight
/// edges from a start. Linear sums: the residual of the balance equation is within the threshold.
/// Everything else: the interpreter's answer, exact or within the output's tolerance.
CheckReport check(const ir::Program& program, const host::RunRequest& request,
                  const host::RunResult& result);

/// For RunRequest::cycles; the text must outlive it.
std::unique_ptr<host::CycleSearch> search_cycles(std::string_view program_ir);

/// Outputs and reports that two right runs may give other values, by more than rounding: what
/// depends on a value that `combine any` chose, or on what a threshold kept back. Comparing them
/// says nothing; check() says whether each result is right.
struct OpenResults {
  std::set<std::string> outputs, reports;
  bool empty() const { return outputs.empty() && reports.empty(); }
};
/// Throws Error(Other) when the text is damaged.
OpenResults open_results(std::string_view program_ir);

/// The phases that run step by step with these values, whatever the program permits, by name with
/// the reason: what they accumulate has signs, or grows, so that the order of activations may show.
/// Throws Error(Other) when the text is damaged, InputRefused for parameters.
std::map<std::string, std::string> phases_in_step(std::string_view program_ir,
                                                  const host::RunRequest& request);

/// Bytes that a phase's work moves at least, if nothing is kept on chip: per visited edge the id of
/// the neighbour, the edge attribute where the phase reads it, and the messages or neighbours'
/// states that pass along it; per activation two offsets, and each of the vertex' own states and
/// inboxes that the phase names, once.
struct PhaseBytes {
  std::uint64_t per_edge = 0;
  std::uint64_t per_activation = 0;
};
/// By phase. Throws Error(Other) when the text is damaged.
std::map<std::string, PhaseBytes> bytes_of_phases(std::string_view program_ir);

/// The program of a generated binary (ProgramInfo::program_ir). Throws Error(Other) when the text
/// is damaged.
host::RunResult interpret_text(std::string_view program_ir, const host::RunRequest& request);
CheckReport check_text(std::string_view program_ir, const host::RunRequest& request,
                       const host::RunResult& result);

}  // namespace vertigo::reference
