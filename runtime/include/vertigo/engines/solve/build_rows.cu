#include <algorithm>
#include <bit>
#include <vector>

#include "device/check.h"
#include "device/prepare/sorting.h"
#include "vertigo/engines/solve/build_rows.cuh"
#include "vertigo/engines/solve/pack_rows.cuh"
#include "vertigo/engines/solve/row_kernels.cuh"

namespace vertigo::gpu::solve {

namespace {

/// Below this ratio of the largest to the mean out-degree no vertices are hot, and the order of the
/// input, in which neighbours lie close together, is worth more than any other.
constexpr std::uint64_t kSkewed = 32;
/// Rows that are all as short as that are one class, one lane each, in the order of vertices, those
/// without edges included: nothing then stands between a thread and its row.
constexpr unsigned kShortRows = 12;
/// Fewer edges out of the hot positions do not pay for loading them into shared memory: a processor
/// then has half as many threads and less first-level cache. On an H200 it pays at 0.42 of the
/// edges (rmat24), by 14%.
constexpr double kHotShare = 0.3;

/// Beyond this share of rows that are not near, what they are read from costs more than it saves.
constexpr double kFewFarRows = 0.03;

constexpr unsigned kBlocks = 1024;

template <class T>
T read(const T* word, cudaStream_t stream) {
  T value;
  check(cudaMemcpyAsync(&value, word, sizeof(T), cudaMemcpyDeviceToHost, stream), "read a word");
  check(cudaStreamSynchronize(stream), "prepare the rows");
  return value;
}

/// One preparation: its graph, where the result goes, and memory that it needs meanwhile.
template <class Offset>
class Builder {
 public:
  Builder(Session& session, const EdgeLists& graph, const RowArrays<Offset>& arrays)
      : session_(session),
        graph_(graph),
        arrays_(arrays),
        stream_(session.stream()),
        memory_(session.stream()),
        keys_(memory_.take<unsigned>(graph.vertex_count + std::uint64_t{1}, kPurpose)),
        values_(memory_.take<Vertex>(graph.vertex_count, kPurpose)),
        words_(memory_.take<unsigned>(kWords, kPurpose)) {
    check(cudaMemsetAsync(words_, 0, kWords * sizeof(unsigned), stream_), "clear words");
    rows_.vertex_count = graph.vertex_count;
    rows_.edge_count = graph.edge_count;
    rows_.out_degrees = arrays.out_degrees;
  }

  /// Bytes that run() takes besides the arrays; what is left out where memory is short, not
  /// counted.
  static std::uint64_t memory(Vertex vertex_count, bool pairs) {
    using prepare::array_bytes;
    const std::uint64_t sort = array_bytes<unsigned>(vertex_count) +
                               prepare::sort_memory<unsigned, Vertex>(vertex_count, kMostKeyBits);
    const std::uint64_t bitmap = array_bytes<unsigned>(bitmap_words(vertex_count));
    const std::uint64_t sums =
        prepare::sum_memory<unsigned, Offset>(vertex_count + std::uint64_t{1});
    return array_bytes<unsigned>(vertex_count + std::uint64_t{1}) +
           array_bytes<Vertex>(vertex_count) + array_bytes<unsigned>(kWords) +
           (pairs ? array_bytes<unsigned>(vertex_count) : 0) + std::max({sort, bitmap, sums});
  }

  PullRows<Offset> run(unsigned hot_room) {
    if (graph_.vertex_count == 0) return rows_;
    order_vertices();
    choose_hot(hot_room);
    find_pairs();
    group_cold_positions();
    group_rows();
    measure();
    if (packs()) {
      cut_long_rows();
      rows_.packed = pack_rows(
          session_,
          RowsToPack<Offset>{graph_, rows_, arrays_.positions, first_piece_.data(), arrays_.window},
          arrays_.packed);
      return rows_;
    }
    fill();
    cut_long_rows();
    pack_near();
    return rows_;
  }

  /// The same where rows may be packed meanwhile.
  static std::uint64_t packed_memory(Vertex vertex_count, std::uint64_t window) {
    using prepare::array_bytes;
    return std::max(memory(vertex_count, true),
                    array_bytes<unsigned>(vertex_count + std::uint64_t{1}) +
                        array_bytes<Vertex>(vertex_count) + array_bytes<unsigned>(kWords) +
                        packing_memory(window));
  }

