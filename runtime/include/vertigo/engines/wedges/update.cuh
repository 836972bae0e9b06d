#pragma once
// When all triangles are known: what self loops add, and the program's update of every vertex.

#include "vertigo/device/graph.cuh"
#include "vertigo/device/reduce.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/wedges/shares.cuh"

namespace vertigo::gpu::wedges {

template <class Attribute>
__device__ __forceinline__ bool has_loop(const Adjacency<Attribute>& out, Vertex v) {
  return place_in(out.targets, out.offsets[v], out.offsets[v + 1], v) != out.offsets[v + 1];
}

/// What all neighbours of a vertex count for.
template <class Program, class Attribute, class Weigh>
__device__ __forceinline__ Total<Program> of_all(const Adjacency<Attribute>& out, Vertex v,
                                                 const Weigh& weight_of) {
  const EdgeIndex begin = out.offsets[v], end = out.offsets[v + 1];
  if constexpr (!Rule<Program>::kWeighs) return static_cast<Total<Program>>(end - begin);
  Total<Program> sum{0};
  for (EdgeIndex e = begin; e < end; ++e) sum += weight_of(out.targets[e]);
  return sum;
}

/// What self loops add: whoever has one is a neighbour of its own.
template <class Program, class Attribute, class Weigh>
__device__ __forceinline__ Total<Program> of_loops(const Adjacency<Attribute>& out, Vertex v,
                                                   const Weigh& weight_of) {
  const Total<Program> own = has_loop(out, v) ? weight_of(v) : Total<Program>{0};
  Total<Program> sum{0};
  for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) {
    const Vertex u = out.targets[e];
    if (u == v) {
      if (Program::counts_equal) sum += of_all<Program>(out, v, weight_of);
    } else if (u < v ? Program::counts_less : Program::counts_greater) {
      sum += own;
      if (has_loop(out, u)) sum += weight_of(u);
    }
  }
  return sum;
}

/// What each vertex counts for at its neighbours, before the first is updated.
template <class Program>
__global__ void __launch_bounds__(kBlock)
    weigh(const Program program, const Oriented lists, Total<Program>* weights) {
  for (const Vertex v : gpu::detail::AllVertices{0, lists.vertex_count})
    weights[lists.numbers != nullptr ? lists.numbers[v] : v] =
        static_cast<Total<Program>>(program.common_value(v));
}

template <class Program, class Attribute>
__global__ void __launch_bounds__(kBlock)
    update(const Program program, const Adjacency<Attribute> out, const Oriented lists,
           const Total<Program>* weights, const Shares<Program> shares,
           const Counter updated_counter) {
  Tally updated(updated_counter);
  const bool loops = *lists.has_loops.word != 0;
  const auto number_of = [&](Vertex v) { return lists.numbers != nullptr ? lists.numbers[v] : v; };
  for (const Vertex v : gpu::detail::AllVertices{0, lists.vertex_count}) {
    if (!program.concerns(v)) continue;
    Total<Program> sum = shares[number_of(v)];
    if constexpr (Rule<Program>::kBothWays && !Rule<Program>::kWeighs) sum *= 2;
    if (loops)
      sum += of_loops<Program>(out, v, [&](Vertex x) {
        return Rule<Program>::kWeighs ? weights[number_of(x)] : Total<Program>{1};
      });
    program.update(v, static_cast<engines::wedges::Sum<Program>>(sum));
    updated.add(1);
  }
}

/// The one step that the phase takes. One thread.
template <class Program>
__global__ void begin_step(const StepLog log) {
  if (log.records != nullptr) log.records[0].begin_ns = global_nanoseconds();
}
template <class Program>
__global__ void log_step(const StepLog log, const EdgeIndex edges, const Counter updated) {
  StepRecord step{};
  if (log.records != nullptr) step.begin_ns = log.records[0].begin_ns;
  step.end_ns = global_nanoseconds();
  step.active_vertices = *updated.total;
  step.edges = edges;
  record(log, 0, step);
}

}  // namespace vertigo::gpu::wedges
