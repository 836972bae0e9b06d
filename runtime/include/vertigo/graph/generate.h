#pragma once
// Synthetic graphs, the same on every machine and for every number of threads: random numbers are
// drawn from a counter.

#include <cstdint>
#include <string>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

enum class Family : std::uint8_t {
  Kron,      ///< scale, edge factor: Graph500's Kronecker graph, symmetric, 2^scale vertices
  Rmat,      ///< scale, edge factor: the same recursion, directed
  Urand,     ///< scale, edge factor: both ends uniform, symmetric
  Road,      ///< width, height: grid thinned to degree 2.4, symmetric, huge diameter
  Path,      ///< n: 0 - 1 - ... - n-1, symmetric
  Cycle,     ///< n: a path whose ends meet; n of at least 3
  Star,      ///< n: vertex 0 joined with all others, symmetric
  Complete,  ///< n: all pairs, symmetric
  Empty,     ///< n: no edges
};

struct GeneratorSpec {
  Family family = Family::Empty;
  std::uint64_t first = 0;   ///< scale, width or n
  std::uint64_t second = 0;  ///< edge factor or height
};

/// "generate:..."
bool is_generator_expression(const std::string& text);
/// "generate:kron:18:48", "generate:road:1000x1000", "generate:path:10". Also without the prefix
/// "generate:". Throws ExitCode::Usage with what was expected.
GeneratorSpec parse_generator(const std::string& text);
/// Canonical expression.
std::string to_string(const GeneratorSpec& spec);
/// "kron", "rmat", ...
std::vector<std::string> generator_names();

/// The graph, without self loops and duplicates, with int64 weights 1..64 that are equal in both
/// directions of an edge and depend on its two ends alone. Throws ExitCode::OutOfMemory where it
/// cannot fit.
Graph generate(const GeneratorSpec& spec);

/// A 64-bit number that depends on every edge (not on weights) and its position: equal graphs have
/// equal fingerprints.
std::uint64_t fingerprint(const Graph& graph);

}  // namespace vertigo::graph
