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
    unfold();
    wide_ = true;
    wide_sources_.assign(sources_.begin(), sources_.end());
    wide_targets_.assign(targets_.begin(), targets_.end());
    Column<std::uint32_t>().swap(sources_);
    Column<std::uint32_t>().swap(targets_);
  }
  wide_sources_.push_back(source);
  wide_targets_.push_back(target);
}

void EdgeRun::fold() {
  // A source and an end take as much as two sources; the first few say little of a file.
  constexpr std::size_t kFewestEdges = 4, kFirst = 1024;
  if (!folds_ || sources_.empty()) return;
  const std::size_t edges = targets_.size();
  folds_ = !wide_ && edges <= kLargestNarrow && fold_recent() &&
           (edges < kFirst || once_.size() <= edges / kFewestEdges);
  if (!folds_) unfold();
}

// False where a source descends; what was folded before stays so.
bool EdgeRun::fold_recent() {
  const std::size_t rows = once_.size();
  const std::size_t before = targets_.size() - sources_.size();
  const std::uint32_t* const begin = sources_.data();
  const std::uint32_t* const end = begin + sources_.size();
  for (const std::uint32_t* at = begin; at != end;) {
    const std::uint32_t source = *at;
    if (once_.empty() || once_.back() < source) {
      once_.push_back(source);
      ends_.push_back(0);
    } else if (source < once_.back()) {
      once_.resize(rows);
      ends_.resize(rows);
      if (rows > 0) ends_.back() = static_cast<std::uint32_t>(before);
      return false;
    }
    while (at != end && *at == source) ++at;
    ends_.back() = static_cast<std::uint32_t>(before + static_cast<std::size_t>(at - begin));
  }
  sources_.clear();
  return true;
}

void EdgeRun::unfold() {
  if (!is_folded()) return;
  Column<std::uint32_t> sources;
  sources.reserve(targets_.capacity());  // those that are still to come, too
  for (std::size_t row = 0; row < ends_.size(); ++row) sources.resize(ends_[row], once_[row]);
  sources.insert(sources.end(), sources_.begin(), sources_.end());
  sources_.swap(sources);
  Column<std::uint32_t>().swap(once_);
  Column<std::uint32_t>().swap(ends_);
}

std::uint64_t RawGraph::edge_count() const {
  if (adjacency) return adjacency->targets.size();
  if (on_device) return on_device->count();
  std::uint64_t sum = 0;
  for (const EdgeRun& run : runs) sum += run.size();
  return sum;
}

}  // namespace vertigo::graph
