#include "line_windows.h"

#include <algorithm>
#include <cstring>

namespace vertigo::graph {
namespace {

// Numbers are scanned by eight bytes.
constexpr std::size_t kSpareBytes = 8;
// Of a line that begins in one range and ends in the next.
constexpr std::uint64_t kRestOfLine = 4096;

std::size_t behind_line_end(const char* text, std::size_t from, std::size_t size) {
  const void* const end = std::memchr(text + from, '\n', size - from);
  return end == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(end) - text) + 1;
}

// Of whole lines.
bool has_odd_carriage_return(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at)) {
    while (text[at] == '\r') ++at;
    if (text[at] != '\n') return true;
  }
  return false;
}

}  // namespace

LineWindows::LineWindows(const RawFile& file, std::uint64_t first, std::uint64_t begin,
                         std::uint64_t end)
    : file_(file),
      at_(begin > first ? begin - 1 : begin),
      last_(end - 1),
      inside_(begin > first),
      is_done_(begin >= end),
      bytes_(new char[kBytes + kSpareBytes]) {}

void LineWindows::refill() {
  const std::size_t rest = used_ - given_;
  std::memmove(bytes_.get(), bytes_.get() + given_, rest);
  const std::uint64_t wanted = (at_ <= last_ ? last_ - at_ : 0) + kRestOfLine;
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>({wanted, kBytes - rest, file_.size() - at_}));
  file_.read_at(at_, bytes_.get() + rest, size);
  at_ += size;
  used_ = rest + size;
  given_ = 0;
}

// Bytes up to the end of the last line that is there and belongs to the range; 0: none ends.
std::size_t LineWindows::whole_lines() {
  const std::uint64_t window = at_ - used_;
  if (at_ > last_) {
    const std::size_t from = last_ > window ? static_cast<std::size_t>(last_ - window) : 0;
    const std::size_t whole = behind_line_end(bytes_.get(), from, used_);
    is_done_ = whole > 0;
    if (is_done_) return whole;
  }
  const void* const end = ::memrchr(bytes_.get(), '\n', used_);
  return end == nullptr
             ? 0
             : static_cast<std::size_t>(static_cast<const char*>(end) - bytes_.get()) + 1;
}

std::optional<std::string_view> LineWindows::next() {
  while (!is_done_ && !is_odd_) {
    refill();
    given_ = whole_lines();
    // A window that is not full holds the rest of the range and more.
    is_odd_ = given_ == 0 && (used_ == kBytes || at_ == file_.size());
    std::size_t begin = 0;
    if (inside_ && given_ > 0) {
      begin = behind_line_end(bytes_.get(), 0, given_);
      inside_ = false;
    }
    const std::string_view lines(bytes_.get() + begin, given_ - begin);
    if (lines.empty()) continue;
    is_odd_ = has_odd_carriage_return(lines);
    if (!is_odd_) return lines;
  }
  return std::nullopt;
}

}  // namespace vertigo::graph
