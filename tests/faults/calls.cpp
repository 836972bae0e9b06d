// The calls that can fail, each with the error that the system would give. What does not fail goes
// straight to the kernel or to the C library's own allocator.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "plan.h"

using vertigo::faults::fails;
using vertigo::faults::Kind;

namespace {

// A failing call of `kind` sets errno to `error`.
bool refused(Kind kind, int error) {
  if (!fails(kind)) return false;
  errno = error;
  return true;
}

// The C library's function of that name.
template <class Function>
Function* next(const char* name, Function*) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// No other file than the one that is named grows.
void let_grow(int file) {
  static const char* const path = getenv("VERTIGO_FAULT_GROWS");
  if (path == nullptr) return;
  char link[32], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
  if (length < 0) return;
  name[length] = '\0';
  if (strcmp(name, path) != 0 || !fails(Kind::Growth)) return;
  const long end = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
  syscall(SYS_write, end, "\n", 1);
  syscall(SYS_close, end);
}

bool read_refused() { return refused(Kind::Interrupt, EINTR) || refused(Kind::Read, EIO); }
bool write_refused() { return refused(Kind::Interrupt, EINTR) || refused(Kind::Write, ENOSPC); }

}  // namespace

extern "C" {

// -- Memory ---------------------------------------------------------------------------------------

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  return refused(Kind::Memory, ENOMEM) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return refused(Kind::Memory, ENOMEM) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  return refused(Kind::Memory, ENOMEM) ? nullptr : __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return refused(Kind::Memory, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* const found = memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *block = found;
  return 0;
}
void* mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  if (refused(Kind::Memory, ENOMEM)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, file, offset));
}
void* mmap64(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}

// -- Reading --------------------------------------------------------------------------------------

ssize_t read(int file, void* to, std::size_t size) {
  let_grow(file);
  return read_refused() ? -1 : syscall(SYS_read, file, to, size);
}
ssize_t pread(int file, void* to, std::size_t size, off_t at) {
  let_grow(file);
  return read_refused() ? -1 : syscall(SYS_pread64, file, to, size, at);
}
ssize_t pread64(int file, void* to, std::size_t size, off_t at) {
  return pread(file, to, size, at);
}
ssize_t readv(int file, const iovec* parts, int count) {
  return read_refused() ? -1 : syscall(SYS_readv, file, parts, count);
}

// -- Writing --------------------------------------------------------------------------------------
// The lines of messages are not counted: a full disk does not silence a terminal.

