#pragma once
// CUB asks for its memory in a first call: each algorithm stands once, for both.

#include "working_memory.h"

namespace vertigo::gpu::prepare {

template <class Algorithm>
void run(WorkingMemory& memory, const char* purpose, const Algorithm& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), purpose);
  auto* const storage = memory.take<std::byte>(bytes, purpose);
  check(algorithm(static_cast<void*>(storage), bytes), purpose);
}

template <class Algorithm>
std::uint64_t memory_of(const Algorithm& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), "ask what a preparation takes");
  return array_bytes<std::byte>(bytes);
}

}  // namespace vertigo::gpu::prepare
