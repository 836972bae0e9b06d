// Targets of this binary. Generated files register during static initialisation, so the registry
// is made on first use.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "vertigo/host/program.h"
#include "vertigo/host/run_main.h"

namespace vertigo::host {
namespace {

std::array<std::optional<Target>, 2>& registry() {
  static std::array<std::optional<Target>, 2> targets;
  return targets;
}

}  // namespace

Registration::Registration(const Target& target) {
  registry()[static_cast<std::size_t>(target.kind)] = target;
}

const Target* find_target(TargetKind kind) {
  const auto& target = registry()[static_cast<std::size_t>(kind)];
  return target ? &*target : nullptr;
}

int run_main(int argc, const char* const* argv) {
  const Targets targets{find_target(TargetKind::Cpu), find_target(TargetKind::Gpu)};
  if (targets.cpu == nullptr && targets.gpu == nullptr) {
    std::cerr << "error: no program is linked into this binary\n";
    return 1;
  }
  std::ios::sync_with_stdio(false);
  return run_main(argc, argv, {std::cout, std::cerr, isatty(STDERR_FILENO) == 1}, targets);
}

}  // namespace vertigo::host
