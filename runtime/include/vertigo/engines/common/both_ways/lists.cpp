#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "device/state.h"
#include "vertigo/engines/common/both_ways/device.cuh"
#include "vertigo/graph/both_directions.h"
#include "vertigo/graph/graph.h"
#include "vertigo/trace/profiler.h"

namespace vertigo::gpu {

const graph::Graph* Session::show(const graph::Graph* graph) {
  return std::exchange(state_.shown, graph);
}
const graph::Graph& Session::both_directions() {
  if (state_.both_directions == nullptr) {
    const trace::ProfilerRange range("preparation");
    const auto begin = trace::process_seconds();
    state_.both_directions =
        std::make_unique<const graph::Graph>(graph::both_directions(state_.request.graph));
    count_preparation(state_.run.spent("prepare", begin));
  }
  return *state_.both_directions;
}

namespace {

std::span<const std::byte> attributes_of(const graph::Adjacency& lists) {
  if (!lists.records.empty()) return lists.records;
  return std::visit(
      []<class Of>(const Of& weights) -> std::span<const std::byte> {
        if constexpr (std::is_same_v<Of, std::monostate>)
          return {};
        else
          return std::as_bytes(std::span(weights.data(), weights.size()));
      },
      lists.weights);
}

}  // namespace

std::uint64_t attribute_bytes(const graph::Graph& graph) { return attributes_of(graph.out).size(); }

void upload_lists(Session& session, const graph::Graph& graph, EdgeIndex* offsets, Vertex* targets,
                  void* attributes) {
  session.upload(offsets, graph.out.offsets.data(), graph.out.offsets.size());
  session.upload(targets, graph.out.targets.data(), graph.out.targets.size());
  if (attributes == nullptr) return;
  const std::span<const std::byte> bytes = attributes_of(graph.out);
  session.upload(static_cast<std::byte*>(attributes), bytes.data(), bytes.size());
}

}  // namespace vertigo::gpu
