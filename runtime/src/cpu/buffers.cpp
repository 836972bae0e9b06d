#include "vertigo/cpu/buffers.h"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace vertigo::cpu {

namespace {

// Runs before libgomp reads its settings (which a static one does in a constructor of its own). A
// step of a phase is often shorter than a scheduler's time slice: threads that spin for long at its
// end keep others, which have work, from running. On two cores with other work on them (2026-11,
// road network of New York, 1,200 steps) waiting passively took 0.7 s, libgomp's default 3.5 to 15
// s; some 5 microseconds of spinning still bridge the gap between two loops on an idle machine.
[[gnu::constructor(101)]] void spin_briefly() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "1000", 0);
}

}  // namespace

unsigned thread_count() { return static_cast<unsigned>(omp_get_max_threads()); }
unsigned thread_number() { return static_cast<unsigned>(omp_get_thread_num()); }

void BitmapBuffer::clear() { std::ranges::fill(words_, 0); }

WorklistStorage::WorklistStorage(std::size_t vertices)
    : list_(std::make_unique_for_overwrite<Vertex[]>(vertices)),
      capacity_(vertices),
      blocks_(thread_count()) {}

void WorklistStorage::flush(Block& block) {
  const std::size_t at = __atomic_fetch_add(&size_, block.size, __ATOMIC_RELAXED);
  std::copy(block.vertices, block.vertices + block.size, list_.get() + at);
  block.size = 0;
}

void WorklistStorage::fill() {
  clear();
  for (std::size_t v = 0; v < capacity_; ++v) list_[v] = static_cast<Vertex>(v);
  size_ = capacity_;
}

void clear_listed(BitmapBuffer& bitmap, const WorklistBuffer& list) {
  const Bitmap bits = bitmap;
  for (const Vertex v : Worklist(list).vertices()) bits.words[v / 64] = 0;
}

std::uint64_t CounterBuffer::take() {
  std::uint64_t total = 0;
  for (Counter::Slot& slot : slots_) total += std::exchange(slot.value, 0);
  return total;
}

}  // namespace vertigo::cpu
