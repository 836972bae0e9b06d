// Says how far the answer of pagerank is from its fixed point: check_pagerank GRAPH SOURCE ANSWER
// (SOURCE is not read). One step of the power iteration in double precision; the L1 change is the
// sum of what that step would change, over the sum of the ranks, which is the measure of the peers.
// Exit 8 where it is above 2e-4.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include "answers.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/reader.h"

namespace {

using vertigo::Vertex;
using vertigo::graph::Graph;

constexpr double kDamping = 0.85;
constexpr double kLargestChange = 2e-4;

int check(const char* path, const char* answer) {
  vertigo::graph::ReadOptions options;
  options.ignore_weights = true;
  auto loaded = vertigo::graph::load_graph(path, options);
  vertigo::graph::build_transpose(loaded.graph);
  const Graph& graph = loaded.graph;
  const std::vector<double> ranks = benchmarks::read_answers(answer, graph.vertex_count);
  std::vector<double> sent(ranks.size());
#pragma omp parallel for
  for (std::size_t v = 0; v < ranks.size(); ++v)
    sent[v] = ranks[v] / static_cast<double>(graph.out.degree(static_cast<Vertex>(v)));
  double change = 0;
  double mass = 0;
  double worst = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : change, mass) reduction(max : worst)
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    double received = 0;
    for (const Vertex u : graph.in().neighbours(static_cast<Vertex>(v))) received += sent[u];
    const double difference = std::abs(1 - kDamping + kDamping * received - ranks[v]);
    change += difference;
    mass += ranks[v];
    if (difference > worst) worst = difference;
  }
  const double relative = mass > 0 ? change / mass : change;
  std::printf("{\"l1_change\": %.3g, \"largest_residual\": %.3g}\n", relative, worst);
  return relative <= kLargestChange ? 0 : 8;  // a NaN is no answer either
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: check_pagerank GRAPH SOURCE ANSWER\n");
    return 2;
  }
  try {
    return check(argv[1], argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_pagerank: %s\n", error.what());
    return 1;
  }
}
