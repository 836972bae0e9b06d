#include "show_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"
#include "vertigo/graph/colouring.h"

namespace vertigo::tools {
namespace {

using graph::Graph;
using graph::PathSketch;
using graph::PathTotals;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string dump(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

graph::PathEdges path_edges(const Graph& graph) {
  return graph.symmetric ? graph::PathEdges::Pairs : graph::PathEdges::Arcs;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

class Drawing {
 public:
  Drawing(const Graph& graph, bool directed) : graph_(graph), directed_(directed) {
    text_ = fmt::format("{} {{\n  node [shape=circle];\n", directed ? "digraph" : "graph");
  }
  void vertex(Vertex v, const std::string& attributes) {
    text_ += fmt::format("  {} [{}];\n", quoted(graph_.ids.label(v)), attributes);
  }
  void edge(Vertex v, Vertex u, const std::string& attributes) {
    text_ += fmt::format("  {} {} {} [{}];\n", quoted(graph_.ids.label(v)), directed_ ? "->" : "--",
                         quoted(graph_.ids.label(u)), attributes);
  }
  std::string end() { return std::move(text_) + "}\n"; }

 private:
  const Graph& graph_;
  const bool directed_;
  std::string text_;
};

nlohmann::json to_json(const PathTotals& totals) {
  return {{"paths", totals.paths},
          {"edges", totals.edges},
          {"longest", totals.longest},
          {"pieces", totals.pieces}};
}

std::string described(const PathTotals& totals) {
  return fmt::format("{} with {}, {} the longest; {}", counted(totals.paths, "path"),
                     counted(totals.edges, "edge"), totals.longest,
                     counted(totals.pieces, "piece"));
}

// A colouring is worth nothing where it is wrong, and to look takes less than to find it.
void refuse_neighbours(const Graph& graph, const graph::ColourClasses& classes) {
  if (const auto found = graph::neighbours_in_a_class(graph, classes))
    throw Error(ExitCode::CheckFailed,
                fmt::format("vertices {} and {} are neighbours in one class",
                            graph.ids.label(found->first), graph.ids.label(found->second)));
}

}  // namespace

std::string show_sketch(const Graph& graph, const graph::SketchOptions& options, bool json) {
  const Clock::time_point begin = Clock::now();
  const PathSketch sketch = sketch_paths(graph, graph.out, path_edges(graph), options);
  const double seconds = seconds_since(begin);
  const std::uint64_t edges = sketch.hub.edges + sketch.cold.edges;
  const double share =
      graph.vertex_count == 0 ? 0 : double(sketch.hubs.size()) / graph.vertex_count;
  if (json)
    return dump({{"vertices", graph.vertex_count},
                 {"edges", edges},
                 {"both_ways", graph.symmetric},
                 {"hubs", sketch.hubs.size()},
                 {"hub_importance", sketch.hub_importance},
                 {"hub_share", share},
                 {"hub_share_wanted", sketch.hub_share},
                 {"hub_sample", sketch.sample_share},
                 {"hub_turns", sketch.hub_turns},
                 {"hub_paths", to_json(sketch.hub)},
                 {"cold_paths", to_json(sketch.cold)},
                 {"chunks", sketch.chunks()},
                 {"hub_chunks", sketch.hub_chunks},
                 {"slots", sketch.vertices.size()},
                 {"bytes", sketch.bytes()},
                 {"seconds", seconds}});
  return fmt::format(
      "hubs       {} of {} ({:.3g}%, {:.3g}% wanted), of degree {} and more\n"
      "sample     {:.3g} of all vertices\n"
      "hub paths  {}\n"
      "others     {}\n"
      "chunks     {}, {} of them for hub paths, walked {} a step\n"
      "slots      {} for {}{}\n"
      "memory     {}\n"
      "time       {:.3g} s\n",
      grouped(sketch.hubs.size()), counted(graph.vertex_count, "vertex", "vertices"), share * 100,
      sketch.hub_share * 100, sketch.hub_importance, sketch.sample_share, described(sketch.hub),
      described(sketch.cold), sketch.chunks(), sketch.hub_chunks, counted(sketch.hub_turns, "time"),
      grouped(sketch.vertices.size()), counted(edges, "edge"),
      graph.symmetric ? ", an edge and its reverse as one" : "", format_bytes(sketch.bytes()),
      seconds);
}

std::string draw_sketch(const Graph& graph, graph::SketchOptions options) {
  options.keep_edges = true;
  const PathSketch sketch = sketch_paths(graph, graph.out, path_edges(graph), options);
  Drawing drawing(graph, !graph.symmetric);
  const std::set<Vertex> hubs(sketch.hubs.begin(), sketch.hubs.end());
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    drawing.vertex(v,
                   hubs.contains(v) ? "style=filled, fillcolor=\"#f4a261\"" : "color=\"#555555\"");
  std::uint64_t path = 0;
  for (std::uint32_t chunk = 0; chunk < sketch.chunks(); ++chunk)
    for (unsigned lane = 0; lane < graph::kPathLanes; ++lane) {
      bool begins = true;
      for (unsigned row = 1; row < sketch.rows(chunk); ++row) {
        const std::uint64_t slot =
            sketch.begins[chunk] + std::uint64_t{row} * graph::kPathLanes + lane;
        const bool breaks = sketch.edges[slot] == graph::kNoEdge;
        if (!breaks) {
          path += begins ? 1 : 0;
          drawing.edge(sketch.vertices[slot - graph::kPathLanes], sketch.vertices[slot],
                       fmt::format("label={}, color=\"{}\"", path,
                                   chunk < sketch.hub_chunks ? "#d62828" : "#888888"));
        }
        begins = breaks;
      }
    }
  return drawing.end();
}

std::string show_colours(const Graph& graph, std::uint32_t most, bool json) {
  const Clock::time_point begin = Clock::now();
  const graph::ColourClasses classes = graph::colour_classes(graph, most);
  const double seconds = seconds_since(begin);
  refuse_neighbours(graph, classes);
  std::vector<std::uint64_t> sizes;
  for (std::size_t c = 0; c < classes.independent(); ++c)
    sizes.push_back(classes.begins[c + 1] - classes.begins[c]);
  const std::uint64_t rest =
      classes.has_rest ? graph.vertex_count - classes.begins[classes.independent()] : 0;
  if (json)
    return dump({{"vertices", graph.vertex_count},
                 {"classes", sizes.size()},
                 {"sizes", sizes},
                 {"rest", rest},
                 {"seconds", seconds}});
  // How many of the largest classes have most vertices says whether steps are long or many.
  std::vector<std::uint64_t> falling = sizes;
  std::ranges::sort(falling, std::greater<>());
  std::uint64_t vertices = 0;
  std::size_t largest = 0;
  while (largest < falling.size() && vertices * 5 < std::uint64_t{graph.vertex_count} * 4)
    vertices += falling[largest++];
  std::string text = fmt::format(
      "classes    {}{}\n"
      "sizes      {} to {}",
      grouped(sizes.size()),
      most == graph::kAllColours ? ", no more than the greatest degree and one" : "",
      falling.empty() ? 0 : falling.back(), falling.empty() ? 0 : falling.front());
  if (vertices * 5 >= std::uint64_t{graph.vertex_count} * 4)
    text += fmt::format("; {} have 80% of the vertices", counted(largest, "class", "classes"));
  if (most != graph::kAllColours)
    text += fmt::format("\nrest       {} in one step of their own",
                        counted(rest, "vertex", "vertices"));
  return text + fmt::format("\ntime       {:.3g} s\n", seconds);
}

std::string draw_colours(const Graph& graph, std::uint32_t most) {
  const graph::ColourClasses classes = graph::colour_classes(graph, most);
  refuse_neighbours(graph, classes);
  Drawing drawing(graph, !graph.symmetric);
  for (std::size_t c = 0; c < classes.count(); ++c)
    for (std::size_t i = classes.begins[c]; i < classes.begins[c + 1]; ++i)
      drawing.vertex(classes.vertices[i],
                     c == classes.independent()
                         ? std::string("shape=box, color=\"#888888\"")
                         : fmt::format("style=filled, fillcolor=\"{:.3f} 0.450 0.950\", xlabel={}",
                                       double(c) / double(classes.independent()), c));
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    for (const Vertex u : graph.out.neighbours(v))
      if (!graph.symmetric || v <= u) drawing.edge(v, u, "color=\"#888888\"");
  return drawing.end();
}

}  // namespace vertigo::tools
