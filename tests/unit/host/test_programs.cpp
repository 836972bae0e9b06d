#include "test_programs.h"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "vertigo/reference/edges_outside.h"

namespace vertigo::reference {

// These stand in for the reference library, so that a test decides what a check finds.
CheckReport check_text(std::string_view, const host::RunRequest&, const host::RunResult&) {
  ++host::test::checks;
  return host::test::check_answer;
}

OpenResults open_results(std::string_view) { return host::test::open_answer; }
std::map<std::string, std::string> phases_in_step(std::string_view, const host::RunRequest&) {
  return host::test::in_step_answer;
}
std::map<std::string, PhaseBytes> bytes_of_phases(std::string_view) {
  return {{"forward", {.per_edge = 8, .per_activation = 20}}};
}

host::RunResult interpret_text(std::string_view, const host::RunRequest& request) {
  return host::find_target("bfs", host::TargetKind::Cpu)->run(request);
}

std::unique_ptr<host::CycleSearch> search_cycles(std::string_view) { return nullptr; }
std::string edges_outside_phases(std::string_view) { return ""; }

}  // namespace vertigo::reference

namespace vertigo::host::test {

Targets bfs() { return {find_target("bfs", TargetKind::Cpu), nullptr}; }

Outcome call(const Targets& targets, const std::vector<std::string>& words) {
  std::vector<const char*> argv{"program"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out, err;
  Outcome outcome;
  outcome.code = run_main(static_cast<int>(argv.size()), argv.data(), {out, err}, targets);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "vertigo-host-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path(name);
}

std::vector<std::string> TemporaryDirectory::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace vertigo::host::test
