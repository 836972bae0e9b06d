// Edges that come to the device in parts: whatever ways the tasks of a launch take, its kernel
// meets each of its vertices once, and each of their edges, as one that is given the whole graph
// does.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device_array.h"
#include "hybrid/hybrid_transfer.h"
#include "vertigo/device/edges.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/reader.h"
#include "whole_edges.h"

using namespace vertigo;
using namespace vertigo::gpu;

namespace {

int tries = 0;
int failures = 0;

constexpr std::uint64_t kEdgeBytes = sizeof(Vertex) + sizeof(std::int32_t);

struct Sums {
  unsigned long long* of_out;
  unsigned long long* of_in;
  unsigned* visits;
};

/// Adds up what the vertices' edges lead to; along out-edges, times the weight of the edge.
__device__ void add(const gpu::Graph<std::int32_t>& graph, Vertex v, Along along, Sums sums) {
  if (along != Along::In)
    for (const auto [u, weight] : out_edges(graph, v))
      sums.of_out[v] += static_cast<unsigned long long>(u + 1) * static_cast<unsigned>(weight);
  if (along != Along::Out)
    for (const Vertex u : in_neighbours(graph, v)) sums.of_in[v] += u + 1;
  ++sums.visits[v];
}
__global__ void add_listed(gpu::Graph<std::int32_t> graph, Worklist list, Along along, Sums sums) {
  for (const Vertex v : listed(list)) add(graph, v, along, sums);
}
__global__ void add_all(gpu::Graph<std::int32_t> graph, Along along, Sums sums) {
  for (const Vertex v : all_vertices(graph)) add(graph, v, along, sums);
}

/// The view that kernels are given, as a session makes it.
void show(const gpu::detail::TaskLists& lists, gpu::Adjacency<std::int32_t>& adjacency) {
  adjacency.offsets = lists.offsets;
  adjacency.targets = lists.targets;
  adjacency.attributes = static_cast<const std::int32_t*>(lists.attributes);
}

struct Found {
  std::vector<unsigned long long> of_out;
  std::vector<unsigned long long> of_in;
  std::vector<unsigned> visits;
  std::uint64_t read = 0;  ///< bytes of edges, by the ledger
  bool operator==(const Found&) const = default;
};

/// A launch: over all vertices, or over `list`.
struct Launch {
  Along along = Along::Out;
  bool lists = false;
  std::vector<Vertex> list;
};

struct Budget {
  host::Transfer way = host::Transfer::Auto;
  /// Of the edges' bytes, in thirds: what there is beside everything else.
  unsigned thirds = 1;
  std::uint64_t host_memory = 0;  ///< for edges from a file; 0: what is free
};

std::vector<Found> on_device(const graph::Graph& host, const std::vector<Launch>& launches,
                             Budget budget) {
  gpu::detail::Device device(0);
  gpu::detail::Arrays arrays(device);
  const bool in = host.symmetric || host.in_adjacency;
  gpu::detail::WholeEdges edges(host, in, sizeof(std::int32_t), 0, arrays);
  const hybrid::HostLists lists[] = {edges.on_host(false), edges.on_host(in)};
  hybrid::HybridTransfer transfer(host, lists, in ? Along::Both : Along::Out, budget.way, device);
  transfer.declare(arrays, budget.host_memory);
  arrays.declare_words();
  const std::uint64_t bytes = host.edge_count * 8 * (in && !host.symmetric ? 2 : 1);
  arrays.memory.footprint(0, Edges::InParts);  // settles what is needed
  arrays.allocate(arrays.memory.needed() + bytes * budget.thirds / 3, Edges::InParts);
  transfer.prepare(edges.held(), arrays.memory.rest(), "", budget.host_memory);
  std::vector<Found> all;
  for (const Launch& launch : launches) {
    const Array<unsigned long long> of_out(std::vector<unsigned long long>(host.vertex_count, 0));
    const Array<unsigned long long> of_in(std::vector<unsigned long long>(host.vertex_count, 0));
    const Array<unsigned> visits(std::vector<unsigned>(host.vertex_count, 0));
    const Sums sums{of_out.get(), of_in.get(), visits.get()};
    const Array<Vertex> items(launch.list);
    const Array<std::uint32_t> count(
        std::vector<std::uint32_t>{static_cast<std::uint32_t>(launch.list.size())});
    const Worklist list{items.get(), count.get()};
    transfer.begin(launch.along, launch.lists ? &list : nullptr);
    gpu::detail::Task task;
    std::uint32_t length = 0;
    while (transfer.next(task, length)) {
      gpu::Graph<std::int32_t> graph;
      graph.vertex_count = host.vertex_count;
      graph.first = task.first;
      graph.last = task.last;
      show(task.out, graph.out);
      show(task.in, graph.in);
      if (launch.lists)
        add_listed<<<2, kBlock, 0, transfer.stream()>>>(graph, task.list, launch.along, sums);
      else
        add_all<<<2, kBlock, 0, transfer.stream()>>>(graph, launch.along, sums);
      check(cudaGetLastError());
    }
    check(cudaStreamSynchronize(device.stream));
    Found& found = all.emplace_back(Found{of_out.values(), of_in.values(), visits.values()});
    for (const trace::Moved& moved : transfer.moved_since_shown()) found.read += moved.read;
  }
  return all;
}

Found on_host(const graph::Graph& host, const Launch& launch) {
  Found found;
  found.of_out.assign(host.vertex_count, 0);
  found.of_in.assign(host.vertex_count, 0);
  found.visits.assign(host.vertex_count, 0);
  const auto& weights = std::get<graph::Array<std::int32_t>>(host.out.weights);
  std::vector<Vertex> vertices = launch.list;
  if (!launch.lists) {
    vertices.resize(host.vertex_count);
    std::iota(vertices.begin(), vertices.end(), Vertex{0});
  }
  for (const Vertex v : vertices) {
    if (launch.along != Along::In)
      for (EdgeIndex e = host.out.offsets[v]; e < host.out.offsets[v + 1]; ++e)
        found.of_out[v] += static_cast<unsigned long long>(host.out.targets[e] + 1) *
                           static_cast<unsigned>(weights[e]);
    if (launch.along != Along::Out)
      for (const Vertex u : host.in().neighbours(v)) found.of_in[v] += u + 1;
    ++found.visits[v];
    // Both lists of a vertex of a symmetric graph are one.
    if (launch.along != Along::In) found.read += host.out.degree(v) * kEdgeBytes;
    if (launch.along == Along::In || (launch.along == Along::Both && !host.symmetric))
      found.read += host.in().degree(v) * kEdgeBytes;
  }
  return found;
}

/// Launches of all kinds, one after the other: slots still hold what the one before brought.
std::vector<Launch> some_launches(const graph::Graph& host) {
  std::vector<Along> ways{Along::Out};
  if (host.symmetric || host.in_adjacency) ways = {Along::Out, Along::Both, Along::In, Along::Out};
  std::mt19937 random(5);
  std::vector<Launch> launches;
  for (const Along along : ways) {
    launches.push_back({along, false, {}});
    launches.push_back({along, true, {}});
    for (const unsigned rare : {1u, 3u, 40u}) {
      Launch launch{along, true, {}};
      for (Vertex v = 0; v < host.vertex_count; ++v)
        if (random() % rare == 0) launch.list.push_back(v);
      std::shuffle(launch.list.begin(), launch.list.end(), random);
      launches.push_back(std::move(launch));
    }
  }
  return launches;
}

void try_graph(const char* expression, bool transpose) {
  graph::Graph host = graph::generate(graph::parse_generator(expression));
  if (transpose) graph::build_transpose(host);
  const std::vector<Launch> launches = some_launches(host);
  for (const host::Transfer way : {host::Transfer::Auto, host::Transfer::Filter,
                                   host::Transfer::Compaction, host::Transfer::ZeroCopy})
    for (const unsigned thirds : {0u, 1u, 2u, 6u}) {
      const std::vector<Found> found = on_device(host, launches, {way, thirds});
      for (std::size_t i = 0; i < launches.size(); ++i) {
        ++tries;
        if (found[i] == on_host(host, launches[i])) continue;
        ++failures;
        std::printf("differs: launch %zu of %s, way %d, %u thirds of the edges\n", i,
                    host.name.c_str(), static_cast<int>(way), thirds);
      }
    }
}

std::string temporary_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "vertigo-parts-XXXXXX").string();
  return ::mkdtemp(pattern.data());
}

