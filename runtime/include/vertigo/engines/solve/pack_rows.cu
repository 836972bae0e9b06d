#include <algorithm>
#include <string>
#include <vector>

#include "device/check.h"
#include "device/prepare/sorting.h"
#include "vertigo/core/error.h"
#include "vertigo/engines/solve/pack_kernels.cuh"
#include "vertigo/engines/solve/pack_rows.cuh"

namespace vertigo::gpu::solve {

namespace {

constexpr unsigned kMostBlocks = 1024;
constexpr const char* kPurpose = "pack the rows";
/// Tiles that are pinned at a time, and of those that are written at a time.
constexpr std::uint64_t kSlabTiles = 4096;
constexpr std::uint64_t kTilesAtOnce = 256;

std::uint64_t window_units(std::uint64_t window) { return most_units(window, window); }
std::uint64_t window_tiles(std::uint64_t window) {
  return std::min(kTilesAtOnce, most_tiles(window, window, 32, 1));
}

template <class Offset>
class Packer {
 public:
  Packer(Session& session, const RowsToPack<Offset>& of, const PackArrays& arrays)
      : session_(session),
        of_(of),
        rows_(of.rows),
        arrays_(arrays),
        stream_(session.stream()),
        memory_(session.stream()),
        bounds_(memory_.take<unsigned>(of.window + 1, kPurpose)),
        spare_(memory_.take<std::uint32_t>(of.window, kPurpose)),
        tiles_(memory_.take<std::uint32_t>(window_tiles(of.window) * kTileWords, kPurpose)) {
    window_.sources = memory_.take<Vertex>(of.window, kPurpose);
    window_.values = spare_;
    for (unsigned** const of_units :
         {&window_.words, &window_.bases, &window_.tiles, &window_.places})
      *of_units = memory_.take<unsigned>(window_units(of.window), kPurpose);
  }

  static std::uint64_t memory(std::uint64_t window) {
    using prepare::array_bytes;
    return array_bytes<unsigned>(window + 1) + 2 * array_bytes<unsigned>(window) +
           array_bytes<std::uint32_t>(window_tiles(window) * kTileWords) +
           4 * array_bytes<unsigned>(window_units(window)) +
           prepare::segments_memory<std::uint32_t>(window, window);
  }

  PackedRows run() {
    for (unsigned row = 0; row < rows_.row_count;) {
      const unsigned end = end_of_window(row);
      pack(row, end);
      row = end;
    }
    first_unit_.push_back(rows_.first_unit[kClasses]);
    if (places_.size() > arrays_.room)
      throw Error(ExitCode::Other, "rows take more tiles than there can be");
    const auto count = static_cast<unsigned>(places_.size());
    session_.upload(arrays_.tiles, places_.data(), count);
    session_.upload(arrays_.first_unit, first_unit_.data(), first_unit_.size());
    check(cudaStreamSynchronize(stream_), kPurpose);
    return {arrays_.tiles, arrays_.first_unit, arrays_.turns, count};
  }

 private:
  static unsigned blocks_for(unsigned units) {
    return std::min(kMostBlocks, units / (kBlock / kWarp) + 1);
  }
  Offset begin_of(unsigned row) const {
    Offset begin;
    check(
        cudaMemcpyAsync(&begin, rows_.begin + row, sizeof(begin), cudaMemcpyDeviceToHost, stream_),
        kPurpose);
    check(cudaStreamSynchronize(stream_), kPurpose);
    return begin;
  }
  unsigned class_of(unsigned row) const {
    unsigned kind = 0;
    while (row >= rows_.first_row[kind + 1]) ++kind;
    return kind;
  }
  /// The last border of units at or before a row.
  unsigned border(unsigned row) const {
    if (row < rows_.long_rows || row >= rows_.row_count) return row;
    const unsigned kind = class_of(row);
    return rows_.first_row[kind] + ((row - rows_.first_row[kind]) >> kind << kind);
  }
  unsigned unit_at(unsigned border) const {
    if (border >= rows_.row_count) return rows_.first_unit[kClasses];
    if (border < rows_.long_rows) return of_.first_piece[border];
    const unsigned kind = class_of(border);
    return rows_.first_unit[kind] + ((border - rows_.first_row[kind]) >> kind);
  }
  /// As many rows as the window has room for, from a border of units to another.
  unsigned end_of_window(unsigned row) const {
    const Offset begin = begin_of(row);
    unsigned fits = row;
    auto beyond =
        static_cast<unsigned>(std::min<std::uint64_t>(rows_.row_count, row + of_.window)) + 1;
    while (beyond - fits > 1) {
      const unsigned middle = fits + (beyond - fits) / 2;
      (begin_of(middle) - begin <= of_.window ? fits : beyond) = middle;
    }
    return border(fits);
  }

