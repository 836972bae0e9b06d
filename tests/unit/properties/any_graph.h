#pragma once
// Graphs for properties that must hold of any.

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "../graph/support.h"

namespace vertigo::graph::test {

/// Few vertices and many edges, so that there are loops, parallel edges and hubs.
inline Graph any_graph(bool undirected) {
  const auto vertices = *rc::gen::inRange<unsigned>(1, 40);
  const auto edge = rc::gen::pair(rc::gen::inRange(0U, vertices), rc::gen::inRange(0U, vertices));
  const auto edges = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(edge);
  std::string text = "0 0\n";
  for (const auto& [u, v] : edges) text += std::to_string(u) + " " + std::to_string(v) + "\n";
  ReadOptions options;
  options.direction = undirected ? Direction::Undirected : Direction::Directed;
  return load_text(text, options).graph;
}

}  // namespace vertigo::graph::test
