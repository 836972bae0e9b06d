#pragma once
// Results of the compiler reach their place whole or not at all.

#include <memory>
#include <string>
#include <vector>

#include "compiler/diag/DiagnosticEngine.h"
#include "vertigo/core/atomic_file.h"

namespace vertigo::compiler::driver {

/// Where a result goes. It is opened before the work begins, so that nobody waits for a result that
/// cannot be written.
class OutputFile {
 public:
  /// "-" is stdout. A folder, device or link is refused, and so is a file of `inputs`. Null where
  /// an error was reported.
  static std::unique_ptr<OutputFile> open(const std::string& path,
                                          const std::vector<std::string>& inputs,
                                          diag::DiagnosticEngine& diagnostics);

  /// Writes the text, once. False where an error was reported; nothing is left behind then.
  bool write(llvm::StringRef text);
  /// As write, from a file; the result is executable.
  bool write_executable(const std::string& from);

 private:
  OutputFile(std::string path, diag::DiagnosticEngine& diagnostics)
      : path_(std::move(path)), diagnostics_(diagnostics) {}
  bool fail(const std::string& why) const;
  bool open_file();
  bool write_file(llvm::StringRef text, bool executable);
  bool write_stdout(llvm::StringRef text) const;

  std::string path_;
  diag::DiagnosticEngine& diagnostics_;
  std::unique_ptr<AtomicFile> file_;  ///< null: stdout
};

/// Opens and writes; false where an error was reported.
bool write_output(const std::string& path, llvm::StringRef text,
                  diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
