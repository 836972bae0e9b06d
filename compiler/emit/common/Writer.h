#pragma once
// Lines of emitted code: indentation, blank lines, and from where in the program each came. Nothing
// else writes text.
//
// A `#line` directive stands where the origin changes. Compilers count on from it, and the text is
// still to be laid out; hold_lines() (LineDirectives.h) says the last word.

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

  std::string take() { return std::move(text_); }

 private:
  friend class Origin;

  void put_line_directive();
  unsigned next_line();

  std::string text_;
  std::string source_;
  std::string emitted_;
  std::size_t counted_ = 0;  // of text_: how far lines_ has counted
  unsigned lines_ = 0;
  unsigned indent_ = 0;
  unsigned origin_ = 0;  // line of the program that lines come from; 0: they are the compiler's own
  unsigned said_ = 0;    // what the last directive said
};

/// As long as it lives, lines come from that place of the program; where the place is unknown, from
/// wherever what stands around them comes.
class Origin {
 public:
  Origin(Writer& out, const ir::Location& location) : out_(out), outer_(out.origin_) {
    if (location.line != 0) out_.origin_ = location.line;
  }
  ~Origin() { out_.origin_ = outer_; }
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;

 private:
  Writer& out_;
  unsigned outer_;
};

}  // namespace vertigo::compiler::emit
