#include "vertigo/core/packed_text.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "vertigo/core/error.h"

namespace vertigo {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

[[noreturn]] void refuse() {
  throw Error(ExitCode::Other, "a text of the program in this binary is damaged");
}

std::array<int, 256> make_values() {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  return values;
}

std::string from_base64(std::string_view text) {
  static const std::array<int, 256> values = make_values();
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const int value = values[static_cast<unsigned char>(c)];
    if (value < 0) refuse();
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

std::string decompressed(const std::string& frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) refuse();
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(got) != 0 || got != text.size()) refuse();
  return text;
}

}  // namespace

std::string_view unpacked(std::string_view packed) {
  static std::mutex mutex;
  static std::deque<std::string> kept;
  std::string text = decompressed(from_base64(packed));
  const std::lock_guard lock(mutex);
  return kept.emplace_back(std::move(text));
}

}  // namespace vertigo
