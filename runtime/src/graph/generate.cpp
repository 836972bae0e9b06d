#include "vertigo/graph/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "declared.h"
#include "vertigo/core/error.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/random.h"
#include "vertigo/graph/builder.h"

namespace vertigo::graph {
namespace {

constexpr std::uint64_t kSeed = 0x5EED;
constexpr std::string_view kPrefix = "generate:";

// A step of splitmix64.
std::uint64_t mix(std::uint64_t x) { return scramble(x + 0x9E3779B97F4A7C15ULL); }
std::uint64_t draw(std::uint64_t stream, std::uint64_t index) {
  return mix(mix(kSeed ^ stream) + index);
}

// Streams of random numbers; their numbers are part of what makes a graph the same everywhere.
constexpr std::uint64_t kUniformSource = 1;
constexpr std::uint64_t kUniformTarget = 2;
constexpr std::uint64_t kRoadRight = 3;
constexpr std::uint64_t kRoadDown = 4;
constexpr std::uint64_t kWeight = 7;
constexpr std::uint64_t kFirstLevel = 100;

std::uint64_t edge_key(Vertex source, Vertex target) {
  return (std::uint64_t{source} << 32) | target;
}

std::int32_t weight_of(Vertex u, Vertex v) {
  return static_cast<std::int32_t>(1 +
                                   draw(kWeight, edge_key(std::min(u, v), std::max(u, v))) % 64);
}

void add_weights(Graph& graph) {
  std::vector<std::int32_t> weights(graph.edge_count);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      weights[i] = weight_of(static_cast<Vertex>(v), graph.out.targets[i]);
    }
  }
  graph.out.weights = std::move(weights);
}

// A bijection on [0, 2^scale), so that the vertices of high degree are spread over all ids.
Vertex scramble(Vertex v, unsigned scale) {
  const Vertex mask = (Vertex{1} << scale) - 1;
  for (Vertex round = 0; round < 3; ++round) {
    v = (v * 0x9E3779B1u + 0x7F4A7C15u * (round + 1)) & mask;
    v ^= v >> (scale / 2 + 1);
  }
  return v & mask;
}

Edge recursive_edge(unsigned scale, std::uint64_t index) {
  // Graph500's initiator: a = 0.57, b = c = 0.19, d = 0.05.
  Vertex source = 0;
  Vertex target = 0;
  for (unsigned level = 0; level < scale; ++level) {
    const double r = static_cast<double>(draw(kFirstLevel + level, index) >> 11) * 0x1.0p-53;
    source = (source << 1) | static_cast<Vertex>(r >= 0.76);
    target = (target << 1) | static_cast<Vertex>((r >= 0.57 && r < 0.76) || r >= 0.95);
  }
  return {scramble(source, scale), scramble(target, scale)};
}

template <class EdgeAt>
Graph random_graph(const GeneratorSpec& spec, bool symmetric, const EdgeAt& edge_at) {
  const std::uint64_t edge_count = spec.second << spec.first;
  require_memory(edge_count * (symmetric ? 64 : 32), to_string(spec));
  EdgeList edges;
  edges.vertex_count = Vertex{1} << spec.first;
  edges.sources.resize(edge_count);
  edges.targets.resize(edge_count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < edge_count; ++i) {
    const Edge edge = edge_at(i);
    edges.sources[i] = edge.source;
    edges.targets[i] = edge.target;
  }
  BuildOptions options;
  options.self_loops = SelfLoopPolicy::Drop;
  options.duplicates = DuplicatePolicy::First;
  options.symmetrize = symmetric;
  return build_graph(std::move(edges), options);
}

