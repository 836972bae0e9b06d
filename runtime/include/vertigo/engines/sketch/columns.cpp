#include "vertigo/engines/sketch/columns.cuh"

#include <chrono>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "vertigo/graph/path_sketch.h"
#include "vertigo/host/program.h"

namespace vertigo::gpu::sketch {

struct HostPaths {
  const graph::Adjacency* lists = nullptr;
  graph::WalkedPaths paths;
};

HostColumns::~HostColumns() { delete paths_; }
void HostColumns::take(HostPaths* paths) {
  delete paths_;
  paths_ = paths;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

void declare_columns(Session& session, const Wanted& wanted, HostColumns& into, Columns& columns) {
  const Clock::time_point begin = Clock::now();
  const graph::Graph& graph = session.host_graph();
  graph::VertexImportance importance{.of = wanted.importance};
  for (unsigned i = 0; i < wanted.input_count; ++i) {
    const Column* const column = session.request().arguments.input(wanted.inputs[i]);
    importance.inputs.push_back(column == nullptr ? nullptr : column->bytes.data());
  }
  const PathChoice& choice = session.request().paths;
  const auto or_else = [](double asked, double compiled) { return asked != 0 ? asked : compiled; };
  auto made = std::make_unique<HostPaths>();
  made->lists = wanted.travel.along_in ? &graph.in() : &graph.out;
  made->paths = graph::WalkedPaths(
      graph, *made->lists, wanted.travel.pairs ? graph::PathEdges::Pairs : graph::PathEdges::Arcs,
      {.importance = std::move(importance),
       .hub_share = or_else(choice.hub_share, wanted.hub_share),
       .sample_share = or_else(choice.hub_sample, wanted.hub_sample),
       .hub_turns = static_cast<unsigned>(or_else(choice.hub_turns, wanted.hub_turns)),
       .keep_edges = wanted.weights});
  const graph::PathSketch& paths = *made->paths;
  columns.chunks = paths.chunks();
  columns.hub_chunks = paths.hub_chunks;
  columns.hub_turns = made->paths.hub_turns();
  columns.slots = paths.vertices.size();
  session.declare(columns.vertices, paths.vertices.size(), "paths (vertices)");
  session.declare(columns.breaks, paths.breaks.size(), "paths (where they begin)");
  session.declare(columns.begins, paths.begins.size(), "paths (chunks)");
  session.count_preparation(seconds_since(begin));
  session.note_paths(made->paths.described(graph.vertex_count).c_str());
  into.take(made.release());
}

void upload_columns(Session& session, HostColumns& from, const Columns& columns) {
  const graph::PathSketch& paths = *from.paths().paths;
  session.upload(columns.vertices, paths.vertices.data(), paths.vertices.size());
  session.upload(columns.breaks, paths.breaks.data(), paths.breaks.size());
  session.upload(columns.begins, paths.begins.data(), paths.begins.size());
  from.take(nullptr);
}

bool walks_forward(const Session& session) { return session.request().paths.forward; }

bool has_weights(const Session& session) { return session.host_graph().has_weights(); }

template <class Weight>
void upload_weights(Session& session, const HostColumns& from, Weight* weights) {
  const graph::PathSketch& paths = *from.paths().paths;
  const auto& of_edges = std::get<graph::Array<Weight>>(from.paths().lists->weights);
  std::vector<Weight> of_slots(paths.edges.size());
#pragma omp parallel for schedule(static)
  for (std::size_t slot = 0; slot < of_slots.size(); ++slot)
    if (paths.edges[slot] != graph::kNoEdge) of_slots[slot] = of_edges[paths.edges[slot]];
  session.upload(weights, of_slots.data(), of_slots.size());
}

template void upload_weights(Session&, const HostColumns&, std::int32_t*);
template void upload_weights(Session&, const HostColumns&, std::int64_t*);
template void upload_weights(Session&, const HostColumns&, std::uint32_t*);
template void upload_weights(Session&, const HostColumns&, std::uint64_t*);
template void upload_weights(Session&, const HostColumns&, float*);
template void upload_weights(Session&, const HostColumns&, double*);

}  // namespace vertigo::gpu::sketch
