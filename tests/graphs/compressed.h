#pragma once
// Texts as the compressors that readers know write them, in one piece each.

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace vertigo::test {

/// How hard a compressor tries: a fuzzer compresses more often than it reads.
enum class Effort { Least, Usual };

inline std::string gzip(std::string_view text, Effort effort = Effort::Usual) {
  z_stream state{};
  deflateInit2(&state, effort == Effort::Least ? 1 : 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&state, text.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

inline std::string zstd(std::string_view text, Effort effort = Effort::Usual) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(),
                           effort == Effort::Least ? 1 : 3));
  return out;
}

inline std::string xz(std::string_view text, Effort effort = Effort::Usual) {
  const bool least = effort == Effort::Least;
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(least ? 0 : 6, least ? LZMA_CHECK_CRC32 : LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

}  // namespace vertigo::test
