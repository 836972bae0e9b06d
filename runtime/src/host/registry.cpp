// The programs of this process. Generated files register during static initialisation, or when a
// library that holds one is opened; so the registry is made on first use, may grow at any time, and
// never moves what it holds.
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "host/text.h"
#include "vertigo/core/error.h"
#include "vertigo/host/program.h"
#include "vertigo/host/run_main.h"

namespace vertigo::host {
namespace {

struct Registry {
  std::mutex mutex;
  std::deque<Target> targets;
};

Registry& registry() {
  static Registry the_registry;
  return the_registry;
}

// Of all programs of the binary.
int run_all(int argc, const char* const* argv, std::optional<std::uint64_t> ends_beside) {
  std::ios::sync_with_stdio(false);
  const Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) == 1, ends_beside};
  std::vector<Targets> programs;
  try {
    for (const std::string_view name : program_names())
      programs.push_back({find_target(name, TargetKind::Cpu), find_target(name, TargetKind::Gpu)});
  } catch (const Error& error) {
    std::cerr << "error: " << error.message() << std::endl;
    return static_cast<int>(error.code());
  }
  if (programs.empty()) {
    std::cerr << "error: no program is linked into this binary\n";
    return static_cast<int>(ExitCode::Other);
  }
  return run_main(argc, argv, streams, programs);
}

// Where two have one name, whichever is taken may be the wrong one.
[[noreturn]] void refuse_twins(const Target& one, const Target& other) {
  throw Error(ExitCode::Usage,
              "two programs of this binary are called '" + std::string(one.info->name) + "': " +
                  printable(one.info->source_file) + " and " + printable(other.info->source_file));
}

}  // namespace

RegisterTarget::RegisterTarget(const Target& target) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.targets.push_back(target);
}

const Target* find_target(std::string_view program, TargetKind kind) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const Target* found = nullptr;
  for (const Target& target : all.targets) {
    if (target.kind != kind || target.info->name != program) continue;
    if (found != nullptr) refuse_twins(*found, target);
    found = &target;
  }
  return found;
}

const Target* find_target(TargetKind kind) {
  const std::vector<std::string_view> names = program_names();
  if (names.size() > 1)
    throw Error(ExitCode::Usage,
                "which program of this binary? " +
                    alternatives(std::vector<std::string>(names.begin(), names.end())));
  return names.empty() ? nullptr : find_target(names.front(), kind);
}

std::vector<std::string_view> program_names() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::set<std::string_view> names;
  for (const Target& target : all.targets) names.insert(target.info->name);
  return {names.begin(), names.end()};
}

int run_main(int argc, const char* const* argv) { return run_all(argc, argv, std::nullopt); }
int run_process(int argc, const char* const* argv, std::uint64_t many) {
  return run_all(argc, argv, many);
}

}  // namespace vertigo::host
