#pragma once
// The class of an emitted program: its buffers, its phases with the loop of every variant, its host
// level, and the registration. The same for every target, but for how a kernel is launched.

#include <string>
#include <vector>

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/Writer.h"

namespace vertigo::compiler::emit {

/// What a target says differently at host level.
struct HostTarget {
  std::string kind;           ///< "TargetKind::Cpu"
  std::string source_symbol;  ///< linker symbol of the emitted text, "vertigo_cpu_source"
  /// Statement that launches the kernel with these argument texts.
  std::string (*launch)(const plan::Kernel& kernel, const std::vector<std::string>& arguments);
};

void print_host(Writer& out, const plan::Plan& plan, const EmitOptions& options,
                const HostTarget& target);

/// Pure functions of the program; `qualifier`: "inline" or with more.
void print_functions(Writer& out, const plan::Plan& plan, const std::string& qualifier);

/// `using Graph = GraphView<…>;`
void print_graph_type(Writer& out, const plan::Plan& plan);

}  // namespace vertigo::compiler::emit
