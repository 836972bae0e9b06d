#pragma once
// What the device says about a step's active vertices before their edges are brought, and how it
// sorts them by the task that they go to.

#include <cuda_runtime_api.h>

#include "cost.h"
#include "vertigo/core/host_device.h"
#include "vertigo/device/buffers.cuh"

namespace vertigo::gpu::hybrid {

/// Offsets of the directions whose lists are read; `in`: null where one direction is.
struct Offsets {
  const EdgeIndex* out = nullptr;
  const EdgeIndex* in = nullptr;
};

/// `begins`: first vertices of `count` partitions, one more at the end.
struct PartitionTable {
  const Vertex* begins = nullptr;
  std::uint32_t count = 0;
};

/// Adds up the listed vertices by partition in `activity`, which is zero before.
void launch_measure(unsigned blocks, cudaStream_t stream, const Worklist& list,
                    const PartitionTable& table, const Offsets& offsets, Activity* activity);

/// Of each partition its task, of each of `count` tasks where its next vertex goes.
struct TaskTable {
  const std::uint32_t* task_of = nullptr;
  std::uint32_t* cursors = nullptr;
  std::uint32_t count = 0;
};

/// Writes each listed vertex to `sorted`, at the place that the cursor of its partition's task
/// says.
void launch_sort(unsigned blocks, cudaStream_t stream, const Worklist& list,
                 const PartitionTable& table, const TaskTable& tasks, Vertex* sorted);

/// Sets the bits of the listed vertices.
void launch_mark(unsigned blocks, cudaStream_t stream, const Worklist& list, const Bitmap& bits);

/// Lists that the host has laid end to end: list i is that of vertices[i] and begins at begins[i],
/// vertices ascending. Writes where the lists begin and end, by vertex: offsets[v - first].
void launch_index(unsigned blocks, cudaStream_t stream, const Vertex* vertices,
                  const std::uint32_t* begins, std::uint32_t count, Vertex first,
                  EdgeIndex* offsets);

/// Reads `lists` pieces of `bytes` each at places all over the `lines` lines from `from` on, a warp
/// for each piece. `sink`: a word that is written in the end.
void launch_read(unsigned blocks, cudaStream_t stream, const void* from, std::uint64_t lines,
                 std::uint32_t lists, std::uint32_t bytes, std::uint32_t* sink);

/// The place of piece `i` among `places`: scattered, the same everywhere.
VERTIGO_INLINED std::uint64_t scattered(std::uint64_t i, std::uint64_t places) {
  return i * 0x9E3779B97F4A7C15u % places;
}

}  // namespace vertigo::gpu::hybrid
