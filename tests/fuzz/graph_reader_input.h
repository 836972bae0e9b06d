#pragma once
// What the fuzz programs of the graph readers do with one input.

#include <string_view>

namespace vertigo::fuzz {

/// Three bytes pick the format, the options and how the file is stored (plain, compressed, with the
/// checksums of the cached form made right); the rest is the file. True where it is a graph, false
/// where it is refused as it should be; aborts where the graph is not well-formed or the refusal is
/// not one line of the right kind.
bool try_graph_reader(std::string_view input);

}  // namespace vertigo::fuzz
