#pragma once
// From emitted text to a binary: g++ and nvcc, on fixed names in a private folder, never through a
// shell (nvcc passes its arguments to one, so it sees no name that a user chose).

#include <string>
#include <vector>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/LineNames.h"
#include "compiler/driver/OutputFile.h"

namespace vertigo::compiler::driver {

/// Where bin/vertigo, include/ and lib/ lie, in the build tree as after installation.
struct Prefix {
  std::string path;

  /// The folder above the one that holds the running executable.
  static Prefix find(const char* argv0);
  std::string bin(const std::string& name) const { return path + "/bin/" + name; }
};

struct BinaryRequest {
  std::string cpu_source;   ///< C++ text; empty: no CPU target
  std::string cuda_source;  ///< CUDA text; empty: no GPU target
  /// Of a program that calls functions of headers; all empty elsewhere.
  std::string header_folder;  ///< that the emitted file finds as "used"
  std::string header;         ///< one of them, for messages
  std::string headers_cpu;    ///< text of nothing but those functions
  std::string headers_cuda;
  std::vector<std::string>
      architectures;     ///< "sm_90" ...; empty: the GPU present, or the usual three
  std::string keep;      ///< folder for sources and objects; empty: nothing is kept
  bool verbose = false;  ///< say each command on stderr
  bool debug = false;    ///< symbols, and a watchdog in kernels that wait
  std::vector<PrefixMap> debug_prefixes;
};

/// True where CUDA can be compiled and linked here: nvcc was found, and the runtime was built with
/// it. Otherwise `why` says what is missing.
bool can_compile_cuda(const Prefix& prefix, std::string& why);

/// Architectures in "sm_80,90,sm_100a" as "sm_80" ...; reports what is none.
std::vector<std::string> parse_architectures(const std::string& text,
                                             diag::DiagnosticEngine& diagnostics);

/// Compiles and links; false where an error was reported. What g++ or nvcc refuses is a defect of
/// ours: the message names the folder with everything needed to see it again.
/// What is a header's fault is said so.
bool compile_binary(const BinaryRequest& request, const Prefix& prefix, OutputFile& output,
                    diag::DiagnosticEngine& diagnostics);

/// Makes a shared library of `headers_cpu`.
bool compile_header_library(const BinaryRequest& request, const Prefix& prefix, OutputFile& output,
                            diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
