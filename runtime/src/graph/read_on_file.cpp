#include "read_on_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "binary_input.h"
#include "edges_file.h"
#include "vertigo/core/memory.h"
#include "weights.h"

namespace vertigo::graph {

namespace {

bool has_in(const CachedHeader& header) {
  return (header.flags & kHasIn) != 0 && (header.flags & kSymmetric) == 0;
}

/// Of what a run would read into memory.
std::uint64_t edge_bytes(const CachedHeader& header, const ReadOptions& options) {
  const auto of = [&](CachedSection section) { return header.section(section).bytes; };
  std::uint64_t bytes = of(CachedSection::OutTargets);
  if (!options.ignore_weights) bytes += of(CachedSection::OutWeights);
  if (!options.in_edges || !has_in(header)) return bytes;
  bytes += of(CachedSection::InTargets);
  if (!options.ignore_weights) bytes += of(CachedSection::InWeights);
  return bytes;
}

/// What may be taken for them. A little is left to others, and to vertex data.
std::uint64_t allowed_bytes(const CachedHeader& header, const ReadOptions& options) {
  if (options.host_memory != 0) return options.host_memory;
  const std::uint64_t offsets = header.section(CachedSection::OutOffsets).bytes;
  const std::uint64_t available = available_memory() / 16 * 15;
  return available > 2 * offsets ? available - 2 * offsets : 0;
}

[[noreturn]] void refuse(const ReadContext& context, std::uint64_t bytes, std::uint64_t allowed,
                         const std::string& what) {
  throw Error(ExitCode::OutOfMemory,
              fmt::format("{}: the edges take {}, and {} {}", what, format_bytes(bytes),
                          context.options.host_memory != 0 ? "--host-memory allows" : "there are",
                          format_bytes(allowed)),
              context.path);
}

/// "" where the graph is what the file holds, else what would need all edges at once.
std::string change_of(const CachedHeader& header, const FactsOfEdges& facts,
                      const ReadOptions& options) {
  const bool symmetric = (header.flags & kSymmetric) != 0;
  if (facts.self_loops > 0 && options.self_loops == SelfLoopPolicy::Drop)
    return "self loops are dropped in memory";
  if (facts.duplicates > 0 && options.duplicates != DuplicatePolicy::Keep)
    return "parallel edges become one in memory";
  if (!symmetric && (options.symmetrize || options.direction == Direction::Undirected))
    return "reverse edges are added in memory";
  return "";
}

template <std::size_t kIndex = 0>
Weights no_weights(std::size_t kind) {
  if constexpr (kIndex == std::variant_size_v<Weights>)
    return std::monostate{};
  else
    return kind == kIndex ? Weights(std::in_place_index<kIndex>) : no_weights<kIndex + 1>(kind);
}

Adjacency read_offsets(CachedFile& file, CachedSection section, bool weights) {
  Adjacency adjacency;
  adjacency.offsets = file.read<EdgeIndex>(section);
  check_offsets(file.path(), adjacency.offsets, file.header().edge_count,
                file.header().section(section).offset);
  adjacency.weights = no_weights(weights ? file.header().weight_kind : 0);
  return adjacency;
}

}  // namespace

bool read_on_file(const ReadContext& context, LoadedGraph& loaded) {
  const ReadOptions& options = context.options;
  if (!options.may_stay_on_file && options.host_memory == 0) return false;
  CachedFile file(context.path);
  const CachedHeader header = file.header();
  const std::uint64_t bytes = edge_bytes(header, options);
  const std::uint64_t allowed = allowed_bytes(header, options);
  if (bytes <= allowed) return false;
  if (!options.may_stay_on_file)
    refuse(context, bytes, allowed, "only a GPU reads edges from a file, and not to check them");
  // Of a file that has none, too: records are made of its weights.
  if ((header.flags & kHasAttributes) != 0 || !options.edge_fields.empty())
    refuse(context, bytes, allowed, "attributes by name are read into memory");
  const bool symmetric = (header.flags & kSymmetric) != 0;
  if (symmetric && options.direction == Direction::Directed)
    throw Error(ExitCode::InputRefused,
                "the file says that its edges are undirected, and directed was asked for",
                context.path);
  const bool weights = !options.ignore_weights && header.weight_kind != 0;
  Graph& graph = loaded.graph;
  graph.vertex_count = static_cast<Vertex>(header.vertex_count);
  graph.edge_count = header.edge_count;
  graph.symmetric = symmetric;
  graph.out = read_offsets(file, CachedSection::OutOffsets, weights);
  if (options.in_edges && has_in(header))
    graph.in_adjacency = read_offsets(file, CachedSection::InOffsets, weights);
  graph.ids = read_cached_ids(file);
  file.check(CachedSection::Name);
  IntakeReport& report = loaded.report;
  report.bytes_read += file.bytes_read();
  const auto edges = std::make_shared<const EdgesOnFile::File>(
      std::move(file), graph.out.offsets,
      graph.in_adjacency ? &graph.in_adjacency->offsets : nullptr, weights);
  report.bytes_read += edges->bytes();
  edges->cached().require_unchanged();
  const FactsOfEdges& facts = edges->facts();
  if (const std::string change = change_of(header, facts, options); !change.empty())
    refuse(context, bytes, allowed, change);
  graph.no_duplicates = facts.duplicates == 0;
  graph.on_file = std::make_shared<const EdgesOnFile>(edges, edges->weights());
  report.vertices_declared = header.vertex_count;
  report.edges_declared = report.edges_read = header.edge_count;
  report.weights_ignored = header.weight_kind != 0 && options.ignore_weights;
  report.self_loops = facts.self_loops;
  report.duplicates = facts.duplicates;
  report.index_base = (header.flags & kTextIds) != 0 ? 0 : index_base_of(header.id_base);
  report.notes.push_back(fmt::format(
      "{} of edges stay in the file: more than the {} {}", format_bytes(bytes),
      format_bytes(allowed),
      options.host_memory != 0 ? "of --host-memory" : "of host memory that there are for them"));
  return true;
}

}  // namespace vertigo::graph
