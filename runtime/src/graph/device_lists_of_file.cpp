#include "device_lists_of_file.h"

#include <algorithm>
#include <atomic>

#include "binary_input.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {

const RawFile* file_for_device(const InputStream& stream, const ReadContext& context) {
  return context.device == nullptr ? nullptr : stream.plain();
}

Deliver deliver_from(const RawFile& file, std::uint64_t begin, std::uint64_t bytes) {
  file.bring_closer(begin, bytes);
  return [&file, begin, bytes](PieceSink& sink) {
    constexpr std::uint64_t kPiece = PieceSink::kPiece;
    std::atomic<bool> failed{false};
    ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) if (bytes > kPiece)
    for (std::uint64_t at = 0; at < bytes; at += kPiece) {
      if (failed) continue;
      carrier.run([&] {
        try {
          const std::size_t size = std::min(kPiece, bytes - at);
          file.read_at(begin + at, sink.take(), size);
          sink.send(at, size);
        } catch (...) {
          failed = true;
          throw;
        }
      });
    }
    carrier.rethrow();
  };
}

Deliver deliver_next(InputStream& stream, const RawFile& file, std::uint64_t count,
                     std::uint64_t value_bytes, const char* what) {
  require_bytes(stream, count, value_bytes, what);
  const std::uint64_t begin = stream.position();
  stream.take(count * value_bytes);
  return deliver_from(file, begin, count * value_bytes);
}

Adjacency take_on_device(const ReadContext& context, const StoredLists& stored, RowFacts& facts) {
  const trace::StageScope stage(context.report.stages, "send lists");
  TakenLists taken = context.device->take(stored);
  facts = {.ascending = true,
           .self_loops = taken.facts.self_loops,
           .duplicates = taken.facts.duplicates};
  context.report.reading.by = Reading::By::Device;
  return adjacency_of(stored.offsets, std::move(taken.lists));
}

}  // namespace vertigo::graph
