#pragma once
// Files that appear whole or not at all: written beside the target, synced, then renamed over it.

#include <cstddef>
#include <string>
#include <string_view>

namespace vertigo {

/// What may be replaced by an output file.
enum class OverwriteRule {
  RegularOnly,  ///< a missing or a regular file; a symlink, directory, device or pipe is refused
  Force,  ///< also a symlink (what it points at is replaced) or a device or pipe (written in place,
          ///< not atomically)
};

/// One output file. The constructor checks the target and opens a temporary file in the same
/// directory; nothing is visible under the target's name before commit(). Without commit() the
/// temporary file is removed. Every failure is an Error with ExitCode::OutputFailed and the target
/// as its place.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path, OverwriteRule rule = OverwriteRule::RegularOnly);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Flushes to the disk and renames. Nothing may be written afterwards.
  void commit();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(std::string_view action, int error_number) const;
  void open_temporary();

  std::string path_;       // as the user named it, for messages
  std::string target_;     // what is replaced: path_, or what a symlink leads to
  std::string temporary_;  // empty when written in place or committed
  int descriptor_ = -1;
};

/// Removes the temporary files of every AtomicFile that is not committed; for a process that is
/// about to end by a signal. Safe beside threads that write and commit, not inside a signal
/// handler.
void remove_unfinished_files();

}  // namespace vertigo
