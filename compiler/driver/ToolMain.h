#pragma once
// What every program of the compiler does before and after its work.

#include <functional>
#include <string>
#include <vector>

namespace vertigo::compiler::driver {

class ToolMain {
 public:
  /// The first thing in main(): streams, signals, what happens where memory ends.
  ToolMain(int argc, const char* const* argv);

  /// LLVM's options, with the usage error told on stderr where it is false. A word that begins with
  /// '@' is a file of that name; LLVM alone would read options from it, without a bound.
  bool parse_options(const char* overview) const;

  /// The program's exit code; that for memory where none was left.
  int run(const std::function<int()>& body) const;

 private:
  std::vector<std::string> words_;
};

}  // namespace vertigo::compiler::driver
