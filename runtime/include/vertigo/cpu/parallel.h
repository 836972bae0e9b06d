#pragma once
// Parallel loops of generated kernels. Work is cut into chunks whose borders do not depend on the
// number of threads, so that what is summed by chunk gives the same bits on every machine.
//
// VERTIGO_CPU_STD_THREADS runs the same loops on std::thread: ThreadSanitizer understands those,
// and not OpenMP's barriers.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "vertigo/core/scalar.h"
#include "vertigo/cpu/buffers.h"
#include "vertigo/cpu/graph_view.h"

#ifdef VERTIGO_CPU_STD_THREADS
#include <thread>
#include <vector>
#endif

namespace vertigo::cpu {

/// Fewer than this many vertices are not worth waking threads for (measured: waking costs some 5
/// microseconds, a vertex of a road network some 20 nanoseconds).
inline constexpr std::size_t kSerialBelow = 512;

namespace detail {

template <class Function>
inline void run_chunks(std::size_t count, std::size_t chunk, std::size_t& next,
                       const Function& function) {
  const Function body = function;  // a thread's own copy, which the compiler can keep in registers
  for (;;) {
    const std::size_t begin = __atomic_fetch_add(&next, chunk, __ATOMIC_RELAXED);
    if (begin >= count) return;
    const std::size_t end = begin + chunk < count ? begin + chunk : count;
    current_chunk = begin / chunk;
    for (std::size_t i = begin; i < end; ++i) body(i);
  }
}

template <class Function>
inline void parallel_chunks(std::size_t count, std::size_t chunk, const Function& function) {
  std::size_t next = 0;
  if (count < kSerialBelow || thread_count() == 1) {
    run_chunks(count, chunk, next, function);
    return;
  }
#ifdef VERTIGO_CPU_STD_THREADS
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < thread_count(); ++i)
    threads.emplace_back([&, i] {
      current_thread = i;
      run_chunks(count, chunk, next, function);
    });
  for (std::thread& thread : threads) thread.join();
#else
#pragma omp parallel
  {
    current_thread = thread_number();
    run_chunks(count, chunk, next, function);
  }
  current_thread = 0;
#endif
}

}  // namespace detail

/// body(v) for all vertices.
template <class View, class Body>
inline void for_each_vertex(const View& graph, const Body& body) {
  detail::parallel_chunks(graph.vertex_count, kVertexChunk,
                          [=](std::size_t i) { body(static_cast<Vertex>(i)); });
}

/// body(w, all) for every word of a bitmap of the vertices; `all` has a bit for each of its
/// vertices.
template <class View, class Body>
inline void for_each_word(const View& graph, const Body& body) {
  const std::size_t last = graph.vertex_count / 64;
  const std::uint64_t rest = (std::uint64_t{1} << graph.vertex_count % 64) - 1;
  detail::parallel_chunks(last + (rest != 0), kVertexChunk / 64,
                          [=](std::size_t w) { body(w, w < last ? ~std::uint64_t{0} : rest); });
}

/// body(v) for the vertices of word `w` of a bitmap whose bits are set in `bits`.
template <class Body>
inline void for_each_bit(std::size_t w, std::uint64_t bits, const Body& body) {
  for (; bits != 0; bits &= bits - 1)
    body(static_cast<Vertex>(w * 64 + static_cast<unsigned>(std::countr_zero(bits))));
}

/// body(v) for the vertices of a worklist.
template <class Body>
inline void for_each_listed(const Worklist& list, const Body& body) {
  const std::span<const Vertex> vertices = list.vertices();
  detail::parallel_chunks(vertices.size(), 64, [=](std::size_t i) { body(vertices[i]); });
}

/// The same in a reduction: in no more chunks than all vertices have, each of which has a place.
template <class Body>
inline void for_each_left(const Worklist& list, const Body& body) {
  const std::span<const Vertex> vertices = list.vertices();
  detail::parallel_chunks(vertices.size(), kVertexChunk, [=](std::size_t i) { body(vertices[i]); });
}

/// body(v) for the vertices of a parameter, each once.
template <class Body>
inline void for_each_given(std::span<const Vertex> vertices, const Body& body) {
  detail::parallel_chunks(vertices.size(), 64, [=](std::size_t i) { body(vertices[i]); });
}

/// What a loop of the host level over a parameter asks.
inline std::int32_t list_size(std::span<const Vertex> vertices) {
  return static_cast<std::int32_t>(vertices.size());
}
inline Vertex list_item(std::span<const Vertex> vertices, std::int32_t place) {
  return vertices[static_cast<std::size_t>(place)];
}
/// The place of `v` in a parameter, which is ascending; -1 where it is not there.
inline std::int32_t index_in(std::span<const Vertex> vertices, Vertex v) {
  const auto found = std::lower_bound(vertices.begin(), vertices.end(), v);
  if (found == vertices.end() || *found != v) return -1;
  return static_cast<std::int32_t>(found - vertices.begin());
}

/// body(v), where v is a vertex of the graph.
template <class View, class Body>
inline void for_one_vertex(const View& graph, Vertex v, const Body& body) {
  current_chunk = 0;
  if (v < graph.vertex_count) body(v);
}

}  // namespace vertigo::cpu
