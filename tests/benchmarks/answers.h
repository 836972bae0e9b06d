#pragma once
// Reads the text output of a program that has one floating column, on all cores.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "vertigo/graph/graph.h"

namespace benchmarks {

inline std::string_view mapped(const char* path) {
  const int descriptor = ::open(path, O_RDONLY);
  struct stat status{};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ::close(descriptor);
  return data == MAP_FAILED ? std::string_view() : std::string_view(static_cast<char*>(data), size);
}

/// Lines `vertex value` with ids that count from 0, in any order; what is missing or malformed
/// stays NaN.
inline std::vector<double> read_answers(const char* path, vertigo::Vertex count) {
  const std::string_view text = mapped(path);
  std::vector<double> values(count, NAN);
  constexpr std::size_t kPieces = 256;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    const auto start_of = [&](std::size_t index) {
      const std::size_t at = text.size() * index / kPieces;
      if (index == 0 || index == kPieces) return at;
      const std::size_t line = text.find('\n', at - 1);
      return line == std::string_view::npos ? text.size() : line + 1;
    };
    const char* at = text.data() + start_of(piece);
    const char* const end = text.data() + start_of(piece + 1);
    while (at < end) {
      std::uint64_t vertex = 0;
      double value = 0;
      const auto [space, no_vertex] = std::from_chars(at, end, vertex);
      const auto [line, no_value] = std::from_chars(std::min(space + 1, end), end, value);
      if (no_vertex == std::errc{} && no_value == std::errc{} && vertex < count)
        values[vertex] = value;
      at = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
      if (at == nullptr) break;
      ++at;
    }
  }
  return values;
}

}  // namespace benchmarks
