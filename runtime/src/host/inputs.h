#pragma once
// No output may be one of the files that are read: it would replace the user's data.

#include <string_view>
#include <vector>

#include "host/command_line.h"
#include "vertigo/core/atomic_file.h"
#include "vertigo/graph/reader.h"

namespace vertigo::host {

/// An option that names a file to write, with that file; null where the option was not given.
struct NamedOutput {
  std::string_view option;
  const AtomicFile* file;
};

/// Throws Error(Usage) where an output is the graph, the file of a parameter or of a vertex input,
/// the running program, or another output, by whatever name it is called; where
/// `to_standard_output`, what the shell made of standard output counts as one. Reads nothing.
void refuse_spoilt_files(const ProgramInfo& info, const CommandLine& line,
                         const graph::ReadOptions& reading, const std::vector<NamedOutput>& outputs,
                         bool to_standard_output);

}  // namespace vertigo::host
