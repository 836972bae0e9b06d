#include "compiler/driver/GuardedClang.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "llvm/Support/CrashRecoveryContext.h"

namespace vertigo::compiler::driver {

namespace {

// LLVM's handlers of signals, for as long as Clang runs: a crash of ours is none of Clang's.
class Handlers {
 public:
  Handlers() { llvm::CrashRecoveryContext::Enable(); }
  ~Handlers() { llvm::CrashRecoveryContext::Disable(); }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
};

constexpr int kSignalled = 128;  // and the signal, as RetCode counts

}  // namespace

std::string run_clang(const std::function<void()>& work) {
  const Handlers handlers;
  llvm::CrashRecoveryContext context;
  std::exception_ptr thrown;
  errno = 0;
  const bool finished = context.RunSafely([&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  // What the allocator said last: where memory is used unseen, the crash comes right after.
  const bool lacked_memory = errno == ENOMEM;
  if (thrown) std::rethrow_exception(thrown);
  if (finished) return "";
  if (lacked_memory) throw std::bad_alloc();
  const int signal = context.RetCode - kSignalled;
  return "it was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

}  // namespace vertigo::compiler::driver
