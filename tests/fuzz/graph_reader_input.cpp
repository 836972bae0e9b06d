#include "tests/fuzz/graph_reader_input.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cached_layout.h"
#include "tests/graphs/compressed.h"
#include "vertigo/core/error.h"
#include "vertigo/core/record_layout.h"
#include "vertigo/graph/colouring.h"
#include "vertigo/graph/id_text.h"
#include "vertigo/graph/path_sketch.h"
#include "vertigo/graph/read_option_names.h"
#include "vertigo/graph/reader.h"

namespace vertigo::fuzz {
namespace {

using namespace vertigo::graph;

constexpr std::size_t kPrefix = 3;

ReadOptions options_of(std::uint8_t format, std::uint8_t bits, std::uint8_t storage) {
  ReadOptions options;
  const auto names = format_names();
  if (format < 128) options.format = format_named(names[format % names.size()]);  // else by content
  if (options.format == Format::Graphalytics) options.format.reset();             // needs two files
  if (bits & 1) options.direction = Direction::Undirected;
  if (bits & 2) options.symmetrize = true;
  if (bits & 4) options.self_loops = SelfLoopPolicy::Drop;
  options.duplicates = static_cast<DuplicatePolicy>((bits >> 3) % 5);
  if (bits & 64) options.strict = true;
  if (bits & 128) options.vertices = VertexRule::Range;
  if (storage & 8) options.vertices = VertexRule::Seen;
  if (storage & 16) options.verify = options.preparations = true;
  if (storage & 32) options.ignore_weights = true;
  options.paths = options.colours = (bits & 32) != 0;
  // Bits that mean something together for lists alone choose what ids and columns are.
  if ((bits & 3) == 3) options.ids = bits & 32 ? IdKind::Text : IdKind::Numbers;
  if ((bits & 192) == 192) options.columns = {"2", "1"};
  if (storage & 64)
    options.edge_fields = {
        {"duration", ScalarKind::Int32, Value{ScalarKind::Int32, std::int64_t{1}}, true, "why"},
        {"weight", ScalarKind::Float32, Value{ScalarKind::Float32, 0.5}},
        {"open", ScalarKind::Bool, Value{ScalarKind::Bool, true}}};
  if ((storage & 192) == 192) options.edge_fields[0].otherwise.reset();
  options.max_vertices = 1 << 16;  // keeps one execution short; the limit itself has unit tests
  return options;
}

void require(bool condition) {
  if (!condition) std::abort();
}

// The checksums of single attributes, as far as they lie in the file.
void sum_attributes(std::string& file, const CachedHeader& header) {
  const CachedSectionEntry& said = header.section(CachedSection::Attributes);
  const CachedSectionEntry& values = header.section(CachedSection::AttributeValues);
  const auto inside = [&](const CachedSectionEntry& entry) {
    return entry.offset <= file.size() && entry.bytes <= file.size() - entry.offset;
  };
  CachedAttributes head;
  if (!inside(said) || !inside(values) || said.bytes < sizeof head) return;
  std::memcpy(&head, file.data() + said.offset, sizeof head);
  std::uint64_t end = 0;
  for (std::size_t at = sizeof head; at + sizeof(CachedAttribute) <= said.bytes;
       at += sizeof(CachedAttribute)) {
    CachedAttribute attribute;
    std::memcpy(&attribute, file.data() + said.offset + at, sizeof attribute);
    if (attribute.kind >= kAttributeKinds.size() || head.record_count > values.bytes) return;
    const std::uint64_t begin = aligned_in_cache(end);
    const std::uint64_t bytes =
        head.record_count * record_bytes_of(kAttributeKinds[attribute.kind]);
    if (begin > values.bytes || bytes > values.bytes - begin) return;
    attribute.checksum =
        checksum_of(file.data() + values.offset + begin, bytes, cached_checksum(header.version));
    std::memcpy(file.data() + said.offset + at, &attribute, sizeof attribute);
    end = begin + bytes;
  }
}

// A cached file as a program would write it that gets the content wrong, and the checksums right.
std::string forged(std::string_view text) {
  std::string file(text);
  CachedHeader header;
  if (file.size() < sizeof(CachedPrefix)) return file;
  std::memcpy(static_cast<CachedPrefix*>(&header), file.data(), sizeof(CachedPrefix));
  if (header.version == 0 || header.version > kNewestCachedVersion ||
      file.size() < cached_header_bytes(header.version))
    return file;
  const std::size_t sections = cached_sections(header.version);
  std::memcpy(header.sections.data(), file.data() + sizeof(CachedPrefix),
              sections * sizeof(CachedSectionEntry));
  header.file_bytes = file.size();
  sum_attributes(file, header);
  for (std::size_t s = 0; s < sections; ++s) {
    CachedSectionEntry& entry = header.sections[s];
    if (entry.offset > file.size() || entry.bytes > file.size() - entry.offset) continue;
    entry.checksum =
        checksum_of(file.data() + entry.offset, entry.bytes, cached_checksum(header.version));
  }
  const auto image = cached_header_image(header);
  std::memcpy(file.data(), image.data(), image.size());
  return file;
}

std::string stored(std::string_view text, std::uint8_t storage) {
  switch (storage & 7) {
    case 1:
      return test::gzip(text, test::Effort::Least);
    case 2:
      return test::zstd(text, test::Effort::Least);
    case 3:
      return test::xz(text, test::Effort::Least);
    case 4:
      return forged(text);
    default:
      return std::string(text);
  }
}

void require_well_formed(const Graph& graph) {
  const Adjacency& out = graph.out;
  require(out.offsets.size() == std::size_t{graph.vertex_count} + 1 && out.offsets[0] == 0);
  require(out.offsets.back() == graph.edge_count && out.targets.size() == graph.edge_count);
  require(graph.ids.size() == graph.vertex_count);
  for (Vertex v = 0; v < graph.vertex_count; ++v) {
    require(out.offsets[v] <= out.offsets[v + 1]);
    const auto row = out.neighbours(v);
    require(std::is_sorted(row.begin(), row.end()));
    require(row.empty() || row.back() < graph.vertex_count);
    require(graph.ids.to_internal(graph.ids.to_input(v)) == v);
    if (!graph.ids.is_text()) continue;
    const std::string_view id = graph.ids.texts()[v];
    require(id_problem(id) == nullptr && graph.ids.find(id) == v);
    require(v == 0 || graph.ids.texts()[v - 1] < id);
  }
}

// Whoever walks along stored paths, or through classes, stays within the graph.
void require_walkable(const Graph& graph) {
  if (const PathSketch* const paths = graph.prepared.paths.get()) {
    require(paths->hub_chunks <= paths->chunks());
    require(paths->breaks.size() == std::size_t{paths->chunks()} * kPathLanes);
    std::uint64_t slots = 0;
    for (std::uint32_t chunk = 0; chunk < paths->chunks(); ++chunk) {
      require(paths->begins[chunk] == slots && paths->rows(chunk) - 1 < kPathRows);
      slots += std::uint64_t{paths->rows(chunk)} * kPathLanes;
    }
    require(slots == paths->vertices.size());
    for (const Vertex v : paths->vertices) require(v < graph.vertex_count);
    for (const EdgeIndex e : paths->edges) require(e == kNoEdge || e < graph.edge_count);
  }
  for (const std::uint32_t most : {kAllColours, kDerivedColours}) {
    const ColourClasses* const classes = stored_classes(graph, most);
    if (classes == nullptr) continue;
    std::vector<bool> seen(graph.vertex_count);
    for (const Vertex v : classes->vertices) {
      require(v < graph.vertex_count && !seen[v]);
      seen[v] = true;
    }
    require(classes->vertices.size() == graph.vertex_count);
    require(std::ranges::is_sorted(classes->begins) && classes->begins.back() == seen.size());
  }
}

// As a program has it that reads attributes by name.
void try_records(LoadedGraph& loaded, const ReadOptions& options) {
  check_requirements(loaded, {.no_duplicates = true}, options);
  attach_records(loaded, options.edge_fields);
  build_transpose(loaded.graph);
  const Graph& graph = loaded.graph;
  constexpr std::size_t kRecord = 12;
  require(!graph.has_weights() && graph.table == nullptr);
  require(graph.out.records.empty() || graph.out.records.size() == graph.edge_count * kRecord);
  require(graph.symmetric || graph.in().records.size() == graph.out.records.size());
  for (EdgeIndex e = 0; e < graph.out.records.size() / kRecord; ++e) {
    const std::byte* const record = graph.out.records.data() + e * kRecord;
    std::int32_t duration = 0;
    std::memcpy(&duration, record, sizeof duration);
    require(duration >= 0 && std::to_integer<unsigned>(record[8]) <= 1);
  }
}

bool try_file(const std::string& path, const ReadOptions& options) {
  try {
    LoadedGraph loaded = load_graph(path, options);
    require_well_formed(loaded.graph);
    require_walkable(loaded.graph);
    // A cached file may claim symmetry that nobody verified.
    require(!loaded.graph.symmetric ||
            (loaded.report.format == Format::Cached && !options.verify) ||
            !find_asymmetry(loaded.graph.vertex_count, loaded.graph.out));
    if (!options.edge_fields.empty()) {
      try_records(loaded, options);
      return true;
    }
    Requirements requirements;
    requirements.symmetric = requirements.no_duplicates = requirements.no_self_loops = true;
    requirements.non_negative_weights = true;
    build_transpose(loaded.graph);
    check_requirements(loaded, requirements, options);
    convert_weights(loaded.graph, ScalarKind::Float32);
    return true;
  } catch (const Error& error) {
    require(error.code() == ExitCode::InputRefused || error.code() == ExitCode::OutOfMemory ||
            error.code() == ExitCode::Usage);
    require(!error.message().empty() && error.message().find('\n') == std::string::npos);
    return false;
  }
}

}  // namespace

bool try_graph_reader(std::string_view input) {
  if (input.size() < kPrefix) return false;
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(input[at]); };
  const ReadOptions options = options_of(byte(0), byte(1), byte(2));
  const std::string file = stored(input.substr(kPrefix), byte(2));
  const int descriptor = memfd_create("graph", 0);
  if (descriptor < 0) std::abort();
  for (std::size_t at = 0; at < file.size();) {
    const ssize_t written = write(descriptor, file.data() + at, file.size() - at);
    if (written <= 0) std::abort();
    at += static_cast<std::size_t>(written);
  }
  const bool taken = try_file("/proc/self/fd/" + std::to_string(descriptor), options);
  close(descriptor);
  return taken;
}

}  // namespace vertigo::fuzz
