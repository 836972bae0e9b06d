#pragma once
// A name or an expression inside of a message.

#include <string>
#include <string_view>

namespace vertigo {

inline std::string quoted(const std::string& text) { return "'" + text + "'"; }
inline std::string quoted(std::string_view text) { return quoted(std::string(text)); }

}  // namespace vertigo
