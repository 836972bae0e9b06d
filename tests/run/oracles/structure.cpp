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

namespace {

/// What most of `of` say, the least of several; `otherwise` where there are none.
template <class T, class Says>
T elected(const std::vector<std::size_t>& of, const Says& says, T otherwise) {
  std::map<T, std::size_t> count;
  for (const std::size_t u : of) ++count[says(u)];
  std::size_t most = 0;
  for (const auto& [value, times] : count)
    if (times > most) {
      most = times;
      otherwise = value;
    }
  return otherwise;
}

std::vector<std::size_t> joined(const std::vector<Arc>& some, const std::vector<Arc>& more,
                                std::size_t without = kNobody) {
  std::vector<std::size_t> all;
  for (const std::vector<Arc>* arcs : {&some, &more})
    for (const Arc& arc : *arcs)
      if (arc.to != without) all.push_back(arc.to);
  return all;
}

}  // namespace

Answer modes_of_types(const OracleGraph& graph, const Request& request) {
  const std::size_t n = graph.size();
  const std::vector<Arc> none;
  const auto degree = [&](std::size_t v) {
    return static_cast<double>(graph.out[v].size() + graph.in[v].size());
  };
  std::vector<double> small(n), low(n), narrow(n), told(n), kept(n);
  std::vector<std::size_t> label(n), near(n, kNobody);
  for (std::size_t v = 0; v < n; ++v) {
    small[v] = static_cast<double>((graph.out[v].size() + graph.in[v].size()) % 3) + 2147483640;
    low[v] = static_cast<double>(graph.out[v].size() % 3);
    narrow[v] = static_cast<double>(graph.in[v].size());
    told[v] = degree(v) > 2;
    label[v] = v;
  }
  // Of all vertices at once, from the values before.
  const auto update = [&](auto& values, const auto& next_of) {
    auto next = values;
    for (std::size_t v = 0; v < n; ++v) next[v] = next_of(v);
    values = next;
  };
  for (int round = 0; round < request.number("rounds", 3); ++round) {
    update(small, [&](std::size_t v) {
      return elected(joined(graph.out[v], graph.in[v]), [&](auto u) { return small[u]; }, 7.0);
    });
    update(low, [&](std::size_t v) {
      return 1 + elected(joined(graph.in[v], none), [&](auto u) { return low[u]; }, low[v]);
    });
    update(narrow, [&](std::size_t v) {
      const auto says = [&](auto u) { return narrow[u] + degree(u); };
      return elected(joined(graph.out[v], none, v), says, kUnreached);
    });
    update(told, [&](std::size_t v) {
      if (degree(v) <= 1) return told[v];
      return elected(joined(graph.out[v], none), [&](auto u) { return 1 - told[u]; }, 1 - told[v]);
    });
    const std::vector<std::size_t> before = label;
    update(label, [&](std::size_t v) {
      return elected(joined(graph.out[v], graph.in[v], v), [&](auto u) { return before[u]; }, v);
    });
    for (std::size_t v = 0; v < n; ++v) kept[v] += label[v] == before[v] ? 1 : 0;
    update(near, [&](std::size_t v) {
      const auto says = [&](auto u) { return degree(u) > 3 ? label[u] : kNobody; };
      return elected(joined(graph.in[v], none), says, v);
    });
  }
  return {{small, low, narrow, told, kept}, {label, near}, {}};
}

