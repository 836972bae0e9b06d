#pragma once
// What is in a folder. The iterators of std::filesystem make their entries in functions that must
// not throw, so that a process that lacks memory there is aborted.

#include <string>
#include <vector>

namespace vertigo {

/// Names, in no order; none where the folder cannot be read. Throws std::bad_alloc.
std::vector<std::string> names_in_folder(const std::string& path);

}  // namespace vertigo
