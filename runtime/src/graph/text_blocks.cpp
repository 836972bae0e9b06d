#include "text_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "vertigo/core/memory.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {
namespace {

// Large enough that starting a parallel region costs nothing, small enough that two of them stay
// far below what a machine for graphs has. Pages are touched only as data arrives.
constexpr std::size_t kBlockBytes = std::size_t{16} << 20;
// Of a block that all threads read and parse.
constexpr std::size_t kBytesPerThread = std::size_t{4} << 20;
constexpr std::size_t kLargestBlock = std::size_t{64} << 20;
// A line end may be supplied behind what was read, and numbers are scanned by eight bytes: none of
// them may lie outside of the buffer.
constexpr std::size_t kSpareBytes = 9;
// A line longer than a block must be held whole. It is taken for a line of a graph, and not for a
// bomb, as long as the file on the disk is in proportion: a list of neighbours shrinks to a third
// or a fourth when it is compressed.
constexpr std::uint64_t kLineBytesPerStoredByte = 8;
// A hub of 200 million neighbours on one line still passes.
constexpr std::size_t kLongestLine = std::size_t{2} << 30;

std::size_t longest_line_of(const InputStream& stream) {
  const std::uint64_t in_proportion = kLineBytesPerStoredByte * stream.stored_size();
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(in_proportion, kBlockBytes, kLongestLine));
}

std::size_t block_bytes(bool in_parallel) {
  if (!in_parallel) return kBlockBytes;
  return std::min(static_cast<std::size_t>(thread_count()) * kBytesPerThread, kLargestBlock);
}

// Small files get small buffers. One byte more than there is shows the end to the first read.
std::size_t first_capacity(const InputStream& stream, std::size_t block) {
  const std::uint64_t size = stream.known_size().value_or(block);
  return static_cast<std::size_t>(std::min<std::uint64_t>(size + 1, block));
}

}  // namespace

TextBlocks::TextBlocks(std::unique_ptr<InputStream> stream, CarriageReturns allowed)
    : stream_(std::move(stream)),
      allowed_(allowed),
      in_parallel_(stream_->plain() != nullptr),
      block_bytes_(block_bytes(in_parallel_)),
      first_bytes_(block_bytes_),
      longest_line_(longest_line_of(*stream_)) {}

TextBlocks::TextBlocks(std::unique_ptr<InputStream> stream, std::size_t first_bytes)
    : TextBlocks(std::move(stream)) {
  first_bytes_ = first_bytes;
}

TextBlocks::~TextBlocks() {
  // A thread that reads ahead writes into our buffer.
  if (reading_.valid() &&
      reading_.wait_for(std::chrono::seconds(0)) != std::future_status::deferred)
    reading_.wait();
}

void TextBlocks::grow(Buffer& buffer) {
  if (buffer.used > longest_line_) {
    throw refused_at_byte(stream_->path(), stream_->position() - buffer.used,
                          fmt::format("a line is longer than {}, the limit for this file",
                                      format_bytes(longest_line_)));
  }
  const std::size_t capacity = std::min(2 * buffer.capacity, longest_line_ + 1);
  std::unique_ptr<char[]> larger(new char[capacity + kSpareBytes]);
  std::memcpy(larger.get(), buffer.bytes.get(), buffer.used);
  buffer.bytes = std::move(larger);
  buffer.capacity = capacity;
}

void TextBlocks::unify_line_ends(Buffer& buffer, std::size_t begin) {
  char* const from = buffer.bytes.get() + begin;
  const std::size_t bytes = buffer.used - begin;
  const bool line_ends = std::memchr(from, '\n', bytes) != nullptr;
  if (!any_line_end_ && !line_ends) {
    // The last byte of a full buffer may be half of "\r\n".
    const std::size_t certain = buffer.used - (buffer.used == buffer.capacity ? 1 : 0);
    carriage_returns_ = std::memchr(buffer.bytes.get(), '\r', certain) != nullptr;
  }
  any_line_end_ = any_line_end_ || line_ends || carriage_returns_;
  if (!carriage_returns_) return;
  if (line_ends)
    throw refused_at_byte(stream_->path(), stream_->position() - bytes,
                          "some lines end with a carriage return alone, others do not");
  std::replace(buffer.bytes.get(), buffer.bytes.get() + buffer.used, '\r', '\n');
}

void TextBlocks::finish(Buffer& buffer) {
  buffer.last = true;
  if (buffer.used > 0 && buffer.bytes[buffer.used - 1] != '\n') {
    last_line_cut_ = any_line_end_;
    buffer.bytes[buffer.used++] = '\n';
  }
  buffer.whole = buffer.used;
}

bool TextBlocks::holds_carriage_returns(const Buffer& buffer) const {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  bool found = false;
  // A thread that reads ahead has no team of its own.
#pragma omp parallel for schedule(static) \
    reduction(|| : found) if (in_parallel_ && buffer.whole > kPiece)
  for (std::size_t at = 0; at < buffer.whole; at += kPiece)
    found = found || std::memchr(buffer.bytes.get() + at, '\r',
                                 std::min(kPiece, buffer.whole - at)) != nullptr;
  return found;
}

