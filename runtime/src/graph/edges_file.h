#pragma once
// What stands behind EdgesOnFile: the file, and what one pass over its edges has told.

#include <memory>
#include <variant>

#include "cached_file.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

class EdgesOnFile::File {
 public:
  /// Of a file whose offsets have been read and checked; `in`: null where the in-edges are not
  /// wanted. Looks at all edges that are: throws ExitCode::InputRefused where they are no graph's.
  File(CachedFile file, const Array<EdgeIndex>& out, const Array<EdgeIndex>* in, bool weights);

  const CachedFile& cached() const { return file_; }
  const FactsOfEdges& facts() const { return facts_; }
  std::uint64_t bytes() const { return bytes_; }
  /// As which kind the file has them; nothing where none are read.
  std::optional<ScalarKind> weights() const;
  /// Whether all weights are of the kind, too.
  bool weights_fit(ScalarKind kind) const;

  void read_targets(bool in, EdgeIndex begin, EdgeIndex end, Vertex* targets) const;
  void read_weights(bool in, EdgeIndex begin, EdgeIndex end, ScalarKind kind,
                    std::byte* weights) const;

 private:
  using Weight = std::variant<std::monostate, std::int32_t, std::int64_t, std::uint32_t,
                              std::uint64_t, float, double>;

  void survey(const Array<EdgeIndex>& offsets, bool in);
  void survey_targets(const Array<EdgeIndex>& offsets, CachedSection section, bool counts);
  template <class W>
  void survey_weights(CachedSection section, bool counts);

  CachedFile file_;
  bool weights_;
  std::uint64_t bytes_ = 0;
  FactsOfEdges facts_;
  Weight least_;
  Weight greatest_;
};

}  // namespace vertigo::graph
