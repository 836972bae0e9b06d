#include "vertigo/graph/ids.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "vertigo/graph/id_text.h"

namespace vertigo::graph {

TextIds::TextIds(Array<char> bytes, Array<std::uint64_t> offsets)
    : bytes_(std::move(bytes)), offsets_(std::move(offsets)) {}

std::uint64_t TextIds::lower_bound(std::string_view text) const {
  std::uint64_t first = 0;
  std::uint64_t count = size();
  while (count > 0) {
    const std::uint64_t half = count / 2;
    if ((*this)[first + half] < text) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

IdMap IdMap::contiguous(std::uint64_t base, std::uint64_t count) {
  IdMap map;
  map.base_ = base;
  map.count_ = count;
  return map;
}

IdMap IdMap::sparse(Array<std::uint64_t> ascending_ids) {
  IdMap map;
  map.count_ = ascending_ids.size();
  if (ascending_ids.empty()) return map;
  map.base_ = ascending_ids.front();
  // Strictly ascending, so first and last tell whether there is a gap.
  if (ascending_ids.back() - ascending_ids.front() != ascending_ids.size() - 1) {
    map.ids_ = std::move(ascending_ids);
  }
  return map;
}

IdMap IdMap::text(TextIds ids) {
  IdMap map;
  map.count_ = ids.size();
  map.texts_ = std::move(ids);
  return map;
}

std::uint64_t IdMap::to_input(Vertex internal) const {
  return ids_.empty() ? base_ + internal : ids_[internal];
}

std::optional<Vertex> IdMap::to_internal(std::uint64_t input_id) const {
  if (ids_.empty()) {
    if (input_id < base_ || input_id - base_ >= count_) return std::nullopt;
    return static_cast<Vertex>(input_id - base_);
  }
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), input_id);
  if (found == ids_.end() || *found != input_id) return std::nullopt;
  return static_cast<Vertex>(found - ids_.begin());
}

std::optional<Vertex> IdMap::find(std::string_view text) const {
  const std::uint64_t place = texts_.lower_bound(text);
  if (place == texts_.size() || texts_[place] != text) return std::nullopt;
  return static_cast<Vertex>(place);
}

std::uint64_t IdMap::size() const { return count_; }

void IdMap::append_id(Vertex internal, std::string& to) const {
  if (is_text()) return append_word(texts_[internal], to);
  char digits[20];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, to_input(internal)).ptr);
}

std::string IdMap::label(Vertex internal) const {
  std::string id;
  append_id(internal, id);
  return is_text() ? shown(id) : id;
}

}  // namespace vertigo::graph
