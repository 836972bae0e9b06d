#pragma once
// What an engine promises and asks, as data: one table for the compiler, the runtime and the tests.
// Each room fills in its own contract.def; --list-schedules --json prints it.

#include <cstdint>
#include <string_view>

namespace vertigo::engines {

/// One of the ways in which an engine works.
struct Form {
  std::string_view name;
  std::string_view graphs;  ///< that it is for
};

/// What is made of the graph on a GPU before the runs.
struct Preparation {
  std::string_view what;  ///< in words; empty: nothing that is worth a choice
  /// Nanoseconds per edge on an H200: once, and saved by each run against the best path that takes
  /// the graph as it is.
  double cost = 0;
  double saved = 0;
};

/// A key of the schedule under which the plan takes the engine or leaves it.
struct Choice {
  std::string_view key = {};        ///< empty: the engine is taken wherever it is legal
  std::string_view left = {};       ///< the value that leaves it
  std::string_view taken = {};      ///< the one that takes it; empty: its name
  std::string_view why_taken = {};  ///< empty: the proof says it
  std::string_view why_left = {};
  /// Legal more often than it pays, and by nothing that the program or the graph shows: it is taken
  /// only where the schedule says so.
  bool on_demand = false;
};

struct Contract {
  std::string_view name;     ///< of the variant, the room, and the namespace of its code
  std::string_view summary;  ///< what it does
  std::string_view needs;    ///< of the program
  /// The argument why that is enough. What was proved of the phase may stand before it.
  std::string_view why;
  std::uint64_t edges_below = 0;  ///< on a GPU, where it is for smaller graphs alone; 0: for all
  bool whole_graph = true;        ///< all edges lie on the device while it runs
  bool one_device = true;
  bool keeps_by_edge = false;  ///< it may run updates of edges
  bool walks_paths = false;    ///< that the cached form of a graph may hold
  Preparation preparation = {};
  /// On a GPU: of the graph's edges it reads what it prepared; the edges themselves to prepare.
  bool reads_copies = false;
  Form forms[3] = {};              ///< on a GPU; the first ones that have a name
  bool forms_by_diameter = false;  ///< --diameter chooses among them
  /// What the emitted struct of operators may have: functions, and constants that say which of them
  /// there are and what they read. Names of the program that are the same get others.
  std::string_view operators[21] = {};
  Choice choice = {};
};

constexpr bool has_operator(const Contract& contract, std::string_view name) {
  for (const std::string_view each : contract.operators)
    if (!name.empty() && each == name) return true;
  return false;
}

}  // namespace vertigo::engines
