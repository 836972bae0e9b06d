#pragma once
// Text files that belong to a run besides its graph (lists of vertices, values of vertices), read
// with the same care: regular files only, compressed or not, in bounded memory, refused where they
// change while they are read.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vertigo::graph {

class TextBlocks;

class LineReader {
 public:
  /// Throws ExitCode::InputRefused where the file cannot be opened or is not a regular file.
  explicit LineReader(const std::string& path);
  ~LineReader();

  /// The next line that is not empty, without its end, until the next call; nothing at the end.
  std::optional<std::string_view> next();
  /// Number of the line that next() returned last, from 1.
  std::uint64_t line() const;

 private:
  std::unique_ptr<TextBlocks> blocks_;
};

}  // namespace vertigo::graph
