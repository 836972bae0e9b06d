#include "compiler/ir/program/Lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace vertigo::ir {

namespace {

// Longest first: the first that fits is taken.
constexpr std::array<std::string_view, 10> kLongMarks = {"==", "!=", "<=", ">=", "&&",
                                                         "||", "+=", "..", "<<", ">>"};
constexpr std::string_view kShortMarks = "(){}[]<>,;:=.+-*/%$@&|^?!#";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    for (;;) {
      skip_blanks();
      Token token = next();
      tokens_.push_back(token);
      if (token.kind == Token::Kind::End) return std::move(tokens_);
    }
  }

 private:
  char at(std::size_t ahead = 0) const {
    return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\0';
  }
  bool done() const { return next_ >= text_.size(); }
  void advance() {
    if (text_[next_++] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
  void advance(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) advance();
  }

  void skip_blanks() {
    while (!done()) {
      if (at() == ' ' || at() == '\t' || at() == '\n' || at() == '\r') {
        advance();
      } else if (at() == '/' && at(1) == '/') {
        while (!done() && at() != '\n') advance();
      } else {
        return;
      }
    }
  }

  Token next() {
    Token token;
    token.line = line_;
    token.column = column_;
    if (done()) return token;
    if (is_word_start(at())) return word(token);
    if (is_digit(at())) return number(token);
    if (at() == '"') return string(token);
    if (at() == '`') return quoted_word(token);
    return mark(token);
  }

  Token word(Token token) {
    token.kind = Token::Kind::Word;
    while (is_word_part(at())) take_into(token);
    return token;
  }

  Token quoted_word(Token token) {
    token.kind = Token::Kind::Word;
    token.quoted = true;
    advance();
    while (is_word_part(at())) take_into(token);
    if (at() != '`' || token.text.empty())
      TokenStream::fail_at(token, "a name in backquotes does not end");
    advance();
    return token;
  }

  // Digits, fraction, exponent, and the suffix that names the type: 1, 2u64, 0.85f32, 1e-05.
  Token number(Token token) {
    token.kind = Token::Kind::Number;
    while (is_digit(at())) take_into(token);
    if (at() == '.' && is_digit(at(1))) {
      take_into(token);
      while (is_digit(at())) take_into(token);
    }
    const bool sign = at(1) == '+' || at(1) == '-';
    if (at() == 'e' && is_digit(at(sign ? 2 : 1))) {
      take_into(token);
      if (sign) take_into(token);
      while (is_digit(at())) take_into(token);
    }
    while (is_word_part(at())) take_into(token);
    return token;
  }

  Token string(Token token) {
    token.kind = Token::Kind::String;
    advance();
    for (;;) {
      if (done() || at() == '\n') TokenStream::fail_at(token, "a string does not end on its line");
      if (at() == '"') break;
      if (at() == '\\') {
        escape(token);
      } else {
        take_into(token);
      }
    }
    advance();
    return token;
  }

  void escape(Token& token) {
    const char kind = at(1);
    if (kind == 'x' && hex_digit(at(2)) >= 0 && hex_digit(at(3)) >= 0) {
      token.text += static_cast<char>(hex_digit(at(2)) * 16 + hex_digit(at(3)));
      advance(4);
    } else if (kind == '"' || kind == '\\' || kind == 'n' || kind == 't') {
      token.text += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind;
      advance(2);
    } else {
      throw ReadError{line_, column_, R"(unknown escape in a string; known are \" \\ \n \t \xHH)"};
    }
  }

  Token mark(Token token) {
    token.kind = Token::Kind::Mark;
    for (const std::string_view known : kLongMarks) {
      if (!text_.substr(next_).starts_with(known)) continue;
      token.text = std::string(known);
      advance(known.size());
      return token;
    }
    if (kShortMarks.find(at()) == std::string_view::npos)
      TokenStream::fail_at(token, "a character that IR text does not use");
    take_into(token);
    return token;
  }

  void take_into(Token& token) {
    token.text += at();
    advance();
  }

  std::string_view text_;
  std::size_t next_ = 0;
  unsigned line_ = 1;
  unsigned column_ = 1;
  std::vector<Token> tokens_;
};

std::string described(const Token& token) {
  switch (token.kind) {
    case Token::Kind::End:
      return "the end of the text";
    case Token::Kind::String:
      return "a string";
    default:
      return "'" + token.text.substr(0, 60) + "'";
  }
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Cutter(text).run(); }

void TokenStream::fail_expected(std::string_view what) const {
  fail("expected " + std::string(what) + ", found " + described(peek()));
}

void TokenStream::expect_word(std::string_view word) {
  if (!take_word(word)) fail_expected("'" + std::string(word) + "'");
}

void TokenStream::expect_mark(std::string_view mark) {
  if (!take_mark(mark)) fail_expected("'" + std::string(mark) + "'");
}

std::string TokenStream::expect_name(std::string_view what) {
  if (peek().kind != Token::Kind::Word) fail_expected(what);
  return take().text;
}

std::string TokenStream::expect_string(std::string_view what) {
  if (peek().kind != Token::Kind::String) fail_expected(what);
  return take().text;
}

unsigned TokenStream::expect_unsigned(std::string_view what) {
  unsigned number = 0;
  const std::string& text = peek().text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (peek().kind != Token::Kind::Number || error != std::errc{} ||
      end != text.data() + text.size())
    fail_expected(what);
  take();
  return number;
}

double TokenStream::expect_double(std::string_view what) {
  double number = 0;
  const std::string& text = peek().text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (peek().kind != Token::Kind::Number || error != std::errc{} ||
      end != text.data() + text.size())
    fail_expected(what);
  take();
  return number;
}

std::string quote(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  // A plan quotes a reason in most of its lines: a look into a table for each character.
  static constexpr auto kEscaped = [] {
    std::array<bool, 256> escaped{};
    for (int byte = 0; byte < 0x20; ++byte) escaped[byte] = true;
    escaped['"'] = escaped['\\'] = escaped[0x7f] = true;
    return escaped;
  }();
  const auto is_escaped = [](char c) { return kEscaped[static_cast<unsigned char>(c)]; };
  std::string quoted = "\"";
  quoted.reserve(text.size() + 2);
  for (auto from = text.begin();; ++from) {
    const auto end = std::find_if(from, text.end(), is_escaped);
    quoted.append(from, end);
    if (end == text.end()) break;
    from = end;
    const auto byte = static_cast<unsigned char>(*from);
    quoted += '\\';
    if (byte == '"' || byte == '\\') {
      quoted += *from;
    } else if (byte == '\n') {
      quoted += 'n';
    } else if (byte == '\t') {
      quoted += 't';
    } else {
      quoted += 'x';
      quoted += kHex[byte >> 4U];
      quoted += kHex[byte & 15U];
    }
  }
  quoted += '"';
  return quoted;
}

}  // namespace vertigo::ir
