#pragma once
// An open regular file that must stay as it is while it is read.

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <string>

#include "vertigo/core/descriptor.h"
#include "vertigo/core/error.h"

namespace vertigo::graph {

/// To begin anew would hide it: what is there now may be half of what is still being written.
class FileChanged : public Error {
 public:
  using Error::Error;
};

class RawFile {
 public:
  /// Throws ExitCode::InputRefused where the file cannot be opened or is not a regular file.
  explicit RawFile(const std::string& path);

  /// The next bytes; fewer than `size` at the end only. There, and where more comes than the file
  /// had when it was opened, a file that has changed is refused.
  std::size_t read(char* destination, std::size_t size);
  void rewind() { offset_ = 0; }
  /// Leaves out bytes that read_at() reads.
  void skip(std::uint64_t bytes) { offset_ += bytes; }
  std::uint64_t offset() const { return offset_; }

  /// Exactly these bytes, which the file had when it was opened. May be called by several threads.
  void read_at(std::uint64_t offset, void* destination, std::size_t size) const;
  /// The same of many bytes, read by several threads; each calls `seen(at, size)` for a piece that
  /// it has just read, `at` counted from the destination. The piece is in its cache.
  void read_all_at(std::uint64_t offset, void* destination, std::size_t size,
                   const std::function<void(std::size_t, std::size_t)>& seen = nullptr) const;

  /// These bytes will be read soon: the system may begin with it.
  void bring_closer(std::uint64_t offset, std::uint64_t size) const;
  /// Whether its last byte is this one.
  bool ends_with(char byte) const;

  /// The same open file for somebody else; without a number where there is none left.
  Descriptor another() const;

  /// Size when it was opened.
  std::uint64_t size() const { return size_; }
  /// A writer that is not done, or a download that begins anew: what was read is part of the one
  /// and part of the other. Throws FileChanged.
  void require_unchanged() const;

 private:
  [[noreturn]] void refuse(const char* action, int error_number) const;

  std::string path_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
  timespec modified_{};
  std::uint64_t offset_ = 0;
};

}  // namespace vertigo::graph