 private:
  bool packs() const { return arrays_.sources == nullptr; }
  Cut cut() const { return packs() ? kPackedCut : Cut{}; }

  static constexpr std::size_t kWords = 16;
  static constexpr unsigned kMostKeyBits = 32;
  static constexpr const char* kPurpose = "lay out the rows";
  unsigned* largest() const { return words_; }
  unsigned* moved() const { return words_ + 12; }
  unsigned* far() const { return words_ + 13; }
  Vertex* row_end() const { return words_ + 14; }
  unsigned long long* hot_edges() const {
    return reinterpret_cast<unsigned long long*>(words_ + 2);
  }
  unsigned* counts() const { return words_ + 4; }

  void order_vertices() {
    list_out_degrees<<<kBlocks, kBlock, 0, stream_>>>(graph_, keys_, values_, largest());
    const unsigned most = read(largest(), stream_);
    one_class_ = read(largest() + 1, stream_) <= kShortRows;
    if (std::uint64_t{most} * graph_.vertex_count <= kSkewed * (graph_.edge_count + 1)) {
      check(cudaMemcpyAsync(arrays_.out_degrees, keys_, sizeof(unsigned) * graph_.vertex_count,
                            cudaMemcpyDeviceToDevice, stream_),
            "copy degrees");
      return;
    }
    sort(arrays_.out_degrees, arrays_.order, graph_.vertex_count, std::bit_width(most),
         Ascent::Down);
    rows_.order = arrays_.order;
    rows_.position_of = arrays_.position_of;
    invert_order<<<kBlocks, kBlock, 0, stream_>>>(graph_.vertex_count, rows_.order,
                                                  arrays_.position_of);
  }

  /// Behind the hot positions, rows of a class stand side by side: what they hold is read and
  /// written together. The order among cold vertices shows nowhere else, for the first-level cache
  /// keeps none of them.
  void group_cold_positions() {
    if (rows_.hot == 0) return;
    const Vertex cold = graph_.vertex_count - rows_.hot;
    Vertex* const vertices = arrays_.order + rows_.hot;
    classify_vertices<<<kBlocks, kBlock, 0, stream_>>>(graph_, pairs_, vertices, cold, keys_,
                                                       cut().long_row);
    check(cudaMemcpyAsync(values_, vertices, sizeof(Vertex) * cold, cudaMemcpyDeviceToDevice,
                          stream_),
          "copy an order");
    sort(nullptr, vertices, cold, kClassBits, Ascent::Up);
    list_degrees_in_order<<<kBlocks, kBlock, 0, stream_>>>(graph_, rows_.order,
                                                           arrays_.out_degrees);
    invert_order<<<kBlocks, kBlock, 0, stream_>>>(graph_.vertex_count, rows_.order,
                                                  arrays_.position_of);
  }

  void group_rows() {
    classify_rows<<<kBlocks, kBlock, 0, stream_>>>(graph_, pairs_, rows_.order, keys_, values_,
                                                   counts(), row_end(), one_class_, cut().long_row);
    sort(nullptr, arrays_.positions, graph_.vertex_count, kClassBits, Ascent::Up);
    unsigned count[kNone + 1];
    check(cudaMemcpyAsync(count, counts(), sizeof(count), cudaMemcpyDeviceToHost, stream_),
          "read how long rows are");
    check(cudaStreamSynchronize(stream_), "sort rows by length");
    rows_.long_rows = count[kLong];
    unsigned row = count[kLong];
    for (unsigned kind = 0; kind < kClasses; ++kind) {
      rows_.first_row[kind] = row;
      row += count[kind + 1];
    }
    rows_.first_row[kClasses] = rows_.row_count = row;
    rows_.row_end = read(row_end(), stream_);
  }

  void measure() {
    measure_rows<<<kBlocks, kBlock, 0, stream_>>>(graph_, pairs_, rows_.order, arrays_.positions,
                                                  rows_.row_count, keys_, arrays_.pairs, moved());
    {
      prepare::WorkingMemory memory(stream_);
      prepare::exclusive_sum(memory, keys_, arrays_.begin, rows_.row_count + std::uint64_t{1});
    }
    rows_.begin = arrays_.begin;
    rows_.sources = arrays_.sources;
    if (read(moved(), stream_) != 0) rows_.positions = arrays_.positions;
  }

