#pragma once
// The lines that a user wrote, which emitted code quotes.

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/program/Expr.h"

namespace vertigo::compiler::emit {

/// The program's text by lines, which kernels quote.
class SourceLines {
 public:
  /// `text` must outlive it.
  explicit SourceLines(std::string_view text);
  /// The line that `location` names, without its indentation; "" where unknown.
  std::string at(const ir::Location& location) const;

 private:
  std::vector<std::string_view> lines_;
};

}  // namespace vertigo::compiler::emit
