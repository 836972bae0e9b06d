#pragma once
// The engine `wedges` on the CPU: every edge stands in the list of its end of fewer edges, so that
// lists are short and each triangle is found once, from its corner of fewest edges. A thread marks
// that corner's list and looks its neighbours' lists up in the marks. Shares go to the corners, by
// their vertices, or to the sides, by the places of edges in these lists.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "vertigo/cpu/generated.h"
#include "vertigo/engines/wedges/operators.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::cpu::wedges {

/// Vertices numbered by falling degree; of each, its neighbours of lower numbers, ascending.
struct Oriented {
  std::vector<Vertex> order;    ///< the vertex of each number
  std::vector<Vertex> numbers;  ///< and the other way round
  std::vector<EdgeIndex> offsets;
  std::vector<Vertex> targets;
  EdgeIndex longest = 0;
  bool has_loops = false;

  template <class View>
  void make(const View& graph) {
    const std::size_t count = graph.vertex_count;
    order.resize(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<Vertex>(i);
    std::stable_sort(order.begin(), order.end(), [&](Vertex a, Vertex b) {
      return out_degree(graph, a) > out_degree(graph, b);
    });
    numbers.resize(count);
    for (std::size_t i = 0; i < count; ++i) numbers[order[i]] = static_cast<Vertex>(i);
    offsets.assign(count + 1, 0);
    std::uint32_t loops = 0;
    for_each_vertex(graph, [&, this](Vertex i) {
      EdgeIndex length = 0;
      for (const Vertex w : out_neighbours(graph, order[i])) {
        length += numbers[w] < i;
        if (w == order[i]) raise(Flag{&loops});
      }
      offsets[i + 1] = length;
    });
    has_loops = loops != 0;
    for (std::size_t i = 0; i < count; ++i) {
      longest = std::max(longest, offsets[i + 1]);
      offsets[i + 1] += offsets[i];
    }
    targets.resize(offsets[count]);
    for_each_vertex(graph, [&, this](Vertex i) {
      Vertex* const first = &targets[offsets[i]];
      Vertex* next = first;
      for (const Vertex w : out_neighbours(graph, order[i]))
        if (numbers[w] < i) *next++ = numbers[w];
      std::sort(first, next);
    });
  }
};

template <engines::wedges::Wanted Program, class Graph>
class Engine {
  static constexpr bool kBothWays = engines::wedges::kCountsBothWays<Program>;
  static constexpr bool kWeighs = Program::has_values;
  static constexpr bool kSides = Program::by_edge;
  using Share = engines::wedges::Share<Program, std::uint64_t>;
  using Sum = engines::wedges::Sum<Program>;

 public:
  void allocate(const Graph& graph, const host::RunRequest&, host::RunResult&) {
    if constexpr (!kSides) sums_.allocate(graph.vertex_count);
    counts_.allocate(graph.vertex_count);
    if constexpr (kWeighs) weights_.allocate(graph.vertex_count);
  }

  void run(execute::PhaseRun& phase, const Program& program, const Graph& graph) {
    if (graph.vertex_count == 0 || !phase.next(true)) return;
    if (scratch_.empty()) make_lists(graph);
    Share* const sums = clear_sums(graph);
    if constexpr (kWeighs) {
      Share* const weights = weights_;
      const Vertex* const order = lists_.order.data();
      for_each_vertex(graph, [=](Vertex i) {
        weights[i] = static_cast<Share>(program.common_value(order[i]));
      });
    }
    // Few vertices may have most of the work.
    cpu::detail::parallel_chunks(graph.vertex_count, 16,
                                 [=, this](std::size_t i) { find(static_cast<Vertex>(i), sums); });
    give(program, graph, sums);
    phase.done(counts_.take(), graph.edge_count);
  }

 private:
  struct alignas(64) Scratch {
    std::unique_ptr<std::uint32_t[]> marks;  ///< of each number: 1 + its place in the list at hand
    std::unique_ptr<Share[]> shares;         ///< of the list's places
  };

