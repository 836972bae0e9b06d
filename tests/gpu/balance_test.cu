// Every form in which edges are shared out, on lists that are short, medium, long or mixed, in each
// direction: each edge is visited once, with its own vertex and what that kept. A search finds the
// first edge of a list that is marked, and visits each edge at most once. Exit code 1, and one line
// for each difference, where one is not.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "device_array.h"
#include "vertigo/device/generated.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

int failures = 0;

enum class Form { Auto, AutoAll, Mixed, Edge, Warp, Block };

// Vertices that `skips` divides do not take part. A target is the number of its own edge.
template <Form kForm>
__global__ void __launch_bounds__(kBlock)
    visit(const Graph<> graph, bool in, unsigned skips, unsigned* visits, unsigned long long* sums,
          unsigned* strangers) {
  const auto edges = in ? in_neighbours(graph) : out_neighbours(graph);
  const EdgeIndex* const offsets = edges.first.offsets;
  for (const Tile tile : tiles(graph)) {
    const Vertex v = tile.vertex;
    const bool active = tile.active && v % skips != 0;
    const auto edge = [&](Vertex of, Vertex e, std::uint64_t kept) {
      atomicAdd(visits + e, 1u);
      if (kept != 3 * std::uint64_t{of} || e < offsets[of] || e >= offsets[of + 1])
        atomicAdd(strangers, 1u);
    };
    const auto found = [&](Vertex of, Vertex e, std::uint64_t& sum, std::uint64_t kept) {
      edge(of, e, kept);
      sum += e;
      return true;
    };
    const auto kept = keep(3 * std::uint64_t{v});
    std::uint64_t sum = 0;
    if constexpr (kForm == Form::Auto) {
      expand_auto(edges, v, active, kept, edge);
      sum = gather_auto(edges, v, active, kept, Sum{}, std::uint64_t{0}, found);
    } else if constexpr (kForm == Form::AutoAll) {
      expand_auto_all(edges, v, active, kept, edge);
      sum = gather_auto(edges, v, active, kept, Sum{}, std::uint64_t{0}, found);
    } else if constexpr (kForm == Form::Edge || kForm == Form::Mixed) {
      if constexpr (kForm == Form::Edge)
        expand_by_edge(edges, v, active, kept, edge);
      else
        expand_mixed(edges, v, active, kept, edge);
      sum = gather_mixed(edges, v, active, kept, Sum{}, std::uint64_t{0}, found);
    } else if constexpr (kForm == Form::Warp) {
      expand_by_warp(edges, v, active, kept, edge);
      sum = gather_by_warp(edges, v, active, kept, Sum{}, std::uint64_t{0}, found);
    } else {
      expand_by_block(edges, v, active, kept, edge);
      sum = gather_by_block(edges, v, active, kept, Sum{}, std::uint64_t{0}, found);
    }
    if (tile.active) sums[v] = sum;
  }
}

// Whether a list has an edge that `spacing` divides, which is it, and do all others differ?
struct Answers {
  std::uint8_t some;
  std::uint8_t none;
  unsigned first;
};
constexpr unsigned kNothing = ~0u;

template <Form kForm, class Combine, class T, class Edge>
__device__ T search(const EdgeSet<NoAttribute, false>& edges, Vertex v, bool active,
                    const Combine& combine, T identity, const Edge& edge) {
  const auto kept = keep(3 * std::uint64_t{v});
  if constexpr (kForm == Form::Auto)
    return search_auto(edges, v, active, kept, combine, identity, edge);
  else if constexpr (kForm == Form::Mixed)
    return search_mixed(edges, v, active, kept, combine, identity, edge);
  else if constexpr (kForm == Form::Warp)
    return search_by_warp(edges, v, active, kept, combine, identity, edge);
  else
    return search_by_block(edges, v, active, kept, combine, identity, edge);
}

