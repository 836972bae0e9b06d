#include "record_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "scan.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::graph {
namespace {

// Of a record that spans blocks of the file; a quote that is never closed does not swallow the
// file.
constexpr std::size_t kLongestRecord = std::size_t{1} << 20;

bool odd_quotes(std::string_view text) {
  return std::count(text.begin(), text.end(), '"') % 2 != 0;
}

std::uint64_t line_ends(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

// Behind the first line end that has an even number of quotes before it in all, `inside` telling
// whether it was odd before this text; npos where there is none.
std::size_t first_record_end(std::string_view text, bool inside) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') inside = !inside;
    if (text[at] == '\n' && !inside) return at + 1;
  }
  return std::string_view::npos;
}

// The same of the last line end, in a text whose end is inside of quotes.
std::size_t last_record_end(std::string_view text) {
  bool inside = true;
  for (std::size_t at = text.size(); at > 0; --at) {
    if (text[at - 1] == '"') inside = !inside;
    if (text[at - 1] == '\n' && !inside) return at;
  }
  return 0;
}

}  // namespace

bool RecordScanner::next_record() {
  while (at_ != end_) {
    const char* at = at_;
    while (is_blank(*at) || *at == '\r') ++at;
    const bool comment = separator_ == kBlanks && (*at == '#' || *at == '%');
    if (*at != '\n' && !comment) return true;
    at_ = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end_ - at))) + 1;
    ++lines_;
  }
  return false;
}

Field RecordScanner::next_field(std::string& scratch) {
  skip_blanks();
  Field field;
  field.text = *at_ == '"' ? quoted_field(scratch) : plain_field();
  field.last = end_field();
  return field;
}

void RecordScanner::skip_blanks() {
  while (is_blank(*at_)) ++at_;
}

std::string_view RecordScanner::quoted_field(std::string& scratch) {
  const char* const begin = at_ + 1;
  const char* from = begin;
  bool unescaped = true;
  for (;;) {
    const auto* quote =
        static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(end_ - from)));
    const std::string_view span(from, static_cast<std::size_t>((quote ? quote : end_) - from));
    const std::uint64_t inside = line_ends(span);
    if (quote == nullptr || (separator_ == kBlanks && inside > 0)) {
      throw LineError{separator_ == kBlanks
                          ? "quotes are opened and not closed on this line"
                          : "quotes are opened and not closed, or not within 1 MiB"};
    }
    lines_ += inside;
    at_ = quote + 1;
    if (*at_ != '"') {
      if (unescaped) return span;
      scratch += span;
      return scratch;
    }
    if (unescaped) scratch.clear();
    unescaped = false;
    scratch.append(from, at_);  // with the first of the two quotes
    from = at_ + 1;
  }
}

std::string_view RecordScanner::plain_field() {
  const char* const begin = at_;
  const bool by_blanks = separator_ == kBlanks;
  while (*at_ != separator_ && *at_ != '\n' && !(by_blanks && (*at_ == '\t' || *at_ == '\r'))) {
    if (*at_ == '"') {
      throw LineError{
          "a quote stands inside of a field that does not begin with one: such a field must be in "
          "quotes, with those inside doubled"};
    }
    if (*at_ == '\r' && at_[1] != '\n') {
      throw LineError{"a carriage return stands where no line ends"};
    }
    ++at_;
  }
  const char* end = at_;
  while (end != begin && (is_blank(end[-1]) || end[-1] == '\r')) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Moves past the separator or the line end; true for the latter.
bool RecordScanner::end_field() {
  while (is_blank(*at_) || (*at_ == '\r' && (at_[1] == '\n' || separator_ == kBlanks))) ++at_;
  if (*at_ == '\n') {
    ++at_;
    ++lines_;
    return true;
  }
  if (separator_ == kBlanks) {
    if (is_blank(at_[-1])) return false;
  } else if (*at_ == separator_) {
    ++at_;
    return false;
  }
  throw LineError{fmt::format("expected the end of the field behind the closing quote, found {}",
                              quote_word(at_))};
}

std::optional<std::vector<std::string>> scan_record(RecordScanner& scanner) {
  if (!scanner.next_record()) return std::nullopt;
  std::vector<std::string> fields;
  std::string scratch;
  for (;;) {
    const Field field = scanner.next_field(scratch);
    if (fields.size() == kMostFields) {
      throw LineError{fmt::format("more than {} columns", kMostFields)};
    }
    fields.emplace_back(field.text);
    if (field.last) return fields;
  }
}

std::optional<TextBlock> RecordBlocks::next() {
  if (left_.empty()) {
    const auto block = blocks_.next_block();
    if (!block) return std::nullopt;
    left_ = block->text();
    blocks_.count_lines(line_ends(left_));
  }
  std::string_view text = left_;
  if (separator_ != kBlanks && odd_quotes(text)) text = text.substr(0, last_record_end(text));
  left_.remove_prefix(text.size());
  if (text.empty()) text = finish_spanning();
  const TextBlock piece{text.data(), text.data() + text.size(), line_};
  line_ += line_ends(text);
  return piece;
}

// The record that `left_` begins with and that goes on in later blocks. One whose quotes are not
// closed is given as far as it was read: whoever scans it says what is wrong.
std::string_view RecordBlocks::finish_spanning() {
  spanning_ = left_;
  for (;;) {
    const auto block = spanning_.size() > kLongestRecord ? std::nullopt : blocks_.next_block();
    left_ = block ? block->text() : std::string_view();
    if (!block) return spanning_;
    blocks_.count_lines(line_ends(left_));
    const std::size_t end = first_record_end(left_, true);
    if (end != std::string_view::npos) {
      spanning_ += left_.substr(0, end);
      left_.remove_prefix(end);
      return spanning_;
    }
    spanning_ += left_;
  }
}

std::vector<std::string_view> split_at_records(std::string_view text, std::size_t parts,
                                               char separator) {
  std::vector<std::string_view> pieces = split_at_lines(text, parts);
  if (separator == kBlanks) return pieces;
  std::vector<std::string_view> joined;
  bool inside = false;
  for (const std::string_view piece : pieces) {
    if (inside) {
      joined.back() = {joined.back().data(), joined.back().size() + piece.size()};
    } else {
      joined.push_back(piece);
    }
    inside = inside != odd_quotes(piece);
  }
  return joined;
}

}  // namespace vertigo::graph
