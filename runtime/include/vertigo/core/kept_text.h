#pragma once
// Short texts that runs keep for later ones, each in a file of its own in the folder for caches.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vertigo {

/// A regular file of this user's: nobody else may say what was kept.
bool is_own_file(const std::string& path);
/// Who else than this user may put files into a folder, as the end of a sentence; "": nobody, or
/// there is no such folder.
std::string who_else_writes(const std::string& folder);
/// The folder and what leads to it; whom it is made for reads it alone. Throws
/// ExitCode::OutputFailed.
void make_cache_folder(const std::string& folder);

/// The texts of one kind in a folder. A text belongs to a key, which names its file by a hash and
/// stands in it as a whole. A file that is damaged, of another key or of somebody else is none.
class KeptTexts {
 public:
  /// `kind` begins the names of the files: lower case letters.
  KeptTexts(std::string folder, std::string_view kind);

  /// Nothing where there is none, or it cannot be read, for whatever reason.
  std::optional<std::string> find(std::string_view key) const;
  /// Puts the text in the place of an older one. What was kept longest ago goes, so that there are
  /// never more than kMostTexts. "": it is kept; else why not.
  std::string store(std::string_view key, std::string_view text) const;

  struct Entry {
    std::string path;
    std::uint64_t bytes = 0;
    std::int64_t kept = 0;  ///< when; nanoseconds since 1970
  };
  /// What was kept last comes first.
  std::vector<Entry> entries() const;
  /// Removes all, and returns what they were. Throws ExitCode::OutputFailed.
  std::vector<Entry> clear() const;

  static constexpr std::size_t kMostTexts = 32;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10;  ///< of a file

 private:
  std::string place_of(std::string_view key) const;
  void make_room() const;

  std::string folder_;
  std::string kind_;
};

}  // namespace vertigo
