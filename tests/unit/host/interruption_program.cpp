// A whole binary whose run goes on until a signal ends it: says "running" on stdout, then waits.
#include <unistd.h>

#include <chrono>
#include <thread>

#include "vertigo/host/program.h"
#include "vertigo/reference/edges_outside.h"
#include "vertigo/reference/reference.h"

namespace vertigo::reference {
CheckReport check_text(std::string_view, const host::RunRequest&, const host::RunResult&) {
  return {};
}
host::RunResult interpret_text(std::string_view, const host::RunRequest&) { return {}; }
OpenResults open_results(std::string_view) { return {}; }
std::map<std::string, std::string> phases_in_step(std::string_view, const host::RunRequest&) {
  return {};
}
std::map<std::string, PhaseBytes> bytes_of_phases(std::string_view) { return {}; }
std::unique_ptr<host::CycleSearch> search_cycles(std::string_view) { return nullptr; }
std::string edges_outside_phases(std::string_view) { return ""; }
}  // namespace vertigo::reference

namespace {

using namespace vertigo;

const host::ProgramInfo& info() {
  static const host::ProgramInfo info = [] {
    host::ProgramInfo made{};
    made.name = "endless";
    return made;
  }();
  return info;
}

host::RunResult run(const host::RunRequest&) {
  constexpr std::string_view kReady = "running\n";
  if (write(STDOUT_FILENO, kReady.data(), kReady.size()) < 0) return {};
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return {};
}

const host::RegisterTarget registration(host::Target{
    .kind = host::TargetKind::Cpu, .info = &info(), .run = &run, .emitted_source = ""});

}  // namespace
