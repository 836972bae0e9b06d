#include "text_blocks.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

namespace vertigo::graph {
namespace {

// Large enough that starting a parallel region costs nothing, small enough that two of them stay
// far below what a machine for graphs has. Pages are touched only as data arrives.
constexpr std::size_t kBlockBytes = std::size_t{16} << 20;
// A hub of 200 million neighbours on one line still passes.
constexpr std::size_t kLongestLine = std::size_t{2} << 30;

}  // namespace

TextBlocks::TextBlocks(std::unique_ptr<InputStream> stream) : stream_(std::move(stream)) {}

TextBlocks::~TextBlocks() {
  // A thread that reads ahead writes into our buffer.
  if (reading_.valid() &&
      reading_.wait_for(std::chrono::seconds(0)) != std::future_status::deferred)
    reading_.wait();
}

// Reads until the buffer holds a line end or the file is done, growing it only for lines longer
// than a block.
void TextBlocks::fill(Buffer& buffer, const char* rest, std::size_t rest_size) {
  const std::size_t wanted = std::max(kBlockBytes, 2 * rest_size);
  if (buffer.capacity < wanted) {
    buffer.bytes.reset(
        new char[wanted + 1]);  // one byte for a supplied line end; left uninitialised on purpose
    buffer.capacity = wanted;
  }
  if (rest_size > 0) std::memcpy(buffer.bytes.get(), rest, rest_size);
  buffer.used = rest_size;
  for (;;) {
    const std::size_t room = buffer.capacity - buffer.used;
    const std::size_t got = stream_->read(buffer.bytes.get() + buffer.used, room);
    char* const read_begin = buffer.bytes.get() + buffer.used;
    buffer.used += got;
    if (got < room) {
      buffer.last = true;
      if (buffer.used > 0 && buffer.bytes[buffer.used - 1] != '\n')
        buffer.bytes[buffer.used++] = '\n';
      buffer.whole = buffer.used;
      return;
    }
    const void* line_end = ::memrchr(read_begin, '\n', got);
    if (line_end != nullptr) {
      buffer.whole =
          static_cast<std::size_t>(static_cast<const char*>(line_end) - buffer.bytes.get()) + 1;
      return;
    }
    if (buffer.capacity >= kLongestLine) {
      throw refused_at_byte(stream_->path(), stream_->position() - buffer.used,
                            "a line is longer than 2 GiB");
    }
    std::unique_ptr<char[]> larger(new char[2 * buffer.capacity + 1]);
    std::memcpy(larger.get(), buffer.bytes.get(), buffer.used);
    buffer.bytes = std::move(larger);
    buffer.capacity *= 2;
  }
}

bool TextBlocks::advance() {
  if (!started_) {
    started_ = true;
    fill(current_, nullptr, 0);
  } else {
    if (!reading_.valid()) return false;
    reading_.get();
    std::swap(current_, ahead_);
  }
  cursor_ = current_.bytes.get();
  block_end_ = cursor_ + current_.whole;
  if (!current_.last) {
    // The rest lies behind the whole lines, which nobody writes to while it is copied.
    const auto read_ahead = [this] {
      fill(ahead_, current_.bytes.get() + current_.whole, current_.used - current_.whole);
    };
    try {
      reading_ = std::async(std::launch::async, read_ahead);
    } catch (const std::system_error&) {  // no thread for it: read when it is asked for
      reading_ = std::async(std::launch::deferred, read_ahead);
    }
  }
  return current_.whole > 0;
}

std::optional<std::string_view> TextBlocks::next_line() {
  if (cursor_ == block_end_ && !advance()) return std::nullopt;
  const auto* line_end = static_cast<const char*>(
      std::memchr(cursor_, '\n', static_cast<std::size_t>(block_end_ - cursor_)));
  std::string_view line(cursor_, static_cast<std::size_t>(line_end - cursor_));
  cursor_ = line_end + 1;
  ++next_line_number_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::optional<TextBlock> TextBlocks::next_block() {
  if (cursor_ == block_end_ && !advance()) return std::nullopt;
  const TextBlock block{cursor_, block_end_, next_line_number_};
  cursor_ = block_end_;
  return block;
}

std::vector<std::string_view> split_at_lines(std::string_view text, std::size_t parts) {
  std::vector<std::string_view> pieces;
  const std::size_t step = std::max<std::size_t>(text.size() / std::max<std::size_t>(parts, 1), 1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t target = begin + step - 1;
    const std::size_t line_end =
        target < text.size() ? text.find('\n', target) : std::string_view::npos;
    const std::size_t end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

}  // namespace vertigo::graph
