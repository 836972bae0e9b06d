#include "compiler/driver/OutputFile.h"

#include <new>
#include <system_error>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "vertigo/core/error.h"

namespace vertigo::compiler::driver {

bool OutputFile::fail(const std::string& why) const {
  diagnostics_.report(diag::CannotWrite, SourceRange{}, path_ == "-" ? "stdout" : path_, why);
  return false;
}

// Lack of memory is not about the output, whose report has a code of its own.
bool OutputFile::open_file() {
  try {
    file_ = std::make_unique<AtomicFile>(path_);
    return true;
  } catch (const Error& error) {
    if (error.code() == ExitCode::OutOfMemory) throw;
    return fail(error.message());
  }
}

std::unique_ptr<OutputFile> OutputFile::open(const std::string& path,
                                             const std::vector<std::string>& inputs,
                                             diag::DiagnosticEngine& diagnostics) {
  std::unique_ptr<OutputFile> output(new OutputFile(path, diagnostics));
  if (path == "-") return output;
  for (const std::string& input : inputs)
    if (llvm::sys::fs::equivalent(input, path)) {
      output->fail("it is '" + input + "', which is read");
      return nullptr;
    }
  return output->open_file() ? std::move(output) : nullptr;
}

bool OutputFile::write_stdout(llvm::StringRef text) const {
  llvm::outs() << text;
  llvm::outs().flush();
  if (!llvm::outs().has_error()) return true;
  const std::string why = llvm::outs().error().message();
  llvm::outs().clear_error();
  return fail(why);
}

bool OutputFile::write_file(llvm::StringRef text, bool executable) {
  try {
    file_->write(text.data(), text.size());
    if (executable) file_->make_executable();
    file_->commit();
    return true;
  } catch (const Error& error) {
    if (error.code() == ExitCode::OutOfMemory) throw;
    return fail(error.message());
  }
}

bool OutputFile::write(llvm::StringRef text) {
  return file_ ? write_file(text, false) : write_stdout(text);
}

bool OutputFile::write_executable(const std::string& from) {
  auto made = llvm::MemoryBuffer::getFile(from, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (made.getError() == std::errc::not_enough_memory) throw std::bad_alloc();
  if (!made) return fail(made.getError().message());
  return write_file((*made)->getBuffer(), true);
}

bool write_output(const std::string& path, llvm::StringRef text,
                  diag::DiagnosticEngine& diagnostics) {
  const std::unique_ptr<OutputFile> output = OutputFile::open(path, {}, diagnostics);
  return output && output->write(text);
}

}  // namespace vertigo::compiler::driver
