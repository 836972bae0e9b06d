#pragma once
// Columns of weights on a device: what one look at them tells, and the same values of another kind.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "vertigo/core/scalar.h"

namespace vertigo::gpu::lists {

/// Of the weights that one warp has looked at.
template <class W>
struct WarpFacts {
  W smallest;
  W largest;
  unsigned long long negative;
  unsigned long long zero;
  double sum;
};

/// As many warps as look at so many weights.
std::uint64_t warps_for(std::uint64_t count);
/// One entry for each warp; `count` is not 0. For every kind of weights.
template <class W>
void launch_facts(cudaStream_t stream, const W* weights, std::uint64_t count, WarpFacts<W>* facts);

/// Of texts, whose weights are std::int64_t or double. `to` holds values of a kind of weights;
/// `misfits` is raised by the weights that are none of them (graph/weight_fits.h).
template <class W>
void launch_convert(cudaStream_t stream, const W* weights, std::uint64_t count, ScalarKind kind,
                    void* to, unsigned long long* misfits);

/// The values of some edges, of 4 or 8 bytes each.
template <class W>
void launch_pick(cudaStream_t stream, const W* values, const EdgeIndex* edges, std::uint64_t count,
                 W* picked);

}  // namespace vertigo::gpu::lists
