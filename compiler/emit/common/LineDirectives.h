#pragma once
// `#line`: tells a compiler which line of which file it reads, so that its messages, profilers and
// debuggers name the program's lines.

#include <string>
#include <string_view>

namespace vertigo::compiler::emit {

/// `#line 17 "sssp.vg"` and a line end.
std::string line_directive(unsigned line, std::string_view file);

/// The text of Writer in its final layout, with directives that hold for each of its lines. After
/// a directive compilers count on: a statement that is printed on three lines would reach the two
/// lines of the program below its own. So lines that come from the program are each told their
/// place (`#line 17`, the file stays), and directives that name `emitted`, the text itself, are
/// told where they stand now. Text that has gone through here stays as it is.
std::string hold_lines(std::string_view text, std::string_view emitted);

}  // namespace vertigo::compiler::emit
