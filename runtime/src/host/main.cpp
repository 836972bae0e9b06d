// main() of every generated binary.
#include "host/interruption.h"
#include "vertigo/host/program.h"

int main(int argc, char** argv) {
  vertigo::host::clean_up_when_interrupted();
  return vertigo::host::run_main(argc, argv);
}