// Rows of a grid are known without a list of edges: vertex y * width + x is joined with its right
// and lower neighbours, each with probability 0.61.
Graph road(const GeneratorSpec& spec) {
  const std::uint64_t width = spec.first;
  const std::uint64_t count = spec.first * spec.second;
  require_memory(count * 44, to_string(spec));
  constexpr std::uint64_t kKept = 610000;
  const auto right = [&](std::uint64_t v) {
    return (v + 1) % width != 0 && draw(kRoadRight, v) % 1000000 < kKept;
  };
  const auto down = [&](std::uint64_t v) {
    return v + width < count && draw(kRoadDown, v) % 1000000 < kKept;
  };
  const auto for_each_neighbour = [&](std::uint64_t v, auto&& visit) {
    if (v >= width && down(v - width)) visit(v - width);
    if (v % width != 0 && right(v - 1)) visit(v - 1);
    if (right(v)) visit(v + 1);
    if (down(v)) visit(v + width);
  };
  Graph graph;
  graph.vertex_count = static_cast<Vertex>(count);
  graph.symmetric = graph.no_duplicates = true;
  std::vector<EdgeIndex> offsets(count + 1, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < count; ++v)
    for_each_neighbour(v, [&](std::uint64_t) { ++offsets[v + 1]; });
  for (std::size_t v = 0; v < count; ++v) offsets[v + 1] += offsets[v];
  graph.edge_count = offsets[count];
  std::vector<Vertex> targets(graph.edge_count);
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < count; ++v) {
    EdgeIndex place = offsets[v];
    for_each_neighbour(v, [&](std::uint64_t u) { targets[place++] = static_cast<Vertex>(u); });
  }
  graph.out = {std::move(offsets), std::move(targets), {}};
  graph.ids = IdMap::contiguous(0, count);
  return graph;
}

Graph simple_graph(const GeneratorSpec& spec) {
  const std::uint64_t n = spec.first;
  EdgeList edges;
  edges.vertex_count = static_cast<Vertex>(n);
  const auto join = [&](std::uint64_t u, std::uint64_t v) {
    edges.sources.push_back(static_cast<Vertex>(u));
    edges.targets.push_back(static_cast<Vertex>(v));
  };
  require_memory(n * 64 + (spec.family == Family::Complete ? n * n * 24 : 0), to_string(spec));
  switch (spec.family) {
    case Family::Path:
    case Family::Cycle:
      for (std::uint64_t v = 1; v < n; ++v) join(v - 1, v);
      if (spec.family == Family::Cycle) join(n - 1, 0);
      break;
    case Family::Star:
      for (std::uint64_t v = 1; v < n; ++v) join(0, v);
      break;
    case Family::Complete:
      for (std::uint64_t u = 0; u < n; ++u) {
        for (std::uint64_t v = u + 1; v < n; ++v) join(u, v);
      }
      break;
    default:
      break;
  }
  BuildOptions options;
  options.symmetrize = true;
  return build_graph(std::move(edges), options);
}

struct FamilyName {
  std::string_view name;
  Family family;
  std::string_view form;  // what is expected after the name
};
constexpr std::array kFamilies = {
    FamilyName{"kron", Family::Kron, "kron:SCALE:EDGEFACTOR"},
    FamilyName{"rmat", Family::Rmat, "rmat:SCALE:EDGEFACTOR"},
    FamilyName{"urand", Family::Urand, "urand:SCALE:EDGEFACTOR"},
    FamilyName{"road", Family::Road, "road:WIDTHxHEIGHT"},
    FamilyName{"path", Family::Path, "path:N"},
    FamilyName{"cycle", Family::Cycle, "cycle:N"},
    FamilyName{"star", Family::Star, "star:N"},
    FamilyName{"complete", Family::Complete, "complete:N"},
    FamilyName{"empty", Family::Empty, "empty:N"},
};

bool is_recursive(Family family) {
  return family == Family::Kron || family == Family::Rmat || family == Family::Urand;
}

std::string size_problem(const GeneratorSpec& spec) {
  const std::uint64_t a = spec.first;
  const std::uint64_t b = spec.second;
  if (is_recursive(spec.family)) {
    if (a < 1 || a > 31) return "the scale must be 1 to 31";
    if (b < 1 || b > (std::uint64_t{1} << 24)) return "the edge factor must be 1 to 2^24";
  } else if (spec.family == Family::Road) {
    if (a < 1 || b < 1 || a > kMostVertices || b > kMostVertices || a * b > kMostVertices) {
      return "width times height must be 1 to 2^32 - 2";
    }
  } else {
    if (a > kMostVertices) return "at most 2^32 - 2 vertices are supported";
    if (spec.family == Family::Cycle && a < 3) return "a cycle has at least 3 vertices";
    if (spec.family == Family::Complete && a > (std::uint64_t{1} << 20)) {
      return "a complete graph has at most 2^20 vertices";
    }
  }
  return "";
}

}  // namespace

