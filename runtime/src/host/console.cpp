#include "host/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <ostream>
#include <system_error>

#include "host/text.h"
#include "vertigo/graph/progress.h"

namespace vertigo::host {
namespace {

// Work shorter than this needs no progress; a line that flashes up is noise.
constexpr double kPatience = 1.0;
constexpr std::chrono::milliseconds kInterval{250};

/// Of the terminal behind stderr; 0 where it does not say.
std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::string progress_text(std::uint64_t read, std::uint64_t bytes, double seconds) {
  if (read == 0 || read >= bytes || seconds <= 0) return "";
  const auto done = static_cast<double>(read);
  const double rate = done / seconds;
  const double left = (static_cast<double>(bytes) - done) / rate;
  char text[96];
  std::snprintf(text, sizeof text, ", %.0f%%, %.1f MB/s, ", 100 * done / static_cast<double>(bytes),
                rate / 1e6);
  return text + format_seconds(left) + " left";
}

Console::Console(const Streams& streams, bool quiet) : streams_(streams), quiet_(quiet) {
  if (quiet_ || !streams_.err_is_terminal) return;
  try {
    thread_ = std::thread([this] { show_progress(); });
  } catch (const std::system_error&) {
    // A system that starts no more threads goes without a display of progress.
  }
}

Console::~Console() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    erase_line();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Console::say(std::string_view text) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  erase_line();
  const std::size_t columns = streams_.err_is_terminal ? terminal_columns() : 0;
  streams_.err << wrapped(text, columns) << '\n' << std::flush;
}

void Console::stage(std::string_view name, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  erase_line();
  stage_ = name;
  bytes_ = bytes;
  read_before_ = graph::bytes_read_so_far();
  since_ = Stopwatch();
}

void Console::show_progress() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kInterval, [this] { return done_; })) {
    const double seconds = since_.seconds();
    if (stage_.empty() || seconds < kPatience) continue;
    erase_line();
    streams_.err << stage_ << " ... " << format_seconds(seconds)
                 << progress_text(graph::bytes_read_so_far() - read_before_, bytes_, seconds)
                 << std::flush;
    shown_ = true;
  }
}

void Console::erase_line() {
  if (!shown_) return;
  streams_.err << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace vertigo::host
