#include "compiler/emit/common/SourceLines.h"

#include <algorithm>

namespace vertigo::compiler::emit {

SourceLines::SourceLines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines_.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string SourceLines::at(const ir::Location& location) const {
  if (location.line == 0 || location.line > lines_.size()) return "";
  std::string text(lines_[location.line - 1]);
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

}  // namespace vertigo::compiler::emit
