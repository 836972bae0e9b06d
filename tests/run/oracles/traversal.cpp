#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <queue>
#include <set>
#include <sstream>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

using BoostGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                          boost::property<boost::edge_weight_t, double>>;

BoostGraph boost_graph(const OracleGraph& graph) {
  BoostGraph result(graph.size());
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u]) boost::add_edge(u, arc.to, arc.weight, result);
  return result;
}

std::size_t source_of(const OracleGraph& graph, const Request& request) {
  return graph.index_of(std::stoull(request.text("source")));
}

std::vector<double> depths(const OracleGraph& graph, std::size_t source) {
  const BoostGraph boosted = boost_graph(graph);
  std::vector<double> depth(graph.size(), kUnreached);
  depth[source] = 0;
  const auto recorder =
      boost::make_bfs_visitor(boost::record_distances(depth.data(), boost::on_tree_edge()));
  boost::breadth_first_search(boosted, source, boost::visitor(recorder));
  return depth;
}

std::vector<double> distances(const OracleGraph& graph, std::size_t source) {
  const BoostGraph boosted = boost_graph(graph);
  std::vector<double> distance(graph.size());
  boost::dijkstra_shortest_paths(
      boosted, source,
      boost::distance_map(distance.data()).distance_inf(kUnreached).distance_zero(0.0));
  return distance;
}

/// The smallest in-neighbour over which the value comes; the source is its own.
std::vector<std::size_t> smallest_parents(const OracleGraph& graph, std::size_t source,
                                          const std::vector<double>& value, bool weighted) {
  std::vector<std::size_t> parent(graph.size(), kNobody);
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const Arc& arc : graph.in[v])
      if (value[v] != kUnreached && value[arc.to] + (weighted ? arc.weight : 1) == value[v])
        parent[v] = std::min(parent[v], arc.to);
  parent[source] = source;
  return parent;
}

}  // namespace

Answer bfs(const OracleGraph& graph, const Request& request) {
  std::vector<double> depth = depths(graph, source_of(graph, request));
  const double within = request.number("within", kUnreached);
  for (double& each : depth)
    if (each > within) each = kUnreached;
  return {{depth}, {}, {}};
}

Answer visits_once(const OracleGraph& graph, const Request& request) {
  const std::vector<double> depth = depths(graph, source_of(graph, request));
  std::vector<double> level = depth, flags = depth, told = depth;
  for (std::size_t v = 0; v < depth.size(); ++v) {
    const bool reached = depth[v] != kUnreached;
    if (!reached) level[v] = -1;
    flags[v] = reached ? 3 : 0;
    told[v] = reached ? 1 : 0;
  }
  return {{depth, level, depth, flags, told, depth, level}, {}, {}};
}

Answer bfs_parents(const OracleGraph& graph, const Request& request) {
  const std::size_t source = source_of(graph, request);
  const std::vector<double> depth = depths(graph, source);
  return {{depth}, {smallest_parents(graph, source, depth, false)}, {}};
}

Answer sssp(const OracleGraph& graph, const Request& request) {
  return {{distances(graph, source_of(graph, request))}, {}, {}};
}

Answer sssp_parents(const OracleGraph& graph, const Request& request) {
  const std::size_t source = source_of(graph, request);
  const std::vector<double> distance = distances(graph, source);
  return {{distance}, {smallest_parents(graph, source, distance, true)}, {}};
}

Answer trees_around(const OracleGraph& graph, const Request& request) {
  const OracleGraph around = with_reverses(graph);
  const std::size_t source = source_of(graph, request);
  const std::vector<double> depth = depths(around, source);
  const std::vector<double> distance = distances(around, source);
  return {{depth, distance},
          {smallest_parents(around, source, depth, false),
           smallest_parents(around, source, distance, true)},
          {}};
}

Answer saturated_parents(const OracleGraph& graph, const Request& request) {
  const std::size_t source = source_of(graph, request);
  std::vector<double> distance = distances(graph, source);
  std::vector<bool> reached(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v) {
    reached[v] = distance[v] != kUnreached;
    distance[v] += 2147483600;
    if (distance[v] >= 2147483647) distance[v] = kUnreached;
  }
  std::vector<std::size_t> parent(graph.size(), kNobody);
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const Arc& arc : graph.in[v]) {
      double sent = distance[arc.to] + arc.weight;
      if (sent >= 2147483647) sent = kUnreached;
      if (reached[arc.to] && sent == distance[v]) parent[v] = std::min(parent[v], arc.to);
    }
  parent[source] = source;
  return {{distance}, {parent}, {}};
}

