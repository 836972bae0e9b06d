// Runs a generated program that was built as a shared object: `launcher PROGRAM.so ARGUMENTS…`, or
// `launcher PROGRAM.so --batch FILE` for many command lines (tests/run/batch.h). The GPU suite
// holds the runtime once, in this executable, instead of once in every program.

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "../run/batch.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s PROGRAM.so ARGUMENTS...\n", argv[0]);
    return 2;
  }
  // Its static initialisers register the program's targets.
  if (dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  if (argc == 4 && std::strcmp(argv[2], "--batch") == 0)
    return vertigo::batch::run(argv[1], argv[3]);
  return vertigo::host::run_main(argc - 1, argv + 1);
}
