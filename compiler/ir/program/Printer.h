#pragma once
// Program IR as text. read_program(print(p)) gives p back; with `locations` also every place in the
// source.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

struct PrintOptions {
  /// Print `loc(line:column)` after declarations and statements and `#line:column` after
  /// expressions.
  bool locations = false;
};

std::string print(const Program& program, const PrintOptions& options = {});

/// One expression on one line. A nested infix operation stands in parentheses, the outermost does
/// not, so that there is one way to write a tree and no precedence to know.
std::string print(const Expr& expr, const PrintOptions& options = {});

/// The same for sentences: one that nobody would read to its end is cut, and ends with "...".
std::string print_short(const Expr& expr);

/// A statement of a phase whose updated (or started) vertex is `variable`; ends with a newline.
std::string print(const Stmt& stmt, const std::string& variable, unsigned indent = 0,
                  const PrintOptions& options = {});

/// `fact key = "value" because "reason";`
std::string print(const Fact& fact);

}  // namespace vertigo::ir

namespace vertigo {

/// An expression as sentences quote it: print_short between quotation marks.
std::string quoted(const ir::Expr& expr);

}  // namespace vertigo
