#pragma once
// Files that appear whole or not at all: written beside the target, synced, then put in its place.

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "vertigo/core/descriptor.h"

namespace vertigo {

/// What may be replaced by an output file.
enum class OverwriteRule {
  RegularOnly,  ///< a missing file, or a regular one that may be written; a symlink, directory,
                ///< device or pipe is refused
  Force,  ///< also a symlink (what it points at is replaced), a file without write permission, or a
          ///< device or pipe (written in place, not atomically)
};

/// Which file a name leads to: two names of one file (links, `./`) have the same identity.
struct FileIdentity {
  dev_t device;
  ino_t inode;
  bool operator==(const FileIdentity&) const = default;
};

/// What opening `path` would open; nothing where there is no such file.
std::optional<FileIdentity> identity_of(const std::string& path);

/// One output file. The constructor checks the target and opens a file in the same directory that
/// has no name yet, so that nothing is left of it however the process ends; where the file system
/// has no such files, one with a temporary name. Nothing is visible under the target's name before
/// commit(). Every failure is an Error with the target as its place, and ExitCode::OutputFailed
/// unless memory was short.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path, OverwriteRule rule = OverwriteRule::RegularOnly);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Whoever may read the file may also run it.
  void make_executable();
  /// Nothing is synced: for what can be made again, and shows by itself whether it is whole.
  void leave_to_the_system() { synced_ = false; }
  /// Brings what was written to the disk; nothing may be written afterwards. What commit() still
  /// has to do takes no room.
  void finish();
  /// Finishes and puts the file in its place.
  void commit();

  const std::string& path() const { return path_; }
  /// The file that commit() would replace; nothing where there is none.
  const std::optional<FileIdentity>& replaced() const { return replaced_; }
  /// True where both would be written to the same place, whether there is a file yet or not.
  bool same_place(const AtomicFile& other) const;

 private:
  [[noreturn]] void fail(std::string_view action, int error_number) const;
  void find_target(OverwriteRule rule);
  void open_directory();
  void open_temporary(std::optional<mode_t> mode);
  bool open_unnamed();
  void open_named();
  int link_as(const char* name) const;
  void publish_unnamed();
  void publish_named();

  friend void remove_unfinished_files();

  /// A name beside the target that no user would choose; empty while there is none. Without
  /// allocation, and short whatever the target's name is.
  using TemporaryName = std::array<char, 32>;
  static TemporaryName random_name();

  /// A place on the list of files that end with the process; needs no memory, which may be what
  /// the process ends for.
  class UnfinishedFile {
   public:
    explicit UnfinishedFile(const AtomicFile& file);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    const AtomicFile& file;
    UnfinishedFile* next = nullptr;
  };
  static UnfinishedFile* unfinished;

  std::string path_;    // as the user named it, for messages
  std::string target_;  // what is replaced: path_, or what a symlink leads to
  std::string name_;    // of the target, in directory_; empty where it is written in place
  std::optional<FileIdentity> replaced_;
  FileIdentity place_{};  // of the directory
  Descriptor directory_;
  Descriptor descriptor_;
  TemporaryName temporary_{};
  bool finished_ = false;
  bool synced_ = true;
  UnfinishedFile listed_;
};

/// Removes the temporary files of every AtomicFile that is not committed; for a process that is
/// about to end by a signal or a failure without a way out. Safe beside threads that write and
/// commit, not inside a signal handler.
void remove_unfinished_files();

}  // namespace vertigo