// Edges of weight zero may lie on shortest paths, so the numbers of edges are found by a search of
// their own: breadth first along the edges that are tight.
Answer shortest_with_fewest_edges(const OracleGraph& graph, const Request& request) {
  const std::size_t source = source_of(graph, request);
  const std::vector<double> distance = distances(graph, source);
  std::vector<double> edges(graph.size(), kUnreached);
  std::vector<std::size_t> parent(graph.size(), kNobody);
  const auto is_tight = [&](std::size_t u, const Arc& arc) {
    return distance[u] != kUnreached && distance[u] + arc.weight == distance[arc.to];
  };
  std::queue<std::size_t> queue({source});
  edges[source] = 0;
  for (; !queue.empty(); queue.pop())
    for (const Arc& arc : graph.out[queue.front()])
      if (is_tight(queue.front(), arc) && edges[arc.to] == kUnreached) {
        edges[arc.to] = edges[queue.front()] + 1;
        queue.push(arc.to);
      }
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u])
      if (is_tight(u, arc) && edges[u] + 1 == edges[arc.to])
        parent[arc.to] = std::min(parent[arc.to], u);
  parent[source] = source;
  return {{distance, edges}, {parent}, {}};
}

Answer last_edges(const OracleGraph& graph, const Request& request) {
  const std::size_t source = source_of(graph, request);
  const std::vector<double> distance = distances(graph, source);
  std::vector<double> last(graph.size(), kUnreached);
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const Arc& arc : graph.in[v])
      if (distance[v] != kUnreached && distance[arc.to] + arc.weight == distance[v])
        last[v] = std::min(last[v], arc.weight);
  last[source] = 0;
  return {{distance, last}, {}, {}};
}

// The attributes are made of the weights as manifest.json says. Dibbelt et al., Connection scan
// algorithm, 2013: connections in the order of their departures, each looked at once. Those without
// duration may wait for others that leave when they do, so equal departures are gone through until
// nothing changes.
Answer timetable(const OracleGraph& graph, const Request& request) {
  struct Connection {
    std::size_t from, to;
    double departure, duration;
  };
  std::vector<Connection> connections;
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const Arc& arc : graph.out[v])
      if (std::fmod(arc.weight, 5) != 0)
        connections.push_back(
            {v, arc.to, std::fmod(arc.weight * 13, 97), std::fmod(arc.weight * 3, 8)});
  std::sort(connections.begin(), connections.end(),
            [](const Connection& a, const Connection& b) { return a.departure < b.departure; });
  std::vector<double> arrival(graph.size(), kUnreached);
  arrival[graph.index_of(static_cast<std::uint64_t>(request.number("source", 0)))] =
      request.number("begin", 0);
  for (auto first = connections.begin(); first != connections.end();) {
    const auto last = std::find_if(first, connections.end(), [&](const Connection& each) {
      return each.departure != first->departure;
    });
    for (bool changed = true; changed;) {
      changed = false;
      for (auto each = first; each != last; ++each) {
        const double arrives = each->departure + each->duration;
        if (arrival[each->from] > each->departure || arrival[each->to] <= arrives) continue;
        arrival[each->to] = arrives;
        changed = true;
      }
    }
    first = last;
  }
  return {{arrival}, {}, {}};
}

Answer widest_path(const OracleGraph& graph, const Request& request) {
  std::vector<double> width(graph.size(), 0);
  const std::size_t source = source_of(graph, request);
  width[source] = kUnreached;
  std::priority_queue<std::pair<double, std::size_t>> queue;
  queue.emplace(width[source], source);
  while (!queue.empty()) {
    const auto [best, u] = queue.top();
    queue.pop();
    if (best < width[u]) continue;
    for (const Arc& arc : graph.out[u])
      if (const double offer = std::min(best, arc.weight); offer > width[arc.to]) {
        width[arc.to] = offer;
        queue.emplace(offer, arc.to);
      }
  }
  return {{width}, {}, {}};
}

Answer widest_path_hubs(const OracleGraph& graph, const Request& request) {
  const std::vector<double> width = widest_path(graph, request).numbers.front();
  std::vector<double> links(graph.size(), 0);
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const Arc& arc : graph.in[v])
      if (width[arc.to] > 0 && std::min(width[arc.to], arc.weight) == width[v])
        links[v] = std::max(links[v], static_cast<double>(graph.out[arc.to].size()));
  return {{width, links}, {}, {}};
}

namespace {

/// A set of every vertex's component along the edges for which `joins(u, arc)` holds.
template <class Joins>
std::vector<std::size_t> sets_along(const OracleGraph& graph, const Joins& joins) {
  std::vector<std::size_t> rank(graph.size()), parent(graph.size()), found(graph.size());
  boost::disjoint_sets<std::size_t*, std::size_t*> sets(rank.data(), parent.data());
  for (std::size_t v = 0; v < graph.size(); ++v) sets.make_set(v);
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u])
      if (joins(u, arc)) sets.union_set(u, arc.to);
  for (std::size_t v = 0; v < graph.size(); ++v) found[v] = sets.find_set(v);
  return found;
}

