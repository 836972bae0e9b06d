// libFuzzer target: any bytes given to the graph readers end in a well-formed graph or in one
// Error.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/graph_reader_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vertigo::fuzz::try_graph_reader({reinterpret_cast<const char*>(data), size});
  return 0;
}
