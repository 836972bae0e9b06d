#pragma once
// What was found in an input and what was done to it: the intake report that ends every reading of
// a graph.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vertigo/core/scalar.h"
#include "vertigo/trace/stage.h"

namespace vertigo::graph {

enum class Format : std::uint8_t {
  MatrixMarket,
  EdgeList,      ///< "u v" or "u v w" per line; SNAP's comments
  Adjacency,     ///< "u v1 v2 ..." per line
  Graphalytics,  ///< a pair of files, .v and .e
  Dimacs,        ///< .gr of the 9th DIMACS challenge: "p sp n m", "a u v w"
  Pace,          ///< .gr of the PACE challenges: "p tw n m", "u v", undirected
  Galois,        ///< binary .gr, version 1 or 2
  Gap,           ///< binary .sg or .wsg of the GAP Benchmark Suite
  Metis,
  Bel,        ///< raw arrays, magic "BELGRAPH"
  Csv,        ///< fields separated by commas or semicolons (RFC 4180), with or without a header
  Tsv,        ///< the same, separated by tabs
  GraphMl,    ///< XML: node and edge elements
  Cached,     ///< our own binary form
  Konect,     ///< "u v", "u v w" or "u v w t" per line behind "% asym weighted"
  Generated,  ///< no file: a generator expression
};

/// The name that --format takes and reports show: "matrix-market", "edge-list", ...
const char* name_of(Format format);
/// Nothing where no format has this name.
std::optional<Format> format_named(const std::string& name);

enum class Compression : std::uint8_t { None, Gzip, Zstd, Xz };
const char* name_of(Compression compression);

enum class WeightKind : std::uint8_t { None, Integer, Real };

/// What the cache of graphs had to do with a reading.
struct CacheUse {
  enum class Kind : std::uint8_t { None, Read, Stored, NotStored };
  Kind kind = Kind::None;  ///< None: it was not asked
  std::string file;        ///< what was read or stored
  std::string reason;      ///< why nothing was stored, or why what was there was discarded
};

/// Who read a file.
struct Reading {
  enum class By : std::uint8_t { Unsaid, Host, Device };
  By by = By::Unsaid;  ///< Unsaid: no device was there to choose
  std::string reason;  ///< why the host
};

/// IntakeReport::index_base of ids that begin with this one.
inline int index_base_of(std::uint64_t first) { return first <= 1 ? static_cast<int>(first) : -1; }

/// Counts are of what the file holds before any policy is applied, and of directed edges after it
/// where they say so.
struct IntakeReport {
  std::string path;                ///< as the user gave it
  std::vector<std::string> files;  ///< what was opened: two files for Graphalytics
  Format format = Format::EdgeList;
  std::string format_evidence;  ///< why this format: "by --format" or what in the content showed it
  Compression compression = Compression::None;
  std::uint64_t bytes_read = 0;  ///< after decompression

  std::optional<std::uint64_t> vertices_declared;
  std::optional<std::uint64_t> edges_declared;
  std::uint64_t vertices = 0;    ///< of the graph
  std::uint64_t edges_read = 0;  ///< entries of the file
  std::uint64_t edges = 0;       ///< directed edges of the graph
  std::uint64_t self_loops = 0;  ///< entries of the file
  std::uint64_t duplicates = 0;  ///< entries of the file beyond the first of each (source, target)
  std::uint64_t self_loops_dropped = 0;
  std::uint64_t duplicates_merged = 0;
  std::uint64_t reverse_edges_added = 0;
  std::uint64_t isolated_vertices = 0;  ///< without in- and out-edges in the graph

  /// Names of the columns, or of the data of edges, that were read and of those that were not;
  /// numbers from 1 where the file names none. Source, target and weight in this order. Empty in
  /// formats whose columns are fixed.
  std::vector<std::string> columns_used;
  std::vector<std::string> columns_unused;

  std::uint64_t smallest_id = 0;  ///< ids of the input; both 0 where there is no vertex
  std::uint64_t largest_id = 0;
  bool ids_contiguous = true;
  /// Ids are text: then the first and the last of them stand here, and the numbers above are places
  /// among them.
  bool text_ids = false;
  std::string first_text;
  std::string last_text;
  int index_base =
      0;  ///< 0 or 1 where the format fixes it, else the smallest id if that is 0 or 1, else -1
  bool symmetric = false;  ///< read, made or declared (and verified) undirected

  WeightKind weights = WeightKind::None;
  bool weights_ignored = false;
  double smallest_weight = 0;  ///< meaningful where weights is not None and edges is not 0
  double largest_weight = 0;
  std::uint64_t negative_weights = 0;
  std::uint64_t zero_weights = 0;

  std::uint64_t max_out_degree = 0;
  double mean_out_degree = 0;
  /// Share of all edges that leave the 1% of vertices with the highest out-degree: 0.01 on a
  /// regular graph, near 1 on a star.
  double skew = 0;
  double seconds = 0;                ///< wall time of reading and building
  std::vector<trace::Stage> stages;  ///< of the reading

  std::vector<std::string> notes;  ///< what a user should know and nothing above says
  CacheUse cache;
  Reading reading;
};

/// Several lines for people, without a final newline.
std::string to_text(const IntakeReport& report);
/// One object; field names as above, absent values are null.
nlohmann::json to_json(const IntakeReport& report);

}  // namespace vertigo::graph
