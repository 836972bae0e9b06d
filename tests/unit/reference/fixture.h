#pragma once
// Small graphs and short ways to run a program on them.

#include <string_view>
#include <tuple>
#include <vector>

#include "vertigo/graph/graph.h"
#include "vertigo/reference/reference.h"

namespace vertigo::test {

using WeightedEdge = std::tuple<Vertex, Vertex, int>;

/// The directed graph of these edges, ids from 0. `symmetric` adds the reverse of every edge.
graph::Graph make_graph(Vertex vertex_count, const std::vector<WeightedEdge>& edges,
                        bool symmetric = false, bool weighted = true);

/// Pseudo-random edges, the same in every run; weights 1..9.
graph::Graph random_graph(Vertex vertex_count, std::size_t edge_count, unsigned seed,
                          bool symmetric = false, bool self_loops = true);

host::Arguments source_argument(Vertex source);

host::RunResult interpret(std::string_view program, const graph::Graph& graph,
                          const host::Arguments& arguments = {});
reference::CheckReport check(std::string_view program, const graph::Graph& graph,
                             const host::Arguments& arguments, const host::RunResult& result);

/// The column of that name as a vector.
template <class T>
std::vector<T> column(const host::RunResult& result, std::string_view name) {
  for (const Column& candidate : result.states)
    if (candidate.name == name) {
      const auto values = candidate.as<T>();
      return {values.begin(), values.end()};
    }
  return {};
}

template <class T>
void set_value(host::RunResult& result, std::string_view name, Vertex v, T value) {
  for (Column& candidate : result.states)
    if (candidate.name == name) candidate.as<T>()[v] = value;
}

}  // namespace vertigo::test
