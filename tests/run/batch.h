#pragma once
// Many runs of a generated program in one process: each line of a file is a command line, its words
// apart by tabs. What a run prints is followed by a line "== NUMBER EXITCODE", so that whoever
// reads it knows which run a message is from, and which one the process died in.

#include <fstream>
#include <iostream>
#include <string>
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

/// Runs every line of `file`; 0 where all could be read.
inline int run(const char* binary, const char* file) {
  std::ifstream lines(file);
  std::string line;
  for (unsigned number = 0; std::getline(lines, line); ++number) {
    const std::vector<std::string> words = words_of(line);
    std::vector<char*> argv{const_cast<char*>(binary)};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    const int code = host::run_main(static_cast<int>(argv.size()), argv.data());
    std::cout << "== " << number << ' ' << code << std::endl;
  }
  return lines.eof() ? 0 : 1;
}

}  // namespace vertigo::batch
