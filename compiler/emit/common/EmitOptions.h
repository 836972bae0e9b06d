#pragma once
// What an emitted file says of its making, and how much of the source it quotes.

#include <string>
#include <vector>

namespace vertigo::compiler::emit {

struct EmitOptions {
  std::string version;      ///< of the compiler
  std::string options;      ///< of the compiler, as the user gave them
  std::string output_name;  ///< of the emitted file, in `#line` directives
  std::string source_text;  ///< of the program, quoted above kernels; may be empty
  /// Where the headers lie that the program names by `use`, as the emitted file includes them; ""
  /// or with a '/' at its end.
  std::string header_folder = {};
  std::vector<std::string> header_macros = {};  ///< that they define
  bool line_directives = true;  ///< `#line`, so that profilers and sanitizers name DSL lines
};

}  // namespace vertigo::compiler::emit
