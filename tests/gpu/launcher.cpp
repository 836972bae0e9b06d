// Runs generated programs that were built as shared objects: `launcher PROGRAM.so… ARGUMENTS…`,
// `launcher PROGRAM.so… --batch FILE` for many command lines, `--together FILE` for many at the
// same time (tests/run/batch.h). The GPU suite holds the runtime once, in this executable, instead
// of once in every program.

#include <dlfcn.h>

#include <cstdio>
#include <string_view>

#include "../run/batch.h"

int main(int argc, char** argv) {
  int programs = 0;
  while (programs + 1 < argc && std::string_view(argv[programs + 1]).ends_with(".so")) ++programs;
  if (programs == 0) {
    std::fprintf(stderr, "usage: %s PROGRAM.so... ARGUMENTS...\n", argv[0]);
    return 2;
  }
  // Their static initialisers register the programs' targets.
  for (int i = 1; i <= programs; ++i)
    if (dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
  argc -= programs;
  argv += programs;
  if (argc == 3 && argv[1] == std::string_view("--batch"))
    return vertigo::batch::run(argv[0], argv[2]);
  if (argc == 3 && argv[1] == std::string_view("--together"))
    return vertigo::batch::run_together(argv[0], argv[2]);
  return vertigo::host::run_process(argc, argv, 0);
}
