// Lists that blocks offer to each other: in every step each edge of a listed vertex is visited once
// by each call, with its own vertex and what that kept, and what a list came to returns to its
// vertex, whoever took the pieces. Exit code 1, and one line for each difference.

#include <cstdio>
#include <string>
#include <vector>

#include "device_array.h"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/donations.cuh"
#include "vertigo/device/generated.cuh"
#include "vertigo/device/step_loop.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

int failures = 0;

struct Results {
  unsigned* visits;         // of each out-edge
  unsigned long long* sum;  // of the edges in both directions, all steps
  float* halves;            // of half the out-edges, the last step
  unsigned* strangers;
};

__device__ void step(const Graph<>& graph, const Worklist& list, const Results& to) {
  Donations donations(graph, list);
  for (const Tile tile : tiles(list, donations)) {
    const Vertex v = tile.vertex;
    const auto kept = keep(3 * std::uint64_t{v});
    expand_grid(donations, out_neighbours(graph), v, tile.active, kept,
                [&](Vertex of, Vertex e, std::uint64_t kept) {
                  atomicAdd(to.visits + e, 1u);
                  if (kept != 3 * std::uint64_t{of} || e < graph.out.offsets[of] ||
                      e >= graph.out.offsets[of + 1])
                    atomicAdd(to.strangers, 1u);
                });
    const std::uint64_t sum =
        gather_grid(donations, both_neighbours(graph), v, tile.active, keep(), Sum{},
                    std::uint64_t{0}, [](Vertex, Vertex e, std::uint64_t& sum) {
                      sum += e;
                      return true;
                    });
    // The fifth call: it offers nothing.
    const std::uint64_t once_more =
        gather_grid(donations, both_neighbours(graph), v, tile.active, keep(), Max{},
                    std::uint64_t{0}, [](Vertex, Vertex e, std::uint64_t& most) {
                      most = most < e ? e : most;
                      return true;
                    });
    const float halves = gather_grid(donations, out_neighbours(graph), v, tile.active, keep(),
                                     Sum{}, 0.0f, [](Vertex, Vertex e, float& sum) {
                                       sum += 1.0f / static_cast<float>(e + 1);
                                       return true;
                                     });
    if (!tile.active) continue;
    to.sum[v] += sum + once_more;
    to.halves[v] = halves;
  }
}

__global__ void __launch_bounds__(kBlock)
    run(const Graph<> graph, Worklist list, const DonationBoard start, const Results to,
        unsigned steps) {
  __shared__ OfBlock<DonationBoard> board;
  if (threadIdx.x == 0) board.value = start;
  __syncthreads();
  list.board = &board.value;
  for (unsigned i = 0; i < steps; ++i) {
    step(graph, list, to);
    grid_sync();
  }
}

struct Lists {
  std::string name;
  std::vector<EdgeIndex> lengths;
};

// A target is the number of its own edge.
struct Direction {
  std::vector<EdgeIndex> offsets{0};
  std::vector<Vertex> targets;
  Direction(const std::vector<EdgeIndex>& lengths) {
    for (const EdgeIndex length : lengths) offsets.push_back(offsets.back() + length);
    for (EdgeIndex e = 0; e < offsets.back(); ++e) targets.push_back(static_cast<Vertex>(e));
  }
};

