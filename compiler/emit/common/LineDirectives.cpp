#include "compiler/emit/common/LineDirectives.h"

#include <algorithm>
#include <charconv>

#include "compiler/emit/common/UserText.h"

namespace vertigo::compiler::emit {

namespace {

constexpr std::string_view kDirective = "#line ";
constexpr std::string_view kRawBegin = "R\"vertigo(";
constexpr std::string_view kRawEnd = ")vertigo\"";

class LineHolder {
 public:
  explicit LineHolder(std::string_view emitted) : emitted_(quoted_file(emitted)) {}

  void take(std::string_view line) {
    if (in_literal_)
      copy(line);
    else if (line.starts_with(kDirective))
      take_directive(line);
    else
      take_code(line);
    follow_literals(line);
  }

  std::string text() && { return std::move(text_); }

 private:
  void copy(std::string_view line) {
    text_ += line;
    text_ += '\n';
    ++physical_;
    ++counted_;
  }

  void take_directive(std::string_view line) {
    const std::string_view rest = line.substr(kDirective.size());
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string_view file = rest.substr(std::min(space + 1, rest.size()));
    if (file == emitted_) {
      of_program_ = false;
      return copy(std::string(kDirective) + std::to_string(physical_ + 2) + " " + emitted_);
    }
    std::from_chars(rest.data(), rest.data() + space, origin_);
    said_ = !of_program_;
    if (said_) copy(line);  // within the program's file, the number alone will do
    of_program_ = true;
    counted_ = origin_;
  }

  void take_code(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    const bool says_nothing =
        begin == std::string_view::npos || line.substr(begin).starts_with("//");
    if (of_program_ && !says_nothing && (!said_ || counted_ != origin_)) {
      copy(std::string(kDirective) + std::to_string(origin_));
      counted_ = origin_;
      said_ = true;
    }
    copy(line);
  }

  // The IR that the text carries may hold anything, directives too.
  void follow_literals(std::string_view line) {
    while (true) {
      const std::string_view next = in_literal_ ? kRawEnd : kRawBegin;
      const std::size_t at = line.find(next);
      if (at == std::string_view::npos) return;
      if (!in_literal_ && line.substr(0, at).find("//") != std::string_view::npos) return;
      in_literal_ = !in_literal_;
      line.remove_prefix(at + next.size());
    }
  }

  std::string emitted_;
  std::string text_;
  unsigned physical_ = 0;  // lines of text_
  unsigned counted_ = 0;   // what a compiler would call the next line
  unsigned origin_ = 0;    // line of the program that lines come from, where they do
  bool said_ = false;      // of origin_, by a directive
  bool of_program_ = false;
  bool in_literal_ = false;
};

}  // namespace

std::string line_directive(unsigned line, std::string_view file) {
  return std::string(kDirective) + std::to_string(line) + " " + quoted_file(file) + "\n";
}

std::string hold_lines(std::string_view text, std::string_view emitted) {
  LineHolder holder(emitted);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    holder.take(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return std::move(holder).text();
}

}  // namespace vertigo::compiler::emit
