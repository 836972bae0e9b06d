#pragma once
// What a reader hands on: the entries of a file as they stand there, before ids are mapped and
// policies applied.

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attribute_survey.h"
#include "room.h"
#include "row_facts.h"
#include "text_table.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/intake.h"
#include "vertigo/graph/reader.h"
#include "vertigo/graph/reading_device.h"

namespace vertigo::graph {

/// Memory of columns: they grow without being zeroed, and large ones go back to the system as soon
/// as they are freed, whoever freed memory of which size before (malloc's threshold moves).
template <class T>
struct ColumnMemory {
  using value_type = T;
  ColumnMemory() = default;
  template <class U>
  ColumnMemory(const ColumnMemory<U>& /*other*/) {}
  T* allocate(std::size_t count) { return static_cast<T*>(allocate_column(count * sizeof(T))); }
  void deallocate(T* column, std::size_t count) { free_column(column, count * sizeof(T)); }
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(ColumnMemory, ColumnMemory) { return true; }
};
template <class T>
using Column = std::vector<T, ColumnMemory<T>>;

/// A run of entries, parsed by one thread. Ids are those of the file (minus 1 where the format
/// counts from 1); they are kept in 32 bits until one does not fit.
class EdgeRun {
 public:
  void reserve(std::size_t edges) {
    sources_.reserve(edges);
    targets_.reserve(edges);
  }
  void add(std::uint64_t source, std::uint64_t target) {
    if (wide_ || (source | target) > kLargestNarrow) [[unlikely]] {
      add_wide(source, target);
    } else {
      sources_.push_back(static_cast<std::uint32_t>(source));
      targets_.push_back(static_cast<std::uint32_t>(target));
    }
  }
  void add_weight(std::int64_t weight) {
    if (!reals_.empty()) {
      reals_.push_back(static_cast<double>(weight));
    } else {
      integers_.push_back(weight);
    }
  }
  void add_weight(double weight);
  void add_line(std::uint64_t line) { lines_.push_back(line); }
  void add_row() { ++rows_; }
  std::uint64_t rows() const { return rows_; }
  void add_isolated(std::uint64_t id) { lone_vertices_.push_back(id); }

  std::size_t size() const { return wide_ ? wide_targets_.size() : targets_.size(); }
  bool is_wide() const { return wide_; }
  /// Between entries, and behind the last: where the sources ascend and repeat, as in most files,
  /// each is kept once, with the place where its edges end. Sources that were added since are in
  /// the cache.
  void fold();
  bool is_folded() const { return !ends_.empty(); }
  /// edge(source, target, i) for all entries, in their order.
  template <class Edge>
  void each(const Edge& edge) const {
    if (wide_) return each_of(wide_sources_, wide_targets_, edge);
    if (!is_folded()) return each_of(sources_, targets_, edge);
    std::size_t i = 0;
    for (std::size_t row = 0; row < ends_.size(); ++row)
      for (; i < ends_[row]; ++i) edge(once_[row], targets_[i], i);
  }
  /// Of all entries; folded, each once.
  const Column<std::uint32_t>& narrow_sources() const { return is_folded() ? once_ : sources_; }
  /// Of a folded run: behind the entries of each source.
  const Column<std::uint32_t>& ends() const { return ends_; }
  const Column<std::uint32_t>& narrow_targets() const { return targets_; }
  Column<std::uint32_t>& narrow_sources() { return is_folded() ? once_ : sources_; }
  Column<std::uint32_t>& narrow_targets() { return targets_; }
  const Column<std::int64_t>& integers() const { return integers_; }
  Column<std::int64_t>& integers() { return integers_; }
  const Column<double>& reals() const { return reals_; }
  std::vector<std::uint64_t>& lines() { return lines_; }
  /// Replaces ids that are numbers of a table by those of another.
  void renumber(const std::vector<Vertex>& numbers) {
    for (std::uint32_t& id : sources_) id = numbers[id];
    for (std::uint32_t& id : targets_) id = numbers[id];
  }
  /// Ids become vertices: find(id) is the vertex, which rises with the id.
  template <class Find>
  void map(const Find& find) {
    if (wide_) {
      take(wide_sources_, sources_, find);
      take(wide_targets_, targets_, find);
    } else {
      take(narrow_sources(), narrow_sources(), find);
      take(targets_, targets_, find);
    }
    wide_ = false;
    Column<std::uint64_t>().swap(wide_sources_);
    Column<std::uint64_t>().swap(wide_targets_);
  }
  const std::vector<std::uint64_t>& lines() const { return lines_; }
  const std::vector<std::uint64_t>& lone_vertices() const { return lone_vertices_; }
  double weight(std::size_t i) const {
    return reals_.empty() ? static_cast<double>(integers_[i]) : reals_[i];
  }

