#pragma once
// Arrays from binary files whose headers may lie: memory follows the bytes that are there.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "input_stream.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/scalar.h"

namespace vertigo::graph {

/// Reads one value; refuses where the file ends.
template <class T>
T read_value(InputStream& stream, const char* what) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  const std::uint64_t at = stream.position();
  if (stream.read(reinterpret_cast<char*>(&value), sizeof value) != sizeof value) {
    throw refused_at_byte(stream.path(), at, fmt::format("the file ends before {}", what));
  }
  return value;
}

/// Appends `count` values to `values`. A plain file is refused at once where it is too short; else
/// memory grows with what was read, at most doubling it.
template <class T>
void read_array(InputStream& stream, std::uint64_t count, const char* what,
                std::vector<T>& values) {
  constexpr std::uint64_t kStep = (std::uint64_t{8} << 20) / sizeof(T);
  const auto ends_early = [&] {
    return refused_at_byte(
        stream.path(), stream.position(),
        fmt::format("the file ends within {}, of which the header declares {}", what, count));
  };
  if (const auto size = stream.known_size()) {
    const std::uint64_t left = *size - std::min(*size, stream.position());
    if (count > left / sizeof(T)) throw ends_early();
    require_memory(count * sizeof(T), what);
    values.reserve(values.size() + count);
  }
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t step = std::min(kStep, count - done);
    const std::size_t old = values.size();
    values.resize(old + step);
    if (stream.read(reinterpret_cast<char*>(values.data() + old), step * sizeof(T)) !=
        step * sizeof(T)) {
      throw ends_early();
    }
    done += step;
  }
}

/// Refuses bytes behind the last array.
void require_end(InputStream& stream);

/// Refuses offsets that do not start at 0, descend, or do not end at `edge_count`; `byte`: where
/// they begin in the file.
void check_offsets(const std::string& path, std::span<const EdgeIndex> offsets,
                   std::uint64_t edge_count, std::uint64_t byte);

/// Refuses targets that are not below `vertex_count`; target i stands `stride * i` bytes behind
/// `byte`.
void check_targets(const std::string& path, std::span<const Vertex> targets,
                   std::uint64_t vertex_count, std::uint64_t byte, std::uint64_t stride);

}  // namespace vertigo::graph
