#pragma once
// Which target runs, and why.

#include <optional>
#include <string>

#include "host/command_line.h"
#include "vertigo/host/run_main.h"

namespace vertigo::host {

struct TargetChoice {
  const Target* target = nullptr;
  std::string reason;  ///< in one line
};

/// `auto` takes the GPU where the binary has code for it and the machine can run that, else the
/// CPU. A target that is asked for is never replaced, nor is a device: Error(DeviceUnusable) with
/// the reason.
TargetChoice choose_target(TargetWish wish, std::optional<unsigned> device, const Targets& targets);

/// "cpu" or "gpu".
std::string name_of(TargetKind kind);

}  // namespace vertigo::host