void try_lists(const Lists& lists, unsigned every, unsigned by_grid, unsigned blocks) {
  constexpr unsigned kSteps = 3;
  std::vector<EdgeIndex> reversed(lists.lengths.rbegin(), lists.lengths.rend());
  const Direction out(lists.lengths), in(reversed);
  const auto vertices = static_cast<Vertex>(lists.lengths.size());
  std::vector<Vertex> listed;
  for (Vertex v = 0; v < vertices; v += every) listed.push_back(v);

  const Array<EdgeIndex> out_offsets(out.offsets), in_offsets(in.offsets);
  const Array<Vertex> out_targets(out.targets), in_targets(in.targets), items(listed);
  const Array<std::uint32_t> count(
      std::vector<std::uint32_t>{static_cast<std::uint32_t>(listed.size())});
  Graph<> graph;
  graph.vertex_count = graph.last = vertices;
  graph.out.offsets = out_offsets.get();
  graph.out.targets = out_targets.get();
  graph.in.offsets = in_offsets.get();
  graph.in.targets = in_targets.get();
  graph.out.sharing.by_grid = graph.in.sharing.by_grid = by_grid;
  Worklist list;
  list.items = items.get();
  list.count = count.get();

  const Array<gpu::detail::Donation> donations{std::vector<gpu::detail::Donation>(kDonations)};
  const Array<std::uint32_t> words(std::vector<std::uint32_t>(kBoardWords, 0));
  DonationBoard board;
  board.donations = donations.get();
  board.offered = words.get();
  board.finished = words.get() + kBoardLine;
  board.stamps = reinterpret_cast<std::uint64_t*>(words.get() + 2 * kBoardLine);

  const Array<unsigned> visits(std::vector<unsigned>(out.targets.size(), 0));
  const Array<unsigned long long> sums(std::vector<unsigned long long>(vertices, 0));
  const Array<float> halves(std::vector<float>(vertices, 0));
  const Array<unsigned> strangers(std::vector<unsigned>{0});
  const Results to{visits.get(), sums.get(), halves.get(), strangers.get()};
  launch_cooperative(run, blocks, kBlock, nullptr, graph, list, board, to, kSteps);
  check(cudaDeviceSynchronize());

  const std::vector<unsigned> visited = visits.values();
  const std::vector<unsigned long long> summed = sums.values();
  const std::vector<float> halved = halves.values();
  bool good = strangers.values()[0] == 0;
  bool some_long = false;
  for (Vertex v = 0; v < vertices; ++v) {
    const bool active = v % every == 0;
    unsigned long long sum = 0, most = 0;
    double half = 0;
    for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) {
      good = good && visited[e] == (active ? kSteps : 0);
      sum += e;
      most = std::max<unsigned long long>(most, e);
      half += 1.0 / static_cast<double>(e + 1);
    }
    for (EdgeIndex e = in.offsets[v]; e < in.offsets[v + 1]; ++e) {
      sum += e;
      most = std::max<unsigned long long>(most, e);
    }
    some_long = some_long || (active && (lists.lengths[v] >= by_grid || reversed[v] >= by_grid));
    good = good && summed[v] == (active ? kSteps * (sum + most) : 0) &&
           std::abs(halved[v] - (active ? half : 0)) <= 1e-5 * half;
  }
  // That lists were offered, or not, is what is tried here.
  const bool offered = words.values()[0] != 0;
  if (good && offered == (some_long && listed.size() <= kMostDonors)) return;
  ++failures;
  std::printf("differs: %s, every %u-th, from %u edges on, %u blocks%s\n", lists.name.c_str(),
              every, by_grid, blocks, good ? ": what is offered" : "");
}

std::vector<Lists> all_lists() {
  std::vector<Lists> all = {
      {"none is long", std::vector<EdgeIndex>(300, 3)},
      {"one hub alone", {5000}},
      {"a hub among short ones", std::vector<EdgeIndex>(600, 2)},
      {"all are hubs", std::vector<EdgeIndex>(40, 700)},
      {"two hubs side by side, of more pieces than are offered", std::vector<EdgeIndex>(20, 17)},
      {"more vertices than may offer", std::vector<EdgeIndex>(kMostDonors + 200, 1)},
  };
  all[2].lengths[300] = 9000;
  all[4].lengths[6] = 600 * kBlock;
  all[4].lengths[8] = 601 * kBlock + 1;
  all[5].lengths[4] = 4000;
  return all;
}

}  // namespace

int main() try {
  unsigned tried = 0;
  for (const Lists& lists : all_lists())
    for (const unsigned every : {1u, 2u})
      for (const unsigned by_grid : {300u, kGridList, kNoList})
        for (const unsigned blocks : {1u, 3u}) {
          ++tried;
          try_lists(lists, every, by_grid, blocks);
        }
  std::printf("%u graphs, %d differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