  void pack(unsigned row, unsigned end) {
    window_.first = unit_at(row);
    window_.last = unit_at(end);
    window_.begin = begin_of(row);
    const std::uint64_t edges = begin_of(end) - window_.begin;
    const unsigned blocks = blocks_for(window_.last - window_.first);
    fill_window<<<blocks, kBlock, 0, stream_>>>(of_.graph, rows_, of_.positions, window_);
    list_bounds<<<blocks, kBlock, 0, stream_>>>(rows_.begin, row, end, bounds_);
    if (edges > 0) {
      prepare::WorkingMemory memory(stream_);
      prepare::sort_segments(memory, window_.sources, spare_, edges, end - row, bounds_);
    }
    find_values<<<blocks, kBlock, 0, stream_>>>(rows_, window_);
    check(cudaGetLastError(), kPurpose);
    share_out();
    write();
  }

  /// Units go to tiles in their order.
  void share_out() {
    const std::size_t count = window_.last - window_.first;
    words_.resize(count);
    check(cudaMemcpyAsync(words_.data(), window_.words, sizeof(unsigned) * count,
                          cudaMemcpyDeviceToHost, stream_),
          kPurpose);
    check(cudaStreamSynchronize(stream_), kPurpose);
    tile_of_.resize(count);
    place_of_.resize(count);
    begins_.clear();
    for (std::size_t first = 0; first < count;) {
      std::size_t last = first;
      for (unsigned taken = 0; last < count && taken + words_[last] + 1 <= kTileWords; ++last)
        taken += words_[last] + 1;
      if (last == first) throw Error(ExitCode::Other, "a row's piece is longer than a tile");
      auto at = static_cast<unsigned>(last - first);
      for (std::size_t i = first; i < last; ++i) {
        tile_of_[i] = static_cast<unsigned>(begins_.size());
        place_of_[i] = static_cast<unsigned>(i - first) | at << 16;
        at += words_[i];
      }
      begins_.push_back(static_cast<unsigned>(first));
      first = last;
    }
    session_.upload(window_.tiles, tile_of_.data(), count);
    session_.upload(window_.places, place_of_.data(), count);
    begins_.push_back(static_cast<unsigned>(count));
  }

  void write() {
    const std::uint64_t room = window_tiles(of_.window);
    for (std::uint64_t first = 0; first + 1 < begins_.size();) {
      const std::uint64_t count = std::min({room, begins_.size() - 1 - first, slab_room()});
      check(cudaMemsetAsync(tiles_, 0, count * kTileBytes, stream_), kPurpose);
      write_units<<<blocks_for(begins_[first + count] - begins_[first]), kBlock, 0, stream_>>>(
          rows_, window_, window_.first + begins_[first], window_.first + begins_[first + count],
          static_cast<unsigned>(first), tiles_);
      check(cudaGetLastError(), kPurpose);
      lay_down(first, count);
      first += count;
    }
    check(cudaStreamSynchronize(stream_), kPurpose);
  }

  /// Tiles that the last slab has room for; at least one.
  std::uint64_t slab_room() {
    if (in_slab_ == slab_tiles_) {
      const std::uint64_t left = rows_.edge_count - window_.begin;
      slab_tiles_ = std::min(
          kSlabTiles, most_tiles(rows_.row_count, left, packed_width(rows_.vertex_count), 1));
      slab_ = static_cast<std::uint32_t*>(session_.lend(
          slab_tiles_ * kTileBytes + kPadWords * sizeof(std::uint32_t), "packed rows"));
      in_slab_ = 0;
    }
    return slab_tiles_ - in_slab_;
  }
  void lay_down(std::uint64_t first, std::uint64_t count) {
    std::uint32_t* const to = slab_ + in_slab_ * kTileWords;
    check(cudaMemcpyAsync(to, tiles_, count * kTileBytes, cudaMemcpyDefault, stream_), kPurpose);
    for (std::uint64_t i = 0; i < count; ++i) {
      places_.push_back(to + i * kTileWords);
      first_unit_.push_back(window_.first + begins_[first + i]);
    }
    in_slab_ += count;
  }

