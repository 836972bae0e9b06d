// Shortest and widest paths along edges and through vertices that conditions choose: Dijkstra's
// search, which settles the best value that is left.

#include <cmath>
#include <functional>
#include <queue>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

struct Search {
  double start = 0;
  bool widest = false;  ///< else shortest
  /// Whether a vertex of the first value sends along an edge.
  std::function<bool(double, std::size_t, const Arc&)> goes = [](double, std::size_t, const Arc&) {
    return true;
  };
  /// What it sends; null: the sum of both, or for a widest path the smaller one.
  std::function<double(double, std::size_t, const Arc&)> sent = nullptr;
  /// Whether a vertex takes a value.
  std::function<bool(double, std::size_t)> takes = [](double, std::size_t) { return true; };
};

std::vector<double> values(const OracleGraph& graph, const Request& request, const Search& search) {
  const double sign = search.widest ? -1 : 1;
  std::vector<double> value(graph.size(), search.widest ? 0 : kUnreached);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
  const auto offer = [&](double offered, std::size_t v) {
    if (sign * offered >= sign * value[v] || !search.takes(offered, v)) return;
    value[v] = offered;
    waiting.emplace(sign * offered, v);
  };
  offer(search.start, graph.index_of(std::stoull(request.text("source"))));
  while (!waiting.empty()) {
    const auto [rank, v] = waiting.top();
    waiting.pop();
    const double from = sign * rank;
    if (from != value[v]) continue;
    for (const Arc& arc : graph.out[v])
      if (search.goes(from, v, arc))
        offer(search.sent     ? search.sent(from, v, arc)
              : search.widest ? std::min(from, arc.weight)
                              : from + arc.weight,
              arc.to);
  }
  return value;
}

double degree(const OracleGraph& graph, std::size_t v) {
  return static_cast<double>(graph.out[v].size());
}
bool is_open(const OracleGraph& graph, std::size_t v) {
  return std::fmod(degree(graph, v), 3) != 2;
}
double zone(const OracleGraph& graph, std::size_t v) { return std::fmod(degree(graph, v), 4); }
bool climbs(const OracleGraph& graph, std::size_t v, const Arc& arc) {
  return std::fmod(degree(graph, v), 4) <= std::fmod(degree(graph, arc.to), 5);
}
double cap(const OracleGraph& graph, std::size_t v) { return std::fmod(degree(graph, v), 5) * 6; }

}  // namespace

Answer paths_filtered(const OracleGraph& graph, const Request& request) {
  const auto found = [&](auto goes) { return values(graph, request, {.goes = goes}); };
  const double light = 6;
  Search widest{.start = 100, .widest = true};
  widest.goes = [&](double, std::size_t, const Arc& arc) {
    return arc.weight > 2 && (is_open(graph, arc.to) || std::fmod(arc.weight, 2) == 0);
  };
  return {{found([=](double, std::size_t, const Arc& arc) { return arc.weight < light; }),
           found([](double, std::size_t, const Arc& arc) { return std::fmod(arc.weight, 4) != 1; }),
           found([&](double, std::size_t v, const Arc& arc) {
             return zone(graph, v) != 3 && is_open(graph, arc.to) && v != arc.to;
           }),
           found([&](double, std::size_t v, const Arc& arc) {
             return zone(graph, v) <= zone(graph, arc.to) || arc.weight >= light;
           }),
           found([](double from, std::size_t, const Arc& arc) { return from <= 5 * arc.weight; }),
           values(graph, request, widest)},
          {},
          {}};
}

Answer paths_back(const OracleGraph& graph, const Request& request) {
  OracleGraph reversed = graph;
  std::swap(reversed.in, reversed.out);
  Search chosen;
  chosen.goes = [&](double, std::size_t v, const Arc& arc) {
    return is_open(graph, arc.to) && zone(graph, v) <= zone(graph, arc.to) && arc.weight < 30;
  };
  return {{values(reversed, request, {}), values(reversed, request, chosen),
           values(reversed, request, {.start = 100, .widest = true})},
          {},
          {}};
}

Answer paths_both(const OracleGraph& graph, const Request& request) {
  Search light;
  light.goes = [](double, std::size_t, const Arc& arc) { return std::fmod(arc.weight, 4) != 1; };
  const std::vector<double> distances = values(graph, request, {});
  return {{distances, distances, values(graph, request, light)}, {}, {}};
}

Answer paths_around(const OracleGraph& graph, const Request& request) {
  const OracleGraph around = with_reverses(graph);
  Search chosen;
  chosen.goes = [&](double, std::size_t v, const Arc& arc) {
    return arc.weight < 6 && climbs(graph, v, arc);
  };
  return {{values(around, request, {}), values(around, request, chosen),
           values(around, request, {.start = 100, .widest = true})},
          {},
          {}};
}

Answer levels_around(const OracleGraph& graph, const Request& request) {
  OracleGraph all = with_reverses(graph);
  OracleGraph chosen = all;
  for (std::size_t v = 0; v < all.size(); ++v) {
    std::erase_if(chosen.out[v], [&](const Arc& arc) {
      return std::fmod(arc.weight, 4) == 1 || !climbs(graph, v, arc);
    });
    for (Arc& arc : all.out[v]) arc.weight = 1;
    for (Arc& arc : chosen.out[v]) arc.weight = 1;
  }
  return {{values(all, request, {}), values(chosen, request, {})}, {}, {}};
}

