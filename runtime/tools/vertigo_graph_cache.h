#pragma once
// vertigo-graph cache: what runs keep of the graphs that they read.

#include <string>

namespace vertigo::tools {

/// Does `action` (list or clear) with the cache that the environment names, and says what there was
/// as text or JSON. Throws ExitCode::Usage for any other word.
std::string act_on_cache(const std::string& action, bool json);

}  // namespace vertigo::tools
