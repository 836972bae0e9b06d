// libFuzzer target: any bytes given to the graph readers end in a well-formed graph or in one
// Error. The first byte picks the format and the second the options; the rest is the file.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vertigo/core/error.h"
#include "vertigo/graph/id_text.h"
#include "vertigo/graph/read_option_names.h"
#include "vertigo/graph/reader.h"

namespace {

using namespace vertigo;
using namespace vertigo::graph;

ReadOptions options_of(std::uint8_t format, std::uint8_t bits) {
  ReadOptions options;
  const auto names = format_names();
  const std::size_t choice = format % (2 * names.size());  // every second choice detects the format
  if (choice < names.size()) options.format = format_named(names[choice]);
  if (options.format == Format::Graphalytics) options.format.reset();  // needs two files
  if (bits & 1) options.direction = Direction::Undirected;
  if (bits & 2) options.symmetrize = true;
  if (bits & 4) options.self_loops = SelfLoopPolicy::Drop;
  options.duplicates = static_cast<DuplicatePolicy>((bits >> 3) % 5);
  if (bits & 64) options.strict = true;
  if (bits & 128) options.vertices = VertexRule::Range;
  // Bits that mean something together for lists alone choose what ids and columns are.
  if ((bits & 3) == 3) options.ids = bits & 32 ? IdKind::Text : IdKind::Numbers;
  if ((bits & 192) == 192) options.columns = {"2", "1"};
  options.max_vertices = 1 << 16;  // keeps one execution short; the limit itself has unit tests
  return options;
}

void require(bool condition) {
  if (!condition) std::abort();
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
  require(!graph.symmetric || !find_asymmetry(graph.vertex_count, out));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const ReadOptions options = options_of(data[0], data[1]);
  const int descriptor = memfd_create("graph", 0);
  if (descriptor < 0) std::abort();
  for (std::size_t at = 2; at < size;) {
    const ssize_t written = write(descriptor, data + at, size - at);
    if (written <= 0) std::abort();
    at += static_cast<std::size_t>(written);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  try {
    LoadedGraph loaded = load_graph(path, options);
    require_well_formed(loaded.graph);
    Requirements requirements;
    requirements.symmetric = requirements.no_duplicates = requirements.no_self_loops = true;
    requirements.non_negative_weights = true;
    build_transpose(loaded.graph);
    check_requirements(loaded, requirements, options);
    convert_weights(loaded.graph, ScalarKind::Float32);
  } catch (const Error& error) {
    require(error.code() == ExitCode::InputRefused || error.code() == ExitCode::OutOfMemory ||
            error.code() == ExitCode::Usage);
    require(!error.message().empty() && error.message().find('\n') == std::string::npos);
  }
  close(descriptor);
  return 0;
}
