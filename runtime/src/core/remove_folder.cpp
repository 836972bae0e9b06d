#include "vertigo/core/remove_folder.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "vertigo/core/descriptor.h"

namespace vertigo {
namespace {

// What getdents64 fills in: two numbers of 64 bits, the entry's length, its type, its name.
constexpr std::size_t kLengthAt = 16;
constexpr std::size_t kNameAt = 19;

void empty_folder(int folder) noexcept {
  char buffer[4096];
  ::lseek(folder, 0, SEEK_SET);
  for (;;) {
    const long size = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (size <= 0) return;
    std::uint16_t length = 0;
    for (long at = 0; at < size; at += length) {
      std::memcpy(&length, buffer + at + kLengthAt, sizeof length);
      const char* const name = buffer + at + kNameAt;
      if (name == std::string_view(".") || name == std::string_view("..")) continue;
      if (::unlinkat(folder, name, 0) == 0) continue;
      const Descriptor inner(
          ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (inner) empty_folder(inner.get());
      ::unlinkat(folder, name, AT_REMOVEDIR);
    }
  }
}

}  // namespace

bool remove_folder(int folder, const char* path) noexcept {
  // What a program that is just dying still makes is removed in another round.
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    empty_folder(folder);
    if (::rmdir(path) == 0) return true;
  }
  return false;
}

}  // namespace vertigo
