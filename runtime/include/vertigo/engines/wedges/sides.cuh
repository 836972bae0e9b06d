#pragma once
// When all triangles are known: the program gets the number of every edge, from each of its ends.

#include "vertigo/engines/wedges/sequence.cuh"
#include "vertigo/engines/wedges/update.cuh"

namespace vertigo::gpu::wedges {

/// common_neighbours(a, b), or the sum of their values, for the edge from a to b.
template <class Program, class Attribute>
__device__ __forceinline__ Total<Program> of_edge(const Adjacency<Attribute>& out,
                                                  const Oriented& lists,
                                                  const Total<Program>* weights,
                                                  const Total<Program>* shares, Vertex a,
                                                  Vertex b) {
  const auto number_of = [&](Vertex x) { return lists.numbers != nullptr ? lists.numbers[x] : x; };
  const auto weight_of = [&](Vertex x) {
    return Rule<Program>::kWeighs ? weights[number_of(x)] : Total<Program>{1};
  };
  if (a == b) return static_cast<Total<Program>>(of_all<Program>(out, a, weight_of));
  const Vertex i = number_of(a), j = number_of(b);
  Total<Program> sum = shares[i > j ? find_edge(lists, i, j) : find_edge(lists, j, i)];
  if (*lists.has_loops.word == 0) return sum;
  if (has_loop(out, a)) sum += weight_of(a);
  if (has_loop(out, b)) sum += weight_of(b);
  return sum;
}

/// Warps go through the edges of the graph in parts of the same length.
template <class Program, class Attribute>
__global__ void __launch_bounds__(kBlock)
    hand_out(const Program program, const Adjacency<Attribute> out, const EdgeIndex edges,
             const Oriented lists, const Total<Program>* weights, const Shares<Program> shares,
             const Counter updated) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *updated.total = lists.vertex_count;
  for_each_part(edges, [&](std::uint64_t part) {
    const EdgeIndex begin = part * kPart, end = begin + kPart < edges ? begin + kPart : edges;
    const Vertex first = owner_of(out.offsets, begin, 0, lists.vertex_count);
    const Vertex last = owner_of(out.offsets, end - 1, first, lists.vertex_count);
    for (EdgeIndex e = begin + lane(); e < end; e += kWarp) {
      const Vertex v = owner_of(out.offsets, e, first, last + 1), u = out.targets[e];
      const auto common = of_edge<Program>(out, lists, weights, shares, v, u);
      program.keep(v < u ? v : u, v < u ? u : v, e,
                   static_cast<engines::wedges::Sum<Program>>(common));
    }
  });
}

}  // namespace vertigo::gpu::wedges
