#include "state.h"

#include <utility>

#include "check.h"
#include "vertigo/trace/recorder.h"
#include "whole_edges.h"

namespace vertigo::gpu::detail {

namespace {

/// Kernels find the lists of a part by the numbers of the whole graph.
void show(const HeldLists& lists, const AdjacencyPlaces& places, unsigned attribute_bytes) {
  if (lists.offsets == nullptr) return;
  *places.offsets = graph::as_whole(lists.offsets, lists.first);
  *places.targets = graph::as_whole(lists.targets, lists.base);
  if (lists.attributes != nullptr)
    *places.attributes = graph::as_whole(static_cast<const std::byte*>(lists.attributes),
                                         lists.base * attribute_bytes);
}

}  // namespace

State::State(const host::RunRequest& r, const host::ProgramInfo& i, const MemoryPlan& p, bool dry)
    : request(r), info(i), plan(p), dry_run(dry), device(request.device), arrays(device) {}

State::~State() {
  if (part) edges->release(*part);
}

void State::hold_edges(const GraphPlaces& to, bool transpose) {
  edges = std::make_unique<WholeEdges>(request.graph, transpose, to.attribute_bytes, arrays);
  places = to;
}

void State::acquire(graph::Part next) {
  if (part) edges->release(*part);
  part = std::move(next);
  const HeldEdges held = edges->acquire(*part);
  show(held.out, places.out, places.attribute_bytes);
  show(held.in, places.in, places.attribute_bytes);
}

const execute::Chosen& State::choose(unsigned index) const {
  const auto [known, is_new] = choices.try_emplace(index);
  if (is_new)
    known->second =
        execute::choose_variant(info.phases[index], request, [&](const host::VariantInfo& variant) {
          return payoff_of_preparation(variant, request, plan.room);
        });
  return known->second;
}

void State::begin_run() {
  host::Timing timing = std::move(run.result.timing);
  run = RunState();
  run.result.timing = std::move(timing);
  run.result.balance = balance;
  run.result.placement = arrays.memory.placement();
  if (request.trace != nullptr) *request.trace = trace::Recorder();
  ++runs_begun;
  check(cudaStreamSynchronize(device.stream), "begin a run");
  run.start = Clock::now();
  run.running = true;
}

void State::finish_run() {
  if (!run.running) return;
  check(cudaStreamSynchronize(device.stream), "run the kernels");
  host::Timing& timing = run.result.timing;
  timing.run = seconds_since(run.start);
  timing.runs.push_back(timing.run);
  run.running = false;
  fetch_records();
}

void State::fetch_records() {
  if (request.trace != nullptr) run.kept.fetch(device.stream, *request.trace);
}

}  // namespace vertigo::gpu::detail
