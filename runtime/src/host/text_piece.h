#pragma once
// Text of a result, as a thread formats it.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "host/output.h"

namespace vertigo::host {

/// Text that grows at its end, written through pointers: a line takes a third of the time that
/// appending its parts to a string takes.
class TextPiece {
 public:
  /// Where the next bytes go; at least `bytes` of them fit.
  char* room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) grow(bytes);
    return text_.get() + size_;
  }
  /// All up to here is written.
  void written_to(const char* end) { size_ = static_cast<std::size_t>(end - text_.get()); }
  void append(std::string_view text) {
    char* const to = room(text.size());
    std::memcpy(to, text.data(), text.size());
    written_to(to + text.size());
  }
  void clear() { size_ = 0; }
  std::string_view text() const { return {text_.get(), size_}; }

 private:
  void grow(std::size_t bytes) {
    const std::size_t capacity = std::max(2 * capacity_, size_ + bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(larger.get(), text_.get(), size_);
    text_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> text_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// A number that is counted up, as text: all digits but the last two change once in a hundred
/// times.
class AscendingNumber {
 public:
  /// Of 64 bits.
  static constexpr std::size_t kMost = 20;

  void set(std::uint64_t number) {
    last_ = static_cast<unsigned>(number % 100);
    set_hundreds(number / 100);
  }
  void increment() {
    if (++last_ < 100) return;
    last_ = 0;
    set_hundreds(hundreds_ + 1);
  }
  /// Writes it; kMost bytes must be there. Returns the end.
  char* write(char* to) const {
    // A number of bytes that the compiler knows, whatever stands behind the digits.
    std::memcpy(to, digits_, kMost);
    to += size_;
    if (size_ > 0 || last_ >= 10) *to++ = static_cast<char>('0' + last_ / 10);
    *to++ = static_cast<char>('0' + last_ % 10);
    return to;
  }

 private:
  void set_hundreds(std::uint64_t hundreds) {
    hundreds_ = hundreds;
    char* const end =
        hundreds == 0 ? digits_ : std::to_chars(digits_, digits_ + kMost, hundreds).ptr;
    size_ = static_cast<std::size_t>(end - digits_);
  }

  std::uint64_t hundreds_ = 0;
  unsigned last_ = 0;
  char digits_[kMost] = {};
  std::size_t size_ = 0;
};

/// To write_in_order().
inline auto pass_to(const Sink& sink) {
  return [&sink](const TextPiece& piece) { sink(piece.text()); };
}

}  // namespace vertigo::host
