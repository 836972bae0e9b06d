#pragma once
// What the text and the binary writers share.

#include <cstdint>
#include <string>
#include <vector>

#include "output_sink.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// Weights as text, shortest form that reads back to the same value.
class WeightText {
 public:
  explicit WeightText(const Weights& weights) : weights_(weights) {}
  void append(EdgeIndex edge, std::string& text) const;

 private:
  const Weights& weights_;
};

/// Weights as 32-bit integers; 1 where there are none. Throws ExitCode::Usage, naming the format
/// and the edge, where one does not fit between `least` and `most`.
std::vector<std::int64_t> whole_weights(const Graph& graph, std::int64_t least, std::int64_t most,
                                        const char* format);

void write_edge_list(const Graph& graph, OutputSink& sink, bool weighted);
/// CSV or TSV with a header, both directions of an undirected edge.
void write_table(const Graph& graph, OutputSink& sink, char separator);
void write_graphml(const Graph& graph, OutputSink& sink);
void write_graphalytics_vertices(const Graph& graph, OutputSink& sink);
void write_graphalytics_edges(const Graph& graph, OutputSink& sink);
void write_matrix_market(const Graph& graph, OutputSink& sink);
void write_dimacs(const Graph& graph, OutputSink& sink);
void write_metis(const Graph& graph, OutputSink& sink);
void write_gap(const Graph& graph, OutputSink& sink, bool weighted);
void write_bel(const Graph& graph, OutputSink& sink);

}  // namespace vertigo::graph
