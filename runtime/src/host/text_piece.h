#pragma once
// Text of a result, as a thread formats it.

#include <algorithm>
#include <cstddef>
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

/// To write_in_order().
inline auto pass_to(const Sink& sink) {
  return [&sink](const TextPiece& piece) { sink(piece.text()); };
}

}  // namespace vertigo::host
