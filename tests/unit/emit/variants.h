#pragma once
// Graphs, arguments and schedules for running emitted programs in tests.

#include <map>
#include <string>
#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::test {

/// Targets of all emitted files that the test links.
std::vector<host::Target>& targets();

struct NamedGraph {
  std::string name;
  graph::Graph graph;
};

/// Tiny graphs that the program accepts: empty, one vertex, self loop, star, chain, two parts,
/// parallel edges, random ones; weighted where it wants weights, symmetric where it requires that.
std::vector<NamedGraph> graphs_for(const host::ProgramInfo& info);

/// A random graph of `vertices` for stress tests.
graph::Graph random_graph(const host::ProgramInfo& info, Vertex vertices, unsigned degree,
                          unsigned seed);

/// Vertex 0 for vertices, defaults for the rest.
host::Arguments arguments_for(const host::ProgramInfo& info, const graph::Graph& graph);

using Schedule = std::map<std::string, std::string>;

/// Enough that each variant of each phase occurs; with a request, those that its graph permits.
std::vector<Schedule> schedules_of(const host::ProgramInfo& info,
                                   const host::RunRequest* request = nullptr);
std::string describe(const Schedule& schedule);

}  // namespace vertigo::test
