#include "scan.h"

#include <fmt/format.h>

#include <cstring>

namespace vertigo::graph {

namespace {

// Of the first lines, where somebody else has the others.
constexpr std::size_t kHeaderBytes = std::size_t{64} << 10;

}  // namespace

bool is_read_in_windows(const InputStream& stream, const ReadContext& context) {
  constexpr std::uint64_t kLeast = 4 * LineWindows::kBytes;
  return context.in_windows && stream.plain() != nullptr && stream.stored_size() >= kLeast;
}

TextBlocks text_blocks_of(std::unique_ptr<InputStream> stream, const ReadContext& context) {
  if (context.device != nullptr || is_read_in_windows(*stream, context))
    return {std::move(stream), kHeaderBytes};
  return TextBlocks(std::move(stream));
}

std::string quote_word(std::string_view word) {
  constexpr std::size_t kLongest = 32;
  std::string quoted = "'";
  for (const char c : word.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", byte);
    }
  }
  if (word.size() >= kLongest) quoted += "...";
  return quoted + "'";
}

std::string quote_word(const char* at) {
  const char* end = at;
  while (!is_blank(*end) && *end != '\n') ++end;
  return quote_word(std::string_view(at, static_cast<std::size_t>(end - at)));
}

void refuse_id(const char* word) {
  if (*word == '-' && static_cast<unsigned char>(word[1] - '0') < 10) {
    throw LineError{fmt::format("a vertex id is negative: {}", quote_word(word))};
  }
  const char* at = word;
  while (static_cast<unsigned char>(*at - '0') < 10) ++at;
  if (at != word && (is_blank(*at) || *at == '\n')) {
    throw LineError{fmt::format("{} does not fit 64 bits", quote_word(word))};
  }
  throw LineError{fmt::format("expected a whole number, found {}", quote_word(word))};
}

void refuse_rest(const char* word, const char* expected) {
  throw LineError{fmt::format("expected {} and then the end of the line, found {}", expected,
                              quote_word(word))};
}

void refuse_missing(const char* expected) {
  throw LineError{fmt::format("expected {}, found the end of the line", expected)};
}

void report_line_ends(const TextBlocks& blocks, const ReadContext& context) {
  if (blocks.carriage_returns())
    context.report.notes.emplace_back("lines end with carriage returns alone");
  if (!blocks.last_line_cut()) return;
  if (context.options.strict) {
    throw refused_at_line(context.path, blocks.line(),
                          "the last line has no line end, so the file may have been cut; --strict "
                          "refuses it");
  }
  context.report.notes.push_back(
      fmt::format("the last line ({}:{}) has no line end: the file may have been cut", context.path,
                  blocks.line()));
}

// Whatever the fast path of scan_weight leaves: 19 digits and more, a plus sign, fractions,
// exponents, and nonsense.
void scan_fraction(const char*& at, const char* word, EdgeRun& run) {
  const char* end = word;
  while (!is_blank(*end) && *end != '\n') ++end;
  at = end;
  if (word == end) refuse_missing("a weight");
  add_weight_word({word, static_cast<std::size_t>(end - word)}, run);
}

void add_weight_word(std::string_view word, EdgeRun& run) {
  const auto refuse = [&] {
    return LineError{fmt::format("expected a weight, found {}", quote_word(word))};
  };
  const char* begin = word.data();
  const char* const end = begin + word.size();
  if (word.size() > 1 && *begin == '+' && begin[1] != '-') ++begin;
  if (begin == end) throw refuse();
  if (word.find_first_of(".eEnNiI") == std::string_view::npos) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range && stop == end) {
      throw LineError{fmt::format("the weight {} does not fit a 64-bit integer", quote_word(word))};
    }
    if (error != std::errc{} || stop != end) throw refuse();
    run.add_weight(value);
    return;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range && stop == end) {
    throw LineError{fmt::format("the weight {} is out of the range of float64", quote_word(word))};
  }
  if (error != std::errc{} || stop != end) throw refuse();
  if (std::isnan(value)) throw LineError{"a weight is not a number (NaN)"};
  if (std::isinf(value)) throw LineError{"a weight is infinite"};
  run.add_weight(value);
}

}  // namespace vertigo::graph
