#pragma once
// What the searches by levels read instead of the graph's own lists, made once per graph. The
// choice lies in the library.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/levels/deep.cuh"
#include "vertigo/engines/levels/wide.cuh"

namespace vertigo::gpu::levels {

/// 32-bit offsets serve graphs with fewer edges than this; loops may step past the last edge.
inline constexpr EdgeIndex kMostNarrowEdges = (EdgeIndex{1} << 32) - 4096;

/// The two in-neighbours of highest in-degree of every vertex, which are visited before others
/// (kNoVertex where there are fewer), and the bits of those without in-edges.
void choose_heads(Session& session, const std::uint32_t* in_offsets, const Vertex* in_targets,
                  Vertex* first, Vertex* second, std::uint32_t* unreached);
void choose_heads(Session& session, const std::uint64_t* in_offsets, const Vertex* in_targets,
                  Vertex* first, Vertex* second, std::uint32_t* unreached);

}  // namespace vertigo::gpu::levels
