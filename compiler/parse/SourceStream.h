#pragma once
// Private to parse: the characters of a source, as ANTLR reads them.

#include <algorithm>
#include <string>
#include <utility>

#include "antlr4-runtime.h"

namespace vertigo::compiler::parse {

/// One byte a character. ANTLR's own stream converts to UTF-32 and back by thread_local objects:
/// where there is no memory to register their destructors, the C library aborts.
class SourceStream final : public antlr4::CharStream {
 public:
  explicit SourceStream(std::string text) : text_(std::move(text)) {}

  void consume() override {
    if (at_ >= text_.size()) throw antlr4::IllegalStateException("cannot consume EOF");
    ++at_;
  }
  std::size_t LA(ssize_t distance) override {
    if (distance == 0) return 0;  // as ANTLR's own stream has it
    // 1 is the character at hand, -1 the one before it.
    const ssize_t place = static_cast<ssize_t>(at_) + (distance < 0 ? distance : distance - 1);
    if (place < 0 || place >= static_cast<ssize_t>(text_.size())) return IntStream::EOF;
    return static_cast<unsigned char>(text_[static_cast<std::size_t>(place)]);
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override { at_ = std::min(index, text_.size()); }
  std::size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return UNKNOWN_SOURCE_NAME; }
  std::string getText(const antlr4::misc::Interval& interval) override {
    if (interval.a < 0 || interval.b < interval.a) return "";
    const auto begin = static_cast<std::size_t>(interval.a);
    if (begin >= text_.size()) return "";
    return text_.substr(begin, static_cast<std::size_t>(interval.b - interval.a) + 1);
  }
  std::string toString() const override { return text_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace vertigo::compiler::parse
