#pragma once
// Whether paths and colour classes that somebody stored may be used, and whether they are right.
// Private to the module.

#include <string>

#include "vertigo/graph/colouring.h"
#include "vertigo/graph/path_sketch.h"

namespace vertigo::graph {

/// What could make a walk access memory that is not there, or "". `edges`: PathSketch::edges was
/// read.
std::string shape_problem(const PathSketch& paths, Vertex vertices, EdgeIndex edge_count,
                          bool edges);
/// The same of classes; there are no more of them than greedy colouring makes. `ends`: the degrees
/// of all vertices, in both directions, together. `few`: of those that have a rest.
std::string shape_problem(const ColourClasses& classes, Vertex vertices, EdgeIndex ends, bool few);

/// Where a path leads along no edge of `lists`, or an edge is not on exactly one path; or "". The
/// shape is right, and the edges were read.
std::string path_problem(const Adjacency& lists, const PathSketch& paths);

}  // namespace vertigo::graph