graph::Graph loaded_from(const std::string& path) {
  graph::ReadOptions options;
  options.may_stay_on_file = true;
  options.host_memory = 1;
  return graph::load_graph(path, options).graph;
}

/// The least host memory that edges from the file pass through.
std::uint64_t least_host_memory(const graph::Graph& host, const std::vector<Launch>& launches) {
  for (std::uint64_t bytes = 1024;; bytes += bytes / 8) try {
      on_device(host, {launches.front()}, {host::Transfer::Filter, 0, bytes});
      return bytes;
    } catch (const Error& error) {
      if (error.code() != ExitCode::OutOfMemory) throw;
    }
}

/// The same where all edges stay in a file, with as little memory as can be on both sides, and with
/// more.
void try_file(const char* expression, bool transpose) {
  graph::Graph host = graph::generate(graph::parse_generator(expression));
  if (transpose) graph::build_transpose(host);
  const std::string folder = temporary_folder();
  graph::write_cached(host, folder + "/g.vgg");
  const graph::Graph there = loaded_from(folder + "/g.vgg");
  const std::vector<Launch> launches = some_launches(host);
  const std::uint64_t least = least_host_memory(there, launches);
  for (const host::Transfer way : {host::Transfer::Auto, host::Transfer::Filter})
    for (const unsigned thirds : {0u, 1u, 6u})
      for (const std::uint64_t host_memory : {least, 3 * least, std::uint64_t{0}}) {
        const std::vector<Found> found = on_device(there, launches, {way, thirds, host_memory});
        for (std::size_t i = 0; i < launches.size(); ++i) {
          ++tries;
          if (found[i] == on_host(host, launches[i])) continue;
          ++failures;
          std::printf("differs: launch %zu of %s from a file, way %d, %u thirds of the edges\n", i,
                      host.name.c_str(), static_cast<int>(way), thirds);
        }
      }
  // A file that is cut ends the launch that reads it.
  std::filesystem::resize_file(folder + "/g.vgg", 300);
  ExitCode code = ExitCode::Done;
  try {
    on_device(there, launches, {host::Transfer::Filter, 0, least});
  } catch (const Error& error) {
    code = error.code();
  }
  ++tries;
  if (code != ExitCode::InputRefused) {
    ++failures;
    std::printf("a file that is cut ends with code %d\n", static_cast<int>(code));
  }
  std::filesystem::remove_all(folder);
}

