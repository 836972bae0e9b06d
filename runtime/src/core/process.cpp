#include "vertigo/core/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "vertigo/core/atomic_file.h"
#include "vertigo/core/failure.h"

namespace vertigo {
namespace {

void write_error_line(ExitCode /*code*/, const char* message) noexcept {
  iovec parts[] = {{const_cast<char*>("error: "), 7},
                   {const_cast<char*>(message), std::strlen(message)},
                   {const_cast<char*>("\n"), 1}};
  (void)!::writev(STDERR_FILENO, parts, 3);
}

std::atomic<LastWords> last_words{write_error_line};

// Either there was no memory for the exception, or it is no failure but a mistake of ours.
[[noreturn]] void end_without_exception() noexcept {
  constexpr std::size_t kOfAnException = 256;
  void* const room = std::malloc(kOfAnException);
  if (room == nullptr) end_process(ExitCode::OutOfMemory, kOutOfMemory);
  std::free(room);
  std::abort();
}

// The message must not need memory, so it is that of the exception itself.
[[noreturn]] void end_by_exception() noexcept {
  try {
    if (std::current_exception() == nullptr) end_without_exception();
    throw;
  } catch (const Error& error) {
    end_process(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    end_process(ExitCode::OutOfMemory, kOutOfMemory);
  } catch (const std::length_error&) {
    end_process(ExitCode::OutOfMemory, kOutOfMemory);
  } catch (const std::exception& error) {
    end_process(ExitCode::Other, error.what());
  } catch (...) {
    end_process(ExitCode::Other, "an exception of no known type");
  }
}

// Before any constructor of a static object, which may run out of memory too.
[[gnu::constructor(101)]] void watch_exceptions() { std::set_terminate(end_by_exception); }

// Until main() returns. exit() from below it is a library that gives up: OpenMP's, which says
// itself what it could not get, and it is always memory or a thread.
std::atomic<bool> watched{false};

void end_of_process(int status, void* /*unused*/) {
  if (watched && status == EXIT_FAILURE)
    end_process(ExitCode::OutOfMemory, "no memory or no threads for OpenMP, which ended the run");
}

// A signal that the parent had ignored (nohup) stays ignored.
bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[noreturn]] void end_by_signal(const sigset_t& signals, int signal) {
  if (signal == SIGXCPU)
    last_words.load()(ExitCode::Other, "the limit on processor time (ulimit -t) was reached");
  remove_unfinished_files();
  // The parent sees which signal it was.
  ::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  ::raise(signal);
  std::_Exit(128 + signal);
}

// A file that is mapped, a disk that fails under it, or whoever cuts it all the same.
void end_by_lost_page(int signal, siginfo_t* what, void* /*context*/) {
  if (what->si_code == BUS_ADRERR)
    end_process(ExitCode::InputRefused, "a page of a file that is in use can no longer be read");
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void watch_pages() {
  struct sigaction action{};
  action.sa_sigaction = end_by_lost_page;
  action.sa_flags = SA_SIGINFO;
  (void)sigaction(SIGBUS, &action, nullptr);
}

// A thread waits for the signals: it may do all that a handler may not. Where none can be started,
// the signals end the process as they always do, and only named temporary files are left.
void clean_up_when_interrupted() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread([signals] {
      int signal = 0;
      if (sigwait(&signals, &signal) == 0) end_by_signal(signals, signal);
    }).detach();
  } catch (const std::exception&) {
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

}  // namespace

void reserve_standard_descriptors() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number is this one. What is written to a closed standard output must fail
    // rather than vanish; messages may vanish.
    const int mode = number == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    int opened = ::open("/dev/null", mode);
    if (opened < 0) opened = ::open("/", O_RDONLY);
    if (opened != number) std::_Exit(static_cast<int>(ExitCode::Other));
  }
}

void set_last_words(LastWords words) { last_words = words; }

void end_process(ExitCode code, const char* message) noexcept {
  // One message, also where other threads fail at the same time or the end itself fails.
  static std::atomic<bool> ending{false};
  static thread_local bool in_here = false;
  if (in_here) std::_Exit(static_cast<int>(code));
  in_here = true;
  while (ending.exchange(true)) ::pause();  // another thread is about to end the process
  last_words.load()(code, message);
  remove_unfinished_files();
  std::_Exit(static_cast<int>(code));
}

void watch_library_exits() {
  if (!watched.exchange(true)) on_exit(end_of_process, nullptr);
}

ProcessGuard::ProcessGuard() {
  reserve_standard_descriptors();
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  clean_up_when_interrupted();
  watch_pages();
  watch_library_exits();
}

ProcessGuard::~ProcessGuard() { watched = false; }

}  // namespace vertigo
