#include "compiler/emit/common/Writer.h"

#include <algorithm>

#include "compiler/emit/common/LineDirectives.h"

namespace vertigo::compiler::emit {

namespace {
constexpr std::size_t kColumns = 100;
}  // namespace

void Writer::line(std::string_view text) {
  if (origin_ != said_ && !source_.empty()) put_line_directive();
  if (!text.empty()) text_.append(indent_, ' ');
  text_ += text;
  text_ += '\n';
}

void Writer::blank() {
  if (!text_.ends_with("\n\n") && !text_.ends_with("{\n")) text_ += '\n';
}

void Writer::open(std::string_view text) {
  line(std::string(text) + (text.empty() ? "{" : " {"));
  indent_ += 2;
}

void Writer::close(std::string_view tail) {
  if (text_.ends_with("\n\n")) text_.pop_back();
  indent_ -= 2;
  line("}" + std::string(tail));
}

void Writer::reopen(std::string_view middle) {
  indent_ -= 2;
  line("} " + std::string(middle) + " {");
  indent_ += 2;
}

void Writer::label(std::string_view text) {
  blank();
  indent_ -= 1;
  line(text);
  indent_ += 1;
}

void Writer::comment(std::string_view text) {
  std::string current;
  const auto flush = [&] {
    if (!current.empty()) line("// " + in_comment(current));
    current.clear();
  };
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (indent_ + 4 + current.size() + word.size() > kColumns) flush();
    if (!current.empty()) current += ' ';
    current += word;
  }
  flush();
}

// Counts what was written since the last time.
unsigned Writer::next_line() {
  const auto from = text_.begin() + static_cast<std::ptrdiff_t>(counted_);
  lines_ += static_cast<unsigned>(std::count(from, text_.end(), '\n'));
  counted_ = text_.size();
  return lines_ + 1;
}

void Writer::put_line_directive() {
  said_ = origin_;
  if (origin_ == 0)
    text_ += line_directive(next_line() + 1, emitted_);
  else
    text_ += line_directive(origin_, source_);
}

}  // namespace vertigo::compiler::emit
