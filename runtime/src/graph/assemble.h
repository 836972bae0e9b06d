#pragma once
// From the entries of a file to the graph: ids become vertices, policies are applied, the report is
// filled.

#include <span>

#include "raw_graph.h"

namespace vertigo::graph {

Graph assemble(RawGraph raw, const ReadContext& context);

/// What the graph's table is to be, taken out of `raw`; null where attributes are not wanted.
std::shared_ptr<const EdgeTable> take_table(RawGraph& raw, const ReadOptions& options);

/// The vertices that `raw.texts` names.
struct NamedVertices {
  std::vector<Vertex> order;  ///< the number of each vertex' text
  IdMap ids;
};
NamedVertices name_vertices(const RawGraph& raw);

/// The ids that runs name, those of vertices without edges among them.
struct IdRange {
  std::uint64_t smallest = kInfinity<std::uint64_t>;  ///< above `largest` where there is none
  std::uint64_t largest = 0;
};
IdRange id_range(const std::vector<EdgeRun>& runs);

/// A bit set over the range of ids is used while it stays small against the entries themselves.
bool bit_set_pays(std::uint64_t largest_id, std::uint64_t entries);

/// Vertices of a graph whose ids are not counted by its format: which they are, and the internal id
/// of each.
class IdIndex {
 public:
  /// From ids that are strictly ascending.
  explicit IdIndex(std::vector<std::uint64_t> ascending_ids);
  /// From the ids that the runs name.
  static IdIndex of_runs(const std::vector<EdgeRun>& runs);
  /// Of the ids whose bits are set, up to the largest.
  static IdIndex of_bits(std::vector<std::uint64_t> bits, std::uint64_t largest);

  std::uint64_t size() const { return count_; }
  bool is_contiguous() const { return bits_.empty() && ids_.empty(); }
  std::uint64_t smallest() const { return base_; }
  std::uint64_t largest() const { return largest_; }
  /// kNoVertex where the id is not in the index.
  Vertex find(std::uint64_t id) const;
  /// Puts the vertex in the place of each id; all are in the index.
  void find_all(std::span<Vertex> ids) const;
  IdMap to_map() const;

 private:
  IdIndex() = default;
  void index_ids(std::vector<std::uint64_t> ids);

  std::uint64_t base_ = 0;
  std::uint64_t largest_ = 0;
  std::uint64_t count_ = 0;
  // One of: nothing (contiguous), a bit set with ranks, or a hash table of positions in ids_.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint64_t> ids_;
  std::vector<Vertex> slots_;
  std::uint64_t slot_mask_ = 0;
};

}  // namespace vertigo::graph