Answer paths_tolled(const OracleGraph& graph, const Request& request) {
  const std::vector<double> toll = read_values(graph, request.text("toll"), 2);
  const auto busy = [&](std::size_t v) { return std::fmod(degree(graph, v), 5); };
  const auto fee = [&](std::size_t v) { return std::fmod(degree(graph, v), 7) * 0.1; };
  using Sent = std::function<double(double, std::size_t, const Arc&)>;
  const auto found = [&](const OracleGraph& of, const Sent& sent) {
    Search search;
    search.sent = sent;
    return values(of, request, search);
  };
  OracleGraph reversed = graph;
  std::swap(reversed.in, reversed.out);
  Search near;
  near.goes = [&](double, std::size_t, const Arc& arc) {
    return arc.weight < 40 && busy(arc.to) != 3;
  };
  near.sent = [&](double from, std::size_t v, const Arc& arc) {
    return busy(v) + (from + arc.weight);
  };
  near.takes = [](double value, std::size_t) { return value <= 30; };
  Search widest{.start = 100, .widest = true};
  widest.sent = [&](double from, std::size_t v, const Arc& arc) {
    return std::min({from, arc.weight, busy(v) * 6});
  };
  return {{found(graph, [&](double from, std::size_t v,
                            const Arc& arc) { return from + arc.weight + std::trunc(toll[v]); }),
           values(graph, request, near),
           found(reversed,
                 [&](double from, std::size_t v, const Arc& arc) {
                   return from + arc.weight * busy(v) + std::trunc(toll[v]);
                 }),
           found(graph, [&](double from, std::size_t v,
                            const Arc& arc) { return from + arc.weight * 0.3 + fee(v) + toll[v]; }),
           found(with_reverses(graph),
                 [&](double from, std::size_t v, const Arc& arc) {
                   return std::max(from, busy(v)) + arc.weight;
                 }),
           values(graph, request, widest)},
          {},
          {}};
}

Answer paths_by_weights(const OracleGraph& graph, const Request& request) {
  const auto found = [&](auto cost) {
    Search search;
    search.sent = [=](double from, std::size_t, const Arc& arc) { return from + cost(arc.weight); };
    return values(graph, request, search);
  };
  return {{found([](double w) { return std::trunc(w / 2) + std::fabs(w); }),
           found([](double w) { return std::sqrt(w); }),
           found([](double w) { return w > 3 ? 7.0 : 2.0; }),
           found([](double w) { return std::max(w, 4.0); }),
           values(graph, request, {.start = 100, .widest = true})},
          {},
          {}};
}

Answer paths_of_vertices(const OracleGraph& graph, const Request& request) {
  const auto fee = [&](std::size_t v) { return std::fmod(degree(graph, v), 5); };
  const auto zone = [&](std::size_t v) { return std::fmod(degree(graph, v), 3); };
  const auto effort = [&](std::size_t v) { return std::fmod(degree(graph, v), 7) * 0.1; };
  OracleGraph reversed = graph;
  std::swap(reversed.in, reversed.out);
  Search leave, enter, cross, work, widest{.start = 100, .widest = true};
  leave.sent = [&](double from, std::size_t v, const Arc&) { return from + fee(v); };
  enter.sent = [&](double from, std::size_t, const Arc& arc) { return from + fee(arc.to); };
  enter.takes = [](double value, std::size_t) { return value <= 40; };
  cross.sent = [&](double from, std::size_t v, const Arc& arc) {
    return from + fee(v) + (zone(arc.to) == zone(v) ? 0 : 5);
  };
  work.sent = [&](double from, std::size_t v, const Arc& arc) {
    return from + effort(v) + 0.5 * effort(arc.to);
  };
  widest.sent = [&](double from, std::size_t v, const Arc&) { return std::min(from, 7 * fee(v)); };
  return {{values(graph, request, leave), values(graph, request, enter),
           values(with_reverses(graph), request, cross), values(reversed, request, work),
           values(graph, request, widest)},
          {},
          {}};
}

Answer paths_between(const OracleGraph& graph, const Request& request) {
  const auto fee = [&](std::size_t v) { return std::fmod(degree(graph, v), 5); };
  const auto zone = [&](std::size_t v) { return std::fmod(degree(graph, v), 3); };
  Search cross, enter, around, widest{.start = 100, .widest = true};
  cross.sent = [&](double from, std::size_t v, const Arc& arc) {
    return from + arc.weight + (zone(arc.to) == zone(v) ? 0 : 5);
  };
  enter.goes = [&](double, std::size_t v, const Arc& arc) {
    return arc.weight < 40 && zone(arc.to) != fee(v);
  };
  enter.sent = [&](double from, std::size_t v, const Arc& arc) {
    return from + arc.weight + fee(arc.to) + zone(v);
  };
  enter.takes = [](double value, std::size_t) { return value <= 60; };
  around.sent = [&](double from, std::size_t, const Arc& arc) {
    return from + arc.weight * fee(arc.to);
  };
  widest.sent = [&](double from, std::size_t, const Arc& arc) {
    return std::min({from, arc.weight, fee(arc.to) * 9});
  };
  return {{values(graph, request, cross), values(graph, request, enter),
           values(with_reverses(graph), request, around), values(graph, request, widest)},
          {},
          {}};
}

Answer paths_gated(const OracleGraph& graph, const Request& request) {
  const auto found = [&](double start, auto takes) {
    Search search{.start = start};
    search.takes = takes;
    return values(graph, request, search);
  };
  Search widest{.start = 20, .widest = true};
  widest.takes = [&](double value, std::size_t v) {
    return value > 1 && (is_open(graph, v) || value >= cap(graph, v));
  };
  return {{found(3, [&](double, std::size_t v) { return is_open(graph, v); }),
           found(0, [](double value, std::size_t) { return value <= 12; }),
           found(3, [&](double value, std::size_t v) { return value <= cap(graph, v); }),
           values(graph, request, widest)},
          {},
          {}};
}

}  // namespace vertigo::oracle
