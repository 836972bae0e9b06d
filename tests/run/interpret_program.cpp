// interpret_program PROGRAM.vir GRAPH [options]: the command line of a generated binary for a
// program that is interpreted. Tests run the programs with it that no target can compile.
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

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
  try {
    const reference::InterpretedProgram program(text.str());
    const host::Target target = program.target();
    std::vector<const char*> line{words[0]};
    line.insert(line.end(), words + 2, words + count);
    line.push_back("--interpret");
    return host::run_main(static_cast<int>(line.size()), line.data(), {std::cout, std::cerr},
                          {.cpu = &target});
  } catch (const Error& error) {
    std::cerr << words[1] << ": " << error.what() << "\n";
    return static_cast<int>(error.code());
  }
}
