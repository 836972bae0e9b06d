#include "host/target_choice.h"

#include "vertigo/core/error.h"

namespace vertigo::host {
namespace {

// Where nvcc was not there when the runtime was built, no advice to compile again would help.
#ifdef VERTIGO_HAS_GPU_RUNTIME
constexpr const char* kNoGpuCode = "this binary has no GPU code (compile with --target=gpu)";
#else
constexpr const char* kNoGpuCode =
    "this binary has no GPU code, and this vertigo was built without nvcc";
#endif
constexpr const char* kNoCpuCode = "this binary has no CPU code (compile with --target=cpu)";

std::string reason_against(const Target& target, unsigned device) {
  return target.unusable == nullptr ? "" : target.unusable(device);
}

}  // namespace

std::string name_of(TargetKind kind) { return kind == TargetKind::Cpu ? "cpu" : "gpu"; }

TargetChoice choose_target(TargetWish wish, std::optional<unsigned> device,
                           const Targets& targets) {
  const auto refuse = [](const std::string& reason) -> TargetChoice {
    throw Error(ExitCode::DeviceUnusable, reason);
  };
  if (wish == TargetWish::Cpu)
    return targets.cpu != nullptr ? TargetChoice{targets.cpu, "asked for"} : refuse(kNoCpuCode);

  const std::string against_gpu =
      targets.gpu == nullptr ? kNoGpuCode : reason_against(*targets.gpu, device.value_or(0));
  if (wish == TargetWish::Gpu || device)
    return against_gpu.empty() ? TargetChoice{targets.gpu, "asked for"} : refuse(against_gpu);

  if (against_gpu.empty()) return {targets.gpu, "auto: a usable GPU is there"};
  if (targets.cpu == nullptr) return refuse(against_gpu + "; " + kNoCpuCode);
  return {targets.cpu, "auto: " + against_gpu};
}

}  // namespace vertigo::host
