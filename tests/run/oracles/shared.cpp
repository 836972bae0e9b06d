// What two vertices share: by its definition, over sets of neighbours.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

class Shared {
 public:
  explicit Shared(const OracleGraph& graph) : sets_(graph.size()) {
    for (std::size_t v = 0; v < graph.size(); ++v)
      for (const Arc& arc : graph.out[v]) sets_[v].insert(arc.to);
  }
  /// Nobody shares nothing with anybody.
  std::vector<std::size_t> of(std::size_t u, std::size_t v) const {
    std::vector<std::size_t> common;
    if (u != kNobody && v != kNobody)
      std::ranges::set_intersection(sets_[u], sets_[v], std::back_inserter(common));
    return common;
  }
  const std::set<std::size_t>& neighbours(std::size_t v) const { return sets_[v]; }

 private:
  std::vector<std::set<std::size_t>> sets_;
};

/// tests/run/programs/shared_values.vg: its states, and the two updates.
class SharedValues {
 public:
  SharedValues(const OracleGraph& graph, std::size_t source)
      : graph_(graph), shared_(graph), source_(source), n_(graph.size()) {
    for (std::size_t v = 0; v < n_; ++v) {
      turn[v] = static_cast<double>(graph.out[v].size() % 5);
      const auto next = shared_.neighbours(v).upper_bound(v);
      if (next != shared_.neighbours(v).end()) next_[v] = *next;
      for (const std::size_t x : shared_.of(v, source)) even_[v] = even_[v] || x > v;
    }
  }

  void first_update() {
    const std::vector<double> before = turn;
    for (std::size_t v = 0; v < n_; ++v) {
      const std::vector<std::size_t> ahead = shared_.of(v, next_[v]);
      if (std::ranges::any_of(ahead, [&](std::size_t x) { return before[x] >= 4; })) continue;
      double largest = 0;
      most[v] = -kUnreached;
      for (const std::size_t x : shared_.of(v, source_)) {
        if (x != v) largest = std::max(largest, before[x]);
        most[v] = std::max(most[v], before[x] - before[source_]);
      }
      const double own = before[v] + 1;
      turn[v] = std::fmod(before[v] + largest, 7);
      std::pair<double, std::size_t> nearest{kUnreached, kNobody};
      for (const std::size_t x : ahead)
        if (before[x] != turn[v]) nearest = std::min(nearest, {before[x] + own, x});
      soonest[v] = nearest.first;
      near[v] = nearest.second;
      first[v] = kNobody;
      for (const std::size_t x : shared_.of(v, v))
        if (next_[x] != next_[v]) first[v] = std::min(first[v], x);
    }
  }

  void second_update() {
    const std::vector<bool> before = lit_;
    for (std::size_t v = 0; v < n_; ++v) {
      lit_[v] = false;
      for (const std::vector<Arc>* arcs : {&graph_.out[v], &graph_.in[v]})
        for (const Arc& arc : *arcs)
          for (const std::size_t x : shared_.of(arc.to, v))
            lit_[v] = lit_[v] || (turn[x] == turn[arc.to] && x != v);
      gather_bits(v, before);
      gather_sums(v);
    }
  }

  Answer answer() const {
    std::vector<double> told(n_), set(n_), all(n_), some(n_);
    for (std::size_t v = 0; v < n_; ++v) {
      told[v] = (lit_[v] ? 1 : 0) + (even_[v] ? 2 : 0);
      set[v] = static_cast<double>(bits[v]);
      all[v] = every[v] == ~std::uint32_t{0} ? kUnreached : every[v];
      some[v] = static_cast<double>(odd[v]);
    }
    return {{turn, soonest, most, told, set, all, some, total, pairs}, {first, near}, {}};
  }

 private:
  void gather_bits(std::size_t v, const std::vector<bool>& lit) {
    for (const Arc& arc : graph_.out[v])
      for (const std::size_t x : shared_.of(v, arc.to)) {
        if (!lit[x] && !lit[arc.to]) continue;
        const auto amount = static_cast<int>(turn[x] + std::max(most[v], -9.0));
        bits[v] |= std::uint64_t{1} << std::max(amount, 0);
      }
    every[v] = ~std::uint32_t{0};
    for (const std::size_t x : shared_.of(v, next_[v]))
      every[v] &= static_cast<std::uint32_t>(turn[x]);
    odd[v] = 0;
    for (const std::size_t x : shared_.of(v, source_))
      odd[v] ^= static_cast<std::uint32_t>(turn[x]) * 3;
  }