/// More partitions, or more tasks, than a block counts in its shared memory; and fewer.
void try_tables(std::uint32_t partitions) {
  constexpr Vertex kEach = 3;
  const Vertex vertices = partitions * kEach;
  std::vector<Vertex> begins;
  std::vector<std::uint32_t> task_of;
  std::vector<std::uint32_t> cursors;
  std::vector<EdgeIndex> offsets{0};
  for (std::uint32_t p = 0; p <= partitions; ++p) begins.push_back(p * kEach);
  for (Vertex v = 0; v < vertices; ++v)  // lists whose sum needs more than 32 bits
    offsets.push_back(offsets.back() + (EdgeIndex{1} << 31) + v);
  std::vector<Vertex> listed;
  for (Vertex v = 0; v < vertices; v += 1 + v % 2) listed.push_back(v);
  std::shuffle(listed.begin(), listed.end(), std::mt19937(7));
  std::vector<hybrid::Activity> expected(partitions);
  for (const Vertex v : listed) {
    ++expected[v / kEach].vertices;
    expected[v / kEach].edges += offsets[v + 1] - offsets[v];
  }
  for (std::uint32_t p = 0, begin = 0; p < partitions; ++p) {
    task_of.push_back(partitions - 1 - p);
    cursors.push_back(begin);
    begin += static_cast<std::uint32_t>(expected[partitions - 1 - p].vertices);
  }
  const Array<Vertex> on_device(begins);
  const Array<EdgeIndex> lists(offsets);
  const Array<Vertex> items(listed);
  const Array<Vertex> sorted(listed.size());
  const Array<std::uint32_t> count(
      std::vector<std::uint32_t>{static_cast<std::uint32_t>(listed.size())});
  const Array<std::uint32_t> tasks(task_of);
  const Array<std::uint32_t> at(cursors);
  const std::vector<hybrid::Activity> none(partitions);
  const Array<hybrid::Activity> activity(none);
  const Worklist list{items.get(), count.get()};
  const hybrid::PartitionTable table{on_device.get(), partitions};
  hybrid::launch_measure(3, nullptr, list, table, {lists.get(), nullptr}, activity.get());
  hybrid::launch_sort(3, nullptr, list, table, {tasks.get(), at.get(), partitions}, sorted.get());
  check(cudaDeviceSynchronize());
  const std::vector<hybrid::Activity> found = activity.values();
  std::vector<Vertex> order = sorted.values();
  bool right = true;
  for (std::uint32_t p = 0; p < partitions; ++p)
    right = right && found[p].vertices == expected[p].vertices &&
            found[p].edges == expected[p].edges &&
            found[p].lines >= found[p].edges / (hybrid::kLineBytes / sizeof(Vertex));
  // Tasks run backwards through the partitions.
  for (std::size_t i = 1; i < order.size(); ++i)
    right = right && order[i - 1] / kEach >= order[i] / kEach;
  std::sort(order.begin(), order.end());
  std::sort(listed.begin(), listed.end());
  right = right && order == listed;
  ++tries;
  if (right) return;
  ++failures;
  std::printf("differs: tables of %u partitions\n", partitions);
}

