// All of XXH3 is compiled here, and nothing of it is linked.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "cached_layout.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {
namespace {

constexpr std::uint64_t kFirstPrime = 0x9E3779B185EBCA87ULL;
constexpr std::uint64_t kSecondPrime = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t kThirdPrime = 0x165667B19E3779F9ULL;
constexpr std::size_t kPiece = kChecksumPiece;

std::uint64_t step(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kSecondPrime, 31) * kFirstPrime;
}

std::uint64_t sum_by_lanes(const unsigned char* data, std::size_t bytes) {
  std::uint64_t lanes[4] = {kFirstPrime, kSecondPrime, kThirdPrime, kFirstPrime ^ kThirdPrime};
  std::size_t at = 0;
  for (; at + 32 <= bytes; at += 32) {
    std::uint64_t words[4];
    std::memcpy(words, data + at, sizeof words);
    for (int i = 0; i < 4; ++i) lanes[i] = step(lanes[i], words[i]);
  }
  std::uint64_t result = bytes * kThirdPrime;
  for (const std::uint64_t lane : lanes) result = step(result, lane);
  for (; at < bytes; ++at) result = step(result, data[at]);
  result ^= result >> 29;
  result *= kThirdPrime;
  return result ^ (result >> 32);
}

std::uint64_t piece_checksum(const void* data, std::size_t bytes, Checksum kind) {
  return kind == Checksum::Lanes ? sum_by_lanes(static_cast<const unsigned char*>(data), bytes)
                                 : XXH3_64bits(data, bytes);
}

}  // namespace

std::uint64_t checksum_of(const void* data, std::size_t bytes, Checksum kind) {
  const auto piece = [&](std::uint64_t at, std::size_t /*size*/) {
    return static_cast<const unsigned char*>(data) + at;
  };
  return checksum_of(bytes, piece, kind);
}

std::uint64_t checksum_of(std::uint64_t bytes,
                          const std::function<const void*(std::uint64_t, std::size_t)>& piece,
                          Checksum kind) {
  std::vector<std::uint64_t> pieces(std::max<std::uint64_t>((bytes + kPiece - 1) / kPiece, 1));
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 2) if (pieces.size() > 1)
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    carrier.run([&] {
      const std::uint64_t at = i * kPiece;
      const std::size_t size = std::min<std::uint64_t>(bytes - at, kPiece);
      pieces[i] = piece_checksum(piece(at, size), size, kind);
    });
  }
  carrier.rethrow();
  if (bytes <= kPiece) return pieces[0];
  return piece_checksum(pieces.data(), pieces.size() * sizeof pieces[0], kind) ^ bytes;
}

}  // namespace vertigo::graph
