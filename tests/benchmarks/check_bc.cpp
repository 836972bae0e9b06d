// Checks the answer of bc on a large graph: check_bc GRAPH SOURCE ANSWER. Brandes' algorithm by
// levels on all cores, with numbers of shortest paths that keep their exponent apart, so that long
// grids do not overflow. It shares nothing with the programs but the reader of graphs. The
// reference interpreter says the same, serially, in the time of a whole benchmark.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "answers.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/reader.h"

namespace {

using vertigo::Vertex;
using vertigo::graph::Graph;

constexpr std::int32_t kUnreached = -1;
constexpr double kTolerance = 1e-6;  // relative; the program's own sums differ in their order alone

/// mantissa * 2^exponent, the mantissa in [0.5, 1) or 0.
struct Wide {
  double mantissa = 0;
  std::int64_t exponent = 0;
};

Wide normalised(double mantissa, std::int64_t exponent) {
  int shift = 0;
  mantissa = std::frexp(mantissa, &shift);
  return {mantissa, mantissa == 0 ? 0 : exponent + shift};
}

double scaled(Wide value, std::int64_t exponent) {
  const std::int64_t shift = value.exponent - exponent;
  return shift < -2000 ? 0 : std::ldexp(value.mantissa, static_cast<int>(shift));
}

Wide sum(Wide a, Wide b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  const std::int64_t exponent = std::max(a.exponent, b.exponent);
  return normalised(scaled(a, exponent) + scaled(b, exponent), exponent);
}

double ratio(Wide a, Wide b) {
  const std::int64_t shift = std::clamp<std::int64_t>(a.exponent - b.exponent, -2000, 2000);
  return std::ldexp(a.mantissa / b.mantissa, static_cast<int>(shift));
}

struct Levels {
  std::vector<std::int32_t> depth;
  std::vector<Vertex> order;        // reached vertices, level by level
  std::vector<std::size_t> begins;  // one more than levels
};

Levels search(const Graph& graph, Vertex source) {
  Levels levels;
  levels.depth.assign(graph.vertex_count, kUnreached);
  levels.depth[source] = 0;
  levels.order = {source};
  levels.begins = {0, 1};
  while (levels.begins.back() > levels.begins[levels.begins.size() - 2]) {
    const std::size_t begin = levels.begins[levels.begins.size() - 2];
    const std::size_t end = levels.begins.back();
    const auto next = static_cast<std::int32_t>(levels.begins.size() - 1);
    std::vector<Vertex> found;
#pragma omp parallel if (end - begin > 4096)
    {
      std::vector<Vertex> mine;
#pragma omp for schedule(dynamic, 256) nowait
      for (std::size_t i = begin; i < end; ++i) {
        for (const Vertex u : graph.out.neighbours(levels.order[i])) {
          std::atomic_ref<std::int32_t> depth(levels.depth[u]);
          std::int32_t expected = kUnreached;
          if (depth.load(std::memory_order_relaxed) == kUnreached &&
              depth.compare_exchange_strong(expected, next, std::memory_order_relaxed))
            mine.push_back(u);
        }
      }
#pragma omp critical
      found.insert(found.end(), mine.begin(), mine.end());
    }
    levels.order.insert(levels.order.end(), found.begin(), found.end());
    levels.begins.push_back(levels.order.size());
  }
  levels.begins.pop_back();
  return levels;
}

std::vector<double> dependencies(const Graph& graph, const Levels& levels) {
  std::vector<Wide> paths(graph.vertex_count);
  paths[levels.order.front()] = normalised(1, 0);
  const std::size_t count = levels.begins.size() - 1;
  for (std::size_t level = 1; level < count; ++level) {
    const std::size_t begin = levels.begins[level];
    const std::size_t end = levels.begins[level + 1];
#pragma omp parallel for schedule(dynamic, 256) if (end - begin > 4096)
    for (std::size_t i = begin; i < end; ++i) {
      const Vertex v = levels.order[i];
      Wide total;
      for (const Vertex u : graph.in().neighbours(v))
        if (levels.depth[u] + 1 == levels.depth[v] && levels.depth[u] != kUnreached)
          total = sum(total, paths[u]);
      paths[v] = total;
    }
  }
  std::vector<double> result(graph.vertex_count, 0);
  for (std::size_t level = count; level-- > 1;) {
    const std::size_t begin = levels.begins[level - 1];
    const std::size_t end = levels.begins[level];
#pragma omp parallel for schedule(dynamic, 256) if (end - begin > 4096)
    for (std::size_t i = begin; i < end; ++i) {
      const Vertex v = levels.order[i];
      double total = 0;
      for (const Vertex u : graph.out.neighbours(v))
        if (levels.depth[u] == levels.depth[v] + 1)
          total += ratio(paths[v], paths[u]) * (1 + result[u]);
      result[v] = total;
    }
  }
  result[levels.order.front()] = 0;
  return result;
}

int check(const char* path, std::uint64_t source, const char* answer) {
  vertigo::graph::ReadOptions options;
  options.ignore_weights = true;
  auto loaded = vertigo::graph::load_graph(path, options);
  vertigo::graph::build_transpose(loaded.graph);
  const Graph& graph = loaded.graph;
  if (!graph.ids.is_contiguous() || graph.ids.base() != 0 || source >= graph.vertex_count) {
    std::fprintf(stderr, "check_bc: ids must count from 0, and the source must be one\n");
    return 2;
  }
  const Levels levels = search(graph, static_cast<Vertex>(source));
  const std::vector<double> expected = dependencies(graph, levels);
  const std::vector<double> found = benchmarks::read_answers(answer, graph.vertex_count);
  std::uint64_t wrong = 0;
  double worst = 0;
#pragma omp parallel for reduction(+ : wrong) reduction(max : worst)
  for (std::size_t v = 0; v < expected.size(); ++v) {
    const double difference =
        std::abs(found[v] - expected[v]) / std::max(1.0, std::abs(expected[v]));
    if (!(difference <= kTolerance)) ++wrong;
    if (difference > worst) worst = difference;
  }
  std::printf("{\"wrong\": %llu, \"worst\": %.3g, \"levels\": %zu, \"reached\": %zu}\n",
              static_cast<unsigned long long>(wrong), worst, levels.begins.size() - 1,
              levels.order.size());
  return wrong == 0 ? 0 : 8;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: check_bc GRAPH SOURCE ANSWER\n");
    return 2;
  }
  try {
    return check(argv[1], std::strtoull(argv[2], nullptr, 10), argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_bc: %s\n", error.what());
    return 1;
  }
}
