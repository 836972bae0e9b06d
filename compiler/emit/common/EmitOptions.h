#pragma once
// What an emitted file says of its making, and how much of the source it quotes.

#include <string>
#include <vector>

namespace vertigo::compiler::emit {

struct EmitOptions {
  std::string version;  ///< of the compiler
  std::string options;  ///< of the compiler, as the user gave them
  /// Of the program's file in `#line` directives, so that profilers, debuggers and sanitizers name
  /// its lines; empty: none are written.
  std::string source_name;
  std::string output_name;  ///< of the emitted file, in the same
  /// The text begins by saying its name: it is compiled from a file that is called otherwise.
  bool says_output_name = false;
  std::string source_text;  ///< of the program, quoted above kernels; may be empty
  /// Where the headers lie that the program names by `use`, as the emitted file includes them; ""
  /// or with a '/' at its end.
  std::string header_folder = {};
  std::vector<std::string> header_macros = {};  ///< that they define
};

}  // namespace vertigo::compiler::emit
