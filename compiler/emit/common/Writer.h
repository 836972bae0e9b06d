#pragma once
// Lines of emitted code: indentation, blank lines, `#line` directives. Nothing else writes text.

#include <string>
#include <string_view>

#include "compiler/emit/common/UserText.h"
#include "compiler/ir/program/Expr.h"

namespace vertigo::compiler::emit {

class Writer {
 public:
  /// `source`, `emitted`: names of the program's and the emitted file in `#line` directives; an
  /// empty `source`: none are written.
  Writer(std::string source, std::string emitted)
      : source_(std::move(source)), emitted_(std::move(emitted)) {}

  void line(std::string_view text);
  void blank();
  /// `text {`, and everything until close() stands one step further in.
  void open(std::string_view text);
  /// `}` with `tail` behind it.
  void close(std::string_view tail = "");
  /// `} middle {`.
  void reopen(std::string_view middle);
  /// An access label stands one column in.
  void label(std::string_view text);
  /// Words of `text` broken into comment lines.
  void comment(std::string_view text);
  /// Text that is written as it is (raw string literals).
  void verbatim(std::string_view text) { text_ += text; }

  /// Says that what follows comes from there; written once per line of the source.
  void at(const ir::Location& location);
  /// Says that what follows is the compiler's own.
  void at_generated();

  std::string take() { return std::move(text_); }

 private:
  void put_line_directive(unsigned line, const std::string& file);
  unsigned next_line();

  std::string text_;
  std::string source_;
  std::string emitted_;
  std::size_t counted_ = 0;  // of text_: how far lines_ has counted
  unsigned lines_ = 0;
  unsigned indent_ = 0;
  unsigned current_ = 0;  // line of the source that the compiler believes to be in; 0: generated
};

}  // namespace vertigo::compiler::emit
