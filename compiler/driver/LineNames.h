#pragma once
// What files are called in `#line` directives, and so in profilers and debuggers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vertigo::compiler::driver {

/// File names that begin with `from` begin with `to` in what debuggers and profilers read.
struct PrefixMap {
  std::string from;
  std::string to;
};

/// `OLD=NEW`, as g++ reads -fdebug-prefix-map: OLD ends at the first '='. Nothing where there is
/// none.
std::optional<PrefixMap> parse_prefix_map(std::string_view text);

/// The name with the last of `maps` that fits applied.
std::string mapped(std::string name, const std::vector<PrefixMap>& maps);

/// From the root, so that the file is found wherever a tool is started; links are left as they
/// are. "-", which is no file, stays.
std::string absolute_name(const std::string& name);

}  // namespace vertigo::compiler::driver
