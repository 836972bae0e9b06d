#pragma once
// The ids that the vertices have in the input file: numbers, or text.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vertigo/core/scalar.h"
#include "vertigo/graph/array.h"

namespace vertigo::graph {

/// Ids that are text, strictly ascending by their bytes. All are UTF-8 (vertigo/graph/id_text.h),
/// so that this is the order of their code points.
class TextIds {
 public:
  TextIds() = default;
  /// Id i is bytes[offsets[i] .. offsets[i+1]); offsets begin with 0.
  TextIds(Array<char> bytes, Array<std::uint64_t> offsets);

  std::uint64_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view operator[](std::uint64_t i) const {
    return {bytes_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  /// The first id that is not below `text`; size() where all are.
  std::uint64_t lower_bound(std::string_view text) const;

  const Array<char>& bytes() const { return bytes_; }
  const Array<std::uint64_t>& offsets() const { return offsets_; }

 private:
  Array<char> bytes_;
  Array<std::uint64_t> offsets_;
};

/// The ids of the input file. Internal ids follow the ascending order of the input's ids, so that
/// comparing internal ids compares the input's. Contiguous numbers are kept as a base alone.
class IdMap {
 public:
  IdMap() = default;
  /// Ids base .. base+count-1.
  static IdMap contiguous(std::uint64_t base, std::uint64_t count);
  /// Arbitrary numbers, strictly ascending.
  static IdMap sparse(Array<std::uint64_t> ascending_ids);
  static IdMap text(TextIds ids);

  /// The number of a vertex: its id, or its place among the ids (from 0) where these are text. What
  /// is shown to people is append_id() and label().
  std::uint64_t to_input(Vertex internal) const;
  /// The vertex of a number; nothing where the input has no such vertex.
  std::optional<Vertex> to_internal(std::uint64_t input_id) const;
  /// The vertex whose id is this text; nothing where there is none, or where ids are numbers.
  std::optional<Vertex> find(std::string_view text) const;
  std::uint64_t size() const;
  bool is_text() const { return texts_.size() > 0; }
  const TextIds& texts() const { return texts_; }
  /// Numbers without gaps, as those of vertices are that text names.
  bool is_contiguous() const { return ids_.empty(); }
  std::uint64_t base() const { return base_; }
  std::span<const std::uint64_t> ids() const { return ids_; }

  /// Appends the id as files hold it: a number, or text that stands in quotes where a list of words
  /// would cut it (append_word()).
  void append_id(Vertex internal, std::string& to) const;
  /// The id as messages show it: on one line, and cut where it is long.
  std::string label(Vertex internal) const;

 private:
  std::uint64_t base_ = 0;
  std::uint64_t count_ = 0;
  Array<std::uint64_t> ids_;
  TextIds texts_;
};

}  // namespace vertigo::graph
