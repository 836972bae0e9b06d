#pragma once
// What a user's header defines, as Clang reads it in process. Clang's types stay in the source
// file.

#include <optional>
#include <string>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::compiler::driver {

/// A function of the top level with a body, which is no template.
struct DefinedFunction {
  std::string name;
  std::string spelled;  ///< "float shade(float, int)"
  /// Of the parameters, and of the result; nothing where the language has no such type.
  std::vector<std::optional<ScalarKind>> parameters;
  std::optional<ScalarKind> result;
};

struct Header {
  std::vector<DefinedFunction> functions;
  std::vector<std::string> macros;  ///< that the header, or one that it includes, defines
  /// Functions that are not marked `__host__ __device__`, as far as Clang can tell without a
  /// toolkit.
  std::vector<std::string> for_host;
  std::string error;  ///< the first error of Clang, with its place; empty where it compiles
};

/// Reads the file as C++ for the CPU, and, to learn for whom functions are, as CUDA.
Header read_header(const std::string& path);

}  // namespace vertigo::compiler::driver
