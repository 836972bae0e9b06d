#include "compiler/driver/InputText.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace vertigo::compiler::driver {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// A pipe with a name has no writer until somebody opens it, perhaps never.
bool has_a_name(int pipe) {
  struct statfs place{};
  return fstatfs(pipe, &place) != 0 || place.f_type != PIPEFS_MAGIC;
}

// Why the open file is no text to read; empty where it is one.
std::string unsuitable(int file) {
  struct stat known{};
  if (fstat(file, &known) != 0) return std::strerror(errno);
  if (S_ISREG(known.st_mode)) return "";
  if (S_ISDIR(known.st_mode)) return "it is a folder";
  if (S_ISFIFO(known.st_mode))
    return has_a_name(file) ? "it is a named pipe; '-' reads standard input" : "";
  return "it is a device; '-' reads standard input";
}

std::optional<std::string> read_open(int file, std::size_t most, std::string& why) {
  constexpr std::size_t kPiece = 65536;
  std::string text;
  while (text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(before + std::min(kPiece, most + 1 - before));
    const ssize_t got = ::read(file, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) {
      why = std::strerror(errno);
      return std::nullopt;
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> read_text(const std::string& path, std::size_t most, std::string& why) {
  if (path == "-") return read_open(STDIN_FILENO, most, why);
  // Without O_NONBLOCK, opening a pipe waits for a writer; O_NOCTTY: a terminal does not become
  // ours. What was opened is looked at before anything is read.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0) {
    why = std::strerror(errno);
    return std::nullopt;
  }
  why = unsuitable(file.number());
  if (!why.empty()) return std::nullopt;
  fcntl(file.number(), F_SETFL, O_RDONLY);  // the writer of a pipe is waited for
  return read_open(file.number(), most, why);
}

}  // namespace vertigo::compiler::driver