Answer distinct_values(const OracleGraph& graph, const Request& request) {
  const std::size_t n = graph.size();
  const std::vector<Arc> none;
  const auto both = [&](std::size_t v, std::size_t without = kNobody) {
    return joined(graph.out[v], graph.in[v], without);
  };
  const auto different = [](const std::vector<std::size_t>& of, const auto& says) {
    std::set<std::decay_t<decltype(says(0))>> values;
    for (const std::size_t u : of) values.insert(says(u));
    return static_cast<double>(values.size());
  };
  std::vector<std::size_t> label(n);
  std::vector<double> kinds(n), weights(n), small(n), wide(n), narrow(n), told(n);
  for (std::size_t v = 0; v < n; ++v) {
    label[v] = v;
    kinds[v] = different(both(v), [](std::size_t u) { return u; });
    std::set<double> seen;
    for (const Arc& arc : graph.out[v])
      if (arc.to != v) seen.insert(arc.weight);
    weights[v] = static_cast<double>(seen.size());
  }
  const auto label_of = [&](std::size_t u) { return label[u]; };
  for (int round = 0; round < request.number("rounds", 3); ++round) {
    for (std::size_t v = 0; v < n; ++v)
      wide[v] = kinds[v] - different(both(v), label_of) * 5000000000.0;
    for (std::size_t v = 0; v < n; ++v)
      small[v] = different(joined(graph.in[v], none), [&](auto u) { return wide[u]; }) - 1;
    for (std::size_t v = 0; v < n; ++v) {
      if (both(v).size() <= 1) continue;
      const auto is_even = [&](auto u) { return static_cast<int>(small[u]) % 2 == 0; };
      told[v] = different(joined(graph.out[v], none), is_even) == 2 ? 1 : 0;
      narrow[v] = different(both(v, v), [&](auto u) { return both(u).size() % 3; });
    }
    std::vector<std::size_t> next = label;
    for (std::size_t v = 0; v < n; ++v) {
      std::vector<std::size_t> voters = both(v);
      std::erase_if(voters, [&](auto u) { return told[u] == 0 && narrow[u] >= 2; });
      next[v] = elected(voters, label_of, label[v]);
    }
    label = next;
    for (std::size_t v = 0; v < n; ++v)
      kinds[v] = different(both(v), label_of) + different(joined(graph.in[v], none), [&](auto u) {
                   return told[u] != 0 ? label[u] : kNobody;
                 });
  }
  return {{kinds, weights, small, wide, narrow, told}, {label}, {}};
}

// By its definition: from k on, edges in fewer than k - 2 triangles go until none is left to go.
Answer ktruss(const OracleGraph& graph, const Request&) {
  std::vector<std::set<std::size_t>> left(graph.size());
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u])
      if (arc.to != u) left[u].insert(arc.to);
  std::vector<double> truss(graph.size(), 0);
  for (std::size_t k = 2;; ++k) {
    for (bool removed = true; removed;) {
      removed = false;
      for (std::size_t u = 0; u < graph.size(); ++u)
        for (const std::size_t v : std::set(left[u])) {
          std::size_t triangles = 0;
          for (const std::size_t x : left[u]) triangles += left[v].count(x);
          if (triangles + 2 >= k) continue;
          left[u].erase(v);
          left[v].erase(u);
          removed = true;
        }
    }
    bool any = false;
    for (std::size_t u = 0; u < graph.size(); ++u) {
      if (left[u].empty()) continue;
      truss[u] = static_cast<double>(k);
      any = true;
    }
    if (!any) return {{truss}, {}, {}};
  }
}

// Six rounds of tests/run/programs/edges_peeled.vg, each by what edges were before it.
Answer edges_peeled(const OracleGraph& graph, const Request& request) {
  const double least = request.number("least", 2);
  struct Edge {
    double rank = 9;
    bool alive = true;
    bool chosen = true;
  };
  std::map<std::pair<std::size_t, std::size_t>, Edge> edges;
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u]) edges[std::minmax(u, arc.to)].chosen = 9 > least;
  const auto shared = [&](std::size_t u, std::size_t v) {
    double common = 0;
    for (std::size_t w = 0; w < graph.size(); ++w) {
      const auto a = edges.find(std::minmax(u, w)), b = edges.find(std::minmax(v, w));
      common += a != edges.end() && b != edges.end() && a->second.chosen && b->second.chosen;
    }
    return common;
  };
  std::vector<double> left(graph.size(), 0), total(graph.size(), 0);
  for (int limit = 1; limit <= 6; ++limit) {
    std::map<std::pair<std::size_t, std::size_t>, double> common;
    for (const auto& [ends, edge] : edges) common[ends] = shared(ends.first, ends.second);
    for (double& sum : total) sum *= 3;
    std::fill(left.begin(), left.end(), 0);
    for (auto& [ends, edge] : edges) {
      const bool loop = ends.first == ends.second;
      total[ends.first] += common[ends];
      if (!loop) total[ends.second] += common[ends];
      if (!edge.chosen) continue;
      edge.alive = common[ends] >= limit;
      edge.rank -= common[ends] > 7 ? 0 : 2;
      edge.chosen = edge.alive && edge.rank > least;
      left[ends.first] += edge.chosen;
      if (!loop) left[ends.second] += edge.chosen;
    }
  }
  return {{left, total}, {}, {}};
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
