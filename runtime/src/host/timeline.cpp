#include "host/timeline.h"

#include <algorithm>
#include <cmath>

#include "host/text.h"

namespace vertigo::host {
namespace {

constexpr double kShortest = 0.01;  // of the whole
constexpr double kWidth = 40;

std::string bar(double begin, double end, double wall) {
  const auto place = [&](double at) {
    return static_cast<std::size_t>(std::lround(std::clamp(at / wall, 0.0, 1.0) * kWidth));
  };
  const std::size_t from = place(begin);
  const std::size_t width = std::max<std::size_t>(place(end) - from, 1);
  std::string text(static_cast<std::size_t>(kWidth) + 1, ' ');
  return text.replace(from, width, width, '=');
}

}  // namespace

std::string timeline_text(const std::vector<trace::Stage>& stages, double wall) {
  std::string text = "wall        " + format_seconds(wall) + " since the process began";
  std::size_t longest = 0;
  for (const trace::Stage& stage : stages) longest = std::max(longest, stage.name.size());
  for (const trace::Stage& stage : stages) {
    if (wall <= 0 || stage.end - stage.begin < kShortest * wall) continue;
    text += "\n  " + stage.name + std::string(longest - stage.name.size(), ' ') + " |" +
            bar(stage.begin, stage.end, wall) + "| " + format_seconds(stage.end - stage.begin);
  }
  return text;
}

}  // namespace vertigo::host
