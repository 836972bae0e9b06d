#pragma once
// Which edges make the core of a graph (core.cuh), decided on the host before memory is declared.

#include "vertigo/core/host_device.h"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// How many edges of an in-list belong to the core at most.
struct CoreRule {
  std::uint32_t share = 0;       ///< of 1024: how far between few edges and an eighth of long lists
  std::uint64_t most_edges = 0;  ///< of all cores together; 0: a core does not pay

  VERTIGO_INLINED std::uint32_t length(std::uint32_t list) const {
    std::uint64_t length = (std::uint64_t{share} * (list + std::uint64_t{112})) >> 13;
    for (std::uint32_t left = list; left != 0; left /= 2) ++length;
    return length < list ? static_cast<std::uint32_t>(length) : list;
  }
};

/// The largest core of less than a sixth of the session's edges. None where degrees are so even
/// that short lists would lose edges, too, or weights so equal that their order says nothing.
/// `downwards`: small weights are the good ones. `always`: some core in any case. `back`: of the
/// transpose.
template <class Weight>
CoreRule core_rule(const Session& session, bool downwards, unsigned record_bytes, bool always,
                   bool back);

}  // namespace vertigo::gpu
