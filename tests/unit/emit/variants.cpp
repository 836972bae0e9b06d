#include "variants.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "vertigo/core/record_layout.h"
#include "vertigo/execute/choose_variant.h"
#include "vertigo/graph/builder.h"

namespace vertigo::test {

namespace {

using graph::EdgeList;

bool requires_symmetric(const host::ProgramInfo& info) {
  return std::ranges::any_of(info.requirements, [](const host::RequirementInfo& requirement) {
    return requirement.kind == host::RequirementInfo::Kind::Symmetric;
  });
}

bool forbids_duplicates(const host::ProgramInfo& info) {
  return std::ranges::any_of(info.requirements, [](const host::RequirementInfo& requirement) {
    return requirement.kind == host::RequirementInfo::Kind::NoDuplicates;
  });
}

// The same weight in both directions, so that symmetrizing adds nothing odd.
int weight_of(Vertex u, Vertex v) { return static_cast<int>((u * v * 7 + u + v) % 9); }

void add_weights(const host::ProgramInfo& info, EdgeList& edges) {
  if (!info.edge) return;
  const auto fill = [&]<class T>(T) {
    std::vector<T> weights;
    for (std::size_t i = 0; i < edges.sources.size(); ++i)
      weights.push_back(static_cast<T>(weight_of(edges.sources[i], edges.targets[i])));
    edges.weights = std::move(weights);
  };
  switch (info.edge->kind) {
    case ScalarKind::Int32:
      return fill(std::int32_t{});
    case ScalarKind::Int64:
      return fill(std::int64_t{});
    case ScalarKind::UInt32:
      return fill(std::uint32_t{});
    case ScalarKind::UInt64:
      return fill(std::uint64_t{});
    case ScalarKind::Float32:
      return fill(float{});
    default:
      return fill(double{});
  }
}

void write_number(ScalarKind kind, int number, std::byte* place) {
  const auto write = [&]<class T>(T value) { std::memcpy(place, &value, sizeof value); };
  switch (kind) {
    case ScalarKind::Bool:
      return write(number % 3 != 0);
    case ScalarKind::Int32:
      return write(std::int32_t{number});
    case ScalarKind::Int64:
      return write(std::int64_t{number});
    case ScalarKind::UInt32:
      return write(static_cast<std::uint32_t>(number));
    case ScalarKind::UInt64:
      return write(static_cast<std::uint64_t>(number));
    case ScalarKind::Float32:
      return write(static_cast<float>(number));
    default:
      return write(static_cast<double>(number));
  }
}

// Attributes that the program reads by their names, made of the ends of each edge.
void add_records(const host::ProgramInfo& info, graph::Graph& graph) {
  if (info.edge_columns.empty()) return;
  std::vector<ScalarKind> kinds;
  for (const host::EdgeAttributeInfo& column : info.edge_columns) {
    kinds.push_back(column.kind);
    graph.record_fields.push_back({std::string(column.name), column.kind});
  }
  const RecordLayout layout = layout_of(kinds);
  const auto fill = [&](graph::Adjacency& lists, bool in) {
    std::vector<std::byte> records(lists.targets.size() * layout.bytes);
    for (Vertex v = 0; v < graph.vertex_count; ++v)
      for (EdgeIndex e = lists.offsets[v]; e < lists.offsets[v + 1]; ++e) {
        const Vertex u = lists.targets[e];
        const int number = in ? weight_of(u, v) : weight_of(v, u);
        for (std::size_t i = 0; i < kinds.size(); ++i)
          write_number(kinds[i], number + static_cast<int>(i),
                       records.data() + e * layout.bytes + layout.offsets[i]);
      }
    lists.records = std::move(records);
  };
  fill(graph.out, false);
  if (graph.in_adjacency) fill(*graph.in_adjacency, true);
}

graph::Graph build(const host::ProgramInfo& info, EdgeList edges) {
  add_weights(info, edges);
  graph::BuildOptions options;
  options.symmetrize = requires_symmetric(info);
  if (forbids_duplicates(info)) {
    options.duplicates = graph::DuplicatePolicy::Min;
    options.self_loops = graph::SelfLoopPolicy::Drop;
  }
  graph::Graph graph = graph::build_graph(std::move(edges), options);
  if (info.needs_transpose) graph::build_transpose(graph);
  add_records(info, graph);
  return graph;
}

EdgeList edges_of(Vertex count, std::initializer_list<std::pair<Vertex, Vertex>> pairs) {
  EdgeList edges;
  edges.vertex_count = count;
  for (const auto& [u, v] : pairs) {
    edges.sources.push_back(u);
    edges.targets.push_back(v);
  }
  return edges;
}

EdgeList random_edges(Vertex vertices, unsigned degree, unsigned seed) {
  std::mt19937 random(seed);
  EdgeList edges;
  edges.vertex_count = vertices;
  for (Vertex v = 0; v < vertices; ++v)
    for (unsigned i = 0; i < degree; ++i) {
      // Half of the edges meet at few vertices, so that threads meet there too.
      const Vertex range = i % 2 == 0 ? vertices : std::max<Vertex>(1, vertices / 16);
      edges.sources.push_back(v);
      edges.targets.push_back(static_cast<Vertex>(random() % range));
    }
  return edges;
}

bool takes_a_vertex(const host::ProgramInfo& info) {
  return std::ranges::any_of(info.parameters, [](const host::ParameterInfo& parameter) {
    return parameter.kind == ScalarKind::Vertex && parameter.default_text.empty();
  });
}

Value value_of(const host::ParameterInfo& parameter) {
  const std::string_view text = parameter.default_text;
  Value value{.kind = parameter.kind};
  if (parameter.kind == ScalarKind::Vertex) {
    value.data = std::uint64_t{text == "none" ? kNoVertex : 0};
  } else if (parameter.kind == ScalarKind::Bool) {
    value.data = text == "true";
  } else if (parameter.kind == ScalarKind::Float32 || parameter.kind == ScalarKind::Float64) {
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    // As the command line does it: a float32 parameter is the nearest float.
    value.data =
        parameter.kind == ScalarKind::Float32 ? double{static_cast<float>(number)} : number;
  } else {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    value.data = number;
  }
  return value;
}

}  // namespace

std::vector<NamedGraph> graphs_for(const host::ProgramInfo& info) {
  std::vector<NamedGraph> graphs;
  const auto add = [&](const char* name, EdgeList edges) {
    graphs.push_back({name, build(info, std::move(edges))});
  };
  if (!takes_a_vertex(info)) add("empty", edges_of(0, {}));
  add("one vertex", edges_of(1, {}));
  add("self loop", edges_of(2, {{0, 0}, {0, 1}, {1, 1}}));
  add("star", edges_of(6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {3, 0}}));
  add("chain", edges_of(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}));
  add("cycle", edges_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}));
  add("two parts", edges_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}}));
  add("diamond", edges_of(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {1, 2}}));
  add("parallel edges", edges_of(4, {{0, 1}, {0, 1}, {1, 2}, {2, 0}, {2, 0}, {2, 3}}));
  add("into the source", edges_of(4, {{1, 0}, {2, 0}, {3, 2}}));
  for (unsigned seed = 1; seed <= 3; ++seed)
    add(("random " + std::to_string(seed)).c_str(), random_edges(40 * seed, 3, seed));
  add("random, larger", random_edges(3000, 4, 9));
  return graphs;
}

