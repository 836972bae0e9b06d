#pragma once
// Scanning numbers from lines of text, and running a line parser over a file in parallel. Every
// text ends with '\n', so that no scan needs to look for the end.

#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "line_windows.h"
#include "raw_graph.h"
#include "text_blocks.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {

/// Thrown inside a line; the driver adds file and line.
struct LineError {
  std::string message;
};

/// The word at `at` as messages show it, cut to a readable length, odd bytes escaped.
std::string quote_word(const char* at);
std::string quote_word(std::string_view word);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline void skip_blanks(const char*& at) {
  while (is_blank(*at)) ++at;
}
/// After skip_blanks: nothing more on this line.
inline bool at_line_end(const char* at) { return *at == '\n'; }

[[noreturn]] void refuse_id(const char* word);
[[noreturn]] void refuse_rest(const char* word, const char* expected);
[[noreturn]] void refuse_missing(const char* expected);

/// The value of the digits at `at`, which is moved behind them; at most the first eight. All eight
/// bytes are looked at together: a loop over digits costs a branch that nobody can predict. They
/// must be there to be read, which TextBlocks sees to.
inline std::uint64_t scan_eight_digits(const char*& at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t text = 0;
  std::memcpy(&text, at, sizeof text);
  text ^= 0x3030303030303030u;  // digits become 0 .. 9
  // The high bit of each byte that is above 9. A carry goes to later bytes, and the first counts.
  const std::uint64_t others = ((text + 0x7676767676767676u) | text) & 0x8080808080808080u;
  const int digits = others == 0 ? 8 : std::countr_zero(others) / 8;
  at += digits;
  if (digits == 0) return 0;
  text <<= 64 - 8 * digits;  // zeros in front
  text = (text * 10 + (text >> 8)) & 0x00FF00FF00FF00FFu;
  text = (text * 100 + (text >> 16)) & 0x0000FFFF0000FFFFu;
  return (text * 10000 + (text >> 32)) & 0xFFFFFFFFu;
}

/// A vertex id or a count: digits only, below 2^64.
inline std::uint64_t scan_id(const char*& at, const char* expected) {
  skip_blanks(at);
  const char* const word = at;
  std::uint64_t value = scan_eight_digits(at);
  while (static_cast<unsigned char>(*at - '0') < 10)
    value = value * 10 + static_cast<unsigned char>(*at++ - '0');
  const bool separated = is_blank(*at) || *at == '\n';
  if (at == word || !separated || at - word > 19) [[unlikely]] {
    if (at_line_end(word)) refuse_missing(expected);
    const auto parsed = std::from_chars(word, at, value);
    if (at == word || !separated || parsed.ec != std::errc{}) refuse_id(word);
  }
  return value;
}

/// A weight of either kind into `run`.
void add_weight_word(std::string_view word, EdgeRun& run);
void scan_fraction(const char*& at, const char* word, EdgeRun& run);
inline void scan_weight(const char*& at, EdgeRun& run) {
  skip_blanks(at);
  const char* const word = at;
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const digits = at;
  auto value = static_cast<std::int64_t>(scan_eight_digits(at));
  // 18 digits always fit; a longer number stops at a digit here and takes the careful way.
  while (static_cast<unsigned char>(*at - '0') < 10 && at - digits < 18) {
    value = value * 10 + (*at++ - '0');
  }
  if (at == digits || !(is_blank(*at) || *at == '\n')) [[unlikely]] {
    scan_fraction(at, word, run);
    return;
  }
  run.add_weight(negative ? -value : value);
}

/// Moves to the line's end and past it; anything but blanks on the way is refused.
inline void finish_line(const char*& at, const char* expected) {
  skip_blanks(at);
  if (!at_line_end(at)) [[unlikely]]
    refuse_rest(at, expected);
  ++at;
}
inline void skip_line(const char*& at) {
  while (*at != '\n') ++at;
  ++at;
}

/// Thrown where a text is to be read in windows and is not as most are: a line that is refused, an
/// odd end. Who reads it block by block knows what to say of it.
struct OddText {};
/// Whether parse_lines() reads the rest of the file in windows.
bool is_read_in_windows(const InputStream& stream, const ReadContext& context);
/// The blocks of a file: a small first one where what follows the header is read in another way.
TextBlocks text_blocks_of(std::unique_ptr<InputStream> stream, const ReadContext& context);