 private:
  static constexpr std::uint64_t kLargestNarrow = 0xFFFFFFFFu;
  void add_wide(std::uint64_t source, std::uint64_t target);
  bool fold_recent();
  void unfold();
  template <class Id, class Edge>
  static void each_of(const Column<Id>& sources, const Column<Id>& targets, const Edge& edge) {
    for (std::size_t i = 0; i < targets.size(); ++i) edge(sources[i], targets[i], i);
  }
  template <class Id, class Find>
  static void take(const Column<Id>& ids, Column<std::uint32_t>& vertices, const Find& find) {
    vertices.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) vertices[i] = find(ids[i]);
  }

  bool wide_ = false;
  bool folds_ = true;              // so far
  Column<std::uint32_t> sources_;  // of the entries; of a folded run, of those since
  Column<std::uint32_t> once_;     // the sources of a folded run
  Column<std::uint32_t> ends_;
  Column<std::uint32_t> targets_;
  Column<std::uint64_t> wide_sources_;
  Column<std::uint64_t> wide_targets_;
  Column<std::int64_t> integers_;  // all weights are in one of the two
  Column<double> reals_;
  std::uint64_t rows_ = 0;                    // lines that stand for a vertex (METIS)
  std::vector<std::uint64_t> lines_;          // filled only when an edge is being located
  std::vector<std::uint64_t> lone_vertices_;  // named by a line without any edge (adjacency lines)
};

/// How ids of the runs become vertices.
enum class IdSource : std::uint8_t {
  Counted,  ///< 0 .. vertex_count-1; the input's id is that plus id_base
  Appear,   ///< whatever appears, by the user's VertexRule
  Listed,   ///< listed_ids, each at most once; others are refused
  Named,    ///< numbers of `texts`, all of which are vertices
};

struct RawGraph {
  std::vector<EdgeRun> runs;
  std::optional<Adjacency> adjacency;      ///< instead of runs: formats that store rows
  std::unique_ptr<DeviceEdges> on_device;  ///< instead of runs: text that a device has parsed
  std::optional<RowFacts> facts;           ///< of the adjacency, where the reader looked
  bool weighted = false;
  bool real_weights = false;  ///< keep them as float64 even where all are whole
  bool undirected = false;    ///< the format or its header says so
  bool both_directions =
      false;                    ///< undirected, and every edge is stored twice: verified, not added
  bool symmetry_known = false;  ///< both_directions, and verified when the file was written
  bool reverse_negated = false;  ///< skew-symmetric: the reverse edges carry -w

  IdSource ids = IdSource::Appear;
  std::uint64_t vertex_count = 0;  ///< for Counted
  std::uint64_t id_base = 0;
  bool rows_present =
      false;  ///< the file has something for every vertex, so its header cannot exaggerate
  std::vector<std::uint64_t> listed_ids;
  std::string list_path;  ///< for messages about listed_ids
  TextTable texts;        ///< for Named
  TextTable records;      ///< distinct records of edges; weights are then their numbers
  std::vector<bool> record_fields_given;  ///< EdgeTable::given; empty: there are no records
  /// For Cached: instead of `records`, already what the graph's is to be.
  std::shared_ptr<const EdgeTable> table;
  bool number_texts = false;  ///< texts that are numbers throughout are the numbers

  std::optional<std::uint64_t> vertices_declared;
  std::optional<std::uint64_t> edges_declared;
  std::optional<std::uint64_t>
      first_id_declared;               ///< ids are contiguous from here (our own edge lists)
  std::uint64_t header_line = 0;       ///< where vertices are declared, for messages
  IdMap cached_ids;                    ///< for Cached
  std::optional<Adjacency> cached_in;  ///< for Cached
  Preparations prepared;               ///< for Cached
  std::vector<std::string> notes;

  std::uint64_t edge_count() const;
};

/// What readers are given.
struct ReadContext {
  std::string path;
  const ReadOptions& options;
  IntakeReport& report;
  bool record_lines = false;  ///< keep the line of every entry
  /// Text of plain files is read in windows (line_windows.h), or OddText is thrown.
  bool in_windows = false;
  /// Columns that are neither sources nor targets are looked at, and nothing else is read of a
  /// table (attribute_survey.h). Null: edges are read.
  SurveyedColumns* survey = nullptr;
  ReadingDevice* device = nullptr;  ///< takes what it can; null: the readers alone
};

}  // namespace vertigo::graph
