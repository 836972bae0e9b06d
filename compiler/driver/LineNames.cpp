#include "compiler/driver/LineNames.h"

#include <algorithm>
#include <filesystem>

namespace vertigo::compiler::driver {

namespace fs = std::filesystem;

std::optional<PrefixMap> parse_prefix_map(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos) return std::nullopt;
  return PrefixMap{std::string(text.substr(0, sign)), std::string(text.substr(sign + 1))};
}

std::string mapped(std::string name, const std::vector<PrefixMap>& maps) {
  for (auto map = maps.rbegin(); map != maps.rend(); ++map)
    if (name.starts_with(map->from)) return map->to + name.substr(map->from.size());
  return name;
}

std::string absolute_name(const std::string& name) {
  if (name == "-") return name;
  std::error_code failed;
  const fs::path path = fs::absolute(name, failed);
  if (failed) return name;
  // "a/../b" is not "b" where a is a link.
  const bool climbs = std::ranges::find(path, fs::path("..")) != path.end();
  return (climbs ? path : path.lexically_normal()).string();
}

}  // namespace vertigo::compiler::driver
