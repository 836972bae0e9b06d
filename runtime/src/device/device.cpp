#include "device.h"

#include <algorithm>
#include <string>

#include "check.h"
#include "cooperative.h"
#include "vertigo/device/buffers.cuh"

namespace vertigo::gpu::detail {

Device::Device(unsigned number) {
  check(cudaSetDevice(static_cast<int>(number)), "start CUDA on GPU " + std::to_string(number));
  processors = attribute_of_device(cudaDevAttrMultiProcessorCount);
  most_blocks = processors *
                std::max(1u, attribute_of_device(cudaDevAttrMaxThreadsPerMultiProcessor) / kBlock);
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
}

Device::~Device() {
  cudaStreamSynchronize(stream);
  forget_cooperative_launches(stream);
  cudaStreamDestroy(stream);
}

}  // namespace vertigo::gpu::detail
