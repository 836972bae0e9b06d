#include "plan.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace vertigo::faults {

Plan plan;
bool counting = false;

namespace {

Counts own_counts;
Counts* counts = &own_counts;

std::uint64_t number(const char*& text) {
  std::uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    value = 10 * value + static_cast<unsigned>(*text - '0');
  if (*text == ':') ++text;
  return value;
}

bool word(const char*& text, const char* expected) {
  const std::size_t length = std::strlen(expected);
  if (std::strncmp(text, expected, length) != 0) return false;
  if (text[length] != ':' && text[length] != '\0') return false;
  text += length;
  if (*text == ':') ++text;
  return true;
}

Kind kind_of(const char*& text) {
  if (word(text, "memory")) return Kind::Memory;
  if (word(text, "read")) return Kind::Read;
  if (word(text, "write")) return Kind::Write;
  if (word(text, "thread")) return Kind::Thread;
  if (word(text, "descriptor")) return Kind::Descriptor;
  if (word(text, "interrupt")) return Kind::Interrupt;
  if (word(text, "growth")) return Kind::Growth;
  return Kind::None;
}

void read_plan(const char* text) {
  plan.kind = kind_of(text);
  plan.every = word(text, "every");
  if (!plan.every) plan.first = number(text);
  plan.on = word(text, "on");
  if (!plan.on) word(text, "once");
  if (!plan.every) return;
  plan.first = number(text);
  plan.stride = number(text);
  plan.depth = static_cast<unsigned>(number(text));
}

// Numbers that outlive the process, however it ends.
void share_counts(const char* path) {
  const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0));
  if (file < 0) return;
  const long at =
      syscall(SYS_mmap, nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (at > 0) counts = reinterpret_cast<Counts*>(at);
}

}  // namespace

// Programs that this one starts are not ours to disturb.
void begin() {
  if (const char* text = getenv("VERTIGO_FAULT")) read_plan(text);
  // A child of an `every` run counts for itself.
  if (const char* path = getenv("VERTIGO_FAULT_COUNTS"); path != nullptr && !plan.every)
    share_counts(path);
  unsetenv("LD_PRELOAD");
  counting = plan.kind != Kind::None;
}

bool fails(Kind kind) {
  if (!counting || kind != plan.kind) return false;
  const std::uint64_t call = __atomic_fetch_add(&counts->calls, 1, __ATOMIC_RELAXED);
  const bool chosen = plan.every ? fails_in_child(call)
                      : plan.on  ? call >= plan.first
                                 : call == plan.first;
  if (chosen) __atomic_fetch_add(&counts->failed, 1, __ATOMIC_RELAXED);
  return chosen;
}

}  // namespace vertigo::faults

// The program's own start: its static objects are constructed in here, then main() runs.
extern "C" int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                 void (*init)(), void (*fini)(), void (*rtld_fini)(), void* stack) {
  using Start = decltype(&__libc_start_main);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  vertigo::faults::begin();
  return start(main, argc, argv, init, fini, rtld_fini, stack);
}
