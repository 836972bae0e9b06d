#include "state.h"

#include <utility>

#include "check.h"
#include "vertigo/trace/recorder.h"
#include "whole_edges.h"

namespace vertigo::gpu::detail {

namespace {

void show(const HeldLists& lists, const AdjacencyPlaces& places) {
  if (lists.offsets == nullptr) return;
  *places.offsets = lists.offsets;
  *places.targets = lists.targets;
  if (lists.attributes != nullptr) *places.attributes = lists.attributes;
}

std::optional<Along> along_of(host::EdgeParts parts) {
  switch (parts) {
    case host::EdgeParts::Out:
      return Along::Out;
    case host::EdgeParts::In:
      return Along::In;
    case host::EdgeParts::Both:
      return Along::Both;
    default:
      return {};
  }
}

}  // namespace

State::State(const host::RunRequest& r, const host::ProgramInfo& i, const MemoryPlan& p, bool dry)
    : request(r), info(i), plan(p), dry_run(dry), device(request.device), arrays(device) {}

void State::hold_edges(const GraphPlaces& to, bool transpose) {
  edges = std::make_unique<WholeEdges>(request.graph, transpose, to.attribute_bytes, request.device,
                                       arrays);
  places = to;
  const std::optional<Along> along = asked_in_parts();
  if (plan.edges != Edges::InParts || !along) return;
  const hybrid::HostLists lists[] = {edges->on_host(false), edges->on_host(transpose)};
  transfer = std::make_unique<hybrid::HybridTransfer>(request.graph, lists, *along,
                                                      request.transfer, device);
  transfer->declare(arrays, request.host_memory);
}

std::optional<Along> State::asked_in_parts() const {
  std::optional<Along> along;
  for (unsigned i = 0; i < info.phases.size(); ++i) {
    const std::optional<Along> asked = along_of(info.phases[i].variants[choose(i).variant].parts);
    if (asked) along = along && *along != *asked ? Along::Both : *asked;
  }
  return along;
}

void State::show_edges() {
  if (!edges) return;
  const HeldEdges held = edges->held();
  show(held.out, places.out);
  show(held.in, places.in);
  if (!transfer) return;
  transfer->prepare(held, arrays.memory.rest(), request.kept_folder, request.host_memory);
  if (transfer->measurement()) run.result.timing.stages.push_back(*transfer->measurement());
}

const execute::Chosen& State::choose(unsigned index) const {
  const auto [known, is_new] = choices.try_emplace(index);
  if (is_new) known->second = choose_variant(info.phases[index], request, plan);
  return known->second;
}

void State::begin_run() {
  host::Timing timing = std::move(run.result.timing);
  run = RunState();
  run.result.timing = std::move(timing);
  run.result.balance = balance;
  run.result.colours = colours;
  run.result.paths = paths;
  run.result.placement = arrays.memory.placement();
  if (transfer) transfer->begin_run();
  if (request.trace != nullptr) *request.trace = trace::Recorder();
  ++runs_begun;
  check(cudaStreamSynchronize(device.stream), "begin a run");
  run.start = trace::process_seconds();
  run.running = true;
}

void State::finish_run() {
  if (!run.running) return;
  check(cudaStreamSynchronize(device.stream), "run the kernels");
  host::Timing& timing = run.result.timing;
  timing.run = run.spent("run", run.start);
  timing.runs.push_back(timing.run);
  run.running = false;
  if (transfer) {
    run.result.moved = transfer->in_words();
    run.result.link = transfer->link_in_words();
    if (request.trace != nullptr) request.trace->set_link(run.result.link);
  }
  fetch_records();
}

void State::fetch_records() {
  if (request.trace != nullptr) run.kept.fetch(device.stream, *request.trace);
}

}  // namespace vertigo::gpu::detail
