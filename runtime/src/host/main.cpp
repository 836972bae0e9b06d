// main() of every generated binary.
#include "vertigo/core/process.h"
#include "vertigo/host/program.h"

namespace {

[[gnu::constructor(102)]] void watch_openmp() { vertigo::watch_library_exits(); }

}  // namespace

int main(int argc, char** argv) {
  const vertigo::ProcessGuard guard;
  return vertigo::host::run_process(argc, argv);
}
