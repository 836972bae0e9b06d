#include "kept_records.h"

#include <algorithm>
#include <utility>

#include "check.h"

namespace vertigo::gpu::detail {

void KeptRecords::keep(const StepLog& log, std::uint64_t steps, Describe describe) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(steps, log.capacity));
  if (count > 0) kept_.push_back({log.records, count, std::move(describe)});
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
    for (std::size_t i = 0; i < records.size(); ++i)
      trace.add(each.describe(records[i], i, records.back().end_ns));
  }
  kept_.clear();
}

}  // namespace vertigo::gpu::detail
