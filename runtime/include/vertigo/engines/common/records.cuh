#pragma once
// The neighbours of each vertex in one record of 16 bytes, for graphs of small degrees: one load
// instead of two, one after the other. The packing lies in the library.

#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// Neighbours in a record; kNoVertex where there are fewer. A vertex with more has kMore and itself
/// there, and its list is read.
inline constexpr unsigned kRecord = 4;
inline constexpr Vertex kMore = kNoVertex - 1;

/// One record per vertex.
void pack_records(Session& session, const EdgeIndex* offsets, const Vertex* targets,
                  uint4* records);

}  // namespace vertigo::gpu
