#pragma once
// Lists of vertices of given lengths, for tests.

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "vertigo/device/generated.cuh"

namespace vertigo::gpu {

struct Lists {
  std::vector<EdgeIndex> offsets{0};
  std::vector<Vertex> targets;
};

inline Lists random_lists(const std::vector<EdgeIndex>& lengths, Vertex vertices,
                          std::mt19937_64& random) {
  Lists lists;
  for (const EdgeIndex length : lengths) {
    for (EdgeIndex i = 0; i < length; ++i)
      lists.targets.push_back(static_cast<Vertex>(random() % vertices));
    std::sort(lists.targets.begin() + static_cast<std::ptrdiff_t>(lists.offsets.back()),
              lists.targets.end());
    lists.offsets.push_back(lists.targets.size());
  }
  return lists;
}

}  // namespace vertigo::gpu
