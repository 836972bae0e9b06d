// Streams and events.

#include "device.h"

namespace emulator {

/// Does the next thing in the stream. A kernel runs together with those that other streams have
/// come to.
void Device::advance(CUstream_st& stream) {
  // It stands at the head while it waits, so that nothing behind it passes.
  const Action& head = stream.pending.front();
  if (head.awaited != nullptr) finish(*head.awaited, head.position);
  const Action action = take(stream);
  if (action.step) action.step();
  if (action.launch) {
    std::vector<Launch> together{*action.launch};
    std::vector<CUstream_st*> busy;
    for (const auto& other : streams) {
      if (other.get() == &stream || other->device != stream.device) continue;
      while (!other->pending.empty() && other->pending.front().step) {
        take(*other).step();
        ++other->done;
      }
      if (other->pending.empty() || !other->pending.front().launch) continue;
      together.push_back(*take(*other).launch);
      busy.push_back(other.get());
    }
    run(together);
    for (CUstream_st* const other : busy) ++other->done;
  }
  ++stream.done;
}

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t add(cudaStream_t given, Action action) {
  CUstream_st& stream = device().stream(given);
  // CUDA wants the stream's device to be the thread's own.
  if (stream.device != chosen) return note(cudaErrorInvalidResourceHandle);
  device().add(stream, std::move(action));
  return cudaSuccess;
}

}  // namespace emulator

using emulator::add;
using emulator::device;
using emulator::Lock;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const Lock lock(device().mutex);
  device().check_alive("cudaStreamCreateWithFlags");
  auto made = std::make_unique<CUstream_st>();
  made->device = emulator::chosen;
  made->waits_for_default = (flags & cudaStreamNonBlocking) == 0;
  *stream = made.get();
  device().streams.push_back(std::move(made));
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Lock lock(device().mutex);
  device().check_alive("cudaStreamDestroy");
  device().catch_up();
  std::erase_if(device().streams, [&](const auto& each) { return each.get() == stream; });
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t given) {
  const Lock lock(device().mutex);
  device().check_alive("cudaStreamSynchronize");
  CUstream_st& stream = device().stream(given);
  return device().finish(stream, stream.added), cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Lock lock(device().mutex);
  if (event->stream == nullptr) return cudaSuccess;
  return add(stream, {.awaited = event->stream, .position = event->position});
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Lock lock(device().mutex);
  const cudaError_t error =
      add(stream, {.step = [time = event->time] { *time = emulator::nanoseconds(); }});
  if (error != cudaSuccess) return error;
  event->stream = &device().stream(stream);
  event->position = event->stream->added;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Lock lock(device().mutex);
  if (event->stream != nullptr) device().finish(*event->stream, event->position);
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = static_cast<float>(static_cast<double>(*to->time - *from->time) / 1e6);
  return cudaSuccess;
}