void expect(bool right, const char* what) {
  ++tries;
  if (right) return;
  ++failures;
  std::printf("%s\n", what);
}

/// How often of 100 launches the model is followed, where it predicts `by_model` and `in_place`,
/// and the launches take `real_by_model` and `real_in_place`.
unsigned follow_model(hybrid::Experience& experience, double by_model, double in_place,
                      double real_by_model, double real_in_place) {
  using Mode = hybrid::Experience::Mode;
  unsigned followed = 0;
  for (unsigned i = 0; i < 100; ++i) {
    const Mode mode = experience.choose(by_model, in_place);
    followed += mode == Mode::ByModel;
    experience.learn(mode == Mode::ByModel ? real_by_model : real_in_place);
  }
  return followed;
}

/// The model is believed until launches take so much longer than it says that reading in place may
/// be quicker.
void try_experience() {
  hybrid::Experience experience;
  expect(follow_model(experience, 0.010, 0.015, 0.014, 0.016) == 100,
         "a model that is wrong by less than the difference is not followed");
  const unsigned followed = follow_model(experience, 0.010, 0.015, 0.040, 0.020);
  expect(followed > 1 && followed < 10, "the slower mode is not left, or never tried again");
  expect(follow_model(experience, 0.00010, 0.00015, 0.0001, 0.00015) == 100,
         "long launches teach something of short ones");
  experience.learn(1e-9);  // nothing was asked: nothing is learnt
  expect(experience.choose(0, 0) == hybrid::Experience::Mode::ByModel,
         "the model is not followed where there is nothing to bring");
}

}  // namespace

int main() {
  try_experience();
  try_tables(1);
  try_tables(1024);
  try_tables(1025);

  try_graph("kron:9:6", false);
  try_graph("rmat:9:6", false);
  try_graph("rmat:9:6", true);
  try_graph("star:3000", false);
  try_graph("road:50x40", false);
  try_graph("empty:3", false);
  try_file("kron:9:6", false);
  try_file("rmat:9:6", false);
  try_file("rmat:9:6", true);
  try_file("star:3000", false);
  std::printf("%d cases, %d differences\n", tries, failures);
  return failures == 0 ? 0 : 1;
}
