#pragma once
// How a program of one's own runs a generated one: in its own process, on a graph that it built.
//
//   const vertigo::host::Target* bfs = vertigo::host::find_target("bfs", TargetKind::Cpu);
//   vertigo::host::Arguments arguments;
//   arguments.set("source", {ScalarKind::Vertex, std::uint64_t{0}});
//   const auto result = vertigo::host::run(*bfs, {.graph = graph, .arguments = arguments});

#include "vertigo/host/program.h"

namespace vertigo::host {

/// Checks the request (check_request), looks at the graph's weights, and runs the program by the
/// schedule that these values permit. May be called by any number of threads at the same time. The
/// caller's threads of OpenMP are used on the CPU, a stream of its own on a GPU. Throws Error.
RunResult run(const Target& target, const RunRequest& request);

}  // namespace vertigo::host
