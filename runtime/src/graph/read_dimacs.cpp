// The two text formats called .gr: DIMACS shortest paths ("p sp n m", arcs "a u v w", directed,
// weighted) and PACE
// ("p tw n m", edges "u v", undirected). Ids count from 1; the declared number of edges must be
// there.

#include <fmt/format.h>

#include <string_view>

#include "declared.h"
#include "device_text.h"
#include "readers.h"
#include "scan.h"

namespace vertigo::graph {
namespace {

struct ProblemLine {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
};

// Reads up to the problem line, "p WORD n m", and checks WORD by `accepts`.
template <class Accepts>
ProblemLine read_problem_line(TextBlocks& blocks, const ReadContext& context, const char* expected,
                              const Accepts& accepts) {
  while (const auto line = blocks.next_line()) {
    const char* at = line->data();
    skip_blanks(at);
    if (at_line_end(at)) continue;
    if (*at == 'c') continue;
    try {
      if (*at != 'p' || !is_blank(at[1])) {
        throw LineError{fmt::format("expected {}, found {}", expected, quote_word(at))};
      }
      ++at;
      skip_blanks(at);
      const char* const word = at;
      while (!is_blank(*at) && !at_line_end(at)) ++at;
      if (!accepts(std::string_view(word, static_cast<std::size_t>(at - word)))) {
        throw LineError{fmt::format("expected {}, found problem {}", expected, quote_word(word))};
      }
      ProblemLine problem;
      problem.vertices = scan_id(at, "the number of vertices");
      problem.edges = scan_id(at, "the number of edges");
      finish_line(at, expected);
      require_vertex_range(problem.vertices);
      return problem;
    } catch (const LineError& error) {
      throw refused_at_line(context.path, blocks.line(), error.message);
    }
  }
  throw refused_at_line(context.path, 0,
                        fmt::format("expected {}, found the end of the file", expected));
}

RawGraph declared_graph(const TextBlocks& blocks, const ProblemLine& problem) {
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.id_base = 1;
  raw.vertex_count = problem.vertices;
  raw.vertices_declared = problem.vertices;
  raw.edges_declared = problem.edges;
  raw.header_line = blocks.line();
  return raw;
}

}  // namespace

RawGraph read_dimacs(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks = text_blocks_of(std::move(stream), context);
  const ProblemLine problem = read_problem_line(blocks, context, "'p sp VERTICES ARCS'",
                                                [](std::string_view word) { return word == "sp"; });
  RawGraph raw = declared_graph(blocks, problem);
  raw.weighted = true;
  EdgeText shape;
  shape.comments = {'c', 'c'};
  shape.mark = 'a';
  shape.first_id = 1;
  shape.weights = TextWeights::Any;
  if (parse_on_device(blocks, context, std::move(shape), raw)) {
    require_edge_count(context, raw, raw.edge_count(), "arcs");
    return raw;
  }
  const std::uint64_t vertices = problem.vertices;
  parse_lines(blocks, context, raw.runs, [vertices](const char*& at, EdgeRun& run) {
    if (*at == 'a' && is_blank(at[1])) [[likely]] {
      ++at;
      const std::uint64_t source = scan_counted_id(at, "a source vertex", vertices);
      const std::uint64_t target = scan_counted_id(at, "a target vertex", vertices);
      run.add(source, target);
      scan_weight(at, run);
      finish_line(at, "'a SOURCE TARGET WEIGHT'");
    } else if (*at == 'c') {
      skip_line(at);
    } else if (*at == 'p') {
      throw LineError{"a second problem line"};
    } else {
      throw LineError{fmt::format("expected 'a SOURCE TARGET WEIGHT', found {}", quote_word(at))};
    }
  });
  require_edge_count(context, raw, raw.edge_count(), "arcs");
  return raw;
}

RawGraph read_pace(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks = text_blocks_of(std::move(stream), context);
  const ProblemLine problem =
      read_problem_line(blocks, context, "'p tw VERTICES EDGES'",
                        [](std::string_view word) { return word != "sp" && !word.empty(); });
  RawGraph raw = declared_graph(blocks, problem);
  raw.undirected = true;
  const std::uint64_t vertices = problem.vertices;
  parse_lines(blocks, context, raw.runs, [vertices](const char*& at, EdgeRun& run) {
    if (*at == 'c') {
      skip_line(at);
      return;
    }
    if (*at == 'p') throw LineError{"a second problem line"};
    const std::uint64_t source = scan_counted_id(at, "a vertex", vertices);
    const std::uint64_t target = scan_counted_id(at, "the other vertex", vertices);
    run.add(source, target);
    finish_line(at, "'VERTEX VERTEX'");
  });
  require_edge_count(context, raw, raw.edge_count(), "edges");
  return raw;
}

}  // namespace vertigo::graph
