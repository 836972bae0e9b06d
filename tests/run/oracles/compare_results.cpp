// compare_results RULE EXPECTED GIVEN: the first three rules are those of LDBC Graphalytics. Both
// files hold lines `vertex value...`, in any order; lines that start with # are skipped. Exit
// status 0: they agree; 1: they do not, and the first difference is printed.
//   EXACT      the same words; infinity may be spelled in any of its ways
//   RELATIVE EPSILON            numbers within EPSILON of the expected one, relative to it
//   RENAMING                    labels are equal up to a renaming that holds both ways
//   TOLERANCE EPSILON ABSOLUTE  as RELATIVE, and ABSOLUTE more: for values that may be near zero
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Rows = std::map<std::string, std::vector<std::string>>;

/// One spelling for infinity: BFS answers use the largest int64, SSSP answers the word.
std::string canonical(const std::string& word) {
  static const char* const kSpellings[] = {"9223372036854775807", "Infinity", "infinity", "Inf"};
  for (const char* spelling : kSpellings)
    if (word == spelling) return "inf";
  return word;
}

Rows read_rows(const std::string& file) {
  std::ifstream input(file);
  if (!input) throw std::runtime_error("cannot read " + file);
  Rows rows;
  for (std::string line; std::getline(input, line);) {
    std::istringstream words(line);
    std::string vertex;
    if (!(words >> vertex) || vertex[0] == '#') continue;
    std::vector<std::string>& row = rows[vertex];
    if (!row.empty()) throw std::runtime_error(file + " names vertex " + vertex + " twice");
    for (std::string word; words >> word;) row.push_back(canonical(word));
    if (row.empty()) throw std::runtime_error(file + " has no value for vertex " + vertex);
  }
  return rows;
}

class Rule {
 public:
  virtual ~Rule() = default;
  virtual bool agree(const std::string& expected, const std::string& given) = 0;
};

class Exact : public Rule {
 public:
  bool agree(const std::string& expected, const std::string& given) override {
    if (expected == given) return true;
    // 5 and 5.0 are one number.
    char *end_a = nullptr, *end_b = nullptr;
    const double a = std::strtod(expected.c_str(), &end_a);
    const double b = std::strtod(given.c_str(), &end_b);
    return *end_a == 0 && *end_b == 0 && a == b;
  }
};

class Relative : public Rule {
 public:
  Relative(double epsilon, double absolute) : epsilon_(epsilon), absolute_(absolute) {}
  bool agree(const std::string& expected, const std::string& given) override {
    if (expected == given) return true;
    // `none` and other words are equal or not.
    char *end_a = nullptr, *end_b = nullptr;
    const double a = std::strtod(expected.c_str(), &end_a);
    const double b = std::strtod(given.c_str(), &end_b);
    if (*end_a != 0 || *end_b != 0 || !std::isfinite(a) || !std::isfinite(b)) return false;
    return std::fabs(a - b) <= epsilon_ * std::fabs(a) + absolute_;
  }

 private:
  double epsilon_, absolute_;
};

class Renaming : public Rule {
 public:
  bool agree(const std::string& expected, const std::string& given) override {
    return to_given_.try_emplace(expected, given).first->second == given &&
           to_expected_.try_emplace(given, expected).first->second == expected;
  }

 private:
  std::map<std::string, std::string> to_given_, to_expected_;
};

int compare(Rule& rule, const Rows& expected, const Rows& given) {
  for (const auto& [vertex, row] : expected) {
    const auto found = given.find(vertex);
    if (found == given.end()) return std::printf("vertex %s has no value\n", vertex.c_str()), 1;
    if (found->second.size() != row.size())
      return std::printf("vertex %s: %zu values, expected %zu\n", vertex.c_str(),
                         found->second.size(), row.size()),
             1;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!rule.agree(row[i], found->second[i]))
        return std::printf("vertex %s: %s, expected %s\n", vertex.c_str(), found->second[i].c_str(),
                           row[i].c_str()),
               1;
  }
  for (const auto& [vertex, row] : given)
    if (!expected.contains(vertex))
      return std::printf("vertex %s is not expected\n", vertex.c_str()), 1;
  return 0;
}

int run(const std::vector<std::string>& words) {
  const std::string rule = words.empty() ? "" : words[0];
  const std::map<std::string, std::size_t> arguments{
      {"EXACT", 0}, {"RENAMING", 0}, {"RELATIVE", 1}, {"TOLERANCE", 2}};
  const auto found = arguments.find(rule);
  if (found == arguments.end() || words.size() != found->second + 3)
    throw std::runtime_error(
        "usage: compare_results EXACT|RENAMING|RELATIVE EPSILON|TOLERANCE EPSILON ABSOLUTE FILE "
        "FILE");
  const Rows expected = read_rows(words[words.size() - 2]), given = read_rows(words.back());
  if (rule == "EXACT") {
    Exact exact;
    return compare(exact, expected, given);
  }
  if (rule == "RENAMING") {
    Renaming renaming;
    return compare(renaming, expected, given);
  }
  Relative relative(std::stod(words[1]), rule == "TOLERANCE" ? std::stod(words[2]) : 0);
  return compare(relative, expected, given);
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare_results: %s\n", error.what());
    return 2;
  }
}
