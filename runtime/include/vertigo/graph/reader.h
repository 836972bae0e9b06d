#pragma once
// Reading graphs: from any known file format, recognised by content, or from a generator
// expression.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vertigo/graph/builder.h"
#include "vertigo/graph/edge_records.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/intake.h"

namespace vertigo::graph {

class ReadingDevice;  // vertigo/graph/reading_device.h

/// Whether an entry "u v" stands for one direction or for both.
enum class Direction : std::uint8_t {
  AsFile,      ///< what the format says; directed where it says nothing
  Directed,    ///< refused where the format says undirected
  Undirected,  ///< an edge given in both orders is one edge
};

/// Which ids are vertices in a format that does not list or count them (edge lists, adjacency
/// lines).
enum class VertexRule : std::uint8_t {
  Auto,   ///< Range where a comment "# Nodes: N" fits the ids that appear, else Seen
  Seen,   ///< exactly the ids that appear
  Range,  ///< 0 .. largest id
};

/// What the ids of edge lists and tables are.
enum class IdKind : std::uint8_t {
  Auto,  ///< text where the first edge names a vertex by a word, else numbers
  Numbers,
  Text,
};

/// Who parses text, and whose memory lists go to first, where there is a device that can. Graph and
/// report are the same.
enum class ReadBy : std::uint8_t {
  Auto,  ///< the device where the file is large enough for it
  Host,
  Device,  ///< however small the file is
};

struct ReadOptions {
  std::optional<Format> format;  ///< nothing: by content
  Direction direction = Direction::AsFile;
  VertexRule vertices = VertexRule::Auto;
  IdKind ids = IdKind::Auto;
  /// Columns of a table: source, target and perhaps weight, or the weight alone, which can be the
  /// data of GraphML's edges as well. Names of its header, or numbers from 1 where it has none.
  /// Empty: by usual names.
  std::vector<std::string> columns;
  SelfLoopPolicy self_loops = SelfLoopPolicy::Keep;
  DuplicatePolicy duplicates = DuplicatePolicy::Keep;
  bool symmetrize = false;
  bool ignore_weights = false;
  bool strict =
      false;  ///< refuse, naming the first such edge, where a policy above would change anything
  /// Read the lists in other orders that the cached form holds (Graph::prepared).
  bool preparations = false;
  /// The same of paths, and of colour classes, which are not among the former.
  bool paths = false;
  bool colours = false;
  /// Read the in-edges that the cached form holds; else build_transpose() makes them anew.
  bool in_edges = true;
  /// Leave IntakeReport::isolated_vertices 0, for who builds the in-edges, which tell them sooner
  /// (count_isolated()).
  bool isolated_later = false;
  /// What the edges may take of the host's memory; 0: as much as there is.
  std::uint64_t host_memory = 0;
  /// Edges of a cached form that take more stay in the file (Graph::on_file); else they are
  /// refused.
  bool may_stay_on_file = false;
  /// Of the cached form, read all, and check what checksums cannot show: symmetry, the order of the
  /// lists, the in-edges. Takes longer than reading it. Else what is not wanted (weights, in-edges,
  /// preparations) is not looked at.
  bool verify = false;
  /// Most vertices that a header may declare. 0: 2^22, or 16 for each edge that was read, whichever
  /// is more. Keeps a small file with an absurd header from allocating gigabytes.
  std::uint64_t max_vertices = 0;
  /// The arrays of a cached form may be pages of the file, as long as nobody writes to it: for who
  /// will not pin them.
  bool in_place = false;
  ReadBy read_by = ReadBy::Auto;
  std::shared_ptr<ReadingDevice> reading_device = nullptr;  ///< null: the host reads
  /// What is wanted of edges by name, from the columns of a table. With it, tables and `columns`
  /// know no weight.
  std::vector<EdgeField> edge_fields = {};
};

struct LoadedGraph {
  Graph graph;
  IntakeReport report;
};

/// Reads `source`: a file, the common prefix of a Graphalytics pair, or a generator expression
/// ("generate:road:100x100"). Throws ExitCode::InputRefused with the place ("file:line", "file:
/// byte N") for whatever is wrong with it, and ExitCode::OutOfMemory.
LoadedGraph load_graph(const std::string& source, const ReadOptions& options = {});

/// The files that load_graph would read; none for a generator expression.
std::vector<std::string> source_files(const std::string& source, const ReadOptions& options = {});

/// What a program needs of its graph.
struct Requirements {
  bool symmetric = false;
  bool non_negative_weights = false;
  bool no_duplicates = false;
  bool no_self_loops = false;
};

/// Throws ExitCode::InputRefused for the first violation, with the edge in ids of the input and its
/// line (text) or number (binary) in the file. Where symmetry is required and holds, marks the
/// graph as symmetric. `options` must be those that the graph was loaded with.
void check_requirements(LoadedGraph& loaded, const Requirements& requirements,
                        const ReadOptions& options = {});

/// Marks the graph as symmetric where it is and nobody has said so. Not where edges have attributes
/// by name.
void find_symmetry(LoadedGraph& loaded);

/// How many vertices no edge leads from or to. A pass over all edges, where there are neither
/// in-edges nor is the graph symmetric.
std::uint64_t count_isolated(const Graph& graph);

/// Gives the graph weights of `kind` (both adjacencies); nothing to do where it has none. Throws
/// ExitCode::InputRefused, naming the edge by ids of the input, where a value does not fit: out of
/// range, or a fraction for an integer type. Float32 rounds to nearest and refuses overflow only.
/// Bool and Vertex are refused.
void convert_weights(Graph& graph, ScalarKind kind);

}  // namespace vertigo::graph