/// parse_lines() of a plain file, whose parts threads read and parse without waiting for each
/// other. Throws OddText.
template <class ParseLine>
void parse_windows(TextBlocks& blocks, std::vector<EdgeRun>& runs, const ParseLine& parse_line) {
  const RawFile& file = *blocks.stream().plain();
  const std::uint64_t begin = blocks.offset();
  const std::uint64_t bytes = file.size() - begin;
  // More parts than threads, so that uneven lines even out.
  const std::size_t parts = std::min<std::uint64_t>(4 * static_cast<std::size_t>(thread_count()),
                                                    bytes / LineWindows::kBytes + 1);
  std::vector<EdgeRun> parsed(parts);
  std::atomic<bool> odd{file.size() == begin || !file.ends_with('\n')};
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t part = 0; part < parts; ++part) {
    carrier.run([&] {
      const std::uint64_t first = begin + bytes * part / parts;
      const std::uint64_t last = begin + bytes * (part + 1) / parts;
      LineWindows windows(file, begin, first, last);
      EdgeRun& run = parsed[part];
      run.reserve((last - first) / 12 + 4);
      try {
        while (const auto lines = odd ? std::nullopt : windows.next()) {
          const char* at = lines->data();
          const char* const end = at + lines->size();
          while (at != end) {
            skip_blanks(at);
            if (*at == '\n')
              skip_line_ends(at, end);
            else
              parse_line(at, run);
          }
          run.fold();
        }
        if (windows.is_odd()) odd = true;
      } catch (const LineError&) {
        odd = true;
      }
    });
  }
  carrier.rethrow();
  if (odd) throw OddText();
  for (EdgeRun& run : parsed)
    if (run.size() > 0 || run.rows() > 0 || !run.lone_vertices().empty())
      runs.push_back(std::move(run));
  blocks.take_rest();
  file.require_unchanged();
}

/// When all lines were read: what the report says of how they end. Throws ExitCode::InputRefused
/// where the last one is cut and options.strict is set.
void report_line_ends(const TextBlocks& blocks, const ReadContext& context);

/// Runs `parse_line(const char*& at, EdgeRun& run)` over all lines left in `blocks`, in parallel;
/// `at` is at the first non-blank character of a non-blank line, and must be left behind its '\n'.
/// Appends to `runs` in file order. The error of the earliest bad line is thrown with its place.
/// With `blank_lines`, blank lines are given as well.
template <class ParseLine>
void parse_lines(TextBlocks& blocks, const ReadContext& context, std::vector<EdgeRun>& runs,
                 const ParseLine& parse_line, bool blank_lines = false) {
  if (!blank_lines && is_read_in_windows(blocks.stream(), context))
    return parse_windows(blocks, runs, parse_line);
  struct Part {
    EdgeRun run;
    std::uint64_t lines = 0;  // finished
    bool failed = false;
    std::string message;
  };
  while (const auto block = blocks.next_block()) {
    // More parts than threads, so that uneven lines even out; small blocks stay whole.
    const std::size_t most = 4 * static_cast<std::size_t>(thread_count());
    const auto texts =
        split_at_lines(block->text(), std::min(most, block->text().size() / 65536 + 1));
    std::vector<Part> parts(texts.size());
    ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) if (texts.size() > 1)
    for (std::size_t i = 0; i < texts.size(); ++i) {
      carrier.run([&] {
        Part& part = parts[i];
        part.run.reserve(texts[i].size() / 12 + 4);
        const char* at = texts[i].data();
        const char* const end = at + texts[i].size();
        try {
          while (at != end) {
            skip_blanks(at);
            if (*at == '\n' && !blank_lines) {
              part.lines += skip_line_ends(at, end);
              continue;
            }
            const std::size_t before = part.run.size();
            parse_line(at, part.run);
            if (context.record_lines) {
              for (std::size_t e = before; e < part.run.size(); ++e) part.run.add_line(part.lines);
            }
            ++part.lines;
          }
          part.run.fold();
        } catch (LineError& error) {
          part.failed = true;
          part.message = std::move(error.message);
        }
      });
    }
    carrier.rethrow();
    std::uint64_t line = block->first_line;
    for (Part& part : parts) {
      if (part.failed)
        throw refused_at_line(context.path, line + part.lines, std::move(part.message));
      for (std::uint64_t& of_edge : part.run.lines()) of_edge += line;
      line += part.lines;
      if (part.run.size() > 0 || part.run.rows() > 0 || !part.run.lone_vertices().empty()) {
        runs.push_back(std::move(part.run));
      }
    }
    blocks.count_lines(line - block->first_line);
  }
  report_line_ends(blocks, context);
}

}  // namespace vertigo::graph
