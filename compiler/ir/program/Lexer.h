#pragma once
// Words of the textual IR, shared by the readers of Program IR and Plan IR.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace vertigo::ir {

/// Thrown by the readers: the first thing in the text that is not IR. Line and column count from 1.
struct ReadError {
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

struct Token {
  enum class Kind { Word, Number, String, Mark, End };
  Kind kind = Kind::End;
  std::string text;     ///< of a String: without quotes, escapes resolved
  bool quoted = false;  ///< a Word written as `name`: never a keyword
  unsigned line = 1;
  unsigned column = 1;
};

/// Cuts the whole text; the last token is End. `//` starts a comment that runs to the end of the
/// line. Throws ReadError.
std::vector<Token> tokenize(std::string_view text);

/// A cursor over tokens with the few questions that a recursive descent asks.
class TokenStream {
 public:
  explicit TokenStream(std::string_view text) : tokens_(tokenize(text)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (next_ + 1 < tokens_.size()) ++next_;
    return token;
  }
  bool at_end() const { return peek().kind == Token::Kind::End; }
  bool at_word(std::string_view word, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.kind == Token::Kind::Word && !token.quoted && token.text == word;
  }
  bool at_mark(std::string_view mark, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.kind == Token::Kind::Mark && token.text == mark;
  }
  bool take_word(std::string_view word) { return at_word(word) && (take(), true); }
  bool take_mark(std::string_view mark) { return at_mark(mark) && (take(), true); }

  void expect_word(std::string_view word);
  void expect_mark(std::string_view mark);
  std::string expect_name(std::string_view what);
  std::string expect_string(std::string_view what);
  unsigned expect_unsigned(std::string_view what);
  double expect_double(std::string_view what);
  [[noreturn]] void fail(const std::string& message) const { fail_at(peek(), message); }
  /// "expected WHAT, found FOUND" at the next token.
  [[noreturn]] void fail_expected(std::string_view what) const;
  [[noreturn]] static void fail_at(const Token& token, const std::string& message) {
    throw ReadError{token.line, token.column, message};
  }

 private:
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

/// How deep expressions and blocks may nest in the text: enough for what people write, and far from
/// the end of the stack even under the sanitizers.
inline constexpr unsigned kNestingLimit = 400;

/// Counts nesting on the way down, so that hostile text ends in a message and not in a stack
/// overflow.
class NestingGuard {
 public:
  NestingGuard(unsigned& depth, const TokenStream& tokens) : depth_(depth) {
    if (++depth_ > kNestingLimit)
      tokens.fail("nested more than " + std::to_string(kNestingLimit) + " levels deep");
  }
  ~NestingGuard() { --depth_; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  unsigned& depth_;
};

/// The text between double quotes, with escapes, as tokenize reads it back.
std::string quote(std::string_view text);

}  // namespace vertigo::ir
