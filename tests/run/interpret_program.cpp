// interpret_program PROGRAM.vir GRAPH [options]: the command line of a generated binary for a
// program that is interpreted; interpret_program PROGRAM.vir --batch FILE: many of them (batch.h).
// Tests run the programs with it that no target can compile.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>
#include <vector>

#include "batch.h"
#include "vertigo/core/error.h"
#include "vertigo/host/run_main.h"
#include "vertigo/reference/interpreted_program.h"

int main(int count, char** words) {
  using namespace vertigo;
  std::ifstream file(count < 2 ? "" : words[1]);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    std::cerr << "usage: interpret_program PROGRAM.vir GRAPH [options]\n";
    return static_cast<int>(ExitCode::Usage);
  }
  const char* const name = words[1];
  try {
    const reference::InterpretedProgram program(text.str());
    const host::Target target = program.target();
    const auto interpret = [&](int argc, char** argv) {
      std::vector<const char*> line(argv, argv + argc);
      line.push_back("--interpret");
      return host::run_main(static_cast<int>(line.size()), line.data(), {std::cout, std::cerr},
                            {.cpu = &target});
    };
    if (count == 4 && words[2] == std::string_view("--batch"))
      return batch::run(words[0], words[3], interpret);
    words[1] = words[0];
    return interpret(count - 1, words + 1);
  } catch (const Error& error) {
    std::cerr << name << ": " << error.what() << "\n";
    return static_cast<int>(error.code());
  }
}
