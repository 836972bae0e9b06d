#pragma once
// What `vertigo FILE` does: source, Program IR, plan, text, binary, or whichever of them was asked
// for.

#include <string>
#include <vector>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/Toolchain.h"

namespace vertigo::compiler::driver {

enum class Emit : std::uint8_t { Binary, Ast, Ir, Plan, Cuda, Cpu };
enum class TargetChoice : std::uint8_t { Auto, Cpu, Gpu };

/// Which legal variants are compiled.
enum class Schedules : std::uint8_t { Needed, All };

struct CompileOptions {
  std::string input;
  std::string output;  ///< empty: stdout for text, the program's name for a binary
  Emit emit = Emit::Binary;
  TargetChoice target = TargetChoice::Auto;
  std::vector<std::string> architectures;
  std::string schedule;       ///< text of --schedule
  std::string schedule_file;  ///< empty: none
  Schedules schedules = Schedules::Needed;
  std::string plan_file;  ///< empty: none
  /// With the IR: where functions of headers go as a library for the interpreter; empty: nowhere.
  std::string header_library;
  bool explain = false;    ///< print the decisions instead of compiling
  bool locations = false;  ///< print places in the source with IR and plan
  std::vector<std::string> print_after;
  bool time_passes = false;
  bool verify_each = false;
  std::string keep;
  bool verbose = false;
  bool check_emitted = false;   ///< Clang reads CUDA that is long, too
  bool debug = false;           ///< a binary that watches its own waits
  bool line_directives = true;  ///< emitted code says which line of the program it comes from
  std::vector<PrefixMap> debug_prefixes;  ///< what file names begin with in that
};

/// False where an error was reported to `diagnostics`, which it does not print.
bool compile(const CompileOptions& options, const Prefix& prefix,
             diag::DiagnosticEngine& diagnostics);

/// "0.1.0".
const char* version();

}  // namespace vertigo::compiler::driver
