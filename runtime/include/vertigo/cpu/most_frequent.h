#pragma once
// The most frequent value of a list, the smallest of several: `mode` of the language. How many
// different values it has: `distinct`.
//
//   for (const Vertex u : both_neighbours_once(graph, v)) vote(ballots, label[u]);
//   elect(ballots, winner);            // or count_different(ballots, number);
//
// A thread keeps the votes of the list at hand in room of its own, which has been made for the
// longest list of the graph: parallel loops allocate nothing.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "vertigo/core/degree_buckets.h"
#include "vertigo/cpu/buffers.h"
#include "vertigo/cpu/graph_view.h"

namespace vertigo::cpu {

namespace detail {

/// Votes for one list, and a table to count them in.
template <class T>
class alignas(64) BallotBox {
 public:
  void allocate(std::size_t longest) {
    votes_ = std::make_unique_for_overwrite<T[]>(longest);
    if (longest <= kFew) return;
    while ((std::size_t{1} << bits_) < 2 * longest) ++bits_;
    table_ = std::make_unique<Entry[]>(std::size_t{1} << bits_);
  }
  void vote(T value) { votes_[count_++] = value; }
  /// Counts and forgets the votes; `winner` stays as it is where there are none.
  void elect(T& winner) {
    if (const std::size_t count = std::exchange(count_, 0); count > 0)
      winner = most_frequent(count);
  }
  /// Counts and forgets the votes: how many different ones there were.
  std::int64_t count_different() {
    const std::size_t count = std::exchange(count_, 0);
    if (count > kFew) return different_by_table(count);
    std::sort(&votes_[0], &votes_[count]);
    return std::unique(&votes_[0], &votes_[count]) - &votes_[0];
  }

 private:
  /// So many votes are sorted: they lie in one or two cache lines.
  static constexpr std::size_t kFew = 16;

  struct Entry {
    T value;
    std::uint32_t list = 0;  ///< the entry is one of list number `list_`, or empty
    std::uint64_t count;
  };

  T most_frequent(std::size_t count) {
    if (const T candidate = likely_majority(count);
        2 * static_cast<std::size_t>(std::count(&votes_[0], &votes_[count], candidate)) > count)
      return candidate;
    return count <= kFew ? by_sorting(count) : by_table(count);
  }

  /// The value that more than half of the votes are for, if there is one (R. Boyer and J. Moore).
  T likely_majority(std::size_t count) const {
    T candidate = votes_[0];
    std::size_t lead = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (lead == 0) candidate = votes_[i];
      lead += votes_[i] == candidate ? 1 : static_cast<std::size_t>(-1);
    }
    return candidate;
  }

  T by_sorting(std::size_t count) {
    std::sort(&votes_[0], &votes_[count]);
    T best = votes_[0];
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; first < count; first = last) {
      while (last < count && votes_[last] == votes_[first]) ++last;
      if (last - first <= most) continue;
      most = last - first;
      best = votes_[first];
    }
    return best;
  }

  T by_table(std::size_t count) {
    T best = votes_[0];
    std::uint64_t most = 0;
    count_in_table(count, [&](T value, std::uint64_t votes) {
      if (votes < most || (votes == most && best < value)) return;
      most = votes;
      best = value;
    });
    return best;
  }
  std::int64_t different_by_table(std::size_t count) {
    std::int64_t different = 0;
    count_in_table(count, [&](T, std::uint64_t votes) { different += votes == 1 ? 1 : 0; });
    return different;
  }

  /// Tells of each vote how many there were for its value up to it.
  template <class Tell>
  void count_in_table(std::size_t count, const Tell& tell) {
    unsigned bits = 1;
    while ((std::size_t{1} << bits) < 2 * count) ++bits;
    const std::size_t mask = (std::size_t{1} << bits) - 1;
    if (++list_ == 0) {
      std::fill(&table_[0], &table_[std::size_t{1} << bits_], Entry{});
      list_ = 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const T value = votes_[i];
      Entry* entry = &table_[place(value, bits)];
      while (entry->list == list_ && entry->value != value)
        entry = &table_[static_cast<std::size_t>(entry - &table_[0] + 1) & mask];
      if (entry->list != list_) *entry = {value, list_, 0};
      tell(value, ++entry->count);
    }
  }

  static std::size_t place(T value, unsigned bits) {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15u) >>
                                    (64 - bits));
  }

  std::unique_ptr<T[]> votes_;
  std::size_t count_ = 0;
  std::unique_ptr<Entry[]> table_;
  unsigned bits_ = 1;
  std::uint32_t list_ = 0;
};

}  // namespace detail

template <class T>
struct Ballots {
  detail::BallotBox<T>* boxes;  ///< one per thread
};

template <class T>
inline void vote(Ballots<T> ballots, std::type_identity_t<T> value) {
  ballots.boxes[current_thread].vote(value);
}
template <class T>
inline void elect(Ballots<T> ballots, std::type_identity_t<T>& winner) {
  ballots.boxes[current_thread].elect(winner);
}

template <class T>
inline void count_different(Ballots<T> ballots, std::int64_t& number) {
  number = ballots.boxes[current_thread].count_different();
}

template <class T>
class BallotsBuffer {
 public:
  /// `once`: where the graph is symmetric, loops along both directions visit one list.
  explicit BallotsBuffer(Along along, bool once = false) : along_(along), once_(once) {}

  template <class View>
  void allocate(const View& graph) {
    if (!boxes_.empty()) return;
    const bool one = once_ && graph.symmetric;
    EdgeIndex longest = 0;
    for (Vertex v = 0; v < graph.vertex_count; ++v)
      longest = std::max(longest, (along_ != Along::In ? out_degree(graph, v) : 0) +
                                      (along_ != Along::Out && !one ? in_degree(graph, v) : 0));
    boxes_.resize(thread_count());
    for (detail::BallotBox<T>& box : boxes_) box.allocate(longest);
  }
  operator Ballots<T>() { return {boxes_.data()}; }  // NOLINT: kernels take the light handle

 private:
  Along along_;
  bool once_;
  std::vector<detail::BallotBox<T>> boxes_;
};

}  // namespace vertigo::cpu
