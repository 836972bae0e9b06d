// All calls of one run: before each that is to fail the process forks, the child fails and goes on
// to its end, and the parent notes how it ended, removes what it left and goes on without a
// failure. So a hundred thousand failing allocations cost a hundred thousand ends of the program,
// not runs.
//
// VERTIGO_FAULT_LOG     a line for each child: CALL STATUS RESULT LEFT MESSAGE; STATUS as waitpid
//                       gives it, RESULT is absent, right or wrong, LEFT what else it left or - (a
//                       whole trace.jsonl does not count)
//                       or `CALL alone` where the program has temporary files, which a child would
//                       take from its parent: that call needs a run of its own
// VERTIGO_FAULT_RESULT  the file that the program writes; what lies beside it is left behind
// VERTIGO_FAULT_RIGHT   what it should be
//
// The program must have one thread that works: a child has only the thread that forked.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "plan.h"

namespace vertigo::faults {
namespace {

constexpr unsigned kPatience = 120;  // seconds that a child has to end in, on a loaded machine
constexpr std::size_t kMostText = 4096;

// System calls by themselves: what this library does must not count as the program's.
long call_open(const char* path, int flags, int mode = 0) {
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

std::size_t read_all(int file, char* to, std::size_t room) {
  std::size_t got = 0;
  while (got < room) {
    const long step = syscall(SYS_pread64, file, to + got, room - got, got);
    if (step <= 0) break;
    got += static_cast<std::size_t>(step);
  }
  return got;
}

// A trace holds times, so that no two are the same: whole is one whose last line is.
bool ends_with_a_line(const char* path) {
  const int file = static_cast<int>(call_open(path, O_RDONLY));
  char last = '\0';
  const long size = syscall(SYS_lseek, file, 0, SEEK_END);
  if (size > 0) syscall(SYS_pread64, file, &last, 1, size - 1);
  syscall(SYS_close, file);
  return last == '\n';
}

bool same_content(const char* path, const char* other) {
  static char a[1 << 20], b[1 << 20];
  const int first = static_cast<int>(call_open(path, O_RDONLY)),
            second = static_cast<int>(call_open(other, O_RDONLY));
  const std::size_t size = read_all(first, a, sizeof a);
  const bool same = first >= 0 && second >= 0 && size == read_all(second, b, sizeof b) &&
                    std::memcmp(a, b, size) == 0;
  syscall(SYS_close, first);
  syscall(SYS_close, second);
  return same;
}

void join(char* to, const char* folder, const char* name) {
  std::snprintf(to, kMostText, "%s/%s", folder, name);
}

struct Entry {  // as getdents64 fills it
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

// Calls use(path, name, is_folder) for what lies in a folder.
template <class Use>
void for_each_entry(const char* folder, const Use& use) {
  const int file = static_cast<int>(call_open(folder, O_RDONLY | O_DIRECTORY));
  if (file < 0) return;
  alignas(Entry) char buffer[8192];
  for (long size = 0; (size = syscall(SYS_getdents64, file, buffer, sizeof buffer)) > 0;)
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->length;
      if (std::strcmp(entry->name, ".") == 0 || std::strcmp(entry->name, "..") == 0) continue;
      char path[kMostText];
      join(path, folder, entry->name);
      use(path, entry->name, entry->type == DT_DIR);
    }
  syscall(SYS_close, file);
}

void remove_tree(const char* path, bool folder) {
  if (folder)
    for_each_entry(path, [](const char* inner, const char*, bool is_folder) {
      remove_tree(inner, is_folder);
    });
  syscall(SYS_unlinkat, AT_FDCWD, path, folder ? AT_REMOVEDIR : 0);
}

// What a child writes, its parent must not see, although both have the same open files: files that
// are open for writing become copies, those for reading are opened again at the same place.
void part_files(const char* folder) {
  static char buffer[1 << 16];
  for (int file = 3; file < 64; ++file) {
    struct stat status{};
    if (syscall(SYS_fstat, file, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const long flags = syscall(SYS_fcntl, file, F_GETFL);
    char name[64];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    const int source = static_cast<int>(call_open(name, O_RDONLY));
    const bool written = (flags & O_ACCMODE) != O_RDONLY;
    const int own =
        written ? static_cast<int>(call_open(folder, O_TMPFILE | O_RDWR, 0666)) : source;
    const long at = syscall(SYS_lseek, file, 0, SEEK_CUR);
    if (written) {
      for (long size = 0; (size = syscall(SYS_read, source, buffer, sizeof buffer)) > 0;)
        syscall(SYS_write, own, buffer, size);
      syscall(SYS_close, source);
    }
    syscall(SYS_lseek, own, at, SEEK_SET);
    syscall(SYS_dup3, own, file, O_CLOEXEC);
    syscall(SYS_close, own);
  }
}

struct Trial {
  const char* result = getenv("VERTIGO_FAULT_RESULT");
  const char* right = getenv("VERTIGO_FAULT_RIGHT");
  const char* temporary = getenv("TMPDIR");
  const char* emptied = getenv("VERTIGO_FAULT_EMPTIED");
  char folder[kMostText]{};
  int log = static_cast<int>(
      call_open(getenv("VERTIGO_FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  // Where children's messages go; read back after each.
  int messages = static_cast<int>(syscall(SYS_memfd_create, "messages", 1U));

  Trial() {
    const char* const slash = std::strrchr(result, '/');
    std::memcpy(folder, result, static_cast<std::size_t>(slash - result));
  }

  bool has_temporaries() const {
    bool any = false;
    for_each_entry(temporary, [&](const char*, const char*, bool) { any = true; });
    return any;
  }

  void note_alone(std::uint64_t call) {
    char line[64];
    const int length =
        std::snprintf(line, sizeof line, "%llu alone\n", static_cast<unsigned long long>(call));
    syscall(SYS_write, log, line, static_cast<std::size_t>(length));
  }

  void note(std::uint64_t call, int status) {
    char left[kMostText] = "";
    const char* state = "absent";
    const auto forget = [&](const char* path, const char* name, bool is_folder) {
      if (std::strcmp(path, result) == 0)
        state = same_content(path, right) ? "right" : "wrong";
      else if (std::strcmp(name, "trace.jsonl") != 0 || !ends_with_a_line(path))
        std::strncat(std::strncat(left, name, 200), ",", sizeof left - std::strlen(left) - 202);
      remove_tree(path, is_folder);
    };
    for_each_entry(folder, forget);
    for_each_entry(temporary, forget);
    if (emptied != nullptr)
      for_each_entry(emptied, [](const char* path, const char*, bool is_folder) {
        if (!is_folder) remove_tree(path, false);
      });
    static char text[kMostText], line[3 * kMostText];
    std::size_t size = read_all(messages, text, sizeof text - 1);
    text[size] = '\0';
    for (char& c : text)
      if (c == '\n') c = '|';
    const int length = std::snprintf(line, sizeof line, "%llu %d %s %s %s\n",
                                     static_cast<unsigned long long>(call), status, state,
                                     left[0] == '\0' ? "-" : left, text);
    syscall(SYS_write, log, line, static_cast<std::size_t>(length));
    syscall(SYS_ftruncate, messages, 0L);
  }
};

}  // namespace

// True in the child, whose call is to fail.
static bool fork_before(std::uint64_t call) {
  static Trial trial;
  if (trial.has_temporaries()) {
    trial.note_alone(call);
    return false;
  }
  const pid_t child = fork();
  if (child == 0) {
    syscall(SYS_dup3, trial.messages, STDERR_FILENO, 0);  // shared with the parent, which reads it
    syscall(SYS_lseek, STDERR_FILENO, 0L, SEEK_SET);
    part_files(trial.folder);
    alarm(kPatience);
    return true;
  }
  int status = 0;
  if (child > 0) syscall(SYS_wait4, child, &status, 0, nullptr);
  trial.note(call, child > 0 ? status : -1);
  return false;
}

bool fails_in_child(std::uint64_t call) {
  static bool in_child = false;
  if (in_child) return plan.on;
  if (call < plan.first || (call - plan.first) % plan.stride != 0) return false;
  counting = false;  // what it takes to find out and to fork is not the program's
  if (plan.depth == 0 || is_new_place(plan.depth)) in_child = fork_before(call);
  counting = true;
  return in_child;
}

}  // namespace vertigo::faults
