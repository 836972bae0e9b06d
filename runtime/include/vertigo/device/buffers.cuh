#pragma once
// What kernels work on: the graph, and the buffers of a plan. Plain structures that go to kernels
// by value; the functions on them lie in edges.cuh, bitmap.cuh, worklist.cuh and reduce.cuh. Host
// code reads this header without CUDA.

#include <cstdint>

#include "vertigo/core/host_device.h"
#include "vertigo/core/scalar.h"

namespace vertigo::gpu {

/// Threads of every generated kernel's blocks. 256 keeps eight blocks on an SM at 32 registers and
/// gives the block-wide expansion lists worth sharing out.
inline constexpr unsigned kBlock = 256;
/// Most blocks of a kernel that reduces.
inline constexpr unsigned kReductionBlocks = 1024;

/// Blocks of a kernel that reduces: a function of the number of vertices alone.
VERTIGO_HOST_DEVICE inline unsigned reduction_blocks_for(Vertex vertices) {
  const std::uint64_t tiles = (std::uint64_t{vertices} + kBlock - 1) / kBlock;
  return tiles < 1 ? 1 : tiles > kReductionBlocks ? kReductionBlocks : static_cast<unsigned>(tiles);
}

/// Lists of edges from this length on are visited by a warp, and by the whole block. A block from
/// 1,024 on took up to 19% longer (H200, 2026-11-21, kron 18 16).
inline constexpr unsigned kWarpList = 16;
inline constexpr unsigned kBlockList = kBlock;
/// And by all blocks of a step that visits few vertices: of 4, 8 and 16 times this many edges, 8
/// was the best by up to 10% (H200, docs/benchmarks/2026-11-23-h200-fourth-sitting.md).
inline constexpr unsigned kGridList = 8 * kBlock;
/// A length that stands for "no list is that long".
inline constexpr unsigned kNoList = ~0u;

/// From which length on the lists of one adjacency are shared out, where the graph decides.
struct Sharing {
  unsigned by_block = kBlockList;
  unsigned by_warp = kWarpList;
  unsigned by_grid = kGridList;
};

/// Stands for the edge attribute of programs that have none.
struct NoAttribute {};

/// Neighbours of v: targets[offsets[v] .. offsets[v + 1]), their attributes beside them.
template <class Attribute>
struct Adjacency {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const Attribute* attributes = nullptr;  ///< null: `everywhere` on every edge
  Attribute everywhere{};
  Sharing sharing{};
};

template <class AttributeType = NoAttribute>
struct Graph {
  using Attribute = AttributeType;

  Vertex vertex_count = 0;
  Vertex first = 0;  ///< kernels over all vertices go through first .. last-1: a part of them where
  Vertex last = 0;   ///< edges come to the device in parts
  EdgeIndex edge_count = 0;
  bool symmetric = false;  ///< then `in` is `out`
  Adjacency<Attribute> out;
  Adjacency<Attribute> in;  ///< empty where the plan needs no transpose
  std::uint64_t first_id = 0;
  const std::uint64_t* ids = nullptr;  ///< input ids; null: first_id, first_id + 1, …
};

/// One bit per vertex, 32 to a word.
struct Bitmap {
  std::uint32_t* words = nullptr;
};

struct DonationBoard;

/// Vertices to visit, with their number on the device. Room for every vertex of the graph; a plan
/// appends none twice between two clears.
struct Worklist {
  Vertex* items = nullptr;
  std::uint32_t* count = nullptr;
  unsigned blocks = 0;             ///< that visit it together; 0: all of the grid
  DonationBoard* board = nullptr;  ///< where they offer long lists to each other; null: they do not
};

/// Vertices that the user listed, each once, ascending.
struct VertexList {
  const Vertex* items = nullptr;
  std::uint32_t count = 0;
  const Vertex* on_host = nullptr;  ///< the same, for loops of the host over them
};

/// What such loops ask.
inline std::int32_t list_size(const VertexList& list) {
  return static_cast<std::int32_t>(list.count);
}
inline Vertex list_item(const VertexList& list, std::int32_t place) { return list.on_host[place]; }

struct VertexParts;
struct PartsAndRest;

/// A word that says "something happened".
struct Flag {
  std::uint32_t* word = nullptr;
};

/// What a vertex must be worth to be processed in this step.
struct Threshold {
  float* value = nullptr;
};

/// A 64-bit word that all threads add to.
struct Counter {
  unsigned long long* total = nullptr;
};

/// The result of a reduction over vertices.
template <class T>
struct Scalar {
  T* value = nullptr;
  T* partials = nullptr;            ///< kReductionBlocks of them
  unsigned* blocks_done = nullptr;  ///< 0 between kernels
};

}  // namespace vertigo::gpu
