#pragma once
// Which program of a binary a command line means.

#include <span>
#include <string>
#include <vector>

#include "vertigo/host/run_main.h"

namespace vertigo::host {

/// Names of the programs, in their order.
std::vector<std::string> names_of(std::span<const Targets> programs);

/// The only program; of several the one that `--program` names, else the one that the binary is
/// called after (a link `sssp` to it, say). Null where neither says which. Throws Error(Usage)
/// where `--program` names none of them.
const Targets* choose_program(std::span<const Targets> programs, int argc, const char* const* argv);

/// The text of --help, --version where no program was chosen; "" where neither was asked for.
std::string text_about(std::span<const Targets> programs, int argc, const char* const* argv);

/// "sssp from sssp.vg, compiled by vertigo 0.1.0 with ...", and its targets.
std::string version_text(const Targets& program);

}  // namespace vertigo::host
