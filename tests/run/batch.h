#pragma once
// Many runs of a generated program in one process: each line of a file is a command line, its words
// apart by tabs. What a run prints is followed by a line "== NUMBER EXITCODE", so that whoever
// reads it knows which run a message is from, and which one the process died in.

#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::batch {

inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = line.find('\t'); end != std::string::npos; end = line.find('\t', begin)) {
    words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  words.push_back(line.substr(begin));
  return words;
}

/// What runs one command line: `int(int argc, char** argv)`.
using Main = std::function<int(int, char**)>;

inline int run_program(int argc, char** argv) { return host::run_main(argc, argv); }

inline int run_line(const char* binary, const std::string& line, const Main& main = run_program) {
  const std::vector<std::string> words = words_of(line);
  std::vector<char*> argv{const_cast<char*>(binary)};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  return main(static_cast<int>(argv.size()), argv.data());
}

/// Runs every line of `file`; 0 where all could be read.
inline int run(const char* binary, const char* file, const Main& main = run_program) {
  std::ifstream lines(file);
  std::string line;
  for (unsigned number = 0; std::getline(lines, line); ++number) {
    const int code = run_line(binary, line, main);
    std::cout << "== " << number << ' ' << code << std::endl;
  }
  return lines.eof() ? 0 : 1;
}

/// Runs all lines at the same time, each in a thread of its own.
inline int run_together(const char* binary, const char* file) {
  std::ifstream lines(file);
  std::deque<std::pair<std::string, int>> runs;
  for (std::string line; std::getline(lines, line);) runs.emplace_back(line, -1);
  std::vector<std::thread> threads;
  for (auto& run : runs)
    threads.emplace_back([&run, binary] { run.second = run_line(binary, run.first); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t number = 0; number < runs.size(); ++number)
    std::cout << "== " << number << ' ' << runs[number].second << std::endl;
  return lines.eof() ? 0 : 1;
}

}  // namespace vertigo::batch