/// The smallest vertex of the set of each.
std::vector<std::size_t> smallest_of(const std::vector<std::size_t>& sets) {
  std::vector<std::size_t> smallest(sets.size(), kNobody), found;
  for (std::size_t v = 0; v < sets.size(); ++v) {
    std::size_t& least = smallest[sets[v]];
    least = std::min(least, v);
    found.push_back(least);
  }
  return found;
}

}  // namespace

Answer wcc(const OracleGraph& graph, const Request&) {
  const auto all = [](std::size_t, const Arc&) { return true; };
  return {{}, {smallest_of(sets_along(graph, all))}, {}};
}

Answer labels_chosen(const OracleGraph& graph, const Request&) {
  const auto degree = [&](std::size_t v) { return static_cast<double>(graph.out[v].size()); };
  const auto is_open = [&](std::size_t v) { return graph.out[v].size() != 2; };
  const auto heavy = sets_along(graph, [](std::size_t, const Arc& arc) { return arc.weight > 3; });
  const auto open = sets_along(
      graph, [&](std::size_t u, const Arc& arc) { return is_open(u) && is_open(arc.to); });
  const auto alike = sets_along(graph, [&](std::size_t u, const Arc& arc) {
    return is_open(u) && is_open(arc.to) && std::abs(degree(u) - degree(arc.to)) < 2;
  });
  std::vector<std::size_t> among = smallest_of(open);
  std::vector<double> largest(graph.size(), -1), most;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (!is_open(v)) {
      among[v] = kNobody;
      continue;
    }
    largest[alike[v]] = std::max(largest[alike[v]], degree(v));
  }
  for (std::size_t v = 0; v < graph.size(); ++v) most.push_back(largest[alike[v]]);
  return {{most}, {smallest_of(heavy), among}, {}};
}

Answer labels_one_way(const OracleGraph& graph, const Request&) {
  // One search a vertex.
  std::vector<std::size_t> first(graph.size(), kNobody);
  std::vector<double> most(graph.size(), 0);
  for (std::size_t source = 0; source < graph.size(); ++source) {
    const auto reached = [&](const auto& passes) {
      std::vector<std::size_t> found{source};
      std::vector<bool> seen(graph.size(), false);
      seen[source] = true;
      for (std::size_t i = 0; i < found.size(); ++i)
        for (const Arc& arc : graph.out[found[i]]) {
          if (seen[arc.to] || !passes(arc)) continue;
          seen[arc.to] = true;
          found.push_back(arc.to);
        }
      return found;
    };
    for (const std::size_t v : reached([](const Arc&) { return true; }))
      first[v] = std::min(first[v], source);
    for (const std::size_t v : reached([](const Arc& arc) { return arc.weight > 3; }))
      most[source] = std::max(most[source], static_cast<double>(graph.out[v].size()));
  }
  return {{most}, {first}, {}};
}

Answer harmonic(const OracleGraph& graph, const Request& request) {
  // One search a source.
  std::vector<double> nearness(graph.size(), 0);
  std::istringstream sources(request.text("sources"));
  std::set<std::size_t> done;
  for (std::string id; std::getline(sources, id, ',');) {
    const std::size_t source = graph.index_of(std::stoull(id));
    if (!done.insert(source).second) continue;
    const std::vector<double> depth = depths(graph, source);
    for (std::size_t v = 0; v < graph.size(); ++v)
      if (v != source && depth[v] != kUnreached) nearness[v] += 1 / depth[v];
  }
  return {{nearness}, {}, {}};
}

Answer bc(const OracleGraph& graph, const Request& request) {
  // Brandes 2001, one source, in long double.
  const std::size_t source = source_of(graph, request);
  std::vector<std::size_t> order{source};
  std::vector<double> depth(graph.size(), kUnreached);
  std::vector<long double> paths(graph.size(), 0), dependency(graph.size(), 0);
  depth[source] = 0;
  paths[source] = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t u = order[i];
    for (const Arc& arc : graph.out[u]) {
      if (depth[arc.to] == kUnreached) {
        depth[arc.to] = depth[u] + 1;
        order.push_back(arc.to);
      }
      if (depth[arc.to] == depth[u] + 1) paths[arc.to] += paths[u];
    }
  }
  for (auto at = order.rbegin(); at != order.rend(); ++at)
    for (const Arc& arc : graph.in[*at])
      if (depth[arc.to] + 1 == depth[*at])
        dependency[arc.to] += paths[arc.to] / paths[*at] * (1 + dependency[*at]);
  dependency[source] = 0;
  return {{{dependency.begin(), dependency.end()}}, {}, {}};
}

}  // namespace vertigo::oracle