template <Form kForm>
__global__ void __launch_bounds__(kBlock)
    find(const Graph<> graph, bool in, unsigned skips, unsigned spacing, unsigned* visits,
         Answers* answers, unsigned* strangers) {
  const auto edges = in ? in_neighbours(graph) : out_neighbours(graph);
  const EdgeIndex* const offsets = edges.first.offsets;
  for (const Tile tile : tiles(graph)) {
    const Vertex v = tile.vertex;
    const bool active = tile.active && v % skips != 0;
    const auto is_marked = [&](Vertex of, Vertex e, std::uint64_t kept) {
      atomicAdd(visits + e, 1u);
      if (kept != 3 * std::uint64_t{of} || e < offsets[of] || e >= offsets[of + 1])
        atomicAdd(strangers, 1u);
      return e % spacing == 0;
    };
    Answers mine;
    mine.some = search<kForm>(edges, v, active, Or{}, false,
                              [&](Vertex of, Vertex e, bool& some, std::uint64_t kept) {
                                some = some || is_marked(of, e, kept);
                                return !some;
                              });
    mine.none = search<kForm>(edges, v, active, And{}, true,
                              [&](Vertex of, Vertex e, bool& none, std::uint64_t kept) {
                                none = none && !is_marked(of, e, kept);
                                return none;
                              });
    mine.first = search<kForm>(edges, v, active, Any<unsigned>{kNothing}, kNothing,
                               [&](Vertex of, Vertex e, unsigned& first, std::uint64_t kept) {
                                 if (!is_marked(of, e, kept)) return true;
                                 if (first == kNothing) first = e;
                                 return false;
                               });
    if (tile.active) answers[v] = mine;
  }
}

struct Lists {
  std::string name;
  std::vector<EdgeIndex> lengths;

  EdgeIndex longest() const {
    return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  }
};

// As the session does it: what no list is long enough for is left out.
Sharing sharing_of(EdgeIndex longest) {
  Sharing sharing;
  if (longest < kBlockList) sharing.by_block = kNoList;
  if (longest < kWarpList) sharing.by_warp = kNoList;
  return sharing;
}

// Lists on the device; a target is the number of its own edge.
struct OnDevice {
  std::vector<EdgeIndex> offsets{0};
  std::unique_ptr<Array<EdgeIndex>> begins;
  std::unique_ptr<Array<Vertex>> numbers;
  Graph<> graph;

  OnDevice(const Lists& lists, bool in) {
    for (const EdgeIndex length : lists.lengths) offsets.push_back(offsets.back() + length);
    std::vector<Vertex> targets(offsets.back());
    for (std::size_t e = 0; e < targets.size(); ++e) targets[e] = static_cast<Vertex>(e);
    begins = std::make_unique<Array<EdgeIndex>>(offsets);
    numbers = std::make_unique<Array<Vertex>>(targets);
    graph.vertex_count = graph.last = static_cast<Vertex>(lists.lengths.size());
    auto& adjacency = in ? graph.in : graph.out;
    adjacency.offsets = begins->get();
    adjacency.targets = numbers->get();
    adjacency.sharing = sharing_of(lists.longest());
    // The other direction has other lists and another decision, which must not be taken for this
    // one.
    (in ? graph.out : graph.in).sharing = sharing_of(lists.longest() < kWarpList ? kBlockList : 0);
  }
};

template <Form kForm>
void try_form(const Lists& lists, bool in, unsigned skips, const char* form) {
  const OnDevice device(lists, in);
  const std::vector<EdgeIndex>& offsets = device.offsets;
  const Array<unsigned> visits(std::vector<unsigned>(offsets.back(), 0));
  const Array<unsigned long long> sums(std::vector<unsigned long long>(lists.lengths.size(), 0));
  const Array<unsigned> strangers(std::vector<unsigned>{0});

  visit<kForm><<<3, kBlock>>>(device.graph, in, skips, visits.get(), sums.get(), strangers.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());

  const std::vector<unsigned> found = visits.values();
  const std::vector<unsigned long long> added = sums.values();
  bool good = strangers.values()[0] == 0;
  for (std::size_t v = 0; v < lists.lengths.size(); ++v) {
    const bool active = v % skips != 0;
    unsigned long long sum = 0;
    for (EdgeIndex e = offsets[v]; e < offsets[v + 1]; ++e) {
      good = good && found[e] == (active ? 2u : 0u);
      sum += active ? e : 0;
    }
    good = good && added[v] == sum;
  }
  if (good) return;
  ++failures;
  std::printf("differs: %s, %s of %s, without every %u-th\n", form, in ? "in-lists" : "out-lists",
              lists.name.c_str(), skips);
}

