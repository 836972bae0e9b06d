#pragma once
// Preparations of a graph on the device: offsets of 32 bits, orders, slots for
// messages. Engines and plans ask for them
// before the clock of the run starts (docs/preparation.md). Thin declarations: what is behind them
// lies in the prebuilt library.
//
// All arrays are in device memory and the caller's; everything runs in stream order, and working
// memory is freed before a function returns. Throws Error(OutOfMemory) with the bytes where that
// does not fit.

#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/buffers.cuh"

struct CUstream_st;

namespace vertigo::graph {
struct Graph;
}

namespace vertigo::gpu::prepare {

using Stream = CUstream_st*;

/// The first `count` offsets in 32 bits; the caller has made sure that they fit.
void narrow_offsets(Stream stream, const EdgeIndex* offsets, std::uint64_t count,
                    std::uint32_t* narrow);

/// Numbers of edges, one per vertex: lengths of its lists in one adjacency, or in two together
/// where `more_offsets` is not null.
struct Degrees {
  const EdgeIndex* offsets = nullptr;
  const EdgeIndex* more_offsets = nullptr;
};

/// All vertices, approximately by descending degree: those of one bucket (DegreeBuckets) stand in
/// no particular order. In the order of their ids where all degrees are the same.
void approximate_order(Stream stream, const Degrees& degrees, Vertex vertex_count, Vertex* order);

/// Bytes of working memory that it holds at most.
std::uint64_t order_memory(Vertex vertex_count);

/// The edges that messages travel along: lists of one adjacency or, where `more_targets` is not
/// null, of two of the same length.
struct Senders {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  const Vertex* targets = nullptr;
  const Vertex* more_targets = nullptr;
};
/// Where each message waits (MessageSlots, where each array is explained).
struct Places {
  Vertex* receivers = nullptr;
  EdgeIndex* first_slot = nullptr;
  EdgeIndex* message_count = nullptr;
  EdgeIndex* of_edge = nullptr;
  EdgeIndex* of_more = nullptr;  ///< of the second adjacency's edges; null where there is none
};
/// How often a graph's edges are gone through for them: twice where messages follow out-edges and
/// in-edges, and these are not the same.
unsigned message_passes(const graph::Graph& graph, Along along, bool once_if_symmetric);
/// Slots that are enough, found on the host before the device has seen the graph: inside a bucket
/// the order of receivers is the device's, so a group counts as if the largest receiver of its
/// first bucket stood in it.
std::uint64_t message_room(const graph::Graph& graph, Along along, bool once_if_symmetric);

/// Throws Error(Other) where more than `room` slots would be needed. Waits for the stream.
void place_messages(Stream stream, const Senders& senders, const Places& places,
                    std::uint64_t room);
/// Bytes of working memory that it holds at most; `passes` as message_passes() says.
std::uint64_t placing_memory(Vertex vertex_count, EdgeIndex edge_count, unsigned passes);

/// Adjacency lists without what is written on their edges.
struct Neighbours {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
};

/// Whether ordering values by degree may pay in a graph (HubOrder): there are long lists, and more
/// vertices than a cache has room for.
bool may_have_hubs(Vertex vertex_count, std::uint64_t longest_list);
/// The place of each vertex in the order of `degrees`. False where samples of `lists`, whose
/// neighbours are read, show that few more edges would read from the cache. Waits for the stream.
bool place_hubs(Stream stream, const Degrees& degrees, const Neighbours& lists, Vertex* places);
/// Bytes of working memory that it holds at most.
std::uint64_t hub_memory(Vertex vertex_count);
/// The lists with each neighbour's place in the place of its id.
void call_by_places(Stream stream, const Neighbours& lists, const Vertex* places, Vertex* renamed);

/// How often a neighbour's id is larger than the next one of its list: 0 where all lists ascend.
/// `descents` is on the device.
void count_descents(Stream stream, const Neighbours& lists, unsigned long long* descents);

}  // namespace vertigo::gpu::prepare
