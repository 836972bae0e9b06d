#include <algorithm>
#include <map>
#include <set>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

std::vector<std::set<std::size_t>> neighbour_sets(const OracleGraph& graph) {
  std::vector<std::set<std::size_t>> sets(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v) {
    for (const Arc& arc : graph.out[v])
      if (arc.to != v) sets[v].insert(arc.to);
    for (const Arc& arc : graph.in[v])
      if (arc.to != v) sets[v].insert(arc.to);
  }
  return sets;
}

}  // namespace

Answer kcore(const OracleGraph& graph, const Request&) {
  // Batagelj and Zaversnik 2003: vertices in buckets by remaining degree.
  const auto neighbours = neighbour_sets(graph);
  std::vector<std::size_t> degree(graph.size());
  std::set<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    degree[v] = neighbours[v].size();
    order.emplace(degree[v], v);
  }
  std::vector<double> core(graph.size(), 0);
  while (!order.empty()) {
    const auto [least, v] = *order.begin();
    order.erase(order.begin());
    core[v] = static_cast<double>(least);
    for (const std::size_t u : neighbours[v]) {
      if (degree[u] <= least) continue;
      order.erase({degree[u], u});
      order.emplace(--degree[u], u);
    }
    degree[v] = 0;
  }
  return {{core}, {}, {}};
}

Answer cdlp(const OracleGraph& graph, const Request& request) {
  std::vector<std::size_t> label(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v) label[v] = v;
  for (int round = 0; round < request.number("rounds", 10); ++round) {
    std::vector<std::size_t> next = label;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      std::map<std::size_t, std::size_t> count;
      for (const Arc& arc : graph.out[v]) ++count[label[arc.to]];
      for (const Arc& arc : graph.in[v]) ++count[label[arc.to]];
      std::size_t most = 0;
      for (const auto& [candidate, times] : count)
        if (times > most) {
          most = times;
          next[v] = candidate;
        }
    }
    label = next;
  }
  return {{}, {label}, {}};
}

Answer triangles(const OracleGraph& graph, const Request&) {
  const auto neighbours = neighbour_sets(graph);
  double total = 0;
  for (std::size_t a = 0; a < graph.size(); ++a)
    for (const std::size_t b : neighbours[a])
      if (b > a)
        for (const std::size_t c : neighbours[b])
          if (c > b && neighbours[a].contains(c)) ++total;
  return {{}, {}, {{"total", total}}};
}

Answer local_clustering(const OracleGraph& graph, const Request&) {
  const auto neighbours = neighbour_sets(graph);
  std::vector<double> coefficient(graph.size(), 0);
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const auto degree = static_cast<double>(neighbours[v].size());
    double joined = 0;
    for (const std::size_t a : neighbours[v])
      for (const std::size_t b : neighbours[a]) joined += neighbours[v].contains(b);
    if (degree > 1) coefficient[v] = joined / (degree * (degree - 1));
  }
  return {{coefficient}, {}, {}};
}

// Triangles at each vertex; and its edges to greater and to smaller neighbours, each as often as it
// is in a triangle.
Answer corners(const OracleGraph& graph, const Request&) {
  const auto neighbours = neighbour_sets(graph);
  std::vector<double> all(graph.size(), 0), above = all, below = all;
  for (std::size_t a = 0; a < graph.size(); ++a)
    for (const std::size_t b : neighbours[a])
      for (const std::size_t c : neighbours[b]) {
        if (!neighbours[a].contains(c)) continue;
        all[a] += 0.5;
        ++(b > a ? above[a] : below[a]);
      }
  return {{all, above, below}, {}, {}};
}

std::string validate_mis(const OracleGraph& graph, const std::string& file) {
  const auto neighbours = neighbour_sets(graph);
  const std::vector<double> member = read_values(graph, file, -1);
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const std::string name = "vertex " + std::to_string(graph.ids[v]);
    if (member[v] < 0) return name + " has no value";
    bool dominated = member[v] != 0;
    for (const std::size_t u : neighbours[v]) {
      dominated |= member[u] != 0;
      if (member[v] != 0 && member[u] != 0)
        return name + " and its neighbour " + std::to_string(graph.ids[u]) + " are both members";
    }
    if (!dominated) return name + " could be added";
  }
  return "";
}

std::string validate_colouring(const OracleGraph& graph, const std::string& file) {
  const auto neighbours = neighbour_sets(graph);
  const std::vector<double> colour = read_values(graph, file, -1);
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const std::string name = "vertex " + std::to_string(graph.ids[v]);
    if (colour[v] < 0) return name + " has no colour";
    for (const std::size_t u : neighbours[v])
      if (colour[u] == colour[v])
        return name + " and its neighbour " + std::to_string(graph.ids[u]) + " have one colour";
  }
  return "";
}

}  // namespace vertigo::oracle