  void fill() {
    if (pairs_ != nullptr) {
      rows_.pairs = arrays_.pairs;
      fill_paired_rows<<<kBlocks, kBlock, 0, stream_>>>(graph_, rows_, arrays_.positions,
                                                        arrays_.sources);
    } else {
      fill_rows<<<kBlocks, kBlock, 0, stream_>>>(graph_, rows_.order, rows_.position_of,
                                                 arrays_.positions, rows_.row_count, arrays_.begin,
                                                 arrays_.sources);
    }
    // Where the order is by degree, sorted lists let lanes share what they read of hubs; shared
    // memory does that without.
    if (arrays_.pairs != nullptr && rows_.order != nullptr && rows_.hot == 0) sort_rows();
  }

  /// Left undone where the memory for it is missing.
  void sort_rows() {
    const std::uint64_t edges = graph_.edge_count;
    if (session_.spare_memory() < prepare::array_bytes<Vertex>(edges) +
                                      prepare::segments_memory<Offset>(edges, rows_.row_count))
      return;
    prepare::WorkingMemory memory(stream_);
    prepare::sort_segments(memory, arrays_.sources, memory.take<Vertex>(edges, kPurpose), edges,
                           rows_.row_count, arrays_.begin);
  }

  enum class Ascent : bool { Up, Down };
  /// Sorts values_ by keys_. The values come to lie in `sorted`, and the keys in `sorted_keys`, or
  /// nobody asks for them.
  void sort(unsigned* sorted_keys, Vertex* sorted, Vertex count, unsigned bits, Ascent ascent) {
    prepare::WorkingMemory memory(stream_);
    prepare::TwoArrays<unsigned> keys{
        keys_, sorted_keys != nullptr ? sorted_keys : memory.take<unsigned>(count, kPurpose)};
    prepare::TwoArrays<Vertex> values{values_, sorted};
    const auto sort_keys =
        ascent == Ascent::Up ? prepare::sort_pairs<unsigned, Vertex> : prepare::sort_pairs_down;
    sort_keys(memory, keys, values, count, 0, bits);
    settle(values.now, sorted, count);
    if (sorted_keys != nullptr) settle(keys.now, sorted_keys, count);
  }
  void settle(const unsigned* from, unsigned* to, Vertex count) {
    if (from == to) return;
    check(cudaMemcpyAsync(to, from, sizeof(unsigned) * count, cudaMemcpyDeviceToDevice, stream_),
          "copy what was sorted");
  }

  void cut_long_rows() {
    std::vector<Offset> begin(rows_.long_rows + std::size_t{1});
    download(begin, arrays_.begin);
    std::vector<unsigned> pairs(rows_.long_rows);
    if (rows_.pairs != nullptr) download(pairs, rows_.pairs);
    std::vector<Piece<Offset>> pieces;
    std::vector<unsigned>& first = first_piece_;
    for (unsigned row = 0; row < rows_.long_rows; ++row) {
      first.push_back(static_cast<unsigned>(pieces.size()));
      for (Offset at = begin[row]; at < begin[row + 1];) {
        const Offset end = at + std::min<Offset>(cut().piece, begin[row + 1] - at);
        pieces.push_back({at, end, begin[row] + pairs[row], row});
        at = end;
      }
    }
    first.push_back(static_cast<unsigned>(pieces.size()));
    check(cudaMemsetAsync(arrays_.pieces_done, 0, sizeof(unsigned) * first.size(), stream_),
          "clear words");
    upload(arrays_.pieces, pieces);
    upload(arrays_.first_piece, first);
    rows_.pieces = arrays_.pieces;
    rows_.first_piece = arrays_.first_piece;
    rows_.piece_count = static_cast<unsigned>(pieces.size());
    unsigned unit = rows_.piece_count;
    for (unsigned kind = 0; kind < kClasses; ++kind) {
      const unsigned per_unit = 1u << kind;
      rows_.first_unit[kind] = unit;
      unit += (rows_.first_row[kind + 1] - rows_.first_row[kind] + per_unit - 1) / per_unit;
    }
    rows_.first_unit[kClasses] = unit;
  }

