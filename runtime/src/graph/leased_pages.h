#pragma once
// The pages of a file in the place of a copy of them, as long as nobody wants to write to it.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "raw_file.h"
#include "vertigo/core/descriptor.h"

namespace vertigo::graph {

/// A lease on a file (fcntl(2), F_SETLEASE): whoever opens the file for writing, or cuts it, waits
/// until the lease is given back. Before that, what was mapped becomes a copy at the same address.
/// docs/decisions/pages-of-the-file.md says what this saves and what it cannot promise.
class LeasedPages : public std::enable_shared_from_this<LeasedPages> {
 public:
  /// Null where the system gives no lease: somebody has the file open for writing, it belongs to
  /// somebody else, or its file system has none.
  static std::shared_ptr<LeasedPages> of(const RawFile& file, const std::string& path);
  ~LeasedPages();
  LeasedPages(const LeasedPages&) = delete;

  /// `bytes` of the file from `offset` on, which whoever has them keeps mapped. Null where there is
  /// no room, or no thread to wait for writers.
  std::shared_ptr<const std::byte> map(std::uint64_t offset, std::size_t bytes);
  /// Has the system read bytes that are mapped. Throws ExitCode::InputRefused where it cannot: to
  /// touch them would end the process.
  void bring(const std::byte* begin, std::size_t bytes) const;

 private:
  struct Mapping {
    std::byte* begin;
    std::size_t bytes;
  };

  LeasedPages(Descriptor file, const std::string& path) : file_(std::move(file)), path_(path) {}
  std::byte* map_pages(std::uint64_t first, std::size_t bytes);
  bool is_wanted_back() const;
  void wait_for_writers();
  void give_back();
  void release(std::byte* begin);

  Descriptor file_;
  std::string path_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool is_ending_ = false;
  std::vector<Mapping> mappings_;
  std::thread waits_;
};

}  // namespace vertigo::graph
