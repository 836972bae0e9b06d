#pragma once
// A program without generated code, as the host's command line takes it: described from its Program
// IR, run by the interpreter. This is what `vertigo run --interpret` and the tests stand on.

#include <deque>
#include <string>
#include <string_view>

#include "vertigo/host/program.h"

namespace vertigo::reference {

/// Owns the strings that its ProgramInfo shows, so it stays where it was made.
class InterpretedProgram {
 public:
  /// Throws Error(Other) where the text is no valid Program IR.
  explicit InterpretedProgram(std::string program_ir);
  InterpretedProgram(const InterpretedProgram&) = delete;

  const host::ProgramInfo& info() const { return info_; }
  /// A target for run_main; runs with the option --interpret only.
  host::Target target() const;

 private:
  std::string_view keep(std::string text);

  std::deque<std::string> texts_;
  host::ProgramInfo info_;
};

}  // namespace vertigo::reference