  Session& session_;
  const RowsToPack<Offset>& of_;
  const PullRows<Offset>& rows_;
  const PackArrays& arrays_;
  cudaStream_t stream_;
  prepare::WorkingMemory memory_;
  unsigned* const bounds_;
  std::uint32_t* const spare_;
  std::uint32_t* const tiles_;
  Window<Offset> window_;
  std::uint32_t* slab_ = nullptr;
  std::uint64_t slab_tiles_ = 0;
  std::uint64_t in_slab_ = 0;
  std::vector<const std::uint32_t*> places_;  ///< of all tiles so far
  std::vector<unsigned> first_unit_;
  // Of the window.
  std::vector<unsigned> words_;
  std::vector<unsigned> tile_of_;
  std::vector<unsigned> place_of_;
  std::vector<unsigned> begins_;  ///< each tile's first unit, and the end
};

/// Number i of the result is read by block i % blocks. Each block reads its share of both kinds at
/// an even pace, and no two blocks keep the same pace: the link is busy from the beginning to the
/// end.
std::vector<unsigned> interleaved(unsigned resident, unsigned count, unsigned blocks) {
  std::vector<unsigned> order(count);
  unsigned here = 0;
  unsigned away = resident;
  const double share = count == 0 ? 0 : static_cast<double>(count - resident) / count;
  for (unsigned i = 0; i < count; ++i) {
    const double before = i / blocks * share + static_cast<double>(i % blocks) / blocks;
    const bool is_away =
        static_cast<std::uint64_t>(before + share) > static_cast<std::uint64_t>(before);
    order[i] = here == resident || (is_away && away < count) ? away++ : here++;
  }
  return order;
}

template <class T>
std::vector<T> fetch(const T* from, std::size_t count, cudaStream_t stream) {
  std::vector<T> values(count);
  check(cudaMemcpyAsync(values.data(), from, sizeof(T) * count, cudaMemcpyDeviceToHost, stream),
        kPurpose);
  check(cudaStreamSynchronize(stream), kPurpose);
  return values;
}

/// Tiles that have moved to the device: the first ones. `places` are where they lie now.
unsigned move_tiles(Session& session, std::vector<const std::uint32_t*>& places) {
  constexpr std::uint64_t kPad = kPadWords * sizeof(std::uint32_t);
  const std::uint64_t left = session.left_memory() / 512 * 512;
  const auto count = static_cast<unsigned>(
      std::min<std::uint64_t>(places.size(), left > kPad ? (left - kPad) / kTileBytes : 0));
  if (count == 0) return 0;
  auto* const here =
      static_cast<std::uint32_t*>(session.take_left(count * std::uint64_t{kTileBytes} + kPad));
  if (here == nullptr) return 0;
  const cudaStream_t stream = session.stream();
  check(cudaMemsetAsync(here + std::size_t{count} * kTileWords, 0, kPad, stream), kPurpose);
  for (unsigned i = 0; i < count;) {
    // Tiles that lie one behind the other travel together.
    unsigned end = i + 1;
    while (end < count && places[end] == places[end - 1] + kTileWords) ++end;
    check(cudaMemcpyAsync(here + std::size_t{i} * kTileWords, places[i],
                          std::uint64_t{end - i} * kTileBytes, cudaMemcpyDefault, stream),
          kPurpose);
    i = end;
  }
  check(cudaStreamSynchronize(stream), kPurpose);
  for (unsigned i = 0; i < count; ++i) places[i] = here + std::size_t{i} * kTileWords;
  return count;
}

}  // namespace

std::uint64_t packed_window(const Session& session, std::uint64_t longest_row) {
  // What a window takes is to be small beside the memory that edges may have; its last tile, which
  // is not full, small beside the others.
  constexpr std::uint64_t kShare = 32;
  constexpr std::uint64_t kLeast = 1u << 16;
  constexpr std::uint64_t kOfAnyGraph = 1024;
  const std::uint64_t edges = session.edge_count();
  const std::uint64_t some = std::min(edges, std::max(edges / kShare, kLeast));
  return std::max({std::min(session.edges_at_a_time(), some), longest_row, kOfAnyGraph});
}

std::uint64_t packing_memory(std::uint64_t window) { return Packer<std::uint32_t>::memory(window); }

template <class Offset>
PackedRows pack_rows(Session& session, const RowsToPack<Offset>& of, const PackArrays& arrays) {
  return Packer<Offset>(session, of, arrays).run();
}

void place_tiles(Session& session, PackedRows& packed, const PackArrays& arrays) {
  const unsigned count = packed.tile_count;
  const cudaStream_t stream = session.stream();
  std::vector<const std::uint32_t*> places = fetch(packed.tiles, count, stream);
  const std::vector<unsigned> first_unit = fetch(packed.first_unit, count + 1, stream);
  const unsigned resident = move_tiles(session, places);
  std::vector<TileTurn> turns;
  for (const unsigned tile :
       interleaved(resident, count, attribute_of_device(cudaDevAttrMultiProcessorCount)))
    turns.push_back({places[tile], first_unit[tile], first_unit[tile + 1] - first_unit[tile]});
  session.upload(arrays.tiles, places.data(), count);
  session.upload(arrays.turns, turns.data(), count);
  check(cudaStreamSynchronize(stream), kPurpose);
  const auto in_bytes = [](std::uint64_t tiles) { return in_words(tiles * kTileBytes); };
  const std::string words = "rows packed to " + in_bytes(count) + ", of which each sweep reads " +
                            in_bytes(count - resident) + " over the link";
  session.note_placement(words.c_str());
}

template PackedRows pack_rows(Session&, const RowsToPack<std::uint32_t>&, const PackArrays&);
template PackedRows pack_rows(Session&, const RowsToPack<std::uint64_t>&, const PackArrays&);

}  // namespace vertigo::gpu::solve
