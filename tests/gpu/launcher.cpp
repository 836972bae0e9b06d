// Runs a generated program that was built as a shared object: `launcher PROGRAM.so ARGUMENTS…`. The
// GPU suite holds the runtime once, in this executable, instead of once in every program.

#include <dlfcn.h>

#include <cstdio>

#include "vertigo/host/program.h"

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
  return vertigo::host::run_main(argc - 1, argv + 1);
}