  /// A part of the first run: a CPU has no time of its own for preparations.
  void make_lists(const Graph& graph) {
    lists_.make(graph);
    scratch_.resize(thread_count());
    for (Scratch& scratch : scratch_) {
      scratch.marks = std::make_unique<std::uint32_t[]>(graph.vertex_count);
      scratch.shares = std::make_unique<Share[]>(lists_.longest);
    }
  }

  Share* clear_sums(const Graph& graph) {
    if constexpr (kSides) {
      sides_.assign(lists_.targets.size(), Share{0});
      return sides_.data();
    } else {
      Share* const sums = sums_;
      for_each_vertex(graph, [=](Vertex v) { sums[v] = Share{0}; });
      return sums;
    }
  }

  void give(const Program& program, const Graph& graph, const Share* sums) {
    const Counter updated = counts_;
    if constexpr (kSides) {
      cpu::detail::parallel_chunks(graph.vertex_count, 16,
                                   [=, this, &program, &graph](std::size_t v) {
                                     hand_out(program, graph, static_cast<Vertex>(v));
                                     count(updated, 1);
                                   });
    } else {
      const bool has_loops = lists_.has_loops;
      for_each_vertex(graph, [=, this, &graph](Vertex v) {
        if (!program.concerns(v)) return;
        const Share loops = has_loops ? of_loops(graph, v) : Share{0};
        const Share found = kBothWays && !kWeighs ? sums[v] + sums[v] : sums[v];
        program.update(v, static_cast<Sum>(found + loops));
        count(updated, 1);
      });
    }
  }

  void hand_out(const Program& program, const Graph& graph, Vertex v) const {
    const NeighbourRange list = out_neighbours(graph, v);
    const std::uint64_t first = static_cast<std::uint64_t>(list.begin() - graph.out.targets);
    for (std::uint64_t e = first; const Vertex u : list)
      program.keep(std::min(u, v), std::max(u, v), e++, static_cast<Sum>(of_edge(graph, u, v)));
  }
  /// Of the edge between the two, self loops included.
  Share of_edge(const Graph& graph, Vertex a, Vertex b) const {
    if (a == b) return of_all(graph, a);
    const Vertex high = std::max(lists_.numbers[a], lists_.numbers[b]);
    const Vertex low = std::min(lists_.numbers[a], lists_.numbers[b]);
    const auto list = lists_.targets.begin();
    const auto place =
        std::lower_bound(list + static_cast<std::ptrdiff_t>(lists_.offsets[high]),
                         list + static_cast<std::ptrdiff_t>(lists_.offsets[high + 1]), low);
    Share sum = sides_[static_cast<std::size_t>(place - list)];
    if (!lists_.has_loops) return sum;
    if (has_loop(graph, a)) sum += weight_of(a);
    if (has_loop(graph, b)) sum += weight_of(b);
    return sum;
  }

  /// Whether a triangle's share of the edge between them is for `a`.
  static bool is_share_of(Vertex a, Vertex b) { return Program::counts_greater ? a < b : a > b; }
  /// Whether `a` looks along the edge to `b`.
  static bool looks(Vertex a, Vertex b) { return kBothWays || is_share_of(a, b); }

