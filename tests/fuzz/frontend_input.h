#pragma once
// Whatever the text, the front end ends with a program or with errors. A program that it gives is
// sound Program IR that prints and reads back to itself, and so is the plan that the passes make of
// it; both emitters print it.

#include <string_view>

namespace vertigo::fuzz {

/// True where the text is a program; aborts where something of the above does not hold.
bool try_frontend(std::string_view text);

}  // namespace vertigo::fuzz
