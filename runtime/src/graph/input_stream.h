#pragma once
// The bytes of an input file, decompressed while they are read. Compression is recognised by magic
// bytes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "raw_file.h"
#include "vertigo/core/error.h"
#include "vertigo/graph/intake.h"

namespace vertigo::graph {

/// What some programs put in front of text in UTF-8. It is no part of the text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Sequential bytes. Memory is bounded by fixed buffers and by what the decoder's window needs for
/// the data that it has seen; sizes that a header claims are not allocated. Data that grows out of
/// all proportion when it is decompressed is refused, and so is a file that changes while it is
/// read.
class InputStream {
 public:
  /// Throws ExitCode::InputRefused where the file cannot be opened or is not a regular file.
  static std::unique_ptr<InputStream> open(const std::string& path);
  virtual ~InputStream() {
    if (total_ != nullptr) *total_ += position_;
  }
  /// Adds the bytes handed out to `total` when the stream closes.
  void count_into(std::uint64_t& total) { total_ = &total; }

  /// Fills `destination` unless the data ends before; returns the bytes written, fewer than `size`
  /// only at the end.
  std::size_t read(char* destination, std::size_t size);
  /// The same by several threads where the file is plain.
  std::size_t read_in_parallel(char* destination, std::size_t size);
  /// The file itself where it is plain and its next byte is at position(), so that several threads
  /// can read what comes; take() says how much they do. Null else.
  const RawFile* plain() const {
    return pushed_back_used_ < pushed_back_.size() ? nullptr : file();
  }
  void take(std::uint64_t bytes);
  /// Puts bytes back in front of what comes next; used by detection.
  void unread(std::string_view bytes);

  const std::string& path() const { return path_; }
  virtual Compression compression() const = 0;
  std::uint64_t position() const { return position_; }  ///< decompressed bytes handed out
  /// Bytes of the file on the disk.
  std::uint64_t stored_size() const { return stored_size_; }
  /// Total of decompressed bytes, where it is known without reading: plain files.
  virtual std::optional<std::uint64_t> known_size() const { return std::nullopt; }

 protected:
  InputStream(std::string path, std::uint64_t stored_size)
      : path_(std::move(path)), stored_size_(stored_size) {}
  virtual const RawFile* file() const { return nullptr; }
  virtual void skip(std::uint64_t /*bytes*/) {}
  /// Bytes produced, 0 at the end only.
  virtual std::size_t produce(char* destination, std::size_t size) = 0;

 private:
  void refuse_expansion() const;

  std::string path_;
  std::uint64_t stored_size_ = 0;
  std::string pushed_back_;
  std::size_t pushed_back_used_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t* total_ = nullptr;
};

/// Decompressed size of a file, by reading it all where it is compressed.
std::uint64_t decompressed_size(const std::string& path);

/// An InputRefused with the place "file: byte N".
Error refused_at_byte(const std::string& path, std::uint64_t byte, std::string message);
/// An InputRefused with the place "file:line"; line 0 stands for the whole file.
Error refused_at_line(const std::string& path, std::uint64_t line, std::string message);

}  // namespace vertigo::graph
