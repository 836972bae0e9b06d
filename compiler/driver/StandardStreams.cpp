#include "compiler/driver/StandardStreams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "llvm/Support/raw_ostream.h"
#include "vertigo/core/error.h"

namespace vertigo::compiler::driver {

namespace {

void finish() {
  llvm::outs().flush();
  const std::error_code failed = llvm::outs().error();
  llvm::outs().clear_error();
  if (failed) {
    llvm::errs() << "vertigo: error: cannot write 'stdout': " << failed.message() << "\n";
    llvm::errs().clear_error();
    _exit(static_cast<int>(ExitCode::OutputFailed));
  }
  llvm::errs().clear_error();  // nobody is left to be told
}

}  // namespace

void secure_standard_streams() {
  // A lower number that is free is what open() gives; stdout and stderr refuse to be written then.
  int opened = ::open("/dev/null", O_RDONLY);
  while (opened >= 0 && opened <= STDERR_FILENO) opened = ::open("/dev/null", O_RDONLY);
  if (opened > STDERR_FILENO) ::close(opened);
  // Functions of atexit run before what was made earlier is destroyed: LLVM aborts where a stream
  // still has an error then.
  llvm::outs();
  llvm::errs();
  std::atexit(finish);
}

}  // namespace vertigo::compiler::driver
