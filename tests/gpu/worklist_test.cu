// What blocks append together, and what warps append of their own vertices: each vertex once,
// however many are found between two turns, and however few vertices the list that is visited has.
// Exit code 1, and one line for each difference.

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

__device__ void visit(const Worklist& visited, BlockAppender<0>& list, unsigned step,
                      unsigned most) {
  for (const Tile tile : tiles(visited)) {
    turn(list);
    if (!tile.active) continue;
    for (unsigned i = 0; i < tile.vertex % most; ++i)
      append(list, found(tile.vertex, step, i, most));
  }
}

__global__ void __launch_bounds__(kBlock)
    run(const Worklist visited, const Worklist found_list, bool always, unsigned most) {
  for (unsigned step = 0; step < kSteps; ++step) {
    if (always) {
      BlockAppender<0> list(found_list);
      visit(visited, list, step, most);
    } else {
      BlockAppender<0> list(found_list, visited);
      visit(visited, list, step, most);
    }
    grid_sync();
  }
}

/// Of a list, the vertices that `most` divides go to one list and all others to another.
__global__ void __launch_bounds__(kBlock)
    divide(const Worklist visited, const Worklist divided_list, const Worklist others_list,
           unsigned most) {
  Appender<0> divided(divided_list);
  Appender<1> others(others_list);
  for (const Vertex v : listed(visited)) {
    turn(divided);
    turn(others);
    if (v % most == 0)
      append(divided, v);
    else
      append(others, v);
  }
}

/// A list on the device, and how many it has.
class List {
 public:
  List(const std::vector<Vertex>& items, std::size_t room)
      : items_([&] {
          std::vector<Vertex> all = items;
          all.resize(room + 1, kNoVertex);
          return all;
        }()),
        count_(std::vector<std::uint32_t>{static_cast<std::uint32_t>(items.size())}) {}

  Worklist get() const {
    Worklist list;
    list.items = items_.get();
    list.count = count_.get();
    return list;
  }
  std::vector<Vertex> sorted() const {
    std::vector<Vertex> items = items_.values();
    items.resize(count_.values()[0]);
    std::sort(items.begin(), items.end());
    return items;
  }

 private:
  Array<Vertex> items_;
  Array<std::uint32_t> count_;
};

bool is_divided(unsigned vertices, unsigned most, unsigned blocks) {
  std::vector<Vertex> all(vertices), divided, others;
  for (Vertex v = 0; v < vertices; ++v) {
    all[v] = vertices - 1 - v;
    (v % most == 0 ? divided : others).push_back(v);
  }
  const List visited(all, vertices), divided_list({}, vertices), others_list({}, vertices);
  divide<<<blocks, kBlock>>>(visited.get(), divided_list.get(), others_list.get(), most);
  check(cudaDeviceSynchronize());
  return divided_list.sorted() == divided && others_list.sorted() == others;
}

bool is_right(unsigned vertices, unsigned most, unsigned blocks, bool always) {
  std::vector<Vertex> listed(vertices), expected;
  for (Vertex v = 0; v < vertices; ++v) {
    listed[v] = vertices - 1 - v;
    for (unsigned step = 0; step < kSteps; ++step)
      for (unsigned i = 0; i < v % most; ++i) expected.push_back(found(v, step, i, most));
  }
  std::sort(expected.begin(), expected.end());
  const List visited(listed, vertices), list({}, expected.size());
  launch_cooperative(run, blocks, kBlock, nullptr, visited.get(), list.get(), always, most);
  check(cudaDeviceSynchronize());
  return list.sorted() == expected;
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
  for (const unsigned vertices : {0u, 1u, 31u, 300u, 16'461u})
    for (const unsigned most : {1u, 2u, 33u, 20'000u})
      for (const unsigned blocks : {1u, 3u}) {
        ++tried;
        if (is_divided(vertices, most, blocks)) continue;
        ++failures;
        std::printf("differs: %u vertices divided by %u, %u blocks\n", vertices, most, blocks);
      }
  std::printf("%u lists, %u differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
