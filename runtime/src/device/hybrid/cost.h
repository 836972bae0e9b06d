#pragma once
// Which way the active edges of a partition come to the device: the cost model of HyTGraph (section
// 5.1, formulas (1) to (3)) with constants that were measured on the link and the cores at hand,
// compaction's time on the host's cores included.

#include <array>
#include <cstdint>
#include <string_view>

#include "partitions.h"
#include "vertigo/execute/link_rates.h"

namespace vertigo::gpu::hybrid {

enum class Way : std::uint8_t {
  Resident,    ///< it stays on the device
  Filter,      ///< the whole partition is copied
  FromFile,    ///< the same of one that was read from a file for that
  Compaction,  ///< the host gathers the lists of active vertices and copies these
  ZeroCopy,    ///< kernels read the lists over the link
};
inline constexpr std::array kWays{Way::Resident, Way::Filter, Way::FromFile, Way::Compaction,
                                  Way::ZeroCopy};
std::string_view text_of(Way way);

using execute::LinkRates;

/// The active vertices of a partition in a step.
struct Activity {
  unsigned long long vertices = 0;
  unsigned long long edges = 0;
  unsigned long long lines = 0;  ///< of 128 bytes that their targets touch
};

inline constexpr std::uint64_t kLineBytes = 128;

/// Seconds until the edges of the active vertices are on the device.
double cost(Way way, const Piece& piece, const Activity& active, unsigned attribute_bytes,
            const LinkRates& rates);

/// Which ways there are for a piece, besides zero-copy, which always works.
struct Choices {
  bool filter = false;
  bool compaction = false;
};
/// The cheapest.
Way cheapest(const Piece& piece, const Activity& active, unsigned attribute_bytes,
             const LinkRates& rates, Choices choices);

}  // namespace vertigo::gpu::hybrid