// A carriage return that is not at the end of its line would join two lines of a file from an old
// Macintosh into one.
void TextBlocks::refuse_carriage_returns(const Buffer& buffer, std::uint64_t position) const {
  const char* const begin = buffer.bytes.get();
  const char* const end = begin + buffer.whole;
  const char* at = begin;
  while (at != end) {
    at = static_cast<const char*>(std::memchr(at, '\r', static_cast<std::size_t>(end - at)));
    if (at == nullptr) return;
    const auto offset = static_cast<std::uint64_t>(at - begin);
    while (*at == '\r') ++at;  // the last byte is a line end
    if (*at != '\n')
      throw refused_at_byte(stream_->path(), position + offset, "a carriage return within a line");
  }
}

// Reads until the buffer holds a line end or the file is done, growing it only for lines longer
// than a block.
void TextBlocks::fill(Buffer& buffer, const char* rest, std::size_t rest_size) {
  const std::size_t wanted =
      started_ ? rest_size + block_bytes_ : first_capacity(*stream_, first_bytes_);
  std::unique_ptr<char[]> old;  // may hold the rest
  if (buffer.capacity < wanted) {
    old = std::exchange(buffer.bytes,
                        std::unique_ptr<char[]>(new char[wanted + kSpareBytes]));  // uninitialised
    buffer.capacity = wanted;
  }
  if (rest_size > 0) std::memmove(buffer.bytes.get(), rest, rest_size);
  old.reset();
  buffer.used = rest_size;
  const std::uint64_t position = stream_->position() - rest_size;
  for (;;) {
    const std::size_t room = buffer.capacity - buffer.used;
    const std::size_t begin = buffer.used;
    char* const to = buffer.bytes.get() + begin;
    const std::size_t got =
        in_parallel_ ? stream_->read_in_parallel(to, room) : stream_->read(to, room);
    buffer.used += got;
    unify_line_ends(buffer, begin);
    if (got < room) {
      finish(buffer);
      break;
    }
    const void* line_end = ::memrchr(buffer.bytes.get() + begin, '\n', got);
    if (line_end != nullptr) {
      buffer.whole =
          static_cast<std::size_t>(static_cast<const char*>(line_end) - buffer.bytes.get()) + 1;
      break;
    }
    grow(buffer);
  }
  if (allowed_ == CarriageReturns::Nowhere && holds_carriage_returns(buffer))
    refuse_carriage_returns(buffer, position);
}

void TextBlocks::skip_byte_order_mark() {
  if (std::string_view(cursor_, current_.whole).starts_with(kByteOrderMark))
    cursor_ += kByteOrderMark.size();
}

bool TextBlocks::advance() {
  const bool first = !started_;
  if (first) {
    fill(current_, nullptr, 0);
    started_ = true;
  } else if (in_parallel_) {
    if (current_.last) return false;
    const std::size_t rest = current_.used - current_.whole;
    block_offset_ = stream_->position() - rest;
    fill(current_, current_.bytes.get() + current_.whole, rest);
  } else {
    if (!reading_.valid()) return false;
    reading_.get();
    std::swap(current_, ahead_);
  }
  cursor_ = current_.bytes.get();
  block_end_ = cursor_ + current_.whole;
  if (first) skip_byte_order_mark();
  if (!current_.last && !in_parallel_) {
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
  return cursor_ != block_end_;
}

std::optional<std::string_view> TextBlocks::next_line() {
  do {
    if (cursor_ == block_end_ && !advance()) return std::nullopt;
    next_line_number_ += skip_line_ends(cursor_, block_end_);
  } while (cursor_ == block_end_);
  const auto* line_end = static_cast<const char*>(
      std::memchr(cursor_, '\n', static_cast<std::size_t>(block_end_ - cursor_)));
  std::string_view line(cursor_, static_cast<std::size_t>(line_end - cursor_));
  cursor_ = line_end + 1;
  ++next_line_number_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

void TextBlocks::take_rest() {
  stream_->take(*stream_->known_size() - stream_->position());
  cursor_ = block_end_;
  current_.last = true;
}

std::optional<TextBlock> TextBlocks::next_block() {
  if (cursor_ == block_end_ && !advance()) return std::nullopt;
  const TextBlock block{cursor_, block_end_, next_line_number_};
  cursor_ = block_end_;
  return block;
}

std::uint64_t skip_line_ends(const char*& at, const char* end) {
  constexpr std::uint64_t kEight = 0x0A0A0A0A0A0A0A0Au;
  const char* const begin = at;
  std::uint64_t word = kEight;
  while (word == kEight && end - at >= 8) {
    std::memcpy(&word, at, sizeof word);
    if (word == kEight) at += 8;
  }
  while (at != end && *at == '\n') ++at;
  return static_cast<std::uint64_t>(at - begin);
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