ssize_t write(int file, const void* from, std::size_t size) {
  return file != STDERR_FILENO && write_refused() ? -1 : syscall(SYS_write, file, from, size);
}
ssize_t pwrite(int file, const void* from, std::size_t size, off_t at) {
  return write_refused() ? -1 : syscall(SYS_pwrite64, file, from, size, at);
}
ssize_t pwrite64(int file, const void* from, std::size_t size, off_t at) {
  return pwrite(file, from, size, at);
}
ssize_t writev(int file, const iovec* parts, int count) {
  return file != STDERR_FILENO && write_refused() ? -1 : syscall(SYS_writev, file, parts, count);
}
int fsync(int file) {
  return static_cast<int>(refused(Kind::Write, EIO) ? -1 : syscall(SYS_fsync, file));
}
int ftruncate(int file, off_t size) {
  return static_cast<int>(refused(Kind::Write, ENOSPC) ? -1 : syscall(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int posix_fallocate(int file, off_t at, off_t size) {
  if (fails(Kind::Write)) return ENOSPC;
  return syscall(SYS_fallocate, file, 0, at, size) == 0 ? 0 : errno;
}
int posix_fallocate64(int file, off_t at, off_t size) { return posix_fallocate(file, at, size); }
int fchmod(int file, mode_t mode) {
  return static_cast<int>(refused(Kind::Write, EIO) ? -1 : syscall(SYS_fchmod, file, mode));
}
int rename(const char* from, const char* to) {
  return static_cast<int>(refused(Kind::Write, ENOSPC) ? -1 : syscall(SYS_rename, from, to));
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if (refused(Kind::Write, ENOSPC)) return -1;
  return static_cast<int>(syscall(SYS_renameat, from_folder, from, to_folder, to));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (refused(Kind::Write, ENOSPC)) return -1;
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int mkdir(const char* path, mode_t mode) {
  return static_cast<int>(refused(Kind::Write, ENOSPC) ? -1 : syscall(SYS_mkdir, path, mode));
}
char* mkdtemp(char* pattern) {
  static const auto make = next("mkdtemp", &mkdtemp);
  return refused(Kind::Write, ENOSPC) ? nullptr : make(pattern);
}
int symlink(const char* target, const char* path) {
  return static_cast<int>(refused(Kind::Write, ENOSPC) ? -1 : syscall(SYS_symlink, target, path));
}
// The file is closed all the same, as Linux does it.
int close(int file) {
  const bool refuse = refused(Kind::Write, EIO);
  const long closed = syscall(SYS_close, file);
  if (refuse) errno = EIO;
  return static_cast<int>(refuse ? -1 : closed);
}

// -- Descriptors ----------------------------------------------------------------------------------

static int open_at(int folder, const char* path, int flags, mode_t mode) {
  static const bool named = getenv("VERTIGO_FAULT_NAMED") != nullptr;
  if (named && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  if (refused(Kind::Descriptor, EMFILE)) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}
static bool takes_mode(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}
static mode_t mode_of(int flags, va_list rest) {
  return takes_mode(flags) ? va_arg(rest, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  static const auto open_stream = next("fopen", &fopen);
  return refused(Kind::Descriptor, EMFILE) ? nullptr : open_stream(path, mode);
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
DIR* opendir(const char* path) {
  static const auto open_folder = next("opendir", &opendir);
  return refused(Kind::Descriptor, EMFILE) ? nullptr : open_folder(path);
}
int mkostemp(char* pattern, int flags) {
  static const auto make = next("mkostemp", &mkostemp);
  return refused(Kind::Descriptor, EMFILE) ? -1 : make(pattern, flags);
}
int mkstemp(char* pattern) { return mkostemp(pattern, 0); }
int mkstemp64(char* pattern) { return mkostemp(pattern, 0); }
int dup2(int from, int to) {
  return static_cast<int>(refused(Kind::Descriptor, EMFILE) ? -1 : syscall(SYS_dup2, from, to));
}
int pipe2(int* ends, int flags) {
  return static_cast<int>(refused(Kind::Descriptor, EMFILE) ? -1 : syscall(SYS_pipe2, ends, flags));
}
int pipe(int* ends) { return pipe2(ends, 0); }

// -- Threads --------------------------------------------------------------------------------------

struct Task {
  void* (*body)(void*);
  void* argument;
};
static int running_threads = 0;
static void* run_task(void* given) {
  const Task task = *static_cast<Task*>(given);
  free(given);
  void* const result = task.body(task.argument);
  __atomic_fetch_sub(&running_threads, 1, __ATOMIC_SEQ_CST);
  return result;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  static const auto create = next("pthread_create", &pthread_create);
  if (fails(Kind::Thread)) return EAGAIN;
  static const char* const limit = getenv("VERTIGO_FAULT_THREADS");
  if (limit == nullptr) return create(thread, attributes, body, argument);
  if (__atomic_fetch_add(&running_threads, 1, __ATOMIC_SEQ_CST) >= atoi(limit)) {
    __atomic_fetch_sub(&running_threads, 1, __ATOMIC_SEQ_CST);
    return EAGAIN;
  }
  auto* const task = static_cast<Task*>(__libc_malloc(sizeof(Task)));
  *task = {body, argument};
  return create(thread, attributes, run_task, task);
}

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const words[], char* const variables[]) {
  static const auto spawn = next("posix_spawn", &posix_spawn);
  if (fails(Kind::Thread)) return EAGAIN;
  return spawn(child, path, actions, attributes, words, variables);
}

}  // extern "C"
