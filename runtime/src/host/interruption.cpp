#include "host/interruption.h"

#include <pthread.h>
#include <signal.h>

#include <thread>

#include "vertigo/core/atomic_file.h"

namespace vertigo::host {
namespace {

// A signal that the parent had ignored (nohup) stays ignored.
bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void clean_up_when_interrupted() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    remove_unfinished_files();
    // The parent sees which signal it was.
    ::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::raise(signal);
  }).detach();
}

}  // namespace vertigo::host
