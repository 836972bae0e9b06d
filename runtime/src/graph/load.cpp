#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <string>

#include "assemble.h"
#include "cached_file.h"
#include "intake_counts.h"
#include "locate.h"
#include "raw_file.h"
#include "read_on_file.h"
#include "readers.h"
#include "scan.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/reader.h"
#include "vertigo/graph/requirements.h"

namespace vertigo::graph {
namespace {

// Only formats that leave it open can be told what ids, columns and vertices are.
void refuse_idle_options(const ReadOptions& options, Format format, const std::string& path) {
  const bool lists_edges_alone = format == Format::EdgeList || format == Format::Adjacency ||
                                 format == Format::Csv || format == Format::Tsv;
  if (options.vertices != VertexRule::Auto && !lists_edges_alone)
    throw Error(
        ExitCode::Usage,
        fmt::format("--vertices: the format {} says which vertices there are", name_of(format)),
        path);
  if (format == Format::GraphMl && !options.edge_fields.empty() && !options.columns.empty())
    throw Error(ExitCode::Usage,
                "--columns: the program reads data of GraphML's edges by their names", path);
  const bool table = format == Format::Csv || format == Format::Tsv || format == Format::EdgeList ||
                     format == Format::GraphMl;
  const bool names_weight =
      format == Format::Cached && options.columns.size() == 1 && options.edge_fields.empty();
  if (table || (names_weight && options.ids == IdKind::Auto)) return;
  if (!options.columns.empty()) {
    throw Error(ExitCode::Usage,
                fmt::format("--columns: the format {} has no columns to choose", name_of(format)),
                path);
  }
  if (options.ids != IdKind::Auto) {
    throw Error(ExitCode::Usage,
                fmt::format("--ids: the format {} says what its ids are", name_of(format)), path);
  }
}

// A message for running out of memory that says what was being read.
[[noreturn]] void refuse_for_memory(const std::string& path) {
  throw Error(ExitCode::OutOfMemory, "not enough memory to read this graph", path);
}

// Text is read in the quick way first. What that does not take, or refuses, is read in the way that
// knows lines and their numbers.
RawGraph read_quickly(ReadContext& context) {
  const IntakeReport before = context.report;
  context.in_windows = true;
  try {
    RawGraph raw = read_entries(context);
    context.in_windows = false;
    return raw;
  } catch (const FileChanged&) {
    throw;
  } catch (const OddText&) {
  } catch (const Error&) {
  }
  context.in_windows = false;
  context.report = before;
  return read_entries(context);
}

void read_and_build(ReadContext& context, LoadedGraph& loaded) {
  RawGraph raw = [&] {
    const trace::StageScope stage(loaded.report.stages, "read");
    return context.device == nullptr ? read_quickly(context) : read_entries(context);
  }();
  loaded.report.index_base = raw.ids == IdSource::Counted ? index_base_of(raw.id_base) : -1;
  const trace::StageScope stage(loaded.report.stages, "build");
  std::shared_ptr<const EdgeTable> table = take_table(raw, context.options);
  loaded.graph = assemble(std::move(raw), context);
  loaded.graph.table = std::move(table);
}

bool is_text_for_devices(Format format) {
  return format == Format::EdgeList || format == Format::MatrixMarket || format == Format::Dimacs;
}
bool holds_lists_for_devices(Format format) {
  return format == Format::Gap || format == Format::Galois || format == Format::Bel ||
         format == Format::Cached;
}

// Where the host is sooner done with less. Its threads have parsed so much text each when CUDA has
// started; on an H200 the device was quicker with 70 MiB for each of 16 threads. Lists go to the
// device anyway, sooner or later.
std::uint64_t worthwhile(Format format) {
  if (!is_text_for_devices(format)) return std::uint64_t{64} << 20;
  return (std::uint64_t{64} << 20) * static_cast<std::uint64_t>(thread_count());
}

// There is nothing to be made of its lists, which the host reads while CUDA starts.
bool is_ready_to_send(const IntakeReport& report) {
  return report.format == Format::Cached &&
         (CachedFile(report.path).header().flags & kSymmetric) != 0;
}

// "" where it may have the file, else why not.
std::string against_device(const IntakeReport& report) {
  if (!is_text_for_devices(report.format) && !holds_lists_for_devices(report.format))
    return fmt::format("devices do not read the format {}", name_of(report.format));
  if (report.compression != Compression::None) return "it is compressed";
  return "";
}

// Where nobody asked for either, and the host is sooner done.
bool is_for_host(const IntakeReport& report, const ReadOptions& options) {
  if (options.reading_device == nullptr || options.read_by == ReadBy::Host) return true;
  // What devices do not read may be no file: Graphalytics' graphs are two.
  return options.read_by == ReadBy::Auto &&
         (!against_device(report).empty() ||
          InputStream::open(report.path)->stored_size() < worthwhile(report.format) ||
          is_ready_to_send(report));
}

// Has the device read the graph. "", or why the host must: then nothing was loaded.
std::string read_by_device(ReadContext& context, LoadedGraph& loaded) {
  const IntakeReport detected = loaded.report;
  context.device = context.options.reading_device.get();
  std::string reason;
  try {
    read_and_build(context, loaded);
  } catch (const DeviceDoubt& doubt) {
    reason = doubt.reason;
  } catch (const FileChanged&) {
    throw;
  } catch (const Error& error) {
    reason = error.message();
  } catch (const std::bad_alloc&) {
    reason = "not enough memory";
  }
  context.device = nullptr;
  if (!reason.empty()) loaded = {Graph(), detected};
  return reason;
}

void read_graph(ReadContext& context, LoadedGraph& loaded) {
  const ReadOptions& options = context.options;
  if (is_for_host(loaded.report, options)) return read_and_build(context, loaded);
  std::string reason = against_device(loaded.report);
  if (reason.empty()) reason = read_by_device(context, loaded);
  Reading& reading = loaded.report.reading;
  if (reason.empty() && reading.by == Reading::By::Device) return;
  if (reason.empty())
    reason = "it has no lists that are kept as they stand there";
  else
    read_and_build(context, loaded);
  reading = {Reading::By::Host, std::move(reason)};
}

// Numbers of records are no weights.
void forget_numbers(IntakeReport& report) {
  report.weights = WeightKind::None;
  report.smallest_weight = report.largest_weight = 0;
  report.negative_weights = report.zero_weights = 0;
}

LoadedGraph load_file(const std::string& path, const ReadOptions& options) {
  LoadedGraph loaded;
  loaded.report.path = path;
  ReadContext context{path, options, loaded.report, /*record_lines=*/false};
  try {
    detect_format(context);
    refuse_idle_options(options, loaded.report.format, path);
    if (loaded.report.format != Format::Cached || !read_on_file(context, loaded))
      read_graph(context, loaded);
  } catch (const std::bad_alloc&) {
    refuse_for_memory(path);
  } catch (const std::length_error&) {  // a vector beyond what the address space can hold
    refuse_for_memory(path);
  }
  loaded.graph.name = path;
  return loaded;
}

}  // namespace

RawGraph read_entries(ReadContext& context) {
  IntakeReport& report = context.report;
  if (report.format == Format::Graphalytics) {
    const auto pair = find_graphalytics_pair(report.path);
    if (!pair) throw Error(ExitCode::InputRefused, "expected NAME.v and NAME.e", report.path);
    return read_graphalytics(*pair, context);
  }
  auto stream = InputStream::open(report.path);
  stream->count_into(report.bytes_read);
  switch (report.format) {
    case Format::MatrixMarket:
      return read_matrix_market(std::move(stream), context);
    case Format::EdgeList:
      return read_edge_list(std::move(stream), context);
    case Format::Adjacency:
      return read_adjacency_lines(std::move(stream), context);
    case Format::Konect:
      return read_konect(std::move(stream), context);
    case Format::Dimacs:
      return read_dimacs(std::move(stream), context);
    case Format::Pace:
      return read_pace(std::move(stream), context);
    case Format::Galois:
      return read_galois(std::move(stream), context);
    case Format::Gap:
      return read_gap(std::move(stream), context);
    case Format::Metis:
      return read_metis(std::move(stream), context);
    case Format::Bel:
      return read_bel(std::move(stream), context);
    case Format::Cached:
      return read_cached(std::move(stream), context);
    case Format::Csv:
      return read_csv(std::move(stream), context);
    case Format::Tsv:
      return read_tsv(std::move(stream), context);
    case Format::GraphMl:
      return read_graphml(std::move(stream), context);
    case Format::Graphalytics:
    case Format::Generated:
      break;
  }
  throw Error(ExitCode::InputRefused, "not a file format", report.path);
}

LoadedGraph load_graph(const std::string& source, const ReadOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  LoadedGraph loaded;
  if (is_generator_expression(source)) {
    loaded.report.path = source;
    loaded.report.format = Format::Generated;
    loaded.report.format_evidence = "a generator expression";
    refuse_idle_options(options, Format::Generated, source);
    if (options.format)
      throw Error(ExitCode::Usage, "--format: a generated graph is no file, and has none", source);
    loaded.graph = generate(parse_generator(source));
    loaded.graph.name = source;
    if (options.strict) {
      const ReadContext context{source, options, loaded.report, /*record_lines=*/false};
      refuse_violation(loaded.graph, {.symmetric = options.symmetrize}, context,
                       "; --strict refuses to change it");
    }
    if (options.ignore_weights) loaded.graph.out.weights = std::monostate{};
    loaded.report.edges_read = loaded.graph.edge_count;
    loaded.report.index_base = 0;
    if ((options.symmetrize || options.direction == Direction::Undirected) &&
        !loaded.graph.symmetric) {
      BuildCounts counts;
      BuildOptions build;
      build.symmetrize = true;
      Graph symmetric =
          build_graph(loaded.graph.vertex_count, std::move(loaded.graph.out), build, &counts);
      symmetric.name = source;
      loaded.graph = std::move(symmetric);
      loaded.report.reverse_edges_added = counts.added_reverse_edges;
    }
  } else {
    loaded = load_file(source, options);
  }
  {
    const trace::StageScope stage(loaded.report.stages, "count");
    count_intake(loaded.graph, loaded.report);
    if (!options.isolated_later) loaded.report.isolated_vertices = count_isolated(loaded.graph);
    if (loaded.graph.table) forget_numbers(loaded.report);
  }
  loaded.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

std::vector<std::string> source_files(const std::string& source, const ReadOptions& options) {
  if (is_generator_expression(source)) return {};
  if (!options.format || *options.format == Format::Graphalytics)
    if (const auto pair = find_graphalytics_pair(source)) return {pair->vertices, pair->edges};
  return {source};
}

namespace {

void mark_symmetric(LoadedGraph& loaded) {
  loaded.graph.symmetric = true;
  loaded.graph.in_adjacency.reset();
  loaded.graph.prepared.degree_ordered_in.reset();
  loaded.graph.prepared.weight_sorted_in.reset();
  loaded.report.symmetric = true;
}

}  // namespace

void check_requirements(LoadedGraph& loaded, const Requirements& requirements,
                        const ReadOptions& options) {
  if (loaded.graph.on_file) return check_requirements(loaded.graph, requirements);
  IntakeReport report = loaded.report;
  const ReadContext context{report.path, options, report, /*record_lines=*/false};
  refuse_violation(loaded.graph, requirements, context, "");
  if (requirements.symmetric && !loaded.graph.symmetric) mark_symmetric(loaded);
  if (requirements.no_duplicates) loaded.graph.no_duplicates = true;
}

void find_symmetry(LoadedGraph& loaded) {
  if (loaded.graph.symmetric || loaded.graph.table || loaded.graph.on_file) return;
  const trace::StageScope stage(loaded.report.stages, "symmetry");
  if (is_symmetric(loaded.graph.vertex_count, loaded.graph.out)) mark_symmetric(loaded);
}

}  // namespace vertigo::graph
