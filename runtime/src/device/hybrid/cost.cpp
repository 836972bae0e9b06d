#include "cost.h"

#include <algorithm>

namespace vertigo::gpu::hybrid {

namespace {

/// The rate for pieces of `size` bytes between two that were measured; what a piece costs besides
/// its bytes is spread over them.
double rate_between(double size, double few, double rate_few, double many, double rate_many) {
  const double seconds_few = few / rate_few;
  const double seconds_many = many / rate_many;
  const double by_byte = std::max(0.0, (seconds_many - seconds_few) / (many - few));
  const double each = std::max(0.0, seconds_few - by_byte * few);
  return size / (each + by_byte * size);
}

double ratio(double all, double parts) { return parts > 0 ? all / parts : 0; }

}  // namespace

std::string_view text_of(Way way) {
  switch (way) {
    case Way::Resident:
      return "resident";
    case Way::Filter:
      return "filter";
    case Way::FromFile:
      return "from file";
    case Way::Compaction:
      return "compaction";
    case Way::ZeroCopy:
      break;
  }
  return "zero-copy";
}

double cost(Way way, const Piece& piece, const Activity& active, unsigned attribute_bytes,
            const LinkRates& rates) {
  const double edge_bytes = sizeof(Vertex) + attribute_bytes;
  const auto vertices = static_cast<double>(active.vertices);
  const double useful = static_cast<double>(active.edges) * edge_bytes;
  switch (way) {
    case Way::Resident:
      return 0;
    case Way::FromFile:  // never chosen: there is no other way
    case Way::Filter:    // (1)
      return rates.copy_start + static_cast<double>(piece.edges()) * edge_bytes / rates.copy;
    case Way::Compaction: {  // (2)
      const double list = ratio(useful, vertices);
      const double gathered =
          rate_between(std::max(list, 1.0), 64, rates.gather_short, 1024, rates.gather_long);
      const double index = vertices * (sizeof(EdgeIndex) + sizeof(Vertex));
      return 2 * rates.copy_start + useful / gathered + (useful + index) / rates.copy;
    }
    case Way::ZeroCopy:
      break;
  }
  // (3): lines of targets, and as many bytes more as attributes take beside them.
  const double touched =
      static_cast<double>(active.lines) * kLineBytes * (edge_bytes / sizeof(Vertex));
  const double list = std::max<double>(ratio(touched, vertices), kLineBytes);
  return touched / rate_between(list, kLineBytes, rates.read_short, 4096, rates.read_long);
}

Way cheapest(const Piece& piece, const Activity& active, unsigned attribute_bytes,
             const LinkRates& rates, Choices choices) {
  Way best = Way::ZeroCopy;
  double least = cost(best, piece, active, attribute_bytes, rates);
  const auto consider = [&](Way way) {
    const double seconds = cost(way, piece, active, attribute_bytes, rates);
    if (seconds >= least) return;
    best = way;
    least = seconds;
  };
  if (choices.filter) consider(Way::Filter);
  if (choices.compaction) consider(Way::Compaction);
  return best;
}

}  // namespace vertigo::gpu::hybrid
