#pragma once
// A file of the cached form, its header checked and its sections read with their checksums: a file
// that is cut while it is read, or a disk that fails, is an Error.

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "cached_layout.h"
#include "leased_pages.h"
#include "raw_file.h"
#include "room.h"
#include "vertigo/core/memory.h"
#include "vertigo/graph/reading_device.h"

namespace vertigo::graph {

/// "offsets", "in-weights", ...
const char* name_of(CachedSection section);

class CachedFile {
 public:
  /// Throws ExitCode::InputRefused where the header is damaged or lies about the file's size.
  /// `in_place`: what read() returns may be pages of the file (leased_pages.h).
  explicit CachedFile(const std::string& path, bool in_place = false);

  const std::string& path() const { return path_; }
  const CachedHeader& header() const { return header_; }
  /// Of the header and the sections that were read.
  std::uint64_t bytes_read() const;

  /// Shown a piece of a section: look(at, bytes, size), `at` counted from the section's beginning.
  /// Pieces come in no order, and from several threads.
  using Look = std::function<void(std::uint64_t, const std::byte*, std::size_t)>;

  /// The section's values, compared with its checksum. `look` sees each piece while it is in the
  /// cache.
  template <class T>
  Array<T> read(CachedSection section, const Look& look = nullptr) {
    const std::uint64_t bytes = header_.section(section).bytes;
    if (const auto pages = read_in_place(section, look))
      return {{reinterpret_cast<const T*>(pages.get()), bytes / sizeof(T)}, pages};
    require_memory(bytes, "reading this graph");
    Room<T> values(bytes / sizeof(T));
    read_section(section, values.data(), look);
    return std::move(values).finished();
  }
  /// The same to a device, whose sink gets the values in pieces. The system may read them while it
  /// is waited for.
  Deliver deliver(CachedSection section);
  /// The same of text; empty where the section is absent.
  std::string text(CachedSection section);
  /// `bytes` of the section from `at` on, which must lie in it; compared with a checksum of their
  /// own.
  void read_part(CachedSection section, std::uint64_t at, std::uint64_t bytes,
                 std::uint64_t checksum, std::string_view what, void* destination);
  /// Refuses what is not zero in the section from `at` to before `end`.
  void check_padding(CachedSection section, std::uint64_t at, std::uint64_t end) const;
  /// Shows the section without keeping it. Then compares its checksum.
  void scan(CachedSection section, const Look& look) const;
  /// `bytes` of the section from `at` on, which must lie in it. Nothing is compared.
  void read_range(CachedSection section, std::uint64_t at, std::uint64_t bytes,
                  void* destination) const {
    file_.read_at(header_.section(section).offset + at, destination, bytes);
  }
  /// Compares the section's checksum, where it was not read.
  void check(CachedSection section) const;
  /// The same of all sections.
  void check_all() const;
  /// Refuses a file that changed since it was opened.
  void require_unchanged() const { file_.require_unchanged(); }

 private:
  void read_header();
  void check_header() const;
  void check_places() const;
  void require_zeros(std::uint64_t begin, std::uint64_t end) const;
  std::uint64_t read_summed(std::uint64_t offset, std::uint64_t bytes, void* destination,
                            const Look& look = nullptr) const;
  void read_section(CachedSection section, void* destination, const Look& look);
  std::shared_ptr<const std::byte> read_in_place(CachedSection section, const Look& look);
  void deliver_now(CachedSection section, PieceSink& sink);
  void compare_checksum(CachedSection section, std::uint64_t checksum) const;

  std::string path_;
  RawFile file_;
  std::shared_ptr<LeasedPages> pages_;  // null: everything is copied
  CachedHeader header_;
  std::array<bool, kCachedSections> read_{};
  std::uint64_t bytes_of_parts_ = 0;
};

}  // namespace vertigo::graph
