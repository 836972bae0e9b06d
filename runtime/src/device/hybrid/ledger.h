#pragma once
// What was moved, by way: the counters of a run.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cost.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu::hybrid {

class Ledger {
 public:
  struct Entry {
    std::uint64_t tasks = 0;   ///< partitions, once for each launch that asked for them
    std::uint64_t moved = 0;   ///< bytes over the link
    std::uint64_t useful = 0;  ///< of edges that the launch visited
    double waited = 0;         ///< seconds, for a file
  };

  void add(Way way, std::uint64_t moved, std::uint64_t useful, double waited = 0) {
    Entry& entry = entries_[static_cast<std::size_t>(way)];
    ++entry.tasks;
    entry.moved += moved;
    entry.useful += useful;
    entry.waited += waited;
  }
  const Entry& of(Way way) const { return entries_[static_cast<std::size_t>(way)]; }
  bool is_empty() const;
  /// "filter 12 partitions, 384.0 MiB moved, 100.0 MiB of it used; zero-copy …"
  std::string in_words() const;
  /// What was added to `before`, of each way that was taken.
  std::vector<trace::Moved> since(const Ledger& before) const;

 private:
  std::array<Entry, kWays.size()> entries_{};
};

}  // namespace vertigo::gpu::hybrid
