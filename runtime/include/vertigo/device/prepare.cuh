#pragma once
// Preparations of a graph on the device: offsets of 32 bits, orders. Engines and plans ask for them
// before the clock of the run starts (docs/preparation.md). Thin declarations: what is behind them
// lies in the prebuilt library.
//
// All arrays are in device memory and the caller's; everything runs in stream order, and working
// memory is freed before a function returns. Throws Error(OutOfMemory) with the bytes where that
// does not fit.

#include "vertigo/device/buffers.cuh"

struct CUstream_st;

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

/// Adjacency lists without what is written on their edges.
struct Neighbours {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
};

/// How often a neighbour's id is larger than the next one of its list: 0 where all lists ascend.
/// `descents` is on the device.
void count_descents(Stream stream, const Neighbours& lists, unsigned long long* descents);

}  // namespace vertigo::gpu::prepare
