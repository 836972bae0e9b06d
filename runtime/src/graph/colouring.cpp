#include "vertigo/graph/colouring.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "vertigo/core/colour_turn.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/device_lists.h"

namespace vertigo::graph {

namespace {

constexpr std::uint32_t kNoColour = ~std::uint32_t{0};
constexpr std::size_t kFew = 4096;  ///< vertices for which a parallel region does not pay

/// Visits the neighbours of v in both directions, as often as there are edges.
template <class Visit>
void for_each_neighbour(const Graph& graph, Vertex v, const Visit& visit) {
  for (const Vertex u : graph.out.neighbours(v)) visit(u);
  if (graph.symmetric) return;
  for (const Vertex u : graph.in().neighbours(v)) visit(u);
}
EdgeIndex degree(const Graph& graph, Vertex v) {
  return graph.out.degree(v) + (graph.symmetric ? 0 : graph.in().degree(v));
}

class GreedyColouring {
 public:
  GreedyColouring(const Graph& graph, std::uint32_t most)
      : graph_(graph),
        most_(most),
        turns_(graph.vertex_count),
        colours_(graph.vertex_count, kNoColour),
        waits_for_(graph.vertex_count) {
#pragma omp parallel for schedule(static) if (turns_.size() >= kFew)
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const auto v = static_cast<Vertex>(i);
      turns_[i] = most_ == kAllColours ? colour_turn(degree(graph_, v), v)
                                       : hybrid_turn(hybrid_degree(degree(graph_, v)), v);
    }
  }

  /// Of every vertex; `most` where it has none of the first `most`.
  std::vector<std::uint32_t> run() {
    std::vector<Vertex> ready = begin();
    while (!ready.empty()) {
      colour(ready);
      ready = released_by(ready);
    }
    return std::move(colours_);
  }

 private:
  bool goes_before(Vertex v, Vertex u) const {
    return most_ == kAllColours ? turns_[v] > turns_[u] : turns_[v] < turns_[u];
  }

  std::vector<Vertex> begin() {
    return collect(graph_.vertex_count, [&](std::size_t i, std::vector<Vertex>& found) {
      const auto v = static_cast<Vertex>(i);
      std::uint64_t waits = 0;
      for_each_neighbour(graph_, v, [&](Vertex u) { waits += u != v && goes_before(u, v); });
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
    for_each_neighbour(graph_, v, [&](Vertex u) {
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
      for_each_neighbour(graph_, v, [&](Vertex u) {
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

  const Graph& graph_;
  const std::uint32_t most_;
  std::vector<std::uint64_t> turns_;
  std::vector<std::uint32_t> colours_;
  std::vector<std::atomic<std::uint64_t>> waits_for_;  ///< edges to neighbours that go before
};

/// Vertices by colour; those of colour `most` have no class of their own.
ColourClasses classes_of(const std::vector<std::uint32_t>& colours, std::uint32_t most) {
  ColourClasses result;
  std::size_t count = 0;
  for (const std::uint32_t colour : colours) count = std::max<std::size_t>(count, colour + 1);
  result.begins.assign(count + 1, 0);
  for (const std::uint32_t colour : colours) ++result.begins[colour + 1];
  for (std::size_t c = 0; c < count; ++c) result.begins[c + 1] += result.begins[c];
  std::vector<std::size_t> next(result.begins.begin(), result.begins.end() - 1);
  result.has_rest = most != kAllColours && count == most + std::size_t{1};
  result.vertices.resize(colours.size());
  for (std::size_t v = 0; v < colours.size(); ++v)
    result.vertices[next[colours[v]]++] = static_cast<Vertex>(v);
  return result;
}

/// How many of the first colours are worth a class.
std::uint32_t worth_a_class(const Graph& graph, const std::vector<std::uint32_t>& colours) {
  std::vector<std::uint64_t> sizes(kMostDerived + 1, 0);
  std::uint64_t connected = 0;
  for (std::size_t v = 0; v < colours.size(); ++v) {
    if (degree(graph, static_cast<Vertex>(v)) == 0) continue;
    ++connected;
    ++sizes[colours[v]];
  }
  DerivedClasses derived(connected);
  while (derived.count() < kMostDerived && derived.takes(sizes[derived.count()])) {
  }
  return derived.count();
}

ColourClasses find_classes(const Graph& graph, std::uint32_t most) {
  await_lists(graph);
  if (most != kDerivedColours) return classes_of(GreedyColouring(graph, most).run(), most);
  std::vector<std::uint32_t> colours = GreedyColouring(graph, kMostDerived).run();
  most = worth_a_class(graph, colours);
  for (std::uint32_t& colour : colours) colour = std::min(colour, most);
  return classes_of(colours, most);
}

}  // namespace

ColourClasses colour_classes(const Graph& graph, std::uint32_t most) {
  if (const ColourClasses* const stored = stored_classes(graph, most)) return *stored;
  if (graph.symmetric || graph.in_adjacency) return find_classes(graph, most);
  Graph both = graph;
  build_transpose(both);
  return find_classes(both, most);
}

std::string described(std::span<const std::size_t> begins, bool has_rest, std::uint32_t colours) {
  const std::size_t classes = begins.size() - 1 - (has_rest ? 1 : 0);
  const std::string asked = colours == kAllColours       ? "all"
                            : colours == kDerivedColours ? "auto"
                                                         : std::to_string(colours);
  std::string text = counted(classes, "class", "classes") + " (" + asked + ")";
  if (!has_rest) return text + ", which have all vertices";
  const std::size_t in_classes = begins[classes];
  return text + ", which have " + grouped(in_classes) + " of " +
         counted(begins.back(), "vertex", "vertices") + "; the others run in a step of their own";
}

const ColourClasses* stored_classes(const Graph& graph, std::uint32_t most) {
  return most == kAllColours       ? graph.prepared.all_colours.get()
         : most == kDerivedColours ? graph.prepared.few_colours.get()
                                   : nullptr;
}

std::optional<std::pair<Vertex, Vertex>> neighbours_in_a_class(const Adjacency& lists,
                                                               const ColourClasses& classes) {
  const auto vertices = static_cast<Vertex>(classes.vertices.size());
  std::vector<std::uint32_t> of(vertices);
  for (std::size_t c = 0; c < classes.count(); ++c)
    for (std::size_t i = classes.begins[c]; i < classes.begins[c + 1]; ++i)
      of[classes.vertices[i]] = static_cast<std::uint32_t>(c);
  for (Vertex v = 0; v < vertices; ++v) {
    if (of[v] >= classes.independent()) continue;
    for (const Vertex u : lists.neighbours(v))
      if (u != v && of[u] == of[v]) return std::pair(v, u);
  }
  return std::nullopt;
}

}  // namespace vertigo::graph
