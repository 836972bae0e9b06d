#pragma once
// How a user writes how many colour classes a hybrid colouring has.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vertigo/core/colour_turn.h"

namespace vertigo {

/// What a user types for a number of classes: auto (kDerivedColours), all
/// (kAllColours), or 1 to kMostBeforeRest.
/// Nothing where it is none of these.
std::optional<std::uint32_t> parse_colours(std::string_view word);
/// "auto, all, or a whole number from 1 to 250".
std::string colours_words();

}  // namespace vertigo