template <Form kForm>
void try_search(const Lists& lists, bool in, unsigned skips, unsigned spacing, const char* form) {
  const OnDevice device(lists, in);
  const std::vector<EdgeIndex>& offsets = device.offsets;
  const Array<unsigned> visits(std::vector<unsigned>(offsets.back(), 0));
  const Array<Answers> answers(std::vector<Answers>(lists.lengths.size(), Answers{}));
  const Array<unsigned> strangers(std::vector<unsigned>{0});

  find<kForm><<<3, kBlock>>>(device.graph, in, skips, spacing, visits.get(), answers.get(),
                             strangers.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());

  const std::vector<unsigned> found = visits.values();
  const std::vector<Answers> given = answers.values();
  bool good = strangers.values()[0] == 0;
  for (std::size_t v = 0; v < lists.lengths.size(); ++v) {
    const bool active = v % skips != 0;
    unsigned first = kNothing;
    for (EdgeIndex e = offsets[v]; e < offsets[v + 1]; ++e) {
      // Of three searches; those behind the first marked edge may have been visited, or not.
      good = good && (first == kNothing ? found[e] == (active ? 3u : 0u) : found[e] <= 3u);
      if (active && first == kNothing && e % spacing == 0) first = static_cast<unsigned>(e);
    }
    good = good && given[v].first == first && (given[v].some != 0) == (first != kNothing) &&
           (given[v].none != 0) == (first == kNothing);
  }
  if (good) return;
  ++failures;
  std::printf("search differs: %s, %s of %s, without every %u-th, every %u-th edge\n", form,
              in ? "in-lists" : "out-lists", lists.name.c_str(), skips, spacing);
}

std::vector<Lists> all_lists() {
  std::vector<Lists> all = {
      {"no vertex", {}},
      {"one without edges", {0}},
      {"all of 3", std::vector<EdgeIndex>(700, 3)},
      {"all of 15", std::vector<EdgeIndex>(300, 15)},
      {"all of 16", std::vector<EdgeIndex>(300, 16)},
      {"all of 255", std::vector<EdgeIndex>(40, 255)},
      {"all of 256", std::vector<EdgeIndex>(40, 256)},
      {"a hub among short ones", std::vector<EdgeIndex>(300, 2)},
      {"one medium among empty ones", std::vector<EdgeIndex>(300, 0)},
  };
  all[all.size() - 2].lengths[77] = 5000;
  all[all.size() - 1].lengths[299] = 200;
  std::mt19937_64 random(7);
  for (const EdgeIndex most : {EdgeIndex{15}, EdgeIndex{255}, EdgeIndex{3000}}) {
    Lists& lists = all.emplace_back(Lists{"up to " + std::to_string(most), {}});
    for (int v = 0; v < 520; ++v) {
      const EdgeIndex less = 1 + random() % most;
      lists.lengths.push_back(random() % 3 == 0 ? 0 : less % (1 + random() % less));
    }
    lists.lengths[400] = most;
  }
  return all;
}

}  // namespace

int main() try {
  unsigned tried = 0;
  for (const Lists& lists : all_lists())
    for (const bool in : {false, true})
      for (const unsigned skips : {2u, 17u, 1000u}) {
        ++tried;
        try_form<Form::Auto>(lists, in, skips, "auto");
        try_form<Form::AutoAll>(lists, in, skips, "auto, all");
        try_form<Form::Mixed>(lists, in, skips, "mixed");
        try_form<Form::Edge>(lists, in, skips, "edge");
        try_form<Form::Warp>(lists, in, skips, "warp");
        try_form<Form::Block>(lists, in, skips, "block");
        for (const unsigned spacing : {3u, 97u, 4001u}) {
          try_search<Form::Auto>(lists, in, skips, spacing, "auto");
          try_search<Form::Mixed>(lists, in, skips, spacing, "mixed");
          try_search<Form::Warp>(lists, in, skips, spacing, "warp");
          try_search<Form::Block>(lists, in, skips, spacing, "block");
        }
      }
  std::printf("%u graphs, %d differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
