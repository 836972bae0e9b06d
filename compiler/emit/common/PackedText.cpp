#include "compiler/emit/common/PackedText.h"

#include <zstd.h>

#include <cstdint>
#include <new>

namespace vertigo::compiler::emit {

namespace {

// Plans repeat themselves: higher levels gain a hundredth, and take minutes of one with 60 MB
// instead of a quarter of a second. Where that quarter is felt, so few bytes are not.
constexpr int kLevel = 9;
constexpr int kLevelOfLong = 1;
constexpr std::size_t kLong = std::size_t{4} << 20;

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t first = 0; first < bytes.size(); first += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = first; i < first + 3; ++i)
      bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += first + i <= bytes.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace

std::string packed(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(),
                                         text.size() < kLong ? kLevel : kLevelOfLong);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // there is room: only memory can be short
  frame.resize(size);
  return base64(frame);
}

}  // namespace vertigo::compiler::emit
