#include "compiler/driver/ToolMain.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <new>

#include "compiler/driver/Interruption.h"
#include "compiler/driver/StandardStreams.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "vertigo/core/failure.h"
#include "vertigo/core/process.h"

namespace vertigo::compiler::driver {

namespace {

// Nothing can be allocated here.
void say_last_words(ExitCode /*code*/, const char* message) noexcept {
  for (const char* piece : {"vertigo: error: ", message, "\n"})
    (void)!::write(STDERR_FILENO, piece, std::strlen(piece));
  clean_up();
}

// LLVM's own containers do not throw.
void end_without_memory(void*, const char*, bool) {
  end_process(ExitCode::OutOfMemory, kOutOfMemory);
}

// Before the static objects of LLVM and Clang are constructed: thousands of them allocate.
[[gnu::constructor(101)]] void watch_memory() {
  set_last_words(say_last_words);
  llvm::install_bad_alloc_error_handler(end_without_memory);
}

int tell_failure() noexcept {
  try {
    const Failure failure = current_failure();
    const std::string place = failure.place.empty() ? "" : failure.place + ": ";
    llvm::errs() << "vertigo: error: " + place + failure.message + "\n";
    return static_cast<int>(failure.code);
  } catch (const std::exception&) {
    llvm::errs() << "vertigo: error: " << kOutOfMemory << "\n";
    return static_cast<int>(ExitCode::OutOfMemory);
  }
}

}  // namespace
}  // namespace vertigo::compiler::driver

// LLVM and Clang ask for some of their memory, that of sources for instance, without exceptions,
// and do not look whether they got it.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return ::operator new(size);
  } catch (const std::bad_alloc&) {
    vertigo::end_process(vertigo::ExitCode::OutOfMemory, vertigo::kOutOfMemory);
  }
}

namespace vertigo::compiler::driver {

ToolMain::ToolMain(int argc, const char* const* argv) {
  secure_standard_streams();
  clean_up_when_interrupted();
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  ::signal(SIGXFSZ, SIG_IGN);  // for LLVM a crash, for us a write that is refused
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
  } catch (...) {
    return tell_failure();
  }
}

}  // namespace vertigo::compiler::driver
