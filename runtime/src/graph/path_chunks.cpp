#include "path_chunks.h"

#include <algorithm>

#include "vertigo/core/parallel.h"

namespace vertigo::graph {

namespace {

/// A column takes paths until it has so many rows: many columns, as long as there are not enough of
/// them for all warps of a large device.
constexpr std::uint64_t kWantedColumns = 8192 * kPathLanes;
constexpr std::uint64_t kFewestRows = 8;

/// A stretch of one path that lies in one column.
struct Piece {
  std::uint64_t first;  ///< place of its first vertex in the list of paths
  unsigned rows;
};

/// The paths of one part, of one kind, in columns of their own.
class Columns {
 public:
  Columns(const PathList& paths, unsigned full) : paths_(paths), full_(full) {
    std::uint64_t first = 0;
    for (const std::uint64_t end : paths.ends) {
      take(first, end);
      first = end;
    }
    while (rows_ != 0 || lane_ != 0) next_lane();
  }

  const std::vector<std::uint64_t>& chunk_slots() const { return chunk_slots_; }
  const PathTotals& totals() const { return totals_; }

  /// Into place: `slot` is the first of these chunks, `column` that of their first lane.
  void write(std::uint64_t slot, std::uint64_t column, PathSketch& sketch) const {
    for (std::size_t lane = 0; lane < columns_.size(); ++lane) {
      const std::size_t chunk = lane / kPathLanes;
      write_column(lane, slot + lane % kPathLanes, column + lane, chunk_slots_[chunk], sketch);
      if (lane % kPathLanes == kPathLanes - 1) slot += chunk_slots_[chunk];
    }
  }

 private:
  struct Column {
    std::size_t first_piece;
    unsigned rows;
  };

  /// A path of more rows than a column has goes on where it was cut, in the next column.
  void take(std::uint64_t first, std::uint64_t end) {
    ++totals_.paths;
    totals_.edges += end - first - 1;
    totals_.longest = std::max(totals_.longest, end - first - 1);
    while (first + 1 < end) {
      const auto rows = static_cast<unsigned>(std::min<std::uint64_t>(kPathRows, end - first));
      if (rows_ != 0 && (rows_ >= full_ || rows_ + rows > kPathRows)) next_lane();
      pieces_.push_back({first, rows});
      ++totals_.pieces;
      rows_ += rows;
      first += rows - 1;
    }
  }

  void next_lane() {
    columns_.push_back({begin_, rows_});
    begin_ = pieces_.size();
    most_rows_ = std::max(most_rows_, rows_);
    rows_ = 0;
    if (++lane_ < kPathLanes) return;
    lane_ = 0;
    chunk_slots_.push_back(std::uint64_t{most_rows_} * kPathLanes);
    most_rows_ = 0;
  }

  void write_column(std::size_t lane, std::uint64_t slot, std::uint64_t column,
                    std::uint64_t chunk_slots, PathSketch& sketch) const {
    const std::size_t last =
        lane + 1 < columns_.size() ? columns_[lane + 1].first_piece : pieces_.size();
    std::uint32_t breaks = ~std::uint32_t{0};
    unsigned row = 0;
    const auto put = [&](Vertex v, EdgeIndex edge) {
      sketch.vertices[slot + std::uint64_t{row} * kPathLanes] = v;
      if (!sketch.edges.empty()) sketch.edges[slot + std::uint64_t{row} * kPathLanes] = edge;
      ++row;
    };
    for (std::size_t i = columns_[lane].first_piece; i < last; ++i)
      for (unsigned k = 0; k < pieces_[i].rows; ++k) {
        if (k != 0) breaks &= ~(std::uint32_t{1} << row);
        const std::uint64_t at = pieces_[i].first + k;
        put(paths_.vertices[at], k == 0 ? kNoEdge : paths_.edges[at]);
      }
    const Vertex filler = row == 0 ? 0 : sketch.vertices[slot + (row - 1ull) * kPathLanes];
    while (row < chunk_slots / kPathLanes) put(filler, kNoEdge);
    sketch.breaks[column] = breaks;
  }

  const PathList& paths_;
  const unsigned full_;
  std::vector<Piece> pieces_;
  std::vector<Column> columns_;
  std::vector<std::uint64_t> chunk_slots_;
  PathTotals totals_;
  // Of the column that is being filled.
  std::size_t begin_ = 0;
  unsigned rows_ = 0;
  unsigned lane_ = 0;
  unsigned most_rows_ = 0;
};

PathTotals& operator+=(PathTotals& sum, const PathTotals& more) {
  sum.paths += more.paths;
  sum.edges += more.edges;
  sum.pieces += more.pieces;
  sum.longest = std::max(sum.longest, more.longest);
  return sum;
}

}  // namespace

void lay_out(std::vector<PartPaths>& found, bool keep_edges, PathSketch& sketch) {
  std::uint64_t places = 0;
  for (const PartPaths& part : found)
    places += part.hub.vertices.size() + part.cold.vertices.size();
  const auto full = static_cast<unsigned>(
      std::clamp<std::uint64_t>(places / kWantedColumns, kFewestRows, kPathRows));

  // All hub paths, then all cold ones.
  std::vector<const PathList*> lists;
  for (const PartPaths& part : found) lists.push_back(&part.hub);
  for (const PartPaths& part : found) lists.push_back(&part.cold);
  std::vector<std::vector<Columns>> columns(lists.size());
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < lists.size(); ++i)
    carrier.run([&] { columns[i].emplace_back(*lists[i], full); });
  carrier.rethrow();

  sketch.begins = {0};
  std::vector<std::uint32_t> first_chunks;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i == found.size()) sketch.hub_chunks = sketch.chunks();
    first_chunks.push_back(sketch.chunks());
    (i < found.size() ? sketch.hub : sketch.cold) += columns[i].front().totals();
    for (const std::uint64_t slots : columns[i].front().chunk_slots())
      sketch.begins.push_back(sketch.begins.back() + slots);
  }
  sketch.vertices.resize(sketch.begins.back());
  if (keep_edges) sketch.edges.resize(sketch.begins.back());
  sketch.breaks.resize(std::size_t{sketch.chunks()} * kPathLanes);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::uint32_t first = first_chunks[i];
    columns[i].front().write(sketch.begins[first], std::uint64_t{first} * kPathLanes, sketch);
  }
  found.clear();
}

}  // namespace vertigo::graph
