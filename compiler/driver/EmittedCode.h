#pragma once
// Clang in process, over what the emitters print: every CUDA file is parsed before nvcc sees it,
// and every emitted file is laid out in the project's style. Clang's types stay in the source file.

#include <map>
#include <string>

namespace vertigo::compiler::driver {

/// Parses the CUDA text, templates of the runtime's headers included, with a prelude that declares
/// what those headers take from CUDA; no toolkit is needed. Returns "" where Clang has no error,
/// else its messages, each with line and source line. `include_folder`: the one that holds
/// vertigo/. `headers`: text that stands for the user's, by the names under which it is included.
std::string check_cuda(const std::string& text, const std::string& include_folder,
                       const std::map<std::string, std::string>& headers = {});

/// The text laid out as the project's .clang-format says, or as it is where Clang cannot, with
/// `#line` directives that hold for each of its lines; those for the text itself name it
/// `output_name`.
std::string format_emitted(const std::string& text, const std::string& output_name);

}  // namespace vertigo::compiler::driver