  /// The triangles whose corner of the highest number is `u`.
  void find(Vertex u, Share* sums) {
    const EdgeIndex begin = lists_.offsets[u];
    const auto length = static_cast<std::uint32_t>(lists_.offsets[u + 1] - begin);
    if (length < 2) return;
    Scratch& scratch = scratch_[current_thread];
    const Vertex* const list = &lists_.targets[begin];
    const Vertex* const order = lists_.order.data();
    for (std::uint32_t j = 0; j < length; ++j) {
      scratch.marks[list[j]] = j + 1;
      scratch.shares[j] = Share{0};
    }
    Share mine{0};
    for (std::uint32_t j = 0; j < length; ++j) {
      const Vertex v = list[j];
      const EdgeIndex end = lists_.offsets[v + 1];
      if constexpr (Program::sum_alone) {
        for (EdgeIndex e = lists_.offsets[v]; e < end; ++e)
          mine += scratch.marks[lists_.targets[e]] != 0;
        continue;
      }
      for (EdgeIndex e = lists_.offsets[v]; e < end; ++e) {
        const std::uint32_t mark = scratch.marks[lists_.targets[e]];
        if (mark == 0) continue;
        if constexpr (kSides) {
          give_sides(u, v, e, scratch.shares[j], scratch.shares[mark - 1]);
        } else if constexpr (kWeighs) {
          weigh(u, v, lists_.targets[e], mine, scratch.shares[j], scratch.shares[mark - 1]);
        } else if constexpr (kBothWays) {
          ++mine;
          ++scratch.shares[j];
          ++scratch.shares[mark - 1];
        } else {
          const Vertex a = order[u], b = order[v], c = order[lists_.targets[e]];
          ++(is_share_of(a, b) ? mine : scratch.shares[j]);
          ++(is_share_of(a, c) ? mine : scratch.shares[mark - 1]);
          ++(is_share_of(b, c) ? scratch.shares[j] : scratch.shares[mark - 1]);
        }
      }
    }
    for (std::uint32_t j = 0; j < length; ++j) {
      scratch.marks[list[j]] = 0;
      if constexpr (!Program::sum_alone)
        combine_sum(sums[kSides ? begin + j : order[list[j]]], scratch.shares[j]);
    }
    if (Program::sum_alone) mine *= 3;
    if constexpr (!kSides) combine_sum(sums[order[u]], mine);
  }

  /// What the sides of u, v and the vertex w that stands at `e` in the list of v get: each the
  /// share of the corner across.
  void give_sides(Vertex u, Vertex v, EdgeIndex e, Share& for_uv, Share& for_uw) {
    const Share* const weights = weights_;
    const auto share = [&](Vertex x) { return kWeighs ? weights[x] : Share{1}; };
    for_uv += share(lists_.targets[e]);
    for_uw += share(v);
    combine_sum(sides_[e], share(u));
  }

  /// What u, v and w give each other: along an edge, its end gets the weight of the third corner.
  void weigh(Vertex u, Vertex v, Vertex w, Share& for_u, Share& for_v, Share& for_w) const {
    const Share* const weights = weights_;
    const Share of_u = weights[u], of_v = weights[v], of_w = weights[w];
    const Vertex* const order = lists_.order.data();
    if (looks(order[u], order[v])) for_u += of_w;
    if (looks(order[u], order[w])) for_u += of_v;
    if (looks(order[v], order[u])) for_v += of_w;
    if (looks(order[v], order[w])) for_v += of_u;
    if (looks(order[w], order[u])) for_w += of_v;
    if (looks(order[w], order[v])) for_w += of_u;
  }

  /// What self loops add: whoever has one is a neighbour of its own.
  Share of_loops(const Graph& graph, Vertex v) const {
    const Share own = has_loop(graph, v) ? weight_of(v) : Share{0};
    Share sum{0};
    for (const Vertex u : out_neighbours(graph, v)) {
      if (u == v) {
        if (Program::counts_equal) sum += of_all(graph, v);
      } else if (u < v ? Program::counts_less : Program::counts_greater) {
        sum += own;
        if (has_loop(graph, u)) sum += weight_of(u);
      }
    }
    return sum;
  }
  static bool has_loop(const Graph& graph, Vertex v) {
    const NeighbourRange list = out_neighbours(graph, v);
    return std::binary_search(list.begin(), list.end(), v);
  }
  /// What all neighbours of a vertex count for.
  Share of_all(const Graph& graph, Vertex v) const {
    if constexpr (!kWeighs) return static_cast<Share>(out_degree(graph, v));
    Share sum{0};
    for (const Vertex x : out_neighbours(graph, v)) sum += weight_of(x);
    return sum;
  }
  Share weight_of(Vertex x) const {
    const Share* const weights = weights_;
    return kWeighs ? weights[lists_.numbers[x]] : Share{1};
  }

  Oriented lists_;
  VertexBuffer<Share> sums_;     ///< shares of triangles, of their corners
  std::vector<Share> sides_;     ///< or of their sides
  VertexBuffer<Share> weights_;  ///< of common neighbours, by their numbers; where they weigh
  CounterBuffer counts_;
  std::vector<Scratch> scratch_;
};

}  // namespace vertigo::cpu::wedges
