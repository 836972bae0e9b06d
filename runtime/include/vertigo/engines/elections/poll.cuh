#pragma once
// Who votes for what, and who is elected where: arrays of an engine, and how they are worked on by
// kernels that are prebuilt in a library, since they know votes and lists alone.

#include "vertigo/device/most_frequent.cuh"

namespace vertigo::gpu::elections {

/// Vertices of similar lists are worked on together: up to 4, 8, 16 and 32 neighbours, up to
/// kMedium, those that a warp's table holds, those that a block's table holds, and all others.
inline constexpr unsigned kClasses = 8;

/// Neighbours of vertices along one direction.
struct Lists {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
};

/// Votes are keys: unsigned words of the same order as the program's values.
template <class K>
struct Poll {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;  ///< in all lists that are followed
  Lists first;
  Lists second;  ///< no offsets: one list a vertex
  bool skips_itself = false;
  /// Whoever stands in the list of another has that one in its own: those who ask a vertex are in
  /// its list.
  bool is_mutual = false;
  /// One list a vertex, in which nobody stands twice.
  bool is_simple = false;

  K* votes = nullptr;
  K* winners = nullptr;
  std::uint8_t* elected = nullptr;  ///< somebody voted
  std::uint8_t* changed = nullptr;  ///< the vote is another than last time
  std::uint8_t* asked = nullptr;    ///< some neighbour's is
  Vertex* members = nullptr;        ///< vertices that have neighbours, class by class
  Vertex class_begin[kClasses + 1] = {};
  Counter changed_edges{};         ///< in the lists of those who changed
  Flag disordered{};               ///< not every vote is smaller than that of the next vertex
  std::uint32_t* sizes = nullptr;  ///< of the classes, while they are made
  Flag repeats{};                  ///< somebody stands twice in a list
  Ballots<K> ballots;
};

template <class K>
void declare_poll(Session& session, Poll<K>& poll, Along along);
/// Classes of vertices. Waits for the stream.
template <class K>
void prepare_poll(Session& session, Poll<K>& poll);
/// Elects, where votes are cast and `changed` says which are new.
template <class K>
void elect_all(Session& session, const Poll<K>& poll);

}  // namespace vertigo::gpu::elections
