#include "vertigo/core/path_choice.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace vertigo {
namespace {

template <class T>
bool read(std::string_view word, T& value) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc{} && end == word.data() + word.size();
}

// What is wrong with the value of a key; "" where it was taken.
std::string take(std::string_view key, std::string_view value, PathChoice& choice) {
  if (key == "hub-share" || key == "hub-sample") {
    double& share = key == "hub-share" ? choice.hub_share : choice.hub_sample;
    return read(value, share) && share > 0 && share <= 1 ? "" : "is not a share of all vertices";
  }
  if (key == "hub-turns")
    return read(value, choice.hub_turns) && choice.hub_turns > 0 &&
                   choice.hub_turns <= kMostHubTurns
               ? ""
               : "is not a whole number from 1 to " + std::to_string(kMostHubTurns);
  if (key != "walk") return "is not hub-share, hub-sample, hub-turns or walk";
  choice.forward = value == "forward";
  return choice.forward || value == "derived" ? "" : "is not forward or derived";
}

}  // namespace

std::optional<PathChoice> parse_path_choice(std::string_view text, std::string& problem) {
  PathChoice choice;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    problem = take(key, value, choice);
    if (!problem.empty()) {
      problem = "'" + std::string(part) + "' " + problem;
      return std::nullopt;
    }
    if (comma == std::string_view::npos) return choice;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace vertigo
