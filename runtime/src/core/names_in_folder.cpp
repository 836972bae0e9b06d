#include "vertigo/core/names_in_folder.h"

#include <dirent.h>

#include <memory>
#include <string_view>

namespace vertigo {

std::vector<std::string> names_in_folder(const std::string& path) {
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> folder(::opendir(path.c_str()));
  std::vector<std::string> names;
  if (folder == nullptr) return names;
  while (const dirent* const entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

}  // namespace vertigo
