#include "tests/fuzz/frontend_input.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  vertigo::fuzz::try_frontend({reinterpret_cast<const char*>(data), size});
  return 0;
}
