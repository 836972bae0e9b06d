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

/// What self loops add: whoever has one is a neighbour of its own.
template <class Program, class Attribute>
__device__ __forceinline__ unsigned long long of_loops(const Adjacency<Attribute>& out, Vertex v) {
  const unsigned own = has_loop(out, v) ? 1 : 0;
  unsigned long long sum = 0;
  for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) {
    const Vertex u = out.targets[e];
    if (u == v)
      sum += Program::counts_equal ? out.offsets[v + 1] - out.offsets[v] : 0;
    else if (u < v ? Program::counts_less : Program::counts_greater)
      sum += own + (has_loop(out, u) ? 1 : 0);
  }
  return sum;
}

template <class Program, class Attribute>
__global__ void __launch_bounds__(kBlock)
    update(const Program program, const Adjacency<Attribute> out, const Oriented lists,
           const Shares shares, const Counter updated_counter) {
  Tally updated(updated_counter);
  const bool loops = *lists.has_loops.word != 0;
  for (const Vertex v : gpu::detail::AllVertices{0, lists.vertex_count}) {
    if (!program.concerns(v)) continue;
    unsigned long long sum = shares[lists.numbers != nullptr ? lists.numbers[v] : v];
    if constexpr (Rule<Program>::kBothWays) sum *= 2;
    if (loops) sum += of_loops<Program>(out, v);
    program.update(v, static_cast<std::int64_t>(sum));
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