  void pack_near() {
    if (!one_class_ || rows_.order != nullptr || rows_.positions != nullptr) return;
    pack_near_rows<<<kBlocks, kBlock, 0, stream_>>>(rows_.row_count, rows_.begin, rows_.sources,
                                                    arrays_.order, arrays_.positions, far());
    if (read(far(), stream_) <= kFewFarRows * rows_.row_count)
      rows_.near = {arrays_.order, arrays_.positions};
  }

  template <class T>
  void download(std::vector<T>& to, const T* from) {
    check(cudaMemcpyAsync(to.data(), from, sizeof(T) * to.size(), cudaMemcpyDeviceToHost, stream_),
          "read what long rows are like");
    check(cudaStreamSynchronize(stream_), "lay out the rows");
  }

  template <class T>
  void upload(T* to, const std::vector<T>& from) {
    if (from.empty()) return;
    check(
        cudaMemcpyAsync(to, from.data(), sizeof(T) * from.size(), cudaMemcpyHostToDevice, stream_),
        "send the pieces of long rows");
    check(cudaStreamSynchronize(stream_), "lay out the rows");
  }

  void choose_hot(unsigned room) {
    if (rows_.order == nullptr) return;
    const unsigned hot = std::min({room, graph_.vertex_count, kMostPaired});
    add_degrees<<<kBlocks, kBlock, 0, stream_>>>(arrays_.out_degrees, hot, hot_edges());
    const auto edges = static_cast<double>(read(hot_edges(), stream_));
    if (edges >= kHotShare * static_cast<double>(graph_.edge_count)) rows_.hot = hot;
  }

  /// Half of a word tells a hot position, so that its row takes half of the bytes, and lanes read
  /// two of them at a time.
  void find_pairs() {
    if (rows_.hot == 0 || arrays_.pairs == nullptr || packs()) return;
    pairs_ = memory_.take<unsigned>(graph_.vertex_count, kPurpose);
    prepare::WorkingMemory memory(stream_);
    const std::size_t words = bitmap_words(graph_.vertex_count);
    auto* const hot = memory.take<unsigned>(words, kPurpose);
    check(cudaMemsetAsync(hot, 0, sizeof(unsigned) * words, stream_), "clear words");
    mark_hot<<<kBlocks, kBlock, 0, stream_>>>(rows_.order, rows_.hot, hot);
    count_pairs<<<kBlocks, kBlock, 0, stream_>>>(graph_, hot, pairs_);
  }

  Session& session_;
  const EdgeLists& graph_;
  const RowArrays<Offset>& arrays_;
  cudaStream_t stream_;
  PullRows<Offset> rows_;
  bool one_class_ = false;
  std::vector<unsigned> first_piece_;  ///< of each long row, and the end
  prepare::WorkingMemory memory_;
  unsigned* const keys_;
  Vertex* const values_;
  unsigned* const words_;
  unsigned* pairs_ = nullptr;  ///< words of two hot positions in each vertex's row; null: none

  static std::size_t bitmap_words(Vertex vertices) { return (vertices + std::size_t{31}) / 32; }
};

}  // namespace

template <class Offset>
PullRows<Offset> build_rows(Session& session, const EdgeLists& graph,
                            const RowArrays<Offset>& arrays, unsigned hot_room) {
  return Builder<Offset>(session, graph, arrays).run(hot_room);
}

template <class Offset>
std::uint64_t row_memory(Vertex vertex_count, bool pairs) {
  return Builder<Offset>::memory(vertex_count, pairs);
}

template <class Offset>
std::uint64_t packed_row_memory(Vertex vertex_count, std::uint64_t window) {
  return Builder<Offset>::packed_memory(vertex_count, window);
}

template PullRows<std::uint32_t> build_rows(Session&, const EdgeLists&,
                                            const RowArrays<std::uint32_t>&, unsigned);
template PullRows<std::uint64_t> build_rows(Session&, const EdgeLists&,
                                            const RowArrays<std::uint64_t>&, unsigned);
template std::uint64_t row_memory<std::uint32_t>(Vertex, bool);
template std::uint64_t row_memory<std::uint64_t>(Vertex, bool);
template std::uint64_t packed_row_memory<std::uint32_t>(Vertex, std::uint64_t);
template std::uint64_t packed_row_memory<std::uint64_t>(Vertex, std::uint64_t);

}  // namespace vertigo::gpu::solve
