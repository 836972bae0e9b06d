#include "compiler/driver/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "llvm/Support/MemoryBuffer.h"

namespace vertigo::compiler::driver {

namespace {

bool fail(const std::string& path, const std::string& why, diag::DiagnosticEngine& diagnostics) {
  diagnostics.report(diag::CannotWrite, SourceRange{}, path, why);
  return false;
}

// Why `path` is no place for a file; empty where it is one.
std::string unsuitable(const std::string& path) {
  struct stat known{};
  if (lstat(path.c_str(), &known) != 0) return "";
  if (S_ISREG(known.st_mode)) return "";
  if (S_ISDIR(known.st_mode)) return "it is a folder";
  if (S_ISLNK(known.st_mode)) return "it is a symbolic link";
  return "it is a device or pipe";
}

bool write_all(int file, llvm::StringRef text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text = text.drop_front(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0;
}

bool write_file(const std::string& path, llvm::StringRef text, bool executable,
                diag::DiagnosticEngine& diagnostics) {
  if (const std::string why = unsuitable(path); !why.empty()) return fail(path, why, diagnostics);
  std::string temporary = path + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) return fail(path, std::strerror(errno), diagnostics);
  const mode_t mask = umask(0);
  umask(mask);
  const bool done = write_all(file, text) && fchmod(file, (executable ? 0777 : 0666) & ~mask) == 0;
  std::string why = done ? "" : std::strerror(errno);
  close(file);
  if (done && std::rename(temporary.c_str(), path.c_str()) == 0) return true;
  if (why.empty()) why = std::strerror(errno);
  unlink(temporary.c_str());
  return fail(path, why, diagnostics);
}

}  // namespace

bool write_output(const std::string& path, llvm::StringRef text,
                  diag::DiagnosticEngine& diagnostics) {
  if (path != "-") return write_file(path, text, false, diagnostics);
  llvm::outs() << text;
  llvm::outs().flush();
  if (!llvm::outs().has_error()) return true;
  const std::string why = llvm::outs().error().message();
  llvm::outs().clear_error();
  return fail("stdout", why, diagnostics);
}

bool place_executable(const std::string& from, const std::string& path,
                      diag::DiagnosticEngine& diagnostics) {
  auto made = llvm::MemoryBuffer::getFile(from, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!made) return fail(path, made.getError().message(), diagnostics);
  return write_file(path, (*made)->getBuffer(), true, diagnostics);
}

}  // namespace vertigo::compiler::driver
