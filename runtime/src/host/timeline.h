#pragma once
// What ran when, for people.

#include <string>
#include <vector>

#include "vertigo/trace/stage.h"

namespace vertigo::host {

/// A line that says how long the process has taken, and one with a bar for each stage that took a
/// hundredth of that or more. `stages`: in order. Without a final newline.
std::string timeline_text(const std::vector<trace::Stage>& stages, double wall);

}  // namespace vertigo::host
