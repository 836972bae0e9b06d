#include "ledger.h"

#include <algorithm>
#include <cstdio>

#include "../check.h"

namespace vertigo::gpu::hybrid {

namespace {

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
  return text;
}

}  // namespace

bool Ledger::is_empty() const {
  return std::ranges::all_of(entries_, [](const Entry& entry) { return entry.tasks == 0; });
}

std::string Ledger::in_words() const {
  std::string text;
  for (const Way way : kWays) {
    const Entry& entry = of(way);
    if (entry.tasks == 0) continue;
    text += (text.empty() ? "" : "; ") + std::string(text_of(way)) + " " +
            std::to_string(entry.tasks) + (entry.tasks == 1 ? " partition" : " partitions");
    if (entry.moved > 0) text += ", " + gpu::in_words(entry.moved) + " moved";
    text += ", " + gpu::in_words(entry.useful) + " read";
    if (way == Way::FromFile) text += ", " + milliseconds(entry.waited) + " waited";
  }
  return text;
}

std::vector<trace::Moved> Ledger::since(const Ledger& before) const {
  std::vector<trace::Moved> moved;
  for (const Way way : kWays) {
    const Entry& now = of(way);
    const Entry& then = before.of(way);
    if (now.tasks == then.tasks) continue;
    moved.push_back({.way = text_of(way),
                     .partitions = now.tasks - then.tasks,
                     .bytes = now.moved - then.moved,
                     .read = now.useful - then.useful,
                     .waited = now.waited - then.waited});
  }
  return moved;
}

}  // namespace vertigo::gpu::hybrid
