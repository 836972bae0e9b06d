#include <algorithm>
#include <atomic>
#include <bit>
#include <span>
#include <utility>

#include "assemble.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {
namespace {

std::uint64_t hash_of(std::uint64_t id) {
  id = (id ^ (id >> 32)) * 0xD6E8FEB86659FD93ULL;
  id = (id ^ (id >> 32)) * 0xD6E8FEB86659FD93ULL;
  return id ^ (id >> 32);
}

void set_bit(std::vector<std::uint64_t>& bits, std::uint64_t at) {
  const std::uint64_t mask = std::uint64_t{1} << (at % 64);
  std::atomic_ref<std::uint64_t> word(bits[at / 64]);
  // Most ids come again and again: reading first avoids most of the atomic writes.
  if ((word.load(std::memory_order_relaxed) & mask) == 0)
    word.fetch_or(mask, std::memory_order_relaxed);
}

template <class Ids>
void add_ids(const Ids& ids, IdRange& range) {
  if (ids.empty()) return;
  auto smallest = ids[0];
  auto largest = ids[0];
  for (const auto id : ids) {
    smallest = std::min(smallest, id);
    largest = std::max(largest, id);
  }
  range.smallest = std::min<std::uint64_t>(range.smallest, smallest);
  range.largest = std::max<std::uint64_t>(range.largest, largest);
}

IdRange range_of(const EdgeRun& run) {
  IdRange range;
  add_ids(run.lone_vertices(), range);
  if (!run.is_wide()) {
    add_ids(run.narrow_sources(), range);
    add_ids(run.narrow_targets(), range);
    return range;
  }
  run.each([&](std::uint64_t source, std::uint64_t target, std::size_t) {
    range.smallest = std::min({range.smallest, source, target});
    range.largest = std::max({range.largest, source, target});
  });
  return range;
}

// Where a word of the bit set says that the id is there: its vertex.
[[gnu::always_inline]] inline Vertex rank_of(std::uint64_t id, const std::uint64_t* bits,
                                             const std::uint32_t* ranks) {
  const std::uint64_t below = bits[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
  return ranks[id / 64] + static_cast<Vertex>(std::popcount(below));
}

void rank_all(std::span<Vertex> ids, const std::uint64_t* bits, const std::uint32_t* ranks) {
  for (Vertex& id : ids) id = rank_of(id, bits, ranks);
}

#if defined(__x86_64__)
// Not every processor that we compile for counts bits by one instruction; those that we run on do.
[[gnu::target("popcnt")]] void rank_all_by_popcnt(std::span<Vertex> ids, const std::uint64_t* bits,
                                                  const std::uint32_t* ranks) {
  for (Vertex& id : ids) id = rank_of(id, bits, ranks);
}
bool has_popcnt() { return __builtin_cpu_supports("popcnt") != 0; }
#else
void rank_all_by_popcnt(std::span<Vertex> ids, const std::uint64_t* bits,
                        const std::uint32_t* ranks) {
  rank_all(ids, bits, ranks);
}
bool has_popcnt() { return false; }
#endif

std::vector<std::uint64_t> sorted_ids(const std::vector<EdgeRun>& runs) {
  std::vector<std::vector<std::uint64_t>> parts(runs.size());
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t r = 0; r < runs.size(); ++r) {
    carrier.run([&] {
      auto& ids = parts[r];
      ids = runs[r].lone_vertices();
      ids.reserve(ids.size() + 2 * runs[r].size());
      runs[r].each([&](std::uint64_t source, std::uint64_t target, std::size_t) {
        ids.push_back(source);
        ids.push_back(target);
      });
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    });
  }
  carrier.rethrow();
  std::vector<std::uint64_t> all;
  for (auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    std::vector<std::uint64_t>().swap(part);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

bool bit_set_pays(std::uint64_t largest_id, std::uint64_t entries) {
  return largest_id / 64 <= (std::uint64_t{1} << 18) + entries;
}

IdRange id_range(const std::vector<EdgeRun>& runs) {
  std::uint64_t smallest = kInfinity<std::uint64_t>;
  std::uint64_t largest = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : smallest) reduction(max : largest)
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const IdRange range = range_of(runs[r]);
    smallest = std::min(smallest, range.smallest);
    largest = std::max(largest, range.largest);
  }
  return {smallest, largest};
}

IdIndex::IdIndex(std::vector<std::uint64_t> ascending_ids) { index_ids(std::move(ascending_ids)); }

void IdIndex::index_ids(std::vector<std::uint64_t> ids) {
  count_ = ids.size();
  if (ids.empty()) return;
  base_ = ids.front();
  largest_ = ids.back();
  if (largest_ - base_ == count_ - 1) return;  // contiguous
  ids_ = std::move(ids);
  std::uint64_t slots = 16;
  while (slots < 2 * count_) slots *= 2;
  slot_mask_ = slots - 1;
  slots_.assign(slots, kNoVertex);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    std::uint64_t slot = hash_of(ids_[i]) & slot_mask_;
    Vertex expected = kNoVertex;
    while (!std::atomic_ref(slots_[slot])
                .compare_exchange_strong(expected, static_cast<Vertex>(i),
                                         std::memory_order_relaxed)) {
      slot = (slot + 1) & slot_mask_;
      expected = kNoVertex;
    }
  }
}

