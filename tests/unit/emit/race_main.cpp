// Every variant of every emitted program, again and again on graphs where threads meet, under
// ThreadSanitizer. It runs the loops on std::thread (VERTIGO_CPU_STD_THREADS), whose joins the
// sanitizer understands; a report makes the exit status 66. Results are compared as well.
#include <cstdio>
#include <cstdlib>

#include "variants.h"
#include "vertigo/reference/reference.h"

namespace vertigo::host {

RegisterTarget::RegisterTarget(const Target& target) { test::targets().push_back(target); }

}  // namespace vertigo::host

namespace vertigo::test {

std::vector<host::Target>& targets() {
  static std::vector<host::Target> all;
  return all;
}

namespace {

bool is_exact(const host::ProgramInfo& info) {
  for (const host::OutputInfo& output : info.outputs)
    for (const ScalarKind kind : output.kinds)
      if (kind == ScalarKind::Float32 || kind == ScalarKind::Float64 || kind == ScalarKind::Wide64)
        return false;
  return true;
}

int run_target(const host::Target& target, unsigned rounds) {
  const host::ProgramInfo& info = *target.info;
  int wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const graph::Graph graph = random_graph(info, 600 + 300 * (round % 3), 3, round);
    const host::Arguments arguments = arguments_for(info, graph);
    host::RunRequest request{.graph = graph, .arguments = arguments};
    const host::RunResult expected = reference::interpret_text(info.program_ir, request);
    for (const Schedule& schedule : schedules_of(info, &request)) {
      request.schedule = schedule;
      const host::RunResult actual = target.run(request);
      for (std::size_t i = 0; is_exact(info) && i < info.outputs.size(); ++i)
        if (actual.states[i].bytes != expected.states[i].bytes) {
          std::fprintf(stderr, "%s, %s: wrong\n", std::string(info.name).c_str(),
                       describe(schedule).c_str());
          ++wrong;
        }
    }
  }
  return wrong;
}

}  // namespace
}  // namespace vertigo::test

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 2;
  int wrong = 0;
  for (const vertigo::host::Target& target : vertigo::test::targets())
    wrong += vertigo::test::run_target(target, rounds);
  return wrong == 0 ? 0 : 1;
}
