#include "host/target_start.h"

#include <exception>
#include <iterator>
#include <system_error>

namespace vertigo::host {

void TargetStart::begin(const Target& target, unsigned device) {
  if (target.start == nullptr) return;
  const auto start = [this, &target, device] {
    try {
      const trace::StageScope stage(stages_, "start device");
      target.start(device);
    } catch (const std::exception&) {
      // The run will say it.
    }
  };
  try {
    thread_ = std::thread(start);
  } catch (const std::system_error&) {
    // The run starts the device.
  }
}

void TargetStart::finish(std::vector<trace::Stage>& stages) {
  join();
  std::move(stages_.begin(), stages_.end(), std::back_inserter(stages));
  stages_.clear();
}

}  // namespace vertigo::host
