// Runs the Program IR of a file by the reference interpreter, with the command line that generated
// programs have: vertigo-interpret PROGRAM.vir GRAPH [options]. `vertigo run --interpret` calls it.

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "vertigo/core/failure.h"
#include "vertigo/core/header_function.h"
#include "vertigo/core/process.h"
#include "vertigo/host/run_main.h"
#include "vertigo/reference/interpreted_program.h"

namespace {

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  file.exceptions(std::ios::badbit);  // lack of memory is not the end of the file
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw vertigo::Error(vertigo::ExitCode::Usage, std::string("cannot read ") + path);
  return text;
}

// Functions of headers, which `vertigo run --interpret` has compiled. The library stays open.
void load_functions(std::string_view program, const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const void* functions =
      library == nullptr ? nullptr : dlsym(library, vertigo::kHeaderFunctionsSymbol);
  const void* count =
      library == nullptr ? nullptr : dlsym(library, vertigo::kHeaderFunctionCountSymbol);
  if (functions == nullptr || count == nullptr)
    throw vertigo::Error(vertigo::ExitCode::Usage,
                         std::string("cannot load functions: ") + dlerror());
  vertigo::add_header_functions(std::string(program).c_str(),
                                static_cast<const vertigo::HeaderFunction*>(functions),
                                *static_cast<const std::size_t*>(count));
}

int tell_failure() noexcept {
  try {
    const vertigo::Failure failure = vertigo::current_failure();
    std::cerr << "vertigo-interpret: " << failure.message << "\n";
    return static_cast<int>(failure.code);
  } catch (const std::exception&) {
    std::cerr << "vertigo-interpret: " << vertigo::kOutOfMemory << "\n";
    return static_cast<int>(vertigo::ExitCode::OutOfMemory);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const vertigo::ProcessGuard guard;
  const bool help =
      argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
  if (argc < 2 || help) {
    (help ? std::cout : std::cerr)
        << "usage: vertigo-interpret PROGRAM.vir [--functions LIBRARY] GRAPH [options]\n";
    return static_cast<int>(help ? vertigo::ExitCode::Done : vertigo::ExitCode::Usage);
  }
  try {
    const vertigo::reference::InterpretedProgram program(read_file(argv[1]));
    const vertigo::host::Target target = program.target();
    int next = 2;
    if (argc > 3 && std::strcmp(argv[2], "--functions") == 0) {
      load_functions(target.info->name, argv[3]);
      next = 4;
    }
    std::vector<const char*> arguments = {argv[0], "--interpret"};
    arguments.insert(arguments.end(), argv + next, argv + argc);
    vertigo::host::Targets targets;
    targets.cpu = &target;
    const vertigo::host::Streams streams{std::cout, std::cerr};
    return vertigo::host::run_main(static_cast<int>(arguments.size()), arguments.data(), streams,
                                   targets);
  } catch (...) {
    return tell_failure();
  }
}
