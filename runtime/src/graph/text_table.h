#pragma once
// Texts, each once, with the numbers 0, 1, 2 … in the order in which they first came.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "vertigo/core/scalar.h"
#include "vertigo/graph/ids.h"

namespace vertigo::graph {

class TextTable {
 public:
  std::uint64_t size() const { return offsets_.size() - 1; }
  std::string_view operator[](std::uint64_t number) const {
    return {bytes_.data() + offsets_[number],
            static_cast<std::size_t>(offsets_[number + 1] - offsets_[number])};
  }
  /// The number of a text, a new one where it was not there. A text that comes when the table holds
  /// all the vertices that a graph can have gets kNoVertex.
  Vertex intern(std::string_view text);

  /// All texts behind each other, by number; they are gone from here.
  std::vector<char> take_bytes() && { return std::move(bytes_); }

  /// All texts in ascending order of their bytes, by number.
  std::vector<Vertex> in_order() const;
  /// The texts in this order.
  TextIds to_ids(const std::vector<Vertex>& order) const;
  /// All texts as numbers, where every one is a whole number below 2^64 as it is printed.
  std::optional<std::vector<std::uint64_t>> as_numbers() const;

 private:
  void grow();

  std::vector<char> bytes_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> hashes_;  // of each text, so that growing reads no text
  std::vector<Vertex> slots_;          // open addressing; a power of two of them
};

/// A whole number below 2^64 exactly as it is printed: no sign, no zeros in front.
std::optional<std::uint64_t> printed_number(std::string_view text);

}  // namespace vertigo::graph
