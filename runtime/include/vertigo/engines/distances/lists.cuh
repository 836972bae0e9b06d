#pragma once
// Preparations of the graph for the engine `distances`: records of target and weight, lists sorted
// by weight, first edges side by side. All run on the device, in a library, for every type that
// weights have.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/distances/edges.cuh"

namespace vertigo::gpu {

/// Bits of the numbers below `count`, and of one number more that names no vertex.
unsigned vertex_bits(Vertex count);

/// How records code their edges, for types that know no program.
template <class Weight>
struct RecordCode {
  bool downwards = true;     ///< small weights are the good ones
  unsigned weight_bits = 0;  ///< of a NarrowEdge
  Weight best_weight{};
};

// For EdgeType distances::NarrowEdge and distances::WideEdge<Weight>. `edges` has edge_count
// records.

/// The lists as they are.
template <class Weight, class EdgeType>
void pack_lists(Session& session, const Adjacency<Weight>& from, std::uint32_t edge_count,
                const RecordCode<Weight>& code, EdgeType* edges);

/// Each list sorted by weight, best first; stable. `from` and `offsets`, which are those of
/// prepare::narrow_offsets(), are the session's in-edges where `in` says so, else its out-edges.
/// One part of the graph is sorted after the other, as many edges at a time as the session has room
/// for.
template <class Weight, class EdgeType>
void sort_lists(Session& session, const Adjacency<Weight>& from, const std::uint32_t* offsets,
                bool in, const RecordCode<Weight>& code, EdgeType* edges);

/// Edges whose weight is better than `cut` of their target. Their lists lie at `offsets`.
template <class Weight>
struct Chosen {
  const Weight* cut = nullptr;
  const std::uint32_t* offsets = nullptr;
};
/// The same of the edges that are chosen; `offsets` are those of all.
template <class Weight, class EdgeType>
void sort_chosen(Session& session, const Adjacency<Weight>& from, bool in,
                 const std::uint32_t* offsets, const Chosen<Weight>& chosen,
                 const RecordCode<Weight>& code, EdgeType* edges);

/// Bytes that these take and give back.
template <class EdgeType, class Weight>
std::uint64_t sorting_memory(const Session& session, bool in, const RecordCode<Weight>& code);

/// The weight of each list's first edge; the worst number where the list is empty.
template <class Weight, class EdgeType>
void first_weights(Session& session, const std::uint32_t* offsets, const EdgeType* edges,
                   Vertex vertex_count, const RecordCode<Weight>& code, Weight* weights);

/// The first edges of each vertex; where it has fewer, records whose target is no vertex.
template <class Weight, class EdgeType>
void pack_heads(Session& session, const Adjacency<Weight>& from, Vertex vertex_count,
                const RecordCode<Weight>& code, distances::Heads<EdgeType>* heads);

}  // namespace vertigo::gpu
