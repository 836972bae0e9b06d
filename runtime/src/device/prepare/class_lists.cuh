#pragma once
// From colours to classes, and what else both ways of finding colours have in common.

#include <algorithm>
#include <vector>

#include "sorting.h"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::prepare::colouring {

constexpr const char* kColouring = "find colour classes";

/// Arrays in one piece of memory: to allocate each takes longer than to colour a small graph.
class Room {
 public:
  explicit Room(std::byte* begin) : begin_(reinterpret_cast<std::uintptr_t>(begin)) {}
  template <class T>
  void place(T*& array, std::uint64_t count) {
    array = reinterpret_cast<T*>(begin_ + used_);
    used_ += array_bytes<T>(count);
  }
  std::uint64_t used() const { return used_; }

 private:
  std::uintptr_t begin_;
  std::uint64_t used_ = 0;
};

inline unsigned blocks_for(std::uint64_t items) {
  constexpr std::uint64_t kMost = 4096;
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + kBlock - 1) / kBlock, 1, kMost));
}

/// Writes the vertices (`listed`, ascending) to `vertices`, colour after colour, and returns where
/// colours begin, and the end of the last one. There is no colour up to `last` that nobody has.
/// Waits for the stream.
std::vector<std::size_t> list_classes(WorkingMemory& memory, TwoArrays<std::uint32_t> colours,
                                      TwoArrays<Vertex> listed, Vertex count, std::uint32_t last,
                                      Vertex* vertices);
/// Bytes of working memory that this takes at most.
std::uint64_t class_lists_memory(Vertex count);

}  // namespace vertigo::gpu::prepare::colouring
