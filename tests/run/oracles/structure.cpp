#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

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

// Kruskal 1956 says what the forest weighs; each edge must be one of the graph and join two parts.
std::string validate_forest(const OracleGraph& graph, const std::string& file) {
  std::vector<std::size_t> part(graph.size());
  const auto clear = [&] {
    for (std::size_t v = 0; v < graph.size(); ++v) part[v] = v;
  };
  const auto root = [&](std::size_t v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  const auto join = [&](std::size_t a, std::size_t b) {
    const bool apart = root(a) != root(b);
    part[root(a)] = root(b);
    return apart;
  };
  std::map<std::pair<std::size_t, std::size_t>, double> lightest;
  std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> edges;
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u]) {
      const std::pair ends{std::min(u, arc.to), std::max(u, arc.to)};
      edges.push_back({arc.weight, ends});
      const auto [known, is_new] = lightest.emplace(ends, arc.weight);
      if (!is_new) known->second = std::min(known->second, arc.weight);
    }
  std::sort(edges.begin(), edges.end());
  clear();
  double least = 0;
  std::size_t size = 0;
  for (const auto& [weight, ends] : edges)
    if (join(ends.first, ends.second)) {
      least += weight;
      ++size;
    }
  clear();
  double found = 0;
  std::ifstream input(file);
  std::size_t rows = 0;
  for (std::string line, id, a, b; std::getline(input, line);) {
    if (line.starts_with("#")) continue;  // names of columns
    std::istringstream(line) >> id >> a >> b;
    ++rows;
    if (a == "none" && b == "none") continue;
    const std::pair ends{graph.index_of(std::stoull(a)), graph.index_of(std::stoull(b))};
    const auto edge = lightest.find(ends);
    const std::string name = "edge " + a + " " + b + " of vertex " + id;
    if (edge == lightest.end()) return name + " is not in the graph";
    if (!join(ends.first, ends.second)) return name + " closes a cycle";
    found += edge->second;
    --size;
  }
  if (rows != graph.size()) return "the result has not one line a vertex";
  if (size != 0) return std::to_string(size) + " edges are missing";
  if (found != least)
    return "the forest weighs " + std::to_string(found) + ", not " + std::to_string(least);
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