IdIndex IdIndex::of_runs(const std::vector<EdgeRun>& runs) {
  const std::uint64_t largest = id_range(runs).largest;
  std::uint64_t entries = 0;
  for (const EdgeRun& run : runs) entries += run.size() + run.lone_vertices().size();
  if (!bit_set_pays(largest, entries)) return IdIndex(sorted_ids(runs));
  std::vector<std::uint64_t> bits(largest / 64 + 1, 0);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t r = 0; r < runs.size(); ++r) {
    // Most files have the edges of a source together.
    std::uint64_t last = kInfinity<std::uint64_t>;
    runs[r].each([&](std::uint64_t source, std::uint64_t target, std::size_t) {
      if (source != last) set_bit(bits, source);
      last = source;
      set_bit(bits, target);
    });
    for (const std::uint64_t id : runs[r].lone_vertices()) set_bit(bits, id);
  }
  return of_bits(std::move(bits), largest);
}

IdIndex IdIndex::of_bits(std::vector<std::uint64_t> bits, std::uint64_t largest) {
  IdIndex index;
  index.ranks_.resize(bits.size());
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (rank == 0 && bits[i] != 0)
      index.base_ = 64 * i + static_cast<std::uint64_t>(std::countr_zero(bits[i]));
    index.ranks_[i] = static_cast<std::uint32_t>(rank);
    rank += static_cast<std::uint64_t>(std::popcount(bits[i]));
  }
  index.count_ = rank;
  index.largest_ = largest;
  index.bits_ = std::move(bits);
  if (largest - index.base_ == rank - 1) {  // contiguous
    std::vector<std::uint64_t>().swap(index.bits_);
    std::vector<std::uint32_t>().swap(index.ranks_);
  }
  return index;
}

Vertex IdIndex::find(std::uint64_t id) const {
  if (id < base_ || id > largest_ || count_ == 0) return kNoVertex;
  if (!bits_.empty()) {
    const std::uint64_t word = bits_[id / 64];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((word & bit) == 0) return kNoVertex;
    return rank_of(id, bits_.data(), ranks_.data());
  }
  if (ids_.empty()) return static_cast<Vertex>(id - base_);
  for (std::uint64_t slot = hash_of(id) & slot_mask_; slots_[slot] != kNoVertex;
       slot = (slot + 1) & slot_mask_) {
    if (ids_[slots_[slot]] == id) return slots_[slot];
  }
  return kNoVertex;
}

void IdIndex::find_all(std::span<Vertex> ids) const {
  if (bits_.empty()) {
    for (Vertex& id : ids) id = find(id);
  } else {
    (has_popcnt() ? rank_all_by_popcnt : rank_all)(ids, bits_.data(), ranks_.data());
  }
}

IdMap IdIndex::to_map() const {
  if (!bits_.empty()) {
    std::vector<std::uint64_t> ids;
    ids.reserve(count_);
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      for (std::uint64_t word = bits_[i]; word != 0; word &= word - 1) {
        ids.push_back(64 * i + static_cast<std::uint64_t>(std::countr_zero(word)));
      }
    }
    return IdMap::sparse(std::move(ids));
  }
  if (ids_.empty()) return IdMap::contiguous(base_, count_);
  return IdMap::sparse(ids_);
}

}  // namespace vertigo::graph
