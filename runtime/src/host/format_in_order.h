#pragma once
// What a result says of its vertices, formatted by all threads.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "host/output.h"
#include "vertigo/core/parallel.h"

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

/// Formats vertices [0, count) by `append(piece, vertex)` in parallel and hands the text to the
/// sink in order, by one thread at a time, while the others format on.
template <class Append>
void format_in_order(Vertex count, const Append& append, const Sink& sink) {
  constexpr std::uint64_t kBlock = 1 << 15;
  ExceptionCarrier carrier;
  bool failed = false;  // asked and told in the order of the blocks
#pragma omp parallel if (count > kBlock)
  {
    TextPiece piece;
#pragma omp for ordered schedule(dynamic, 1)
    for (std::uint64_t begin = 0; begin < count; begin += kBlock) {
      bool formatted = false;
      carrier.run([&] {
        const std::uint64_t end = std::min<std::uint64_t>(count, begin + kBlock);
        piece.clear();
        for (std::uint64_t v = begin; v < end; ++v) append(piece, static_cast<Vertex>(v));
        formatted = true;
      });
#pragma omp ordered
      {
        // What follows a block that is missing is not written.
        failed = failed || !formatted;
        if (!failed) {
          failed = true;
          carrier.run([&] {
            sink(piece.text());
            failed = false;
          });
        }
      }
    }
  }
  carrier.rethrow();
}

}  // namespace vertigo::host
