#include "compiler/driver/ToolMain.h"

#include <unistd.h>

#include <new>
#include <string_view>

#include "compiler/driver/Interruption.h"
#include "compiler/driver/StandardStreams.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "vertigo/core/error.h"

namespace vertigo::compiler::driver {

namespace {

// Nothing can be allocated here.
void say_memory_is_short() {
  constexpr std::string_view kText = "vertigo: error: out of memory\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
}

// LLVM's own containers do not throw.
void end_without_memory(void*, const char*, bool) {
  say_memory_is_short();
  clean_up();
  _exit(static_cast<int>(ExitCode::OutOfMemory));
}

}  // namespace

ToolMain::ToolMain(int argc, const char* const* argv) {
  secure_standard_streams();
  clean_up_when_interrupted();
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::install_bad_alloc_error_handler(end_without_memory);
  for (int i = 0; i < argc; ++i)
    words_.push_back((i > 0 && argv[i][0] == '@' ? "./" : "") + std::string(argv[i]));
}

bool ToolMain::parse_options(const char* overview) const {
  std::vector<const char*> words;
  for (const std::string& word : words_) words.push_back(word.c_str());
  return llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), overview,
                                           &llvm::errs());
}

int ToolMain::run(const std::function<int()>& body) const {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    say_memory_is_short();
    return static_cast<int>(ExitCode::OutOfMemory);
  }
}

}  // namespace vertigo::compiler::driver