  void gather_sums(std::size_t v) {
    for (const Arc& arc : graph_.in[v])
      for (const std::size_t x : shared_.of(arc.to, v))
        if (next_[x] == kNobody || turn[next_[x]] > 1)
          total[v] += arc.weight * (turn[x] + turn[arc.to] * std::max(most[v], -9.0));
    pairs[v] = 0;
    for (const std::size_t x : shared_.of(v, source_))
      for (const std::size_t y : shared_.of(x, v)) pairs[v] += turn[y] >= turn[x];
  }

  const OracleGraph& graph_;
  const Shared shared_;
  const std::size_t source_, n_;

  std::vector<double> turn = std::vector<double>(n_), most = turn, total = turn, pairs = turn;
  std::vector<double> soonest = std::vector<double>(n_, kUnreached);
  std::vector<std::size_t> first = std::vector<std::size_t>(n_, kNobody), near = first;
  std::vector<std::size_t> next_ = first;
  std::vector<bool> even_ = std::vector<bool>(n_), lit_ = even_;
  std::vector<std::uint64_t> bits = std::vector<std::uint64_t>(n_);
  std::vector<std::uint32_t> every = std::vector<std::uint32_t>(n_), odd = every;
};

/// tests/run/programs/edges_weighed.vg: its states, and the three updates of a round.
class EdgesWeighed {
 public:
  explicit EdgesWeighed(const OracleGraph& graph)
      : left(graph.size()), total(graph.size()), graph_(graph) {
    for (std::size_t u = 0; u < graph.size(); ++u)
      for (const Arc& arc : graph.out[u]) edges_[std::minmax(u, arc.to)] = {};
  }

  void weigh(double limit) {
    for (auto& [ends, edge] : edges_)
      if (edge.alive) edge.shared = static_cast<double>(of(ends.first, ends.second).size());
    std::map<Ends, Edge> after = edges_;
    for (auto& [ends, edge] : after) {
      if (!edge.alive) continue;
      edge.alive = edge.shared > 1;
      edge.worth = 0;
      for (const std::size_t x : of(ends.first, ends.second)) {
        if (degree(x) < 6 && left[x] > 2) edge.alive = true;
        if (x != ends.first) edge.worth += degree(x) + limit;
      }
      if (edge.worth < limit) edge.alive = false;
    }
    edges_ = after;
  }

  void count(double limit) {
    const std::vector<double> before = left;
    for (std::size_t v = 0; v < graph_.size(); ++v) {
      double most = -kUnreached, corners = 0;
      left[v] = 0;
      for (const Arc& arc : graph_.out[v]) {
        const Edge& edge = edges_.at(std::minmax(v, arc.to));
        if (!edge.alive) continue;
        left[v] += edge.worth > limit;
        for (const std::size_t x : of(v, arc.to)) most = std::max(most, before[x] - degree(arc.to));
      }
      for (const std::size_t x : of(v, v))
        for (const std::size_t y : of(x, v)) corners += before[y] < degree(x);
      total[v] = std::max(kLeast, total[v] * 3 + most) + corners;
    }
  }

  std::vector<double> left, total;

 private:
  struct Edge {
    bool alive = true;
    double shared = 0, worth = 0;
  };
  using Ends = std::pair<std::size_t, std::size_t>;
  static constexpr double kLeast = -1e9;

  double degree(std::size_t v) const { return static_cast<double>(graph_.out[v].size()); }
  /// Whom both are joined to over edges that are left.
  std::vector<std::size_t> of(std::size_t u, std::size_t v) const {
    std::vector<std::size_t> common;
    for (std::size_t x = 0; x < graph_.size(); ++x) {
      const auto a = edges_.find(std::minmax(u, x)), b = edges_.find(std::minmax(v, x));
      if (a != edges_.end() && b != edges_.end() && a->second.alive && b->second.alive)
        common.push_back(x);
    }
    return common;
  }

  const OracleGraph& graph_;
  std::map<Ends, Edge> edges_;
};

