#include "validate_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vertigo/core/failure.h"

namespace vertigo::tools {
namespace {

struct Row {
  std::string vertex;
  std::string value;
};

/// Largest int64: what Graphalytics writes for vertices that a search did not reach.
constexpr std::array<std::string_view, 4> kInfinite = {"inf", "infinity", "Infinity",
                                                       "9223372036854775807"};

bool is_infinite(const std::string& word) {
  return std::ranges::find(kInfinite, word) != kInfinite.end();
}

std::optional<double> number(const std::string& word) {
  if (is_infinite(word)) return HUGE_VAL;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == '\0' ? std::optional(value) : std::nullopt;
}

std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, std::min(line.find_first_of(" \t\r"), line.size()));
  line.remove_prefix(word.size());
  return word;
}

/// The file's rows by vertex, each vertex once.
std::vector<Row> read_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw system_failure(ExitCode::InputRefused, "cannot read the file", errno, path);
  std::vector<Row> rows;
  std::string text;
  for (std::uint64_t line = 1; std::getline(file, text); ++line) {
    std::string_view rest = text;
    const std::string_view vertex = take_word(rest);
    if (vertex.empty() || vertex.front() == '#') continue;
    const std::string_view value = take_word(rest);
    if (value.empty() || !take_word(rest).empty())
      throw Error(ExitCode::InputRefused, "a line is a vertex and one value",
                  fmt::format("{}:{}", path, line));
    rows.push_back({std::string(vertex), std::string(value)});
  }
  if (file.bad()) throw system_failure(ExitCode::InputRefused, "cannot read the file", errno, path);
  std::ranges::sort(rows, {}, &Row::vertex);
  const auto twice = std::ranges::adjacent_find(rows, {}, &Row::vertex);
  if (twice != rows.end())
    throw Error(ExitCode::InputRefused, "vertex " + twice->vertex + " stands there twice", path);
  return rows;
}

/// Whether two values agree; of equivalence, with all that came before.
class Comparison {
 public:
  explicit Comparison(const Validation& validation) : validation_(validation) {}

  bool agree(const std::string& result, const std::string& reference) {
    switch (validation_.rule) {
      case Rule::Exact:
        return result == reference || equal_numbers(result, reference);
      case Rule::Equivalence:
        // Names of classes go together one to one.
        return names_.try_emplace(reference, result).first->second == result &&
               back_.try_emplace(result, reference).first->second == reference;
      case Rule::Epsilon:
        return within(number(result), number(reference));
    }
    return false;
  }

 private:
  static bool equal_numbers(const std::string& a, const std::string& b) {
    const std::optional<double> x = number(a), y = number(b);
    // Beyond 2^53 a double does not tell integers apart; those were compared as words.
    constexpr double kExact = 9007199254740992.0;
    return x && y && *x == *y && (std::fabs(*x) < kExact || std::isinf(*x));
  }
  bool within(const std::optional<double>& result, const std::optional<double>& reference) const {
    if (!result || !reference) return false;
    if (std::isinf(*result) || std::isinf(*reference)) return *result == *reference;
    return std::fabs(*result - *reference) <= validation_.epsilon * std::fabs(*reference);
  }

  const Validation& validation_;
  std::unordered_map<std::string, std::string> names_;
  std::unordered_map<std::string, std::string> back_;
};

/// What differs; the first few in words.
struct Differences {
  static constexpr std::size_t kShown = 5;
  std::size_t count = 0;
  std::string shown;

  void add(const std::string& what) {
    if (++count <= kShown) shown += (shown.empty() ? "" : "; ") + what;
  }
};

std::string name_of(const Validation& validation) {
  switch (validation.rule) {
    case Rule::Exact:
      return "exactly";
    case Rule::Equivalence:
      return "as the same classes";
    case Rule::Epsilon:
      return fmt::format("within {} of the reference", validation.epsilon);
  }
  return "";
}

}  // namespace

std::string validate(const Validation& validation) {
  const std::vector<Row> results = read_rows(validation.result);
  const std::vector<Row> references = read_rows(validation.reference);
  Comparison comparison(validation);
  Differences differences;
  auto result = results.begin();
  for (const Row& reference : references) {
    for (; result != results.end() && result->vertex < reference.vertex; ++result)
      differences.add("the reference has no vertex " + result->vertex);
    if (result == results.end() || result->vertex != reference.vertex) {
      differences.add("vertex " + reference.vertex + " is missing");
      continue;
    }
    if (!comparison.agree(result->value, reference.value))
      differences.add(fmt::format("vertex {} has {}, not {}", reference.vertex, result->value,
                                  reference.value));
    ++result;
  }
  for (; result != results.end(); ++result)
    differences.add("the reference has no vertex " + result->vertex);
  if (differences.count > 0)
    throw Error(
        ExitCode::CheckFailed,
        fmt::format("{} of {} vertices differ: {}{}", differences.count, references.size(),
                    differences.shown, differences.count > Differences::kShown ? "; …" : ""),
        validation.result);
  return fmt::format("{}: {} vertices agree {}", validation.result, references.size(),
                     name_of(validation));
}

}  // namespace vertigo::tools
