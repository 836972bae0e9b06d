// A graph in several parts: kernels that are given one part after the other meet each vertex and
// each edge once, as those that are given the graph do.

#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device_array.h"
#include "vertigo/device/edges.cuh"
#include "vertigo/graph/generate.h"
#include "whole_edges.h"

using namespace vertigo;
using namespace vertigo::gpu;

namespace {

int tries = 0;
int failures = 0;

struct Sums {
  unsigned long long* of_out;
  unsigned long long* of_in;
  unsigned* visits;
};

/// Adds up what the listed vertices' edges lead to; each vertex, times the weight of the edge.
__global__ void add_up(gpu::Graph<std::int32_t> graph, const Vertex* vertices, unsigned count,
                       bool in, Sums sums) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const Vertex v = vertices[i];
    for (const auto [u, weight] : out_edges(graph, v))
      sums.of_out[v] += static_cast<unsigned long long>(u + 1) * static_cast<unsigned>(weight);
    if (in)
      for (const Vertex u : in_neighbours(graph, v)) sums.of_in[v] += u + 1;
    ++sums.visits[v];
  }
}

/// The view that kernels are given, as a session makes it.
void show(const detail::HeldLists& lists, gpu::Adjacency<std::int32_t>& adjacency) {
  if (lists.offsets == nullptr) return;
  adjacency.offsets = graph::as_whole(lists.offsets, lists.first);
  adjacency.targets = graph::as_whole(lists.targets, lists.base);
  adjacency.attributes =
      graph::as_whole(static_cast<const std::int32_t*>(lists.attributes), lists.base);
}

struct Found {
  std::vector<unsigned long long> of_out;
  std::vector<unsigned long long> of_in;
  std::vector<unsigned> visits;
  bool operator==(const Found&) const = default;
};

Found on_device(const graph::Graph& host, const std::vector<graph::Part>& parts, Edges where) {
  detail::Device device(0);
  detail::Arrays arrays(device);
  const bool in = host.symmetric || host.in_adjacency;
  detail::WholeEdges edges(host, in, sizeof(std::int32_t), arrays);
  arrays.declare_words();
  arrays.allocate(0, where);
  const std::vector<unsigned long long> zeros(host.vertex_count, 0);
  const Array<unsigned long long> of_out(zeros);
  const Array<unsigned long long> of_in(zeros);
  const Array<unsigned> visits(std::vector<unsigned>(host.vertex_count, 0));
  for (const graph::Part& part : parts) {
    std::vector<Vertex> listed;
    for (std::size_t i = 0; i < part.vertices.size(); ++i) listed.push_back(part.vertices[i]);
    const Array<Vertex> vertices(listed);
    gpu::Graph<std::int32_t> graph;
    const detail::HeldEdges held = edges.acquire(part);
    show(held.out, graph.out);
    show(held.in, graph.in);
    add_up<<<2, kBlock, 0, device.stream>>>(graph, vertices.get(),
                                            static_cast<unsigned>(listed.size()), in,
                                            Sums{of_out.get(), of_in.get(), visits.get()});
    check(cudaGetLastError());
    check(cudaStreamSynchronize(device.stream));
    edges.release(part);
  }
  return {of_out.values(), of_in.values(), visits.values()};
}

Found on_host(const graph::Graph& host) {
  Found found;
  const bool in = host.symmetric || host.in_adjacency;
  const auto& weights = std::get<graph::Array<std::int32_t>>(host.out.weights);
  for (Vertex v = 0; v < host.vertex_count; ++v) {
    unsigned long long of_out = 0;
    unsigned long long of_in = 0;
    for (EdgeIndex e = host.out.offsets[v]; e < host.out.offsets[v + 1]; ++e)
      of_out += static_cast<unsigned long long>(host.out.targets[e] + 1) *
                static_cast<unsigned>(weights[e]);
    if (in)
      for (const Vertex u : host.in().neighbours(v)) of_in += u + 1;
    found.of_out.push_back(of_out);
    found.of_in.push_back(of_in);
    found.visits.push_back(1);
  }
  return found;
}

void expect_same(const graph::Graph& host, const std::vector<graph::Part>& parts,
                 const std::string& name) {
  for (const Edges where : {Edges::OnDevice, Edges::OnHost}) {
    ++tries;
    if (on_device(host, parts, where) == on_host(host)) continue;
    ++failures;
    std::printf("differs: %s of %s, edges %s\n", name.c_str(), host.name.c_str(),
                where == Edges::OnHost ? "in host memory" : "on the device");
  }
}

void try_graph(const char* expression, bool transpose) {
  graph::Graph host = graph::generate(graph::parse_generator(expression));
  if (transpose) graph::build_transpose(host);
  expect_same(host, {graph::whole(host)}, "one part");
  for (const EdgeIndex most : {EdgeIndex{1}, EdgeIndex{100}, EdgeIndex{1} << 40})
    expect_same(host, graph::parts_of_ranges(host, most),
                "parts of " + std::to_string(most) + " edges");
  std::mt19937 random(5);
  std::vector<std::uint32_t> class_of(host.vertex_count);
  for (std::uint32_t& number : class_of) number = random() % 3;
  expect_same(host, graph::parts_of_classes(host, class_of), "classes");
}

}  // namespace

int main() {
  try_graph("kron:6:4", false);
  try_graph("rmat:6:4", false);
  try_graph("rmat:6:4", true);
  try_graph("star:70", false);
  try_graph("empty:3", false);
  std::printf("%d cases, %d differences\n", tries, failures);
  return failures == 0 ? 0 : 1;
}
