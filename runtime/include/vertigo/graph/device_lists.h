#pragma once
// Lists of edges that lie in the memory of a device, as text that a device has parsed leaves them.
// An Adjacency that refers to some has arrays whose values come to host memory when somebody asks
// for them (arrival.h). Whoever asks the lists themselves spares that: a run on the same device
// reads them where they are.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vertigo/core/scalar.h"
#include "vertigo/graph/array.h"
#include "vertigo/graph/bounded_search.h"
#include "vertigo/graph/degrees.h"

namespace vertigo::graph {

struct Graph;
struct WithReverses;

/// What one look at all weights tells.
struct WeightFacts {
  double smallest = 0;  ///< of no weights: 0, like the others
  double largest = 0;
  std::uint64_t negative = 0;
  std::uint64_t zero = 0;
  double mean = 0;
};

/// Where a device has the values of an adjacency's arrays; null where it has not.
struct OnDevice {
  std::optional<unsigned> device;
  const Vertex* targets = nullptr;
  const void* weights = nullptr;
  /// Keeps the memory, whoever releases the lists meanwhile.
  std::shared_ptr<const void> owner_of_targets;
  std::shared_ptr<const void> owner_of_weights;
  const EdgeIndex* offsets = nullptr;
  std::shared_ptr<const void> owner_of_offsets;
};

/// Where the list of a vertex lies among the edges.
struct ListPlace {
  EdgeIndex begin = 0;
  EdgeIndex end = 0;

  EdgeIndex length() const { return end - begin; }
};

/// The edges in the order of their adjacency. What a device has no memory for, it says it does not
/// know.
class DeviceLists {
 public:
  virtual ~DeviceLists() = default;

  virtual Vertex vertices() const = 0;  ///< as many as lists
  virtual EdgeIndex count() const = 0;
  /// Nothing: the edges have none.
  virtual std::optional<ScalarKind> weight_kind() const = 0;

  /// Nothing once they are released.
  virtual OnDevice there() const = 0;

  /// To host memory; of offsets one more than there are lists.
  virtual void fetch_offsets(EdgeIndex* to) const = 0;
  virtual void fetch_targets(Vertex* to) const = 0;
  virtual void fetch_weights(std::byte* to) const = 0;
  /// The values of some edges.
  virtual void pick_targets(std::span<const EdgeIndex> edges, Vertex* to) const = 0;
  virtual void pick_weights(std::span<const EdgeIndex> edges, std::byte* to) const = 0;
  virtual void pick_sources(std::span<const EdgeIndex> edges, Vertex* to) const = 0;
  /// Some of the offsets, by their numbers.
  virtual void pick_offsets(std::span<const EdgeIndex> places, EdgeIndex* to) const = 0;
  /// Frees the memory on the device, once arrays have all values.
  virtual void release() const = 0;

  virtual WeightFacts weight_facts() const = 0;
  /// Null where the device does not know.
  virtual const DegreeFacts* degree_facts() const = 0;
  /// Bit v % 64 of word v / 64 is set where the list of v is not empty. Nothing where the device
  /// does not know.
  virtual std::optional<std::vector<std::uint64_t>> filled() const = 0;
  /// What search_within() tells. Nothing where the device does not know.
  virtual std::optional<BoundedSearch> search(Vertex source, const SearchBounds& bounds) const = 0;
  /// Bit v of word v / 64 is set where an edge leads to the vertex v.
  virtual std::vector<std::uint64_t> reached() const = 0;
  /// The same edges with weights of another kind. Null where one does not fit it, or where the
  /// device does not know.
  virtual std::shared_ptr<const DeviceLists> with_weights(ScalarKind kind) const = 0;
  /// Whether each edge has its reverse with the same weight. Nothing where the device does not
  /// know.
  virtual std::optional<bool> is_symmetric(const Array<EdgeIndex>& offsets) const = 0;
  /// `lists`, which refer to these, by their targets: `lists` again where each edge has its
  /// reverse. Nothing where the device does not know.
  virtual std::optional<Adjacency> transposed(const Adjacency& lists) const = 0;
  /// `lists`, which refer to these, with the reverse edges that are missing (as BuildOptions in
  /// vertigo/graph/builder.h says): `lists` again where none is. No two edges are parallel. Nothing
  /// where the device does not know.
  virtual std::optional<WithReverses> with_reverses(const Adjacency& lists) const = 0;
};

/// An adjacency of such lists. `offsets`: where the host has them.
Adjacency adjacency_of(std::shared_ptr<const DeviceLists> lists);
Adjacency adjacency_of(Array<EdgeIndex> offsets, std::shared_ptr<const DeviceLists> lists);

/// Where a device has the values of these arrays.
OnDevice on_device(const Adjacency& adjacency);
/// As a device tells that has these weights; nothing where none has.
std::optional<WeightFacts> weight_facts(const Adjacency& adjacency);

/// Of some edges, without the others coming to host memory.
std::vector<Vertex> targets_at(const Adjacency& adjacency, std::span<const EdgeIndex> edges);
/// `W` is the type of the adjacency's weights, which it has.
template <class W>
std::vector<W> weights_at(const Adjacency& adjacency, std::span<const EdgeIndex> edges);
/// The vertices whose lists hold some edges.
std::vector<Vertex> sources_at(const Adjacency& adjacency, std::span<const EdgeIndex> edges);
/// Where the lists of some vertices lie, without the other offsets coming to host memory.
std::vector<ListPlace> places_of(const Adjacency& adjacency, std::span<const Vertex> vertices);
/// Edges of the lists before that of v, which may be one behind the last vertex.
EdgeIndex edges_before(const Adjacency& adjacency, Vertex v);

/// Has all values come to host memory, before threads of a loop ask for them: there is no way out
/// of such a loop for what fails.
void await_all(const Adjacency& adjacency);
/// Of both directions, where there are two.
void await_all(const Graph& graph);
/// The same of their offsets and targets alone.
void await_lists(const Graph& graph);

/// The same, and the memory on the device is freed.
void bring_home(const Adjacency& adjacency);

}  // namespace vertigo::graph
