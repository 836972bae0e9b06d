#include <algorithm>

#include "../check.h"
#include "line.cuh"
#include "lines.h"
#include "vertigo/device/buffers.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::text {

namespace {

/// Enough to fill a device, few enough that what their warps tell costs nothing.
unsigned blocks_for(std::uint64_t items) {
  constexpr std::uint64_t kMost = 4096;
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + kBlock - 1) / kBlock, 1, kMost));
}

__device__ __forceinline__ Line line_at(const Characters& text, std::uint64_t at) {
  const std::uint64_t limit = at + kLongestLine < text.size ? at + kLongestLine : text.size - 1;
  return {text.begin + at, text.begin + limit};
}

/// The high bit of each byte of `word` that is a line end.
__device__ __forceinline__ std::uint64_t line_ends_of(std::uint64_t word) {
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7Full;
  const std::uint64_t others = word ^ 0x0A0A0A0A0A0A0A0Aull;
  return ~(((others & kLow) + kLow) | others | kLow);
}

__device__ __forceinline__ bool is_edge(const Characters& text, std::uint64_t at,
                                        const Shape& shape) {
  if (at >= text.size) return false;
  if (is_digit(text.begin[at])) return true;
  Line line = line_at(text, at);
  return kind_of(line, shape) == Kind::Edge;
}

/// A line belongs to the chunk that holds its first byte, so the line end before it may be in the
/// chunk before.
__global__ void __launch_bounds__(kBlock) count_edges(const Characters text, const Shape shape,
                                                      std::uint64_t chunks, std::uint32_t* counts) {
  constexpr std::uint64_t kWord = sizeof(std::uint64_t);
  const std::uint64_t first = gpu::detail::block_start() + threadIdx.x;
  if (first == 0) counts[chunks] = 0;
  for (std::uint64_t chunk = first; chunk < chunks; chunk += gpu::detail::grid_stride()) {
    const std::uint64_t begin = chunk * kChunk;
    std::uint32_t count = begin == 0 && is_edge(text, 0, shape);
    if (begin != 0 && text.begin[begin - 1] == '\n') count = is_edge(text, begin, shape);
    for (std::uint64_t at = begin; at < begin + kChunk; at += kWord) {
      std::uint64_t ends = line_ends_of(*reinterpret_cast<const std::uint64_t*>(text.begin + at));
      for (; ends != 0; ends &= ends - 1) {
        const std::uint64_t next =
            at + static_cast<unsigned>(__ffsll(static_cast<long long>(ends))) / 8;
        if (next < begin + kChunk) count += is_edge(text, next, shape);
      }
    }
    counts[chunk] = count;
  }
}

/// The first line that begins in the chunk, or a place behind the chunk.
__device__ __forceinline__ std::uint64_t first_line(const Characters& text, std::uint64_t begin) {
  std::uint64_t at = begin;
  if (at == 0) return at;
  while (at < begin + kChunk && text.begin[at - 1] != '\n') ++at;
  return at;
}

template <Weight kWeight>
__device__ __forceinline__ void parse_chunk(const Characters& text, const Shape& shape,
                                            std::uint64_t begin, std::uint64_t place,
                                            const EdgePlaces& places, Told& told) {
  const std::uint64_t end = begin + kChunk < text.size ? begin + kChunk : text.size;
  for (std::uint64_t at = first_line(text, begin); at < end;) {
    Line line = line_at(text, at);
    const Kind kind = kind_of(line, shape);
    ParsedEdge edge;
    const bool sure = kind == Kind::Edge      ? scan_edge<kWeight>(line, shape, edge)
                      : kind == Kind::Comment ? skip_comment(line)
                                              : finish(line);
    if (!sure) {
      told.doubt = at < told.doubt ? at : told.doubt;
      return;
    }
    at = static_cast<std::uint64_t>(line.at - text.begin);
    if (kind != Kind::Edge) continue;
    const unsigned long long source = edge.ids >> 32;
    const unsigned long long target = edge.ids & 0xFFFFFFFFu;
    told.smallest = min(told.smallest, min(source, target));
    told.largest = max(told.largest, max(source, target));
    if (edge.fraction) told.fractions = 1;
    places.ids[place] = edge.ids;
    if (kWeight != Weight::None && places.weights != nullptr) places.weights[place] = edge.weight;
    ++place;
  }
}

template <Weight kWeight>
__global__ void __launch_bounds__(kBlock)
    parse_edges(const Characters text, const Shape shape, std::uint64_t chunks,
                const std::uint64_t* firsts, const EdgePlaces places, Told* told) {
  Told mine = kNothingTold;
  for (std::uint64_t chunk = gpu::detail::block_start() + threadIdx.x; chunk < chunks;
       chunk += gpu::detail::grid_stride())
    parse_chunk<kWeight>(text, shape, chunk * kChunk, firsts[chunk], places, mine);
  mine.doubt = gpu::detail::combine_warp(mine.doubt, Min{});
  mine.smallest = gpu::detail::combine_warp(mine.smallest, Min{});
  mine.largest = gpu::detail::combine_warp(mine.largest, Max{});
  mine.fractions = gpu::detail::combine_warp(mine.fractions, Max{});
  if (lane() != 0) return;
  atomicMin(&told->doubt, mine.doubt);
  atomicMin(&told->smallest, mine.smallest);
  atomicMax(&told->largest, mine.largest);
  atomicMax(&told->fractions, mine.fractions);
}

}  // namespace

void launch_count(cudaStream_t stream, const Characters& text, const Shape& shape,
                  std::uint32_t* counts) {
  const std::uint64_t chunks = chunks_of(text.size);
  count_edges<<<blocks_for(chunks), kBlock, 0, stream>>>(text, shape, chunks, counts);
  check(cudaGetLastError(), "count the lines of a text");
}

void launch_parse(cudaStream_t stream, const Characters& text, const Shape& shape, Weight weight,
                  const std::uint64_t* firsts, const EdgePlaces& places, Told* told) {
  const std::uint64_t chunks = chunks_of(text.size);
  const unsigned blocks = blocks_for(chunks);
  switch (weight) {
    case Weight::None:
      parse_edges<Weight::None>
          <<<blocks, kBlock, 0, stream>>>(text, shape, chunks, firsts, places, told);
      break;
    case Weight::Integers:
      parse_edges<Weight::Integers>
          <<<blocks, kBlock, 0, stream>>>(text, shape, chunks, firsts, places, told);
      break;
    case Weight::Reals:
      parse_edges<Weight::Reals>
          <<<blocks, kBlock, 0, stream>>>(text, shape, chunks, firsts, places, told);
      break;
  }
  check(cudaGetLastError(), "parse the lines of a text");
}

}  // namespace vertigo::gpu::text
