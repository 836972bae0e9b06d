#pragma once
// Everything that a binary says to a person: lines on stderr, and on a terminal one line that shows
// how long the present stage has been going on.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "vertigo/host/run_main.h"

namespace vertigo::host {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// ", 45%, 812.0 MB/s, 2.10 s left", or "" where `read` bytes say nothing of what is left.
std::string progress_text(std::uint64_t read, std::uint64_t bytes, double seconds);

class Console {
 public:
  /// `quiet`: only errors are said.
  Console(const Streams& streams, bool quiet);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Writes the text and a newline, unless quiet.
  void say(std::string_view text);
  /// Names what is being done from now on; "" for nothing. A stage that takes long is shown on a
  /// terminal, and erased when the next one begins. With `bytes` to be read, how far that is.
  void stage(std::string_view name, std::uint64_t bytes = 0);

 private:
  void show_progress();
  void erase_line();

  const Streams& streams_;
  const bool quiet_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string stage_;
  std::uint64_t bytes_ = 0;        ///< that the stage reads; 0: unknown
  std::uint64_t read_before_ = 0;  ///< by earlier stages
  Stopwatch since_;
  bool shown_ = false;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace vertigo::host
