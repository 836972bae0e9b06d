#pragma once
// What a result says of its vertices, formatted by all threads.

#include <cstdint>
#include <string>
#include <vector>

#include "host/output.h"
#include "vertigo/core/parallel.h"

namespace vertigo::host {

/// Formats vertices [0, count) by `append(text, vertex)` in parallel and hands the text to the sink
/// in order.
template <class Append>
void format_in_order(Vertex count, const Append& append, const Sink& sink) {
  constexpr Vertex kBlock = 1 << 15;
  const auto blocks_at_once = static_cast<std::uint64_t>(thread_count()) * 4;
  std::vector<std::string> texts(blocks_at_once);
  for (std::uint64_t first = 0; first < count; first += blocks_at_once * kBlock) {
    ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t block = 0; block < blocks_at_once; ++block) {
      carrier.run([&] {
        const std::uint64_t begin = std::min<std::uint64_t>(count, first + block * kBlock);
        const std::uint64_t end = std::min<std::uint64_t>(count, begin + kBlock);
        std::string& text = texts[block];
        text.clear();
        for (std::uint64_t v = begin; v < end; ++v) append(text, static_cast<Vertex>(v));
      });
    }
    carrier.rethrow();
    for (const std::string& text : texts)
      if (!text.empty()) sink(text);
  }
}

}  // namespace vertigo::host