graph::Graph random_graph(const host::ProgramInfo& info, Vertex vertices, unsigned degree,
                          unsigned seed) {
  return build(info, random_edges(vertices, degree, seed));
}

host::Arguments arguments_for(const host::ProgramInfo& info, const graph::Graph& graph) {
  host::Arguments arguments;
  for (const host::ParameterInfo& parameter : info.parameters) {
    const std::string name(parameter.name);
    if (parameter.is_list)
      arguments.set_list(name, {0, graph.vertex_count / 2, 0});
    else
      arguments.set(name, value_of(parameter));
  }
  return arguments;
}

std::vector<Schedule> schedules_of(const host::ProgramInfo& info, const host::RunRequest* request) {
  std::map<std::string, std::vector<std::string>> names;
  std::size_t most = 0;
  for (const host::PhaseInfo& phase : info.phases) {
    std::vector<std::string>& permitted = names[std::string(phase.name)];
    for (const host::VariantInfo& variant : phase.variants)
      if (request == nullptr || execute::lack_of(variant, *request) == nullptr)
        permitted.emplace_back(variant.name);
    most = std::max(most, permitted.size());
  }
  std::vector<Schedule> schedules(most);
  for (std::size_t i = 0; i < most; ++i)
    for (const auto& [phase, permitted] : names)
      schedules[i][phase] = permitted[i % permitted.size()];
  return schedules;
}

std::string describe(const Schedule& schedule) {
  std::string text;
  for (const auto& [phase, variant] : schedule)
    text += (text.empty() ? "" : ", ") + phase + "=" + variant;
  return text;
}

}  // namespace vertigo::test
