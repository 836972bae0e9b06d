#pragma once
// A graph in host memory: adjacency in both directions, one optional weight per edge, and the way
// back from the internal vertex ids (0 .. vertex_count-1) to the ids of the input file. A graph
// owns no memory of its own: its arrays are views (vertigo/graph/array.h), so that a copy of a
// graph, or a part of one (vertigo/graph/part.h), shares them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "vertigo/core/scalar.h"
#include "vertigo/graph/array.h"
#include "vertigo/graph/ids.h"

namespace vertigo::graph {

/// Weights of the edges, in the order of the adjacency they belong to; monostate where the graph
/// has none. A reader keeps integers as int64, or as int32 where its format has no larger ones, and
/// anything with a fraction or an exponent as float64; a program asks for the type that it declares
/// (`convert_weights`), and a value that does not fit is refused with the edge's place.
using Weights =
    std::variant<std::monostate, Array<std::int32_t>, Array<std::int64_t>, Array<std::uint32_t>,
                 Array<std::uint64_t>, Array<float>, Array<double>>;

class DeviceLists;  // vertigo/graph/device_lists.h

/// Compressed sparse rows: the neighbours of v are targets[offsets[v] .. offsets[v+1]), ascending
/// by id. Used for out-neighbours (CSR) and for in-neighbours (CSC) alike.
struct Adjacency {
  Array<EdgeIndex> offsets;  ///< vertex_count + 1 entries, offsets[0] = 0
  Array<Vertex> targets;     ///< edge_count entries
  Weights weights;           ///< edge_count entries, or none
  /// Attributes that are read by name, instead of weights: edge_count records of the same length,
  /// laid out as Graph::record_fields says (vertigo/graph/edge_records.h); or none.
  Array<std::byte> records = {};
  /// A device that has the lists, too; null: none.
  std::shared_ptr<const DeviceLists> on_device = nullptr;

  /// One for each vertex. A graph without vertices may lack even the one offset.
  std::size_t list_count() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  EdgeIndex degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
  std::span<const Vertex> neighbours(Vertex v) const {
    return {targets.data() + offsets[v], targets.data() + offsets[v + 1]};
  }
  /// Edges of the longest list; 0 where there is none.
  EdgeIndex longest_list() const;
};

/// Lists to which the reverse edges were added that were missing (vertigo/graph/builder.h).
struct WithReverses {
  Adjacency lists;
  EdgeIndex duplicates = 0;  ///< edges beyond the first of each (source, target)
};

/// An attribute in the records of edges (vertigo/core/record_layout.h).
struct RecordField {
  std::string name;
  ScalarKind kind = ScalarKind::Int32;

  friend bool operator==(const RecordField&, const RecordField&) = default;
};

/// What a table says of its edges: its distinct records, each once. While a graph is built, the
/// weight of an edge is the number of its record, so edges are equal where all attributes are.
struct EdgeTable {
  std::vector<char> records;
  std::vector<bool> given;  ///< for each of ReadOptions::edge_fields, whether the table has it
  std::vector<RecordField> fields;  ///< ReadOptions::edge_fields, as the records are laid out
};

/// One adjacency's edges in another order inside each list: the offsets are those of the adjacency.
struct ReorderedEdges {
  Array<Vertex> targets;
  Weights weights;
};

struct PathSketch;     // vertigo/graph/path_sketch.h
struct ColourClasses;  // vertigo/graph/colouring.h

/// What was made of the graph once and is kept with it (vertigo/graph/prepare.h): copies of the
/// lists in other orders, and what schedules lay out.
struct Preparations {
  /// Vertices by descending out-degree; equal ones by id. Empty where this was not prepared.
  Array<Vertex> degree_order;
  Adjacency degree_ordered_out;  ///< lists and targets numbered by their place in degree_order
  std::optional<Adjacency> degree_ordered_in;  ///< where the graph has an in-adjacency
  /// Every list by ascending weight; equal ones by target. Nothing where this was not prepared.
  std::optional<ReorderedEdges> weight_sorted_out;
  std::optional<ReorderedEdges> weight_sorted_in;
  std::shared_ptr<const PathSketch> paths;           ///< along the out-edges; null: none
  std::shared_ptr<const ColourClasses> all_colours;  ///< one for every colour; null: none
  std::shared_ptr<const ColourClasses> few_colours;  ///< the derived ones and a rest; null: none

  bool has_layouts() const { return paths || all_colours || few_colours; }
  bool has_degree_order() const { return !degree_order.empty(); }
  bool has_weight_order() const { return weight_sorted_out.has_value(); }
};

class EdgesOnFile;  // vertigo/graph/edges_on_file.h

/// A directed graph. An undirected one stores both directions of every edge and has `symmetric`
/// set.
struct Graph {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;  ///< directed edges: twice the undirected ones
  bool symmetric = false;    ///< every edge has its reverse with the same weight; then `in` stays
                             ///< empty and in() is out
  /// Known: no two edges lead from one vertex to the same other one. Whoever builds lists sees it.
  bool no_duplicates = false;
  Adjacency out;
  std::optional<Adjacency> in_adjacency;  ///< built by build_transpose() when somebody needs it
  Preparations prepared;                  ///< never changes what the graph is
  std::vector<RecordField> record_fields = {};  ///< of Adjacency::records
  /// Until attach_records(): weights are numbers of its records. Null where there is none.
  std::shared_ptr<const EdgeTable> table = nullptr;
  /// Where the edges are larger than the host's memory: then targets and weights are empty arrays
  /// here, of the right kind, and offsets are there. Null: the arrays have all edges.
  std::shared_ptr<const EdgesOnFile> on_file = nullptr;
  IdMap ids;
  std::string name;  ///< for messages: file name or generator expression

  bool has_weights() const { return !std::holds_alternative<std::monostate>(out.weights); }
  /// In-neighbours; requires build_transpose() before, unless the graph is symmetric.
  const Adjacency& in() const { return symmetric ? out : *in_adjacency; }
};

/// Builds the in-adjacency of a directed graph, in parallel; no-op when it is there or the graph is
/// symmetric.
void build_transpose(Graph& graph);

}  // namespace vertigo::graph
