#pragma once
// From text on the device to edges there: counted first, so that each finds its place, then parsed.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace vertigo::gpu::text {

/// Bytes whose lines belong to one thread.
constexpr std::uint64_t kChunk = 128;
inline std::uint64_t chunks_of(std::uint64_t bytes) { return (bytes + kChunk - 1) / kChunk; }

/// What a line may begin with.
struct Shape {
  char comments[2];
  char mark;  ///< the first word of a line with an edge; 0: none
  std::uint32_t first_id;
};

enum class Weight : std::uint8_t {
  None,
  Integers,  ///< a fraction is for the caller to decide
  Reals,
};

/// Characters on the device, which end with a line end and may be read to the end of their last
/// chunk.
struct Characters {
  const char* begin;
  std::uint64_t size;
};

/// What the parser tells besides the edges. In device memory.
struct Told {
  unsigned long long doubt;  ///< where a line begins that is not understood; ~0: nowhere
  unsigned long long smallest;
  unsigned long long largest;
  unsigned long long fractions;  ///< not 0: some weight is no integer
};
inline constexpr Told kNothingTold{~0ull, ~0ull, 0, 0};

/// Edges that begin in each chunk; one entry more, which is 0.
void launch_count(cudaStream_t stream, const Characters& text, const Shape& shape,
                  std::uint32_t* counts);

/// Where each edge goes: its ids and, unless null, its weight.
struct EdgePlaces {
  std::uint64_t* ids;
  std::uint64_t* weights;
};
/// `firsts`: of each chunk, the place of its first edge.
void launch_parse(cudaStream_t stream, const Characters& text, const Shape& shape, Weight weight,
                  const std::uint64_t* firsts, const EdgePlaces& places, Told* told);

}  // namespace vertigo::gpu::text
