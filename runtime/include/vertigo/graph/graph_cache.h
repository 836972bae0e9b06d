#pragma once
// Graphs that were read before: the second run on a file takes its cached form from a folder.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vertigo/graph/reader.h"

namespace vertigo::graph {

/// Whether VERTIGO_CACHE names a folder: runs use it then, without an option.
bool cache_is_wanted();

/// What the environment says of the cache.
struct CacheSettings {
  std::string
      folder;  ///< VERTIGO_CACHE, or the user's folder for caches; empty where there is none
  std::uint64_t most_bytes = 0;  ///< VERTIGO_CACHE_SIZE, or kMostCacheBytes
};
inline constexpr std::uint64_t kMostCacheBytes = std::uint64_t{16} << 30;
/// Throws ExitCode::Usage for a size that is none.
CacheSettings cache_settings();

class GraphCache {
 public:
  /// A file is kept where its last change is older than `settled`: clocks of file systems tick
  /// slowly, and a second change within a tick could not be told from the first.
  explicit GraphCache(std::string folder, std::uint64_t most_bytes = kMostCacheBytes,
                      std::chrono::nanoseconds settled = std::chrono::seconds(2));

  /// load_graph(), or what it gave before where the files and the options are the same.
  /// IntakeReport::cache says which. What the cache cannot do is said there and fails nothing.
  LoadedGraph load(const std::string& source, const ReadOptions& options) const;

  const std::string& folder() const { return folder_; }

  struct Entry {
    std::string path;
    std::uint64_t bytes = 0;
    std::chrono::system_clock::time_point used;
  };
  /// What was used last comes first.
  std::vector<Entry> entries() const;
  /// Removes all entries, and returns what they were.
  std::vector<Entry> clear() const;
  /// What an entry was made of; nothing where it is damaged.
  static std::vector<std::string> files_of(const Entry& entry);

 private:
  struct Key;
  std::optional<Key> key_of(const std::string& source, const ReadOptions& options,
                            std::string& why_not) const;
  std::string place_of(const Key& key) const;
  std::optional<LoadedGraph> find(const Key& key, const std::string& source,
                                  const ReadOptions& options, std::string& discarded) const;
  CacheUse store(const Key& key, const std::string& source, const ReadOptions& options,
                 const LoadedGraph& loaded) const;
  void make_room(std::uint64_t bytes) const;

  std::string folder_;
  std::uint64_t most_bytes_;
  std::chrono::nanoseconds settled_;
};

}  // namespace vertigo::graph
