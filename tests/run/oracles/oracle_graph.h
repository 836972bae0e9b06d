#pragma once
// A graph as the oracles read it: text alone, and no code of the project.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace vertigo::oracle {

struct Arc {
  std::size_t to = 0;
  double weight = 1;
};

struct OracleGraph {
  std::vector<std::uint64_t> ids;  ///< of the input, ascending; everything else is by index
  std::vector<std::vector<Arc>> out, in;

  std::size_t size() const { return ids.size(); }
  /// Throws std::runtime_error where the input has no such vertex.
  std::size_t index_of(std::uint64_t id) const;
};

/// PREFIX.v (one id a line) and PREFIX.e (`source target [weight]`). An undirected edge is stored
/// in both directions, a loop once.
OracleGraph read_graph(const std::string& prefix, bool undirected, bool drop_self_loops);

/// Every edge and its reverse of the same weight.
OracleGraph with_reverses(const OracleGraph& graph);

/// Lines `id value`; vertices that are not named have `otherwise`.
std::vector<double> read_values(const OracleGraph& graph, const std::string& file,
                                double otherwise);

/// What an oracle is asked for.
struct Request {
  std::string algorithm;
  std::map<std::string, std::string> options;

  double number(const std::string& name, double otherwise) const;
  std::string text(const std::string& name) const;
};

inline constexpr double kUnreached = std::numeric_limits<double>::infinity();
inline constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

/// Columns of one answer: a number per vertex, or the index of a vertex (kNobody: none).
struct Answer {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::size_t>> vertices;  ///< printed after the numbers, as ids
  std::map<std::string, double> reports;           ///< printed alone where there are no columns
};

// traversal.cpp: Boost.Graph and textbook searches.
Answer bfs(const OracleGraph& graph, const Request& request);
Answer visits_once(const OracleGraph& graph, const Request& request);
Answer bfs_parents(const OracleGraph& graph, const Request& request);
Answer sssp(const OracleGraph& graph, const Request& request);
Answer sssp_parents(const OracleGraph& graph, const Request& request);
Answer trees_around(const OracleGraph& graph, const Request& request);
Answer saturated_parents(const OracleGraph& graph, const Request& request);
Answer shortest_with_fewest_edges(const OracleGraph& graph, const Request& request);
Answer last_edges(const OracleGraph& graph, const Request& request);
Answer timetable(const OracleGraph& graph, const Request& request);
Answer widest_path(const OracleGraph& graph, const Request& request);
Answer widest_path_hubs(const OracleGraph& graph, const Request& request);
Answer wcc(const OracleGraph& graph, const Request& request);
Answer labels_chosen(const OracleGraph& graph, const Request& request);
Answer labels_one_way(const OracleGraph& graph, const Request& request);
Answer scc(const OracleGraph& graph, const Request& request);
Answer bc(const OracleGraph& graph, const Request& request);
Answer harmonic(const OracleGraph& graph, const Request& request);

// chosen_paths.cpp: searches along some of the edges.
Answer paths_filtered(const OracleGraph& graph, const Request& request);
Answer paths_back(const OracleGraph& graph, const Request& request);
Answer paths_both(const OracleGraph& graph, const Request& request);
Answer levels_around(const OracleGraph& graph, const Request& request);
Answer paths_around(const OracleGraph& graph, const Request& request);
Answer paths_tolled(const OracleGraph& graph, const Request& request);
Answer paths_by_weights(const OracleGraph& graph, const Request& request);
Answer paths_of_vertices(const OracleGraph& graph, const Request& request);
Answer paths_between(const OracleGraph& graph, const Request& request);
Answer paths_gated(const OracleGraph& graph, const Request& request);

// linear.cpp: fixed points of linear equations, iterated in double until nothing moves.
Answer pagerank(const OracleGraph& graph, const Request& request);
Answer personalised_pagerank(const OracleGraph& graph, const Request& request);
Answer katz(const OracleGraph& graph, const Request& request);
Answer php(const OracleGraph& graph, const Request& request);
Answer adsorption(const OracleGraph& graph, const Request& request);
Answer pagerank_graphalytics(const OracleGraph& graph, const Request& request);
Answer hits(const OracleGraph& graph, const Request& request);

// structure.cpp
Answer kcore(const OracleGraph& graph, const Request& request);
Answer cdlp(const OracleGraph& graph, const Request& request);
Answer modes_of_types(const OracleGraph& graph, const Request& request);
Answer distinct_values(const OracleGraph& graph, const Request& request);
Answer edges_peeled(const OracleGraph& graph, const Request& request);
Answer ktruss(const OracleGraph& graph, const Request& request);
Answer triangles(const OracleGraph& graph, const Request& request);
Answer local_clustering(const OracleGraph& graph, const Request& request);
Answer corners(const OracleGraph& graph, const Request& request);

// rounds.cpp: updates that go on in rounds.
Answer told_once(const OracleGraph& graph, const Request& request);

// shared.cpp: of what two vertices are both joined to.
Answer adamic_adar(const OracleGraph& graph, const Request& request);
Answer shared_values(const OracleGraph& graph, const Request& request);
Answer edges_weighed(const OracleGraph& graph, const Request& request);
Answer jaccard(const OracleGraph& graph, const Request& request);
Answer edges_numbered(const OracleGraph& graph, const Request& request);
Answer overlaps(const OracleGraph& graph, const Request& request);
Answer corners_weighed(const OracleGraph& graph, const Request& request);

// pairs.cpp: rounds among neighbours that are left.
Answer asked_first(const OracleGraph& graph, const Request& request);
Answer settled(const OracleGraph& graph, const Request& request);

// levels.cpp: walks from level to level of a search.
Answer walks_by_level(const OracleGraph& graph, const Request& request);

// receivers.cpp: of messages to vertices that are values.
Answer common_receivers(const OracleGraph& graph, const Request& request);

// structure.cpp
/// Properties of an answer that may be one of many: "" or what is wrong with it. `file` holds lines
/// `id value`.
std::string validate_mis(const OracleGraph& graph, const std::string& file);
std::string validate_forest(const OracleGraph& graph, const std::string& file);
std::string validate_colouring(const OracleGraph& graph, const std::string& file);

}  // namespace vertigo::oracle
