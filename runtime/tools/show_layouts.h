#pragma once
// `vertigo-graph sketch` and `vertigo-graph colour`: what a run would make of a graph to order its
// updates, as text or as a drawing for Graphviz.

#include <string>

#include "vertigo/graph/path_sketch.h"

namespace vertigo::tools {

/// Hubs, paths and chunks, and what making them took.
std::string show_sketch(const graph::Graph& graph, const graph::SketchOptions& options, bool json);
/// Hubs are filled; paths between hubs are red, others grey, each edge with the number of its path.
std::string draw_sketch(const graph::Graph& graph, graph::SketchOptions options);

/// Colour classes and their sizes; `most` as graph::colour_classes takes it. Throws
/// Error(CheckFailed) where neighbours are in one class.
std::string show_colours(const graph::Graph& graph, std::uint32_t most, bool json);
/// Vertices are filled by their class; those of the S-step are boxes without one.
std::string draw_colours(const graph::Graph& graph, std::uint32_t most);

}  // namespace vertigo::tools
