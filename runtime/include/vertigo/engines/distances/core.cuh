#pragma once
// A core of a graph: of every in-list, sorted by weight, the first edges. Of many edges into a
// vertex the best one is nearly always among the lightest, so a long list needs a small share of
// its edges and a short one all. What is left out is looked at in the end, where it could still
// improve something (sorted.cuh).

#include "vertigo/engines/distances/core_rule.cuh"
#include "vertigo/engines/distances/lists.cuh"

namespace vertigo::gpu {

/// Arrays for a core: lists of both directions, sorted by weight.
template <class Weight, class EdgeType>
struct CoreLists {
  std::uint32_t* out_offsets = nullptr;
  std::uint32_t* in_offsets = nullptr;
  EdgeType* out = nullptr;
  EdgeType* in = nullptr;
  Weight* cut = nullptr;  ///< of each vertex: in-edges are in the core where they are better
};

/// Fills the arrays of `core`. `out` are the session's in-edges where it is `back`, else its
/// out-edges; `in_edges` are all lists of the other side, sorted by weight.
template <class Weight, class EdgeType>
void take_core(Session& session, const CoreRule& rule, const Adjacency<Weight>& out, bool back,
               const std::uint32_t* in_offsets, const EdgeType* in_edges,
               const RecordCode<Weight>& code, const CoreLists<Weight, EdgeType>& core);

/// Bytes that take_core() takes and gives back.
template <class EdgeType, class Weight>
std::uint64_t core_memory(const Session& session, const RecordCode<Weight>& code, bool back);

}  // namespace vertigo::gpu
