#include "raw_graph.h"

namespace vertigo::graph {

void EdgeRun::add_weight(double weight) {
  if (reals_.empty() && !integers_.empty()) {
    reals_.assign(integers_.begin(), integers_.end());
    Column<std::int64_t>().swap(integers_);
  }
  reals_.push_back(weight);
}

void EdgeRun::add_wide(std::uint64_t source, std::uint64_t target) {
  if (!wide_) {
    wide_ = true;
    wide_sources_.assign(sources_.begin(), sources_.end());
    wide_targets_.assign(targets_.begin(), targets_.end());
    Column<std::uint32_t>().swap(sources_);
    Column<std::uint32_t>().swap(targets_);
  }
  wide_sources_.push_back(source);
  wide_targets_.push_back(target);
}

std::uint64_t RawGraph::edge_count() const {
  if (adjacency) return adjacency->targets.size();
  if (on_device) return on_device->count();
  std::uint64_t sum = 0;
  for (const EdgeRun& run : runs) sum += run.size();
  return sum;
}

}  // namespace vertigo::graph
