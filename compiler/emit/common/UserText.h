#pragma once
// Text that users chose, in emitted code: names of files, options, lines of the program, and what
// an edited plan says. Whatever its bytes are, it stays inside its comment or literal.

#include <string>
#include <string_view>

namespace vertigo::compiler::emit {

/// For the inside of a `//` comment: one line that does not go on in the next. Control characters,
/// line ends that only some readers know, marks that turn the direction of text, and bytes that are
/// no UTF-8 become `\xHH`.
std::string in_comment(std::string_view text);

/// The text between double quotes, as a C++ literal.
std::string quoted(std::string_view text);

/// The name of a file in a `#line`: quoted, but with ' for ", because nvcc hands the name on to
/// ptxas, which gives up at a quote, escaped or not.
std::string quoted_file(std::string_view name);

/// The text as a raw string literal, in pieces where it is long; quoted where it holds what a raw
/// one may not.
std::string raw_literal(std::string_view text);

}  // namespace vertigo::compiler::emit
