#pragma once
// Inputs made from seeds by small changes, the same ones for the same number. Shared by every
// program here that tries mutated inputs without libFuzzer: bytes, words (names, numbers and signs)
// and pieces of other seeds are changed, so that most of what comes out is nearly right.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vertigo::fuzz {

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// From 0 to `count` - 1; 0 where there is none.
  std::size_t below(std::size_t count) {
    return count == 0 ? 0 : static_cast<std::size_t>(next() % count);
  }

 private:
  std::uint64_t state_;
};

struct Seeds {
  std::vector<std::string> texts;
  std::vector<std::string> dictionary;  ///< words that the format knows
};

class Mutation {
 public:
  Mutation(const Seeds& seeds, std::uint64_t number, std::size_t longest)
      : seeds_(seeds), random_(number), longest_(longest) {}

  std::string run() {
    if (!seeds_.texts.empty()) text_ = seeds_.texts[random_.below(seeds_.texts.size())];
    // Mostly one change or two: what is far from every seed is refused at its first byte.
    std::size_t changes = 1;
    while (changes < 16 && random_.below(2) == 0) ++changes;
    for (std::size_t i = 0; i < changes; ++i) change();
    if (text_.size() > longest_) text_.resize(longest_);
    return std::move(text_);
  }

 private:
  struct Piece {
    std::size_t begin;
    std::size_t size;
  };

  void change() {
    switch (random_.below(12)) {
      case 0:
        return flip();
      case 1:
        return text_.insert(random_.below(text_.size() + 1), 1, byte()), void();
      case 2:
        return erase(chunk());
      case 3:
        return copy(chunk());
      case 4:
        return splice();
      case 5:
        return replace(word(), a_word());
      case 6:
        return replace(word(), own_word());
      case 7:
        return erase(word());
      case 8:
        return insert_word();
      case 9:
        return replace(number(), a_number());
      case 10:
        return copy(statement());
      default:
        return erase(statement());
    }
  }

  char byte() { return static_cast<char>(random_.below(256)); }
  void flip() {
    if (text_.empty()) return;
    text_[random_.below(text_.size())] ^= static_cast<char>(1U << random_.below(8));
  }
  void erase(Piece piece) { text_.erase(piece.begin, piece.size); }
  void replace(Piece piece, const std::string& by) { text_.replace(piece.begin, piece.size, by); }

  // To another place, now and then many times: lengths and nesting come from that.
  void copy(Piece piece) {
    const std::string part = text_.substr(piece.begin, piece.size);
    const std::size_t times = random_.below(16) == 0 ? 1 + random_.below(400) : 1;
    std::string all;
    for (std::size_t i = 0; i < times && all.size() < longest_; ++i) all += part;
    text_.insert(random_.below(2) == 0 ? piece.begin : random_.below(text_.size() + 1), all);
  }

  void splice() {
    const std::string& other = seeds_.texts[random_.below(seeds_.texts.size())];
    const std::size_t from = random_.below(other.size() + 1);
    const std::size_t size = random_.below(other.size() - from + 1);
    const std::size_t at = random_.below(text_.size() + 1);
    if (random_.below(2) == 0) text_.resize(at);
    text_.insert(std::min(at, text_.size()), other, from, size);
  }

  void insert_word() {
    const Piece at = word();
    text_.insert(at.begin, (random_.below(2) == 0 ? a_word() : own_word()) + " ");
  }

  Piece chunk() {
    const std::size_t begin = random_.below(text_.size() + 1);
    const std::size_t most = random_.below(4) == 0 ? text_.size() - begin : std::size_t{16};
    return {begin, std::min(random_.below(most + 1), text_.size() - begin)};
  }

  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  // The word (name or number) or sign at a place.
  Piece word() {
    if (text_.empty()) return {0, 0};
    std::size_t begin = random_.below(text_.size());
    while (begin + 1 < text_.size() && std::isspace(static_cast<unsigned char>(text_[begin])) != 0)
      ++begin;
    std::size_t end = begin + 1;
    if (in_word(text_[begin])) {
      while (begin > 0 && in_word(text_[begin - 1])) --begin;
      while (end < text_.size() && in_word(text_[end])) ++end;
    }
    return {begin, end - begin};
  }

  // The next number behind a place, else a word.
  Piece number() {
    std::size_t begin = random_.below(text_.size() + 1);
    while (begin < text_.size() && std::isdigit(static_cast<unsigned char>(text_[begin])) == 0)
      ++begin;
    if (begin == text_.size()) return word();
    std::size_t end = begin;
    while (end < text_.size() && in_word(text_[end])) ++end;
    return {begin, end - begin};
  }

  // From one end of a line, statement or block to the next.
  Piece statement() {
    constexpr std::string_view kEnds = ";{}\n";
    std::size_t begin = text_.find_first_of(kEnds, random_.below(text_.size() + 1));
    if (begin == std::string::npos) return chunk();
    ++begin;
    std::size_t end = text_.find_first_of(kEnds, begin);
    end = end == std::string::npos ? text_.size() : end + 1;
    return {begin, end - begin};
  }

  std::string a_word() {
    if (seeds_.dictionary.empty()) return std::string(1, byte());
    return seeds_.dictionary[random_.below(seeds_.dictionary.size())];
  }
  std::string own_word() {
    const Piece piece = word();
    return text_.substr(piece.begin, piece.size);
  }
  std::string a_number() {
    static constexpr std::array<std::string_view, 18> kLimits = {"0",
                                                                 "1",
                                                                 "-1",
                                                                 "127",
                                                                 "255",
                                                                 "65535",
                                                                 "65536",
                                                                 "2147483647",
                                                                 "-2147483648",
                                                                 "4294967295",
                                                                 "4294967296",
                                                                 "9223372036854775807",
                                                                 "1e308",
                                                                 "18446744073709551615",
                                                                 "18446744073709551616",
                                                                 "1e-400",
                                                                 "99999999999999999999999",
                                                                 "0x7fffffffffffffff"};
    if (random_.below(4) == 0) return std::to_string(random_.next() >> random_.below(64));
    return std::string(kLimits[random_.below(kLimits.size())]);
  }

  const Seeds& seeds_;
  Random random_;
  std::size_t longest_;
  std::string text_;
};

/// Input `number` of those that come from `seeds`.
inline std::string mutated(const Seeds& seeds, std::uint64_t number, std::size_t longest) {
  return Mutation(seeds, number, longest).run();
}

}  // namespace vertigo::fuzz
