// What blocks append together: each vertex once, however many a block finds between two turns, and
// however few vertices the list that is visited has. Exit code 1, and one line for each difference.

#include <algorithm>
#include <cstdio>
#include <vector>

#include "device_array.h"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/generated.cuh"
#include "vertigo/device/step_loop.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

constexpr unsigned kSteps = 2;

/// Vertex `v` of the list that is visited finds v % most vertices, in each step others.
__host__ __device__ Vertex found(Vertex v, unsigned step, unsigned i, unsigned most) {
  return (v * kSteps + step) * most + i;
}

__device__ void visit(const Worklist& visited, BlockAppender& list, unsigned step, unsigned most) {
  for (const Tile tile : tiles(visited)) {
    turn(list);
    if (!tile.active) continue;
    for (unsigned i = 0; i < tile.vertex % most; ++i)
      append(list, found(tile.vertex, step, i, most));
  }
}

__global__ void __launch_bounds__(kBlock)
    run(const Worklist visited, const Worklist found_list, bool always, unsigned most) {
  __shared__ BlockAppender::Room room;
  for (unsigned step = 0; step < kSteps; ++step) {
    if (always) {
      BlockAppender list(found_list, room);
      visit(visited, list, step, most);
    } else {
      BlockAppender list(found_list, room, visited);
      visit(visited, list, step, most);
    }
    grid_sync();
  }
}

bool is_right(unsigned vertices, unsigned most, unsigned blocks, bool always) {
  std::vector<Vertex> listed(vertices), expected;
  for (Vertex v = 0; v < vertices; ++v) {
    listed[v] = vertices - 1 - v;
    for (unsigned step = 0; step < kSteps; ++step)
      for (unsigned i = 0; i < v % most; ++i) expected.push_back(found(v, step, i, most));
  }
  const Array<Vertex> items(listed), places(std::vector<Vertex>(expected.size() + 1, kNoVertex));
  const Array<std::uint32_t> counts(std::vector<std::uint32_t>{vertices, 0});
  Worklist visited, list;
  visited.items = items.get();
  visited.count = counts.get();
  list.items = places.get();
  list.count = counts.get() + 1;
  launch_cooperative(run, blocks, kBlock, nullptr, visited, list, always, most);
  check(cudaDeviceSynchronize());
  std::vector<Vertex> appended = places.values();
  std::sort(appended.begin(), appended.end());
  expected.push_back(kNoVertex);
  std::sort(expected.begin(), expected.end());
  return counts.values()[1] + 1 == expected.size() && appended == expected;
}

}  // namespace

int main() try {
  unsigned tried = 0, failures = 0;
  // From 16,384 vertices on, blocks collect by themselves.
  for (const unsigned vertices : {0u, 1u, 300u, 16'383u, 16'461u})
    for (const unsigned most : {1u, 2u, 5u, 40u})
      for (const unsigned blocks : {1u, 3u})
        for (const bool always : {false, true}) {
          ++tried;
          if (is_right(vertices, most, blocks, always)) continue;
          ++failures;
          std::printf("differs: %u vertices, below %u each, %u blocks%s\n", vertices, most, blocks,
                      always ? ", always" : "");
        }
  std::printf("%u lists, %u differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
