// Runs the Program IR of a file by the reference interpreter, with the command line that generated
// programs have: vertigo-interpret PROGRAM.vir GRAPH [options]. `vertigo run --interpret` calls it.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/host/run_main.h"
#include "vertigo/reference/interpreted_program.h"

namespace {

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw vertigo::Error(vertigo::ExitCode::Usage, std::string("cannot read ") + path);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: vertigo-interpret PROGRAM.vir GRAPH [options]\n";
    return static_cast<int>(vertigo::ExitCode::Usage);
  }
  try {
    const vertigo::reference::InterpretedProgram program(read_file(argv[1]));
    const vertigo::host::Target target = program.target();
    std::vector<const char*> arguments = {argv[0], "--interpret"};
    arguments.insert(arguments.end(), argv + 2, argv + argc);
    vertigo::host::Targets targets;
    targets.cpu = &target;
    const vertigo::host::Streams streams{std::cout, std::cerr};
    return vertigo::host::run_main(static_cast<int>(arguments.size()), arguments.data(), streams,
                                   targets);
  } catch (const vertigo::Error& error) {
    std::cerr << "vertigo-interpret: " << error.what() << "\n";
    return static_cast<int>(error.code());
  }
}
