#pragma once
// The headers that a program names by `use`: found beside the program, read, and compared with what
// the program says of their functions.

#include <string>
#include <vector>

#include "compiler/ast/Program.h"
#include "compiler/check/Check.h"
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/driver/ReadHeader.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::driver {

class UsedHeaders {
 public:
  /// `program_path`: relative names of headers are relative to its folder; "-" to the current one.
  explicit UsedHeaders(const std::string& program_path);

  /// Reads the headers of the program, and notes in its functions which header defines them. The
  /// result is what they define, for check; errors go to `diagnostics`.
  std::vector<check::ExternFunction> read(ast::Program& program,
                                          diag::DiagnosticEngine& diagnostics);

  /// The folder that relative names start from.
  const std::string& folder() const { return folder_; }
  /// Macros that any of them defines.
  std::vector<std::string> macros() const;
  /// Where a function that the program calls is not for the GPU, says so and is false.
  bool check_for_gpu(const ir::Program& program, diag::DiagnosticEngine& diagnostics) const;

 private:
  struct Used {
    std::string name;  ///< as the program spells it
    SourceRange range;
    Header header;
  };

  std::string path_of(const std::string& name) const;
  bool read_one(const ast::Use& use, diag::DiagnosticEngine& diagnostics);
  void match(ast::Function& function, diag::DiagnosticEngine& diagnostics) const;

  std::string folder_;
  std::vector<Used> used_;
};

}  // namespace vertigo::compiler::driver
