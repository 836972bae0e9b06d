#pragma once
// What the contract leaves open: results that may differ between two right runs by more than
// rounding. Two sources: which of the values sent a message with `combine any` takes, and what an
// accumulation with a threshold keeps back.

#include <functional>
#include <string>

#include "compiler/ir/program/Program.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {

/// Where openness begins.
struct OpenSources {
  std::function<bool(const ir::Message&)> message;  ///< any of its values may be taken
  std::function<bool(const ir::Phase&)> phase;      ///< the states that it writes
};

/// An accumulation that keeps back what is within a threshold above zero.
bool keeps_back(const ir::Program& program, const ir::Phase& phase);

/// All sources of the program.
OpenSources open_sources(const ir::Program& program);

/// Outputs and reports that depend on one of the sources. Whether anything was sent at all is not
/// open: a comparison of an `any` value with its identity depends on nothing.
OpenResults results_open_by(const ir::Program& program, const OpenSources& sources);

}  // namespace vertigo::reference
