#pragma once
// A sweep over packed rows. Blocks bring one tile after the other into shared memory, over the link
// or from the device's own: 16 bytes for each thread, whole lines in order, all on their way while
// the tile before is summed. What comes back to shared memory is decoded there.

#include <type_traits>

#include "vertigo/engines/solve/sweep.cuh"

namespace vertigo::gpu::solve {

template <class S>
class PackedSweep : public Sweep<S> {
  using Base = Sweep<S>;

 public:
  using T = typename Base::T;
  using Offset = typename Base::Offset;
  using Sum = typename Base::Sum;
  using Term = typename Base::Term;
  using Base::Base;

  /// By all threads of the grid. `room`: kTileRoomWords of shared memory.
  __device__ __forceinline__ void run(std::uint32_t* room) {
    static_assert(kTileWords == 4 * S::kThreads);
    const PackedRows& packed = system_.rows.packed;
    constexpr unsigned kOther = kTileWords + kPadWords;
    if (threadIdx.x < kPadWords)
      room[kTileWords + threadIdx.x] = room[kOther + kTileWords + threadIdx.x] = 0;
    const auto look_up = [&](unsigned turn) {
      return turn < packed.tile_count ? packed.turns[turn] : TileTurn{};
    };
    TileTurn now = look_up(blockIdx.x);
    TileTurn next = look_up(blockIdx.x + gridDim.x);
    std::uint32_t* tile = room;
    bring(now, tile);
    for (unsigned turn = blockIdx.x; turn < packed.tile_count; turn += gridDim.x) {
      wait_for_copies();
      // Everybody's part is there, and everybody is done with the tile before.
      __syncthreads();
      std::uint32_t* const other = tile == room ? room + kOther : room;
      bring(next, other);
      // What is asked for here is not waited for before the next turn.
      const TileTurn after = look_up(turn + 2 * gridDim.x);
      for (unsigned i = threadIdx.x / kWarp; i < now.units; i += S::kThreads / kWarp) {
        const UnitEntry entry = unit_entry(tile[i]);
        sum_unit(now.first_unit + i, tile + entry.begin, entry.width);
      }
      tile = other;
      now = next;
      next = after;
    }
  }

  /// As of Sweep, from where the tiles lie.
  __device__ __forceinline__ Sum at_row(unsigned row) const {
    return over_row(
        row, [this](Vertex at) -> Term { return from_[at]; }, [](const Sum&) { return false; });
  }
  __device__ __forceinline__ bool joins(unsigned row) const {
    const Vertex at = this->position(row);
    const T constant = this->constant(at);
    const T tolerance = this->tolerance(at);
    bool is_in = false;
    over_row(
        row, [this](Vertex from) -> Term { return this->first_sent(from); },
        [&](const Sum& sum) {
          is_in = takes_part(T{0}, constant + sum.value, tolerance);
          return is_in;
        });
    return is_in;
  }

 private:
  using Base::from_;
  using Base::hot_;
  using Base::system_;

  static __device__ __forceinline__ void bring(const TileTurn& turn, std::uint32_t* to) {
    if (turn.words != nullptr)
      copy_async(reinterpret_cast<uint4*>(to) + threadIdx.x,
                 reinterpret_cast<const uint4*>(turn.words) + threadIdx.x);
  }
  __device__ __forceinline__ Term brings(Vertex at) const {
    return at < system_.rows.hot ? hot_[at] : from_[at];
  }

  __device__ __forceinline__ void sum_unit(unsigned unit, const std::uint32_t* words,
                                           unsigned width) {
    const PullRows<Offset>& rows = system_.rows;
    if (unit < rows.piece_count) {
      const Piece<Offset> own = rows.pieces[unit];
      this->finish_piece(unit, own,
                         chunks(words, static_cast<unsigned>(own.end - own.begin), width,
                                [this](Vertex at) { return brings(at); }));
    } else if (unit < rows.first_unit[1]) {
      group<0>(unit, words, width);
    } else if (unit < rows.first_unit[2]) {
      group<1>(unit, words, width);
    } else if (unit < rows.first_unit[3]) {
      group<2>(unit, words, width);
    } else if (unit < rows.first_unit[4]) {
      group<3>(unit, words, width);
    } else if (unit < rows.first_unit[5]) {
      group<4>(unit, words, width);
    } else {
      group<5>(unit, words, width);
    }
  }

  template <unsigned kClass>
  __device__ __forceinline__ void group(unsigned unit, const std::uint32_t* words, unsigned width) {
    constexpr unsigned kLanes = kWarp >> kClass;
    const typename Base::Row row = this->template look_ahead<kClass>(unit);
    const bool owns = row.at != kNoVertex && lane() % kLanes == 0;
    typename Base::Held held;
    if (owns) held = this->look_up(row.at);
    const auto length = static_cast<unsigned>(row.end - row.begin);
    const auto read = [this](Vertex at) { return brings(at); };
    Sum sum;
    if constexpr (kClass == 0) {
      sum = chunks(words, length, width, read);
    } else {
      // Rows of a unit stand side by side.
      const auto before = static_cast<unsigned>(row.begin - shuffle(row.begin, 0));
      Vertex last = words[0];
      for (unsigned start = 0; start < (kLanes == 1 ? length : 1); start += 4 * kLanes)
        add_some<kLanes>(words + 1, before + start, length - start, width, last, sum, read);
      sum = detail::over_lanes<kLanes>(sum);
    }
    if (owns)
      this->settle(this->template row_of<kClass>(unit), held, sum,
                   [&] { return static_cast<float>(length); });
  }

