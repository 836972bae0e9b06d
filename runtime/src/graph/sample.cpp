// The beginning of a file, cut into lines and words for recognition.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "recognise.h"
#include "text_blocks.h"

namespace vertigo::graph {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{256} << 10;
constexpr std::size_t kMostLines = 20000;
constexpr std::string_view kBlanks = " \t\r";

// A line that does not show a format: blank, a comment, or a comment of DIMACS and PACE.
bool shows_nothing(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  return first == std::string_view::npos || line[first] == '#' || line[first] == '%' ||
         line[first] == 'c';
}

std::string read_chunk(InputStream& stream) {
  // One byte more than there is shows the end; the sample of a small file costs little.
  std::uint64_t bytes = kSampleBytes;
  if (const auto size = stream.known_size())
    bytes = std::min(*size - std::min(*size, stream.position()) + 1, bytes);
  std::string chunk(static_cast<std::size_t>(bytes), '\0');
  chunk.resize(stream.read(chunk.data(), chunk.size()));
  return chunk;
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  return value;
}

Sample::Sample(InputStream& stream) : size_(stream.known_size()) {
  head_ = read_chunk(stream);
  complete_ = head_.size() < kSampleBytes;
  if (complete_) size_ = head_.size();
  utf16_ = head_.starts_with("\xFF\xFE") || head_.starts_with("\xFE\xFF");
  if (head_.starts_with(kByteOrderMark)) head_.erase(0, kByteOrderMark.size());
  binary_ = head_.find('\0') != std::string::npos;
  if (binary_) return;
  carriage_returns_ =
      head_.find('\n') == std::string::npos && head_.find('\r') != std::string::npos;
  normalise(head_);
  first_line_ = std::string_view(head_).substr(0, head_.find('\n'));
  split(head_);
  if (!complete_) read_past_comments(stream);
  for (const SampleLine& line : lines_) {
    if (!line.words.empty()) data_.push_back(line);
  }
}

void Sample::normalise(std::string& text) {
  if (carriage_returns_) std::replace(text.begin(), text.end(), '\r', '\n');
}

// Reads on until half a sample follows the first line that shows something. Whole lines in front of
// it are dropped; of an unfinished one its first character is enough.
void Sample::read_past_comments(InputStream& stream) {
  std::string text = head_;
  for (;;) {
    const char* at = text.data();
    const char* const end = at + text.size();
    bool found = false;
    while (at != end) {
      first_number_ += skip_line_ends(at, end);
      const char* const line_end = std::find(at, end, '\n');
      found = at != end && !shows_nothing({at, static_cast<std::size_t>(line_end - at)});
      if (found || line_end == end) break;
      at = line_end + 1;
      ++first_number_;
    }
    text.erase(0, static_cast<std::size_t>(at - text.data()));
    if (complete_ || (found && text.size() >= kSampleBytes / 2)) break;
    if (!found) {
      const std::size_t first = text.find_first_not_of(kBlanks);
      text = first == std::string::npos ? "" : std::string(1, text[first]);
    }
    std::string more = read_chunk(stream);
    complete_ = more.size() < kSampleBytes;
    normalise(more);
    binary_ = binary_ || more.find('\0') != std::string::npos;
    text += more;
  }
  later_ = std::move(text);
  split(later_);
}

void Sample::split(std::string_view text) {
  struct Span {
    std::uint64_t number;
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Span> spans;
  words_.clear();
  std::uint64_t number = first_number_ - 1;
  while (!text.empty() && spans.size() < kMostLines) {
    const std::size_t line_end = text.find('\n');
    // The last line may be cut anywhere; of one that fills the sample, the words in front count.
    if (line_end == std::string_view::npos && !complete_ && !spans.empty()) break;
    const std::string_view line = text.substr(0, line_end);
    text.remove_prefix(line_end == std::string_view::npos ? text.size() : line_end + 1);
    ++number;
    std::size_t at = line.find_first_not_of(kBlanks);
    if (at != std::string_view::npos && (line[at] == '#' || line[at] == '%')) {
      if (later_.empty()) comments_.push_back(line);
      continue;
    }
    const std::size_t begin = words_.size();
    while (at != std::string_view::npos) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(kBlanks, end);
    }
    spans.push_back({number, begin, words_.size()});
  }
  complete_ = complete_ && text.empty();
  lines_.clear();
  for (const Span& span : spans)
    lines_.push_back({span.number, std::span(words_).subspan(span.begin, span.end - span.begin)});
}

}  // namespace vertigo::graph
