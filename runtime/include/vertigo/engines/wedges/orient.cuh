#pragma once
// Every edge in the list of its end of fewer edges. Made on the device, in a library.

#include "vertigo/device/session.cuh"

namespace vertigo::gpu::wedges {

/// Lists from this length on go to a block.
inline constexpr unsigned kBlockFrom = 64;

/// Vertices have numbers, small ones where they have many edges. A list holds the neighbours of
/// lower numbers, ascending.
struct Oriented {
  Vertex vertex_count = 0;
  Vertex* order = nullptr;       ///< the vertex of each number
  EdgeIndex* offsets = nullptr;  ///< of lists, by number
  Vertex* targets = nullptr;
  Vertex* numbers = nullptr;         ///< of each vertex
  std::uint32_t* lengths = nullptr;  ///< of lists, while they are made
  Worklist longs{};                  ///< numbers whose lists have kBlockFrom vertices and more
  Worklist shorts{};                 ///< whose lists have two and more
  Flag has_loops{};                  ///< some vertex has an edge to itself
};

/// The lists of the graph whose out-edges these are; it is symmetric, and no two edges are the
/// same.
void declare_oriented(Session& session, Oriented& lists);
void orient(Session& session, const EdgeIndex* offsets, const Vertex* targets,
            const Oriented& lists);

}  // namespace vertigo::gpu::wedges
