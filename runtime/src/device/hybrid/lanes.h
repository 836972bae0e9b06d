#pragma once
// Streams beside the session's, on which the tasks of one launch run at the same time: the longest
// list of a partition holds up its kernel, and nothing that is on another lane.

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace vertigo::gpu::hybrid {

class Lanes {
 public:
  Lanes() = default;
  ~Lanes();
  Lanes(const Lanes&) = delete;

  void prepare();
  /// What comes on the lanes follows what is on `stream` now.
  void fork(cudaStream_t stream);
  /// The lane of the next task.
  cudaStream_t next();
  /// What comes on `stream` follows what is on the lanes.
  void join(cudaStream_t stream);
  /// Waits for all of them.
  void finish();

 private:
  /// A device runs more kernels at once; more than slots could feed are of no use.
  static constexpr std::size_t kLanes = 8;
  struct Lane {
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
  };

  std::array<Lane, kLanes> lanes_;
  cudaEvent_t forked_ = nullptr;
  std::size_t used_ = 0;  ///< lanes since the fork
  std::size_t turn_ = 0;
};

}  // namespace vertigo::gpu::hybrid
