#pragma once
// Preparations of a graph on the device: orders, copies in another order, offsets of 32 bits,
// figures. Engines ask for them before the clock of the run starts (docs/preparation.md). Thin
// declarations: sorting lies in the prebuilt library.
//
// All arrays are in device memory and the caller's; everything runs in stream order, and working
// memory is freed before a function returns. Throws Error(OutOfMemory) with the bytes where that
// does not fit.

#include "vertigo/device/buffers.cuh"

struct CUstream_st;

namespace vertigo::gpu::prepare {

using Stream = CUstream_st*;

/// Adjacency lists whose attributes are words of `attribute_size` bytes: 0 (none), 4 or 8.
struct Lists {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const void* attributes = nullptr;
  unsigned attribute_size = 0;
};

/// Where the result goes: vertex_count + 1 offsets, edge_count targets and attributes.
struct NewLists {
  EdgeIndex* offsets = nullptr;  ///< null where they stay as they are
  Vertex* targets = nullptr;
  void* attributes = nullptr;
};

template <class Attribute>
Lists lists_of(const Graph<Attribute>& graph, const Adjacency<Attribute>& adjacency) {
  Lists lists;
  lists.vertex_count = graph.vertex_count;
  lists.edge_count = graph.edge_count;
  lists.offsets = adjacency.offsets;
  lists.targets = adjacency.targets;
  lists.attributes = adjacency.attributes;
  lists.attribute_size = adjacency.attributes == nullptr ? 0 : sizeof(Attribute);
  return lists;
}

/// The first `count` offsets in 32 bits; the caller has made sure that they fit.
void narrow_offsets(Stream stream, const EdgeIndex* offsets, std::uint64_t count,
                    std::uint32_t* narrow);

/// Vertices by descending length of their list; equal ones in ascending order of their ids.
/// Both ways: `old_of_new` lists them, `new_of_old` is the place of each.
void degree_order(Stream stream, const EdgeIndex* offsets, Vertex vertex_count, Vertex* old_of_new,
                  Vertex* new_of_old);

/// The same graph with new numbers for its vertices, every list in ascending order of them: after
/// degree_order() the neighbours with the longest lists come first.
void relabel(Stream stream, const Lists& lists, const Vertex* old_of_new, const Vertex* new_of_old,
             const NewLists& result);

/// How attributes are compared.
enum class WeightOrder : std::uint8_t { Unsigned, Signed, Float };

/// Every list in ascending order of its attributes; edges of equal attributes keep their order.
/// `result.offsets` may be null: the offsets do not change.
void sort_lists_by_weight(Stream stream, const Lists& lists, WeightOrder order,
                          const NewLists& result);

/// What decides between ways to run.
struct DegreeStatistics {
  EdgeIndex longest = 0;  ///< list
  Vertex empty_lists = 0;
  double share_of_hubs = 0;  ///< of all edges, at lists of more than 16 times the mean length
  double share_nearby = 0;   ///< of a sample of edges, those whose ids differ by less than kNearby
  static constexpr Vertex kNearby = 8192;
};
/// Waits for the stream.
DegreeStatistics degree_statistics(Stream stream, const Lists& lists);

/// How often a neighbour's id is larger than the next one of its list: 0 where all lists ascend.
/// `descents` is on the device.
void count_descents(Stream stream, const Lists& lists, unsigned long long* descents);

}  // namespace vertigo::gpu::prepare
