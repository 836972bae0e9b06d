#include "vertigo/graph/colouring.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "vertigo/core/colour_turn.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {

namespace {

constexpr std::uint32_t kNoColour = ~std::uint32_t{0};
constexpr std::size_t kFew = 4096;  ///< vertices for which a parallel region does not pay

class GreedyColouring {
 public:
  GreedyColouring(const Graph& graph, std::uint32_t most)
      : graph_(graph),
        most_(most),
        turns_(graph.vertex_count),
        colours_(graph.vertex_count, kNoColour),
        waits_for_(graph.vertex_count) {
#pragma omp parallel for schedule(static) if (turns_.size() >= kFew)
    for (std::size_t v = 0; v < turns_.size(); ++v) turns_[v] = turn_of(static_cast<Vertex>(v));
  }

  ColourClasses run() {
    std::vector<Vertex> ready = begin();
    while (!ready.empty()) {
      colour(ready);
      ready = released_by(ready);
    }
    return classes();
  }

 private:
  /// visit(u) for the neighbours in both directions, as often as there are edges.
  template <class Visit>
  void for_each_neighbour(Vertex v, const Visit& visit) const {
    for (const Vertex u : graph_.out.neighbours(v)) visit(u);
    if (graph_.symmetric) return;
    for (const Vertex u : graph_.in().neighbours(v)) visit(u);
  }
  EdgeIndex degree(Vertex v) const {
    return graph_.out.degree(v) + (graph_.symmetric ? 0 : graph_.in().degree(v));
  }
  std::uint64_t turn_of(Vertex v) const { return colour_turn(degree(v), v); }
  bool goes_before(Vertex v, Vertex u) const { return turns_[v] > turns_[u]; }

  std::vector<Vertex> begin() {
    return collect(graph_.vertex_count, [&](std::size_t i, std::vector<Vertex>& found) {
      const auto v = static_cast<Vertex>(i);
      std::uint64_t waits = 0;
      for_each_neighbour(v, [&](Vertex u) { waits += u != v && goes_before(u, v); });
      waits_for_[v].store(waits, std::memory_order_relaxed);
      if (waits == 0) found.push_back(v);
    });
  }

  // No two of them are neighbours: one of these would wait for the other.
  void colour(const std::vector<Vertex>& ready) {
    ExceptionCarrier carrier;
#pragma omp parallel if (ready.size() >= kFew)
    {
      std::vector<Vertex> seen_by;  // colour -> the vertex for which it was seen last, and one
#pragma omp for schedule(dynamic, 256)
      for (std::size_t i = 0; i < ready.size(); ++i)
        carrier.run([&] { colours_[ready[i]] = first_colour_for(ready[i], seen_by); });
    }
    carrier.rethrow();
  }

  std::uint32_t first_colour_for(Vertex v, std::vector<Vertex>& seen_by) const {
    for_each_neighbour(v, [&](Vertex u) {
      const std::uint32_t colour = u == v ? kNoColour : colours_[u];
      if (colour == kNoColour) return;
      if (colour >= seen_by.size()) seen_by.resize(colour + 1, 0);
      seen_by[colour] = v + 1;
    });
    std::uint32_t first = 0;
    while (first < most_ && first < seen_by.size() && seen_by[first] == v + 1) ++first;
    return first;
  }

  std::vector<Vertex> released_by(const std::vector<Vertex>& done) {
    return collect(done.size(), [&](std::size_t i, std::vector<Vertex>& found) {
      const Vertex v = done[i];
      for_each_neighbour(v, [&](Vertex u) {
        if (u == v || !goes_before(v, u)) return;
        if (waits_for_[u].fetch_sub(1, std::memory_order_acq_rel) == 1) found.push_back(u);
      });
    });
  }

  /// What `each(i, found)` finds for all i below `count`, in any order.
  template <class Each>
  static std::vector<Vertex> collect(std::size_t count, const Each& each) {
    std::vector<Vertex> all;
    ExceptionCarrier carrier;
#pragma omp parallel if (count >= kFew)
    {
      std::vector<Vertex> found;
#pragma omp for schedule(dynamic, 1024) nowait
      for (std::size_t i = 0; i < count; ++i) carrier.run([&] { each(i, found); });
#pragma omp critical(vertigo_colouring_collect)
      carrier.run([&] { all.insert(all.end(), found.begin(), found.end()); });
    }
    carrier.rethrow();
    return all;
  }

  ColourClasses classes() const {
    ColourClasses result;
    std::size_t colours = 0;
    for (const std::uint32_t colour : colours_)
      colours = std::max<std::size_t>(colours, colour + 1);
    result.begins.assign(colours + 1, 0);
    for (const std::uint32_t colour : colours_) ++result.begins[colour + 1];
    for (std::size_t c = 0; c < colours; ++c) result.begins[c + 1] += result.begins[c];
    std::vector<std::size_t> next(result.begins.begin(), result.begins.end() - 1);
    result.is_mixed = most_ != kAllColours && colours == most_ + std::size_t{1};
    result.vertices.resize(colours_.size());
    for (std::size_t v = 0; v < colours_.size(); ++v)
      result.vertices[next[colours_[v]]++] = static_cast<Vertex>(v);
    return result;
  }

  const Graph& graph_;
  const std::uint32_t most_;
  std::vector<std::uint64_t> turns_;
  std::vector<std::uint32_t> colours_;
  std::vector<std::atomic<std::uint64_t>> waits_for_;  ///< edges to neighbours that go before
};

}  // namespace

ColourClasses colour_classes(const Graph& graph, std::uint32_t most) {
  if (graph.symmetric || graph.in_adjacency) return GreedyColouring(graph, most).run();
  Graph both = graph;
  build_transpose(both);
  return GreedyColouring(both, most).run();
}

}  // namespace vertigo::graph
