#pragma once
// The edges of a graph that are larger than the host's memory: they stay in a file of the cached
// form, and are read a range at a time. What memory is accessed by is checked in every reading.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "vertigo/core/scalar.h"

namespace vertigo::graph {

/// What one pass over all edges has told, when the file was opened.
struct FactsOfEdges {
  EdgeIndex self_loops = 0;
  EdgeIndex duplicates = 0;  ///< beyond the first of each (source, target)
  std::uint64_t isolated_vertices = 0;
  bool has_weights = false;
  bool real_weights = false;
  bool whole_weights = true;  ///< none has a fraction
  double smallest_weight = 0;
  double largest_weight = 0;
  std::uint64_t negative_weights = 0;
  std::uint64_t zero_weights = 0;
};

class EdgesOnFile {
 public:
  class File;
  /// `weights`: as which kind they are read; nothing: there are none, or nobody reads them.
  EdgesOnFile(std::shared_ptr<const File> file, std::optional<ScalarKind> weights);

  const std::string& path() const;
  const FactsOfEdges& facts() const;
  std::optional<ScalarKind> weights() const { return weights_; }
  /// Of one edge: its target, and its weight where one is read.
  unsigned edge_bytes() const;
  /// In the file, of both directions where there are two.
  std::uint64_t bytes() const;

  /// The same edges with weights of another kind. Throws ExitCode::InputRefused where one of them
  /// does not fit.
  std::shared_ptr<const EdgesOnFile> with_weights(ScalarKind kind) const;

  /// The edges [begin, end) of one direction; `weights` is null where none are read. Any number of
  /// threads may read. Throws ExitCode::InputRefused where the file has changed since it was
  /// opened, cannot be read, or holds what no graph has.
  void read(bool in, EdgeIndex begin, EdgeIndex end, Vertex* targets, std::byte* weights) const;

 private:
  std::shared_ptr<const File> file_;
  std::optional<ScalarKind> weights_;
};

}  // namespace vertigo::graph
