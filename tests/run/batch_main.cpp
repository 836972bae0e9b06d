// main() of a program that tests run many times: the usual command line, `--batch FILE` for many of
// them, or `--together FILE` for many at the same time.

#include <cstring>

#include "batch.h"

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--batch") == 0)
    return vertigo::batch::run(argv[0], argv[2]);
  if (argc == 3 && std::strcmp(argv[1], "--together") == 0)
    return vertigo::batch::run_together(argv[0], argv[2]);
  return vertigo::host::run_process(argc, argv, 0);
}
