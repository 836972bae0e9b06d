// Walks from level to level of a search, spelt out.
#include <algorithm>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

constexpr std::int64_t kModulus = 1000003;

/// tests/run/programs/walks_by_level.vg
class Walks {
 public:
  Walks(const OracleGraph& graph, std::size_t source)
      : graph_(graph), n_(graph.size()), source_(source) {}

  void search() {
    depth_[source_] = 0;
    parent_[source_] = source_;
    std::vector<std::size_t> level{source_};
    for (int d = 0; !level.empty(); ++d) {
      levels_.push_back(level);
      std::vector<std::size_t> next;
      for (const std::size_t v : level)
        for (const Arc& arc : graph_.out[v]) {
          if (depth_[arc.to] == kUnseen) next.push_back(arc.to);
          if (depth_[arc.to] == kUnseen) depth_[arc.to] = d + 1;
          if (depth_[arc.to] == d + 1) parent_[arc.to] = std::min(parent_[arc.to], v);
        }
      level = next;
    }
  }

  void up() {
    for (std::size_t d = levels_.size(); d-- > 0;)
      for (const std::size_t v : levels_[d]) {
        size_[v] = 1;
        for (const Arc& arc : graph_.out[v])
          if (depth_[arc.to] == static_cast<int>(d) + 1) size_[v] += size_[arc.to];
        size_[v] %= kModulus;
        if (d > 0) below_[parent_[v]] += ++below_[v];
      }
  }

  void down() {
    for (std::size_t d = 0; d < levels_.size(); ++d) {
      const std::vector<std::int64_t> before = beside_;
      for (const std::size_t v : levels_[d]) {
        std::int64_t paths = d == 0;
        for (const Arc& arc : graph_.in[v]) {
          if (d > 0 && depth_[arc.to] == static_cast<int>(d) - 1) paths += paths_[arc.to];
          if (depth_[arc.to] == static_cast<int>(d) || depth_[arc.to] == static_cast<int>(d) - 1)
            beside_[v] += before[arc.to];
        }
        if (!graph_.out[v].empty()) paths_[v] = paths % kModulus;
        beside_[v] %= kModulus;
      }
    }
  }

  Answer answer() const {
    std::vector<std::vector<double>> columns(6, std::vector<double>(n_));
    std::vector<std::int64_t> alike(3);
    for (std::size_t v = 0; v < n_; ++v)
      if (v != source_) ++alike[graph_.out[v].size() % 3];
    for (std::size_t v = 0; v < n_; ++v) {
      const std::size_t degree = graph_.out[v].size();
      columns[0][v] = static_cast<double>(size_[v]);
      columns[1][v] = static_cast<double>(paths_[v]);
      columns[2][v] = static_cast<double>(below_[v]);
      columns[3][v] = static_cast<double>(beside_[v]);
      columns[4][v] = 8.0 - static_cast<double>(degree % 7);
      columns[5][v] = v == source_ ? 2 : 1 + static_cast<double>(alike[degree % 3]);
    }
    return {columns, {}, {}};
  }

 private:
  static constexpr int kUnseen = -1000;

  const OracleGraph& graph_;
  const std::size_t n_;
  const std::size_t source_;
  std::vector<std::vector<std::size_t>> levels_;
  std::vector<int> depth_ = std::vector<int>(n_, kUnseen);
  std::vector<std::size_t> parent_ = std::vector<std::size_t>(n_, kNobody);
  std::vector<std::int64_t> size_ = std::vector<std::int64_t>(n_);
  std::vector<std::int64_t> paths_ = std::vector<std::int64_t>(n_);
  std::vector<std::int64_t> below_ = std::vector<std::int64_t>(n_);
  std::vector<std::int64_t> beside_ = std::vector<std::int64_t>(n_, 1);
};

}  // namespace

Answer walks_by_level(const OracleGraph& graph, const Request& request) {
  const auto source = static_cast<std::uint64_t>(request.number("source", 0));
  Walks walks(graph, graph.index_of(source));
  walks.search();
  walks.up();
  walks.down();
  return walks.answer();
}

}  // namespace vertigo::oracle
