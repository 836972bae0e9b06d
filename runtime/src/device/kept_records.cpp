#include "kept_records.h"

#include <algorithm>
#include <utility>

#include "check.h"

namespace vertigo::gpu::detail {

void KeptRecords::keep(const StepLog& log, const Loop& loop, NameOf name_of) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(loop.steps, log.capacity));
  if (count > 0) kept_.push_back({log.records, count, loop, std::move(name_of)});
}

bool KeptRecords::would_lose(const StepLog& log) const {
  return std::any_of(kept_.begin(), kept_.end(),
                     [&](const Kept& each) { return each.records == log.records; });
}

void KeptRecords::fetch(cudaStream_t stream, trace::Recorder& trace) {
  for (const Kept& each : kept_) {
    std::vector<StepRecord> records(each.count);
    check(cudaMemcpyAsync(records.data(), each.records, sizeof(StepRecord) * records.size(),
                          cudaMemcpyDeviceToHost, stream),
          "fetch the records of a loop");
    check(cudaStreamSynchronize(stream), "fetch the records of a loop");
    const std::uint64_t end_ns = each.loop.end_ns != 0 ? each.loop.end_ns : records.back().end_ns;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const StepRecord& r = records[i];
      const Name name = each.name_of(r.mode);
      trace.add({.phase = each.loop.phase,
                 .variant = name.variant,
                 .reason = name.reason,
                 .step = each.loop.first_step + i,
                 .active_vertices = r.active_vertices,
                 .edges = r.edges,
                 .out_edges = r.out_edges,
                 .in_edges = r.in_edges,
                 .start = each.loop.ended - static_cast<double>(end_ns - r.begin_ns) * 1e-9,
                 .duration = static_cast<double>(r.end_ns - r.begin_ns) * 1e-9,
                 .predicted = static_cast<double>(r.predicted_ns) * 1e-9,
                 .deferred_vertices = r.deferred,
                 .threshold = r.threshold});
    }
  }
  kept_.clear();
}

}  // namespace vertigo::gpu::detail
