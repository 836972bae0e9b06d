// The preparations of vertigo/device/prepare.cuh against the host's own sorting, on random tiny
// graphs. Exit code 1, and one line for each difference, where they differ.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/device/prepare.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("differs: %s\n", what.c_str());
}

void check(cudaError_t code) {
  if (code != cudaSuccess) throw Error(ExitCode::DeviceUnusable, cudaGetErrorString(code));
}

/// An array on the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <class Weight>
struct HostLists {
  std::vector<EdgeIndex> offsets;
  std::vector<Vertex> targets;
  std::vector<Weight> weights;
};

template <class Weight>
HostLists<Weight> random_lists(Vertex vertices, std::size_t edges, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Vertex> sources(edges);
  for (Vertex& source : sources) source = static_cast<Vertex>(random() % vertices);
  HostLists<Weight> lists;
  lists.offsets.resize(vertices + 1, 0);
  for (const Vertex source : sources) ++lists.offsets[source + 1];
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  const std::uint64_t range = seed % 3 == 0 ? 64 : ~std::uint64_t{0};
  for (std::size_t i = 0; i < edges; ++i) {
    lists.targets.push_back(static_cast<Vertex>(random() % vertices));
    lists.weights.push_back(static_cast<Weight>(static_cast<std::int64_t>(random() % range)));
  }
  return lists;
}

/// The edges of list `v` in another order: `less` compares edge numbers.
template <class Less>
std::vector<EdgeIndex> sorted_list(const std::vector<EdgeIndex>& offsets, Vertex v,
                                   const Less& less) {
  std::vector<EdgeIndex> edges(offsets[v + 1] - offsets[v]);
  std::iota(edges.begin(), edges.end(), offsets[v]);
  std::stable_sort(edges.begin(), edges.end(), less);
  return edges;
}

template <class Weight>
void try_graph(Vertex vertices, std::size_t edges, std::uint32_t seed, prepare::WeightOrder order) {
  const std::string name = std::to_string(vertices) + " vertices, " + std::to_string(edges) +
                           " edges, seed " + std::to_string(seed);
  const HostLists<Weight> host = random_lists<Weight>(vertices, edges, seed);
  const Array<EdgeIndex> offsets(host.offsets);
  const Array<Vertex> targets(host.targets);
  const Array<Weight> weights(host.weights);
  const prepare::Lists lists{vertices,      edges,         offsets.get(),
                             targets.get(), weights.get(), sizeof(Weight)};
  const auto degree = [&](Vertex v) { return host.offsets[v + 1] - host.offsets[v]; };

  const Array<Vertex> old_of_new(vertices);
  const Array<Vertex> new_of_old(vertices);
  prepare::degree_order(nullptr, offsets.get(), vertices, old_of_new.get(), new_of_old.get());
  std::vector<Vertex> by_degree(vertices);
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::stable_sort(by_degree.begin(), by_degree.end(),
                   [&](Vertex a, Vertex b) { return degree(a) > degree(b); });
  expect(old_of_new.values() == by_degree, "degree order of " + name);
  const std::vector<Vertex> place = new_of_old.values();
  for (Vertex i = 0; i < vertices; ++i) expect(place[by_degree[i]] == i, "way back of " + name);

  const Array<EdgeIndex> new_offsets(vertices + std::size_t{1});
  const Array<Vertex> new_targets(edges);
  const Array<Weight> new_weights(edges);
  prepare::relabel(nullptr, lists, old_of_new.get(), new_of_old.get(),
                   {new_offsets.get(), new_targets.get(), new_weights.get()});
  HostLists<Weight> wanted{{0}, {}, {}};
  for (const Vertex v : by_degree) {
    for (const EdgeIndex e : sorted_list(host.offsets, v, [&](EdgeIndex a, EdgeIndex b) {
           return place[host.targets[a]] < place[host.targets[b]];
         })) {
      wanted.targets.push_back(place[host.targets[e]]);
      wanted.weights.push_back(host.weights[e]);
    }
    wanted.offsets.push_back(wanted.targets.size());
  }
  expect(new_offsets.values() == wanted.offsets, "offsets in the order of " + name);
  expect(new_targets.values() == wanted.targets, "targets in the order of " + name);
  expect(new_weights.values() == wanted.weights, "weights in the order of " + name);

  prepare::sort_lists_by_weight(nullptr, lists, order,
                                {nullptr, new_targets.get(), new_weights.get()});
  wanted = {};
  for (Vertex v = 0; v < vertices; ++v)
    for (const EdgeIndex e : sorted_list(host.offsets, v, [&](EdgeIndex a, EdgeIndex b) {
           return host.weights[a] < host.weights[b];
         })) {
      wanted.targets.push_back(host.targets[e]);
      wanted.weights.push_back(host.weights[e]);
    }
  expect(new_targets.values() == wanted.targets, "targets by weight of " + name);
  expect(new_weights.values() == wanted.weights, "weights by weight of " + name);

  const Array<std::uint32_t> narrow(vertices + std::size_t{1});
  prepare::narrow_offsets(nullptr, offsets.get(), vertices + std::size_t{1}, narrow.get());
  check(cudaDeviceSynchronize());
  expect(std::ranges::equal(narrow.values(), host.offsets), "narrow offsets of " + name);

  unsigned long long descents = 0;
  for (Vertex v = 0; v < vertices; ++v)
    for (EdgeIndex e = host.offsets[v] + 1; e < host.offsets[v + 1]; ++e)
      descents += host.targets[e - 1] > host.targets[e];
  const Array<unsigned long long> counted(1);
  prepare::count_descents(nullptr, lists, counted.get());
  check(cudaDeviceSynchronize());
  expect(counted.values().front() == descents, "descents of " + name);

  const prepare::DegreeStatistics found = prepare::degree_statistics(nullptr, lists);
  expect(found.longest == degree(by_degree.front()), "longest list of " + name);
  expect(found.empty_lists ==
             std::ranges::count_if(by_degree, [&](Vertex v) { return degree(v) == 0; }),
         "empty lists of " + name);
}

}  // namespace

int main() {
  using prepare::WeightOrder;
  std::uint32_t seed = 0;
  try {
    for (const Vertex vertices : {1u, 2u, 31u, 33u, 255u, 257u, 1000u})
      for (const std::size_t edges :
           {std::size_t{0}, std::size_t{1}, std::size_t{vertices}, std::size_t{8} * vertices + 3}) {
        try_graph<std::uint32_t>(vertices, edges, ++seed, WeightOrder::Unsigned);
        try_graph<std::int32_t>(vertices, edges, ++seed, WeightOrder::Signed);
        try_graph<float>(vertices, edges, ++seed, WeightOrder::Float);
        try_graph<std::uint64_t>(vertices, edges, ++seed, WeightOrder::Unsigned);
        try_graph<std::int64_t>(vertices, edges, ++seed, WeightOrder::Signed);
        try_graph<double>(vertices, edges, ++seed, WeightOrder::Float);
      }
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%u graphs, %d differences\n", seed, failures);
  return failures == 0 ? 0 : 1;
}
