#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

/// x = start + sum over in-edges (u, arc) of factor(u, arc) * x[u], iterated in place until no
/// value moves by more than a few units in the last place.
std::vector<double> solve(const OracleGraph& graph, const std::vector<double>& start,
                          const std::function<double(std::size_t, const Arc&)>& factor) {
  constexpr int kMostRounds = 100000;
  std::vector<std::vector<Arc>> rows(graph.size());
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u]) rows[arc.to].push_back({u, factor(u, arc)});
  std::vector<double> x = start;
  for (int round = 0; round < kMostRounds; ++round) {
    bool moved = false;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      double sum = start[v];
      for (const Arc& term : rows[v]) sum += term.weight * x[term.to];
      moved |= std::fabs(sum - x[v]) > 4e-16 * std::fabs(sum);
      x[v] = sum;
    }
    if (!moved) break;
  }
  return x;
}

std::vector<double> out_weights(const OracleGraph& graph) {
  std::vector<double> total(graph.size(), 0);
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u]) total[u] += arc.weight;
  for (double& sum : total) sum = std::max(sum, 1e-30);
  return total;
}

Answer ranks(const OracleGraph& graph, const std::vector<double>& start, double damping) {
  return {{solve(graph, start,
                 [&](std::size_t u, const Arc&) {
                   return damping / static_cast<double>(graph.out[u].size());
                 })},
          {},
          {}};
}

}  // namespace

Answer pagerank(const OracleGraph& graph, const Request& request) {
  const double damping = request.number("damping", 0.85);
  return ranks(graph, std::vector<double>(graph.size(), 1 - damping), damping);
}

Answer personalised_pagerank(const OracleGraph& graph, const Request& request) {
  const double damping = request.number("damping", 0.85);
  std::vector<double> start(graph.size(), 0);
  std::istringstream sources(request.text("sources"));
  for (std::string id; std::getline(sources, id, ',');)
    start[graph.index_of(std::stoull(id))] = 1 - damping;
  return ranks(graph, start, damping);
}

Answer katz(const OracleGraph& graph, const Request& request) {
  std::size_t largest = 0;
  for (const auto& arcs : graph.in) largest = std::max(largest, arcs.size());
  const double alpha = request.number("attenuation", 0.85) / (1 + static_cast<double>(largest));
  return {{solve(graph, std::vector<double>(graph.size(), 1),
                 [&](std::size_t, const Arc&) { return alpha; })},
          {},
          {}};
}

Answer php(const OracleGraph& graph, const Request& request) {
  const double damping = request.number("damping", 0.8);
  const std::size_t source = graph.index_of(std::stoull(request.text("source")));
  const std::vector<double> total = out_weights(graph);
  std::vector<double> start(graph.size(), 0);
  start[source] = 1;
  return {{solve(graph, start,
                 [&](std::size_t u, const Arc& arc) {
                   return arc.to == source ? 0 : damping * arc.weight / total[u];
                 })},
          {},
          {}};
}

Answer adsorption(const OracleGraph& graph, const Request& request) {
  const std::vector<double> injection = read_values(graph, request.text("injection"), 1);
  const std::vector<double> continuation = read_values(graph, request.text("continuation"), 0.75);
  const std::vector<double> total = out_weights(graph);
  return {{solve(graph, injection,
                 [&](std::size_t u, const Arc& arc) {
                   return continuation[u] * arc.weight / total[u];
                 })},
          {},
          {}};
}

Answer pagerank_graphalytics(const OracleGraph& graph, const Request& request) {
  const double damping = request.number("damping", 0.85);
  const auto n = static_cast<double>(graph.size());
  std::vector<double> rank(graph.size(), 1 / n);
  for (int round = 0; round < request.number("rounds", 10); ++round) {
    double dangling = 0;
    for (std::size_t v = 0; v < graph.size(); ++v)
      if (graph.out[v].empty()) dangling += rank[v];
    std::vector<double> next(graph.size());
    for (std::size_t v = 0; v < graph.size(); ++v) {
      double sum = dangling / n;
      for (const Arc& arc : graph.in[v])
        sum += rank[arc.to] / static_cast<double>(graph.out[arc.to].size());
      next[v] = (1 - damping) / n + damping * sum;
    }
    rank = next;
  }
  return {{rank}, {}, {}};
}

Answer hits(const OracleGraph& graph, const Request& request) {
  std::vector<double> hub(graph.size(), 1), authority(graph.size(), 0);
  const auto pull = [&](const std::vector<std::vector<Arc>>& arcs, const std::vector<double>& from,
                        std::vector<double>& to) {
    double squares = 0;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      to[v] = 0;
      for (const Arc& arc : arcs[v]) to[v] += from[arc.to];
      squares += to[v] * to[v];
    }
    for (double& value : to) value = squares > 0 ? value / std::sqrt(squares) : 0;
  };
  for (int round = 0; round < request.number("rounds", 20); ++round) {
    pull(graph.in, hub, authority);
    pull(graph.out, authority, hub);
  }
  return {{hub, authority}, {}, {}};
}

}  // namespace vertigo::oracle