bool is_generator_expression(const std::string& text) { return text.starts_with(kPrefix); }

GeneratorSpec parse_generator(const std::string& text) {
  std::string_view rest = text;
  if (rest.starts_with(kPrefix)) rest.remove_prefix(kPrefix.size());
  const std::string_view name = rest.substr(0, rest.find(':'));
  const auto family = std::find_if(kFamilies.begin(), kFamilies.end(),
                                   [&](const FamilyName& f) { return f.name == name; });
  if (family == kFamilies.end()) {
    throw Error(ExitCode::Usage, fmt::format("no generator is called '{}'; there are {}", name,
                                             fmt::join(generator_names(), ", ")));
  }
  GeneratorSpec spec;
  spec.family = family->family;
  const bool two = is_recursive(spec.family) || spec.family == Family::Road;
  rest.remove_prefix(name.size());
  std::array<std::uint64_t*, 2> values = {&spec.first, &spec.second};
  bool well_formed = true;
  for (std::size_t i = 0; i < (two ? 2U : 1U); ++i) {
    const bool separated = !rest.empty() && (rest[0] == ':' || (i == 1 && rest[0] == 'x'));
    if (!separated) {
      well_formed = false;
      break;
    }
    rest.remove_prefix(1);
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), *values[i]);
    well_formed = well_formed && error == std::errc{};
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  }
  if (!well_formed || !rest.empty()) {
    throw Error(ExitCode::Usage,
                fmt::format("expected {}{}, found '{}'", kPrefix, family->form, text));
  }
  if (const std::string problem = size_problem(spec); !problem.empty()) {
    throw Error(ExitCode::Usage, fmt::format("{}: {}", text, problem));
  }
  return spec;
}

std::string to_string(const GeneratorSpec& spec) {
  const auto family = std::find_if(kFamilies.begin(), kFamilies.end(),
                                   [&](const FamilyName& f) { return f.family == spec.family; });
  if (spec.family == Family::Road)
    return fmt::format("{}road:{}x{}", kPrefix, spec.first, spec.second);
  if (is_recursive(spec.family))
    return fmt::format("{}{}:{}:{}", kPrefix, family->name, spec.first, spec.second);
  return fmt::format("{}{}:{}", kPrefix, family->name, spec.first);
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const FamilyName& family : kFamilies) names.emplace_back(family.name);
  return names;
}

Graph generate(const GeneratorSpec& spec) {
  if (const std::string problem = size_problem(spec); !problem.empty())
    throw Error(ExitCode::Usage, problem);
  const auto scale = static_cast<unsigned>(spec.first);
  Graph graph;
  switch (spec.family) {
    case Family::Kron:
    case Family::Rmat:
      graph = random_graph(spec, spec.family == Family::Kron,
                           [scale](std::uint64_t i) { return recursive_edge(scale, i); });
      break;
    case Family::Urand:
      graph = random_graph(spec, true, [scale](std::uint64_t i) {
        const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
        return Edge{static_cast<Vertex>(draw(kUniformSource, i) & mask),
                    static_cast<Vertex>(draw(kUniformTarget, i) & mask)};
      });
      break;
    case Family::Road:
      graph = road(spec);
      break;
    default:
      graph = simple_graph(spec);
      break;
  }
  add_weights(graph);
  graph.name = to_string(spec);
  return graph;
}

std::uint64_t fingerprint(const Graph& graph) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : sum)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      sum += mix(edge_key(static_cast<Vertex>(v), graph.out.targets[i]) ^ mix(i));
    }
  }
  return sum;
}

}  // namespace vertigo::graph
