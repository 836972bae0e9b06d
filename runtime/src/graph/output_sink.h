#pragma once
// An output file, compressed on the way where its name says so, and text written to it in parallel.

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "vertigo/core/atomic_file.h"
#include "vertigo/core/write_in_order.h"

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
  write_in_order<std::string>(
      count, [&](std::string& text, std::uint64_t i) { format_item(i, text); },
      [&](const std::string& text) { sink.write(text); });
}

}  // namespace vertigo::graph
