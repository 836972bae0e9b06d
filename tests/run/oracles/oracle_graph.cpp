#include "oracle_graph.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace vertigo::oracle {

std::size_t OracleGraph::index_of(std::uint64_t id) const {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id)
    throw std::runtime_error("no vertex " + std::to_string(id));
  return static_cast<std::size_t>(found - ids.begin());
}

OracleGraph read_graph(const std::string& prefix, bool undirected, bool drop_self_loops) {
  OracleGraph graph;
  std::ifstream vertices(prefix + ".v"), edges(prefix + ".e");
  if (!vertices || !edges) throw std::runtime_error("cannot read " + prefix + ".v and .e");
  // Some vertex files have properties after the id.
  for (std::string line; std::getline(vertices, line);) {
    std::istringstream words(line);
    if (std::uint64_t id = 0; words >> id) graph.ids.push_back(id);
  }
  std::sort(graph.ids.begin(), graph.ids.end());
  graph.out.resize(graph.size());
  graph.in.resize(graph.size());
  const auto add = [&](std::size_t u, std::size_t v, double weight) {
    graph.out[u].push_back({v, weight});
    graph.in[v].push_back({u, weight});
  };
  for (std::string line; std::getline(edges, line);) {
    std::istringstream words(line);
    std::uint64_t source = 0, target = 0;
    if (!(words >> source >> target)) continue;
    double weight = 1;
    words >> weight;
    if (words.fail()) weight = 1;
    const std::size_t u = graph.index_of(source), v = graph.index_of(target);
    if (u == v && drop_self_loops) continue;
    add(u, v, weight);
    if (undirected && u != v) add(v, u, weight);
  }
  return graph;
}

OracleGraph with_reverses(const OracleGraph& graph) {
  OracleGraph both = graph;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    both.out[v].insert(both.out[v].end(), graph.in[v].begin(), graph.in[v].end());
    both.in[v].insert(both.in[v].end(), graph.out[v].begin(), graph.out[v].end());
  }
  return both;
}

std::vector<double> read_values(const OracleGraph& graph, const std::string& file,
                                double otherwise) {
  std::vector<double> values(graph.size(), otherwise);
  if (file.empty()) return values;
  std::ifstream input(file);
  if (!input) throw std::runtime_error("cannot read " + file);
  std::uint64_t id = 0;
  for (std::string word; input >> id >> word;)
    values[graph.index_of(id)] = word == "true" ? 1 : word == "false" ? 0 : std::stod(word);
  return values;
}

double Request::number(const std::string& name, double otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : std::stod(found->second);
}

std::string Request::text(const std::string& name) const {
  const auto found = options.find(name);
  return found == options.end() ? "" : found->second;
}

}  // namespace vertigo::oracle
