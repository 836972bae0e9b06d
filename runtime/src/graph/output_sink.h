#pragma once
// An output file, compressed on the way where its name says so, and text written to it in parallel.

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/atomic_file.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {

/// Bytes go to an AtomicFile, through gzip or zstd where the path ends with .gz or .zst.
class OutputSink {
 public:
  OutputSink(const std::string& path, OverwriteRule rule);
  ~OutputSink();
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  template <class Values>
  void write_array(const Values& values) {
    write(std::data(values), std::size(values) * sizeof(*std::data(values)));
  }
  /// All that can fail for want of room; nothing may be written afterwards.
  void finish();
  /// Finishes and puts the file in its place.
  void commit();

 private:
  struct Encoder;
  AtomicFile file_;
  std::unique_ptr<Encoder> encoder_;
};

/// Writes what `format_item(i, text)` appends for i in 0 .. count-1, in that order; formatted in
/// parallel, a bounded amount at a time.
template <class FormatItem>
void write_text(OutputSink& sink, std::uint64_t count, const FormatItem& format_item) {
  constexpr std::uint64_t kItemsPerPart = 1 << 15;
  const std::uint64_t parts = 4 * static_cast<std::uint64_t>(thread_count());
  std::vector<std::string> texts(parts);
  for (std::uint64_t begin = 0; begin < count; begin += parts * kItemsPerPart) {
    ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::uint64_t part = 0; part < parts; ++part) {
      carrier.run([&] {
        std::string& text = texts[part];
        text.clear();
        const std::uint64_t first = std::min(count, begin + part * kItemsPerPart);
        const std::uint64_t last = std::min(count, first + kItemsPerPart);
        for (std::uint64_t i = first; i < last; ++i) format_item(i, text);
      });
    }
    carrier.rethrow();
    for (const std::string& text : texts) sink.write(text);
  }
}

}  // namespace vertigo::graph