  /// Adds four values to each of kLanes lanes' sums: up to `count` of them, from value `first` of
  /// the chunk on. `last`: the source before, afterwards the last one.
  template <unsigned kLanes, class Read>
  static __device__ __forceinline__ void add_some(const std::uint32_t* chunk, unsigned first,
                                                  unsigned count, unsigned width, Vertex& last,
                                                  Sum& sum, const Read& read) {
    const unsigned own = 4 * (lane() % kLanes);
    Vertex ids[4];
    Vertex passed = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (own + k < count) passed += packed_value(chunk, first + own + k, width);
      ids[k] = passed;
    }
    // What the lanes before have passed.
    Vertex all = passed;
#pragma unroll
    for (unsigned distance = 1; distance < kLanes; distance *= 2) {
      const Vertex other = shuffle(all, (lane() - distance) % kWarp);
      if (lane() % kLanes >= distance) all += other;
    }
    const Vertex before = last + all - passed;
    const auto term = [&](unsigned k) {
      return own + k < count ? Term(read(before + ids[k])) : Term{};
    };
    sum.add(term(0), term(1), term(2), term(3));
    last += kLanes == 1 ? all : shuffle(all, lane() | (kLanes - 1));
  }

  /// The sum over a unit of one row, for all lanes of a warp.
  template <class Read>
  static __device__ __forceinline__ Sum chunks(const std::uint32_t* words, unsigned length,
                                               unsigned width, const Read& read) {
    Sum sum;
    Vertex last = *words++;
    for (unsigned start = 0; start < length; start += kChunk) {
      if (start != 0) width = *words++;
      const unsigned some = length - start < kChunk ? length - start : kChunk;
      add_some<kWarp>(words, 0, some, width, last, sum, read);
      words += packed_words(some, width);
    }
    return detail::over_lanes<kWarp>(sum);
  }

  /// A unit's words where its tile lies.
  __device__ __forceinline__ const std::uint32_t* find_unit(unsigned unit, unsigned& width) const {
    const PackedRows& packed = system_.rows.packed;
    unsigned tile = 0;
    for (unsigned end = packed.tile_count; end - tile > 1;) {
      const unsigned middle = tile + (end - tile) / 2;
      (packed.first_unit[middle] <= unit ? tile : end) = middle;
    }
    const std::uint32_t* const words = packed.tiles[tile];
    const UnitEntry entry = unit_entry(words[unit - packed.first_unit[tile]]);
    width = entry.width;
    return words + entry.begin;
  }

  /// The sum over a row, by a whole warp, unit by unit from the last until `enough(sum)`.
  template <class Read, class Enough>
  __device__ __forceinline__ Sum over_row(unsigned row, const Read& read,
                                          const Enough& enough) const {
    const PullRows<Offset>& rows = system_.rows;
    unsigned width = 0;
    if (row < rows.long_rows) {
      Sum sum;
      for (unsigned piece = rows.first_piece[row + 1]; piece > rows.first_piece[row]; --piece) {
        const std::uint32_t* const words = find_unit(piece - 1, width);
        const Piece<Offset> own = rows.pieces[piece - 1];
        const Sum more = chunks(words, static_cast<unsigned>(own.end - own.begin), width, read);
        sum.value += more.value;
        if constexpr (S::kCancels) sum.size += more.size;
        if (enough(sum)) break;
      }
      return sum;
    }
    unsigned kind = 0;
    while (row >= rows.first_row[kind + 1]) ++kind;
    const unsigned which = (row - rows.first_row[kind]) >> kind;
    const std::uint32_t* const words = find_unit(rows.first_unit[kind] + which, width);
    const unsigned first = rows.first_row[kind] + (which << kind);
    const auto length = static_cast<unsigned>(rows.begin[row + 1] - rows.begin[row]);
    Sum sum;
    if (kind == 0) {
      sum = chunks(words, length, width, read);
    } else {
      Vertex last = words[0];
      add_some<kWarp>(words + 1, static_cast<unsigned>(rows.begin[row] - rows.begin[first]), length,
                      width, last, sum, read);
      sum = detail::over_lanes<kWarp>(sum);
    }
    enough(sum);
    return sum;
  }
};

/// How a solver reads rows.
template <class S>
using RowsOf = std::conditional_t<S::kPacked, PackedSweep<S>, Sweep<S>>;

}  // namespace vertigo::gpu::solve