/// tests/run/programs/edges_numbered.vg.
class EdgesNumbered {
 public:
  EdgesNumbered(const OracleGraph& graph, double least)
      : graph_(graph), shared_(graph), least_(least) {}

  double degree(std::size_t v) const { return static_cast<double>(graph_.out[v].size()); }
  double common(std::size_t u, std::size_t v) const {
    return static_cast<double>(shared_.of(u, v).size());
  }

  void compare() {
    for (std::size_t v = 0; v < graph_.size(); ++v) {
      std::pair<double, std::size_t> best{kUnreached, kNobody};
      alike[v] = -kUnreached;
      for (const Arc& arc : graph_.out[v]) {
        const double both = common(v, arc.to);
        if (arc.to != v) alike[v] = std::max(alike[v], both / (degree(v) + degree(arc.to) - both));
        if (degree(arc.to) > 1) best = std::min(best, {-both, arc.to});
        if (both > least_ + 1 && degree(arc.to) < 30) dense[v] = 1;
      }
      kin[v] = best.second;
    }
  }
  void add_up() {
    for (std::size_t v = 0; v < graph_.size(); ++v) {
      std::vector<double> reached(4, 0);
      heavy[v] = -kUnreached;
      for (const Arc& arc : graph_.out[v]) {
        const double both = common(v, arc.to);
        for (int k = 1; k < 4; ++k) reached[static_cast<std::size_t>(k)] += both >= k;
        if (arc.to > v) corners[v] += both;
        double weight = 0;
        for (const std::size_t x : shared_.of(v, arc.to))
          if (degree(x) > 2) weight += degree(x) * 3 - 7;
        heavy[v] = std::max(heavy[v], weight);
        const double strength = 2 * both + degree(std::min(v, arc.to));
        held[v] += both > least_ && strength > 4 ? strength - both : strength;
      }
      for (int k = 1; k < 4; ++k) strong[v] += reached[static_cast<std::size_t>(k)] > 1 ? k : 0;
    }
  }
  void turn_twice() {
    for (int round = 0; round < 2; ++round) {
      const std::vector<double> before = turn;
      for (std::size_t v = 0; v < graph_.size(); ++v) {
        turn[v] = 0;
        for (const Arc& arc : graph_.out[v]) {
          double sum = 0;
          for (const std::size_t x : shared_.of(v, arc.to))
            if (before[x] < 9) sum += std::fmod(before[x] + degree(x), 17);
          if (arc.to >= v) turn[v] = std::max(turn[v], sum);
        }
      }
    }
  }

 private:
  const OracleGraph& graph_;
  const Shared shared_;
  const double least_;

 public:
  std::vector<double> alike = std::vector<double>(graph_.size(), 0), strong = alike,
                      corners = alike, heavy = alike, turn = alike, held = alike, dense = alike;
  std::vector<std::size_t> kin = std::vector<std::size_t>(graph_.size(), kNobody);
};

}  // namespace

Answer adamic_adar(const OracleGraph& graph, const Request& request) {
  const std::size_t source =
      graph.index_of(static_cast<std::uint64_t>(request.number("source", 0)));
  const Shared shared(graph);
  const auto degree = [&](std::size_t v) { return static_cast<double>(graph.out[v].size()); };
  std::vector<double> likeness(graph.size(), 0), resources = likeness, around = likeness,
                                                 rare = likeness;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    for (const std::size_t x : shared.of(v, source)) {
      if (v != source && degree(x) > 1) likeness[v] += 1 / std::log(degree(x));
      resources[v] += 1 / degree(x);
      rare[v] += degree(x) < degree(v);
    }
    for (const Arc& arc : graph.out[v])
      for (const std::size_t x : shared.of(v, arc.to)) around[v] += 1 / degree(x);
  }
  std::vector<double> flow(graph.size(), 1);
  for (int round = 0; round < 3; ++round) {
    std::vector<double> next(graph.size(), 0.5);
    for (std::size_t v = 0; v < graph.size(); ++v)
      for (const Arc& arc : graph.out[v])
        for (const std::size_t x : shared.of(v, arc.to))
          if (flow[x] > 0.6) next[v] += flow[x] / (degree(x) * degree(x));
    flow = next;
  }
  return {{likeness, resources, around, rare, flow}, {}, {}};
}

Answer shared_values(const OracleGraph& graph, const Request& request) {
  SharedValues values(graph,
                      graph.index_of(static_cast<std::uint64_t>(request.number("source", 0))));
  for (int round = 0; round < 2; ++round) {
    values.first_update();
    values.second_update();
  }
  return values.answer();
}

Answer corners_weighed(const OracleGraph& graph, const Request&) {
  const Shared shared(graph);
  const auto degree = [&](std::size_t v) { return static_cast<double>(graph.out[v].size()); };
  std::vector<double> share(graph.size(), 0.5), below(graph.size(), 0), above = below, many = below;
  for (int round = 0; round < 2; ++round) {
    std::vector<double> next = share;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      double sum = 0;
      for (const Arc& arc : graph.out[v])
        for (const std::size_t x : shared.of(v, arc.to))
          sum += share[x] < 3 ? share[x] / (degree(x) * degree(x)) : 0;
      if (degree(v) > 0) next[v] = 0.25 + sum / 2;
    }
    share = next;
  }
  for (std::size_t v = 0; v < graph.size(); ++v) {
    above[v] = degree(v);
    for (const Arc& arc : graph.out[v])
      for (const std::size_t x : shared.of(v, arc.to)) {
        if (v < arc.to) above[v] -= degree(x) * (std::fmod(degree(x), 3) - 1);
        if (arc.to <= v) below[v] += degree(x) / 4;
        many[v] += degree(x) > 3;
      }
  }
  return {{share, below, above, many}, {}, {}};
}

Answer jaccard(const OracleGraph& graph, const Request& request) {
  const double least = request.number("least", 0.2);
  const Shared shared(graph);
  const auto degree = [&](std::size_t v) { return static_cast<double>(graph.out[v].size()); };
  std::vector<double> best(graph.size(), 0), alike = best, weighed = best, near = best;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const auto own = static_cast<double>(shared.of(v, v).size());
    if (own == 0 || own >= 40) continue;
    best[v] = -kUnreached;
    weighed[v] = own;
    for (const Arc& arc : graph.out[v]) {
      const std::vector<std::size_t> both = shared.of(v, arc.to);
      const auto size = static_cast<double>(both.size());
      const double either = degree(v) + degree(arc.to) - size;
      if (arc.to != v) best[v] = std::max(best[v], size / either);
      alike[v] += size > least * either;
      for (const std::size_t x : both) weighed[v] += size > 1 ? size * size * degree(x) : 0;
      weighed[v] += size > 1 ? own : 0;
      near[v] += degree(arc.to) > 3 && (size == 1 || size == 3) ? size : 7;
    }
  }
  return {{best, alike, weighed, near}, {}, {}};
}

Answer edges_numbered(const OracleGraph& graph, const Request& request) {
  EdgesNumbered edges(graph, request.number("least", 2));
  edges.compare();
  edges.add_up();
  edges.turn_twice();
  const std::size_t source =
      graph.index_of(static_cast<std::uint64_t>(request.number("source", 0)));
  std::vector<double> near(graph.size(), 0);
  for (const Arc& arc : graph.out[source])
    near[source] += edges.common(source, arc.to) * edges.degree(arc.to);
  return {{edges.alike, edges.strong, edges.corners, edges.heavy, edges.turn, edges.held, near,
           edges.dense},
          {edges.kin},
          {}};
}

Answer overlaps(const OracleGraph& graph, const Request& request) {
  const double least = request.number("least", 2);
  EdgesNumbered edges(graph, least);
  edges.compare();
  edges.add_up();
  std::vector<double> back(graph.size(), 0);
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const Arc& arc : graph.out[u]) back[arc.to] += edges.common(u, arc.to) > least;
  return {{edges.alike, edges.strong, edges.heavy, edges.corners, back}, {}, {}};
}

Answer edges_weighed(const OracleGraph& graph, const Request&) {
  EdgesWeighed edges(graph);
  for (int limit = 2; limit < 6; ++limit) {
    edges.weigh(limit);
    edges.count(limit);
  }
  return {{edges.left, edges.total}, {}, {}};
}

}  // namespace vertigo::oracle
