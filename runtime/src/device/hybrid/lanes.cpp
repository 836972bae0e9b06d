#include "lanes.h"

#include "../check.h"

namespace vertigo::gpu::hybrid {

namespace {

constexpr const char* kPurpose = "run tasks beside each other";

}  // namespace

Lanes::~Lanes() {
  for (const Lane& lane : lanes_) {
    if (lane.done != nullptr) cudaEventDestroy(lane.done);
    if (lane.stream != nullptr) cudaStreamDestroy(lane.stream);
  }
  if (forked_ != nullptr) cudaEventDestroy(forked_);
}

void Lanes::prepare() {
  for (Lane& lane : lanes_) {
    check(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking), "create a stream");
    lane.done = make_event();
  }
  forked_ = make_event();
}

void Lanes::fork(cudaStream_t stream) {
  check(cudaEventRecord(forked_, stream), kPurpose);
  used_ = turn_ = 0;
}

cudaStream_t Lanes::next() {
  const std::size_t at = turn_;
  turn_ = (turn_ + 1) % lanes_.size();
  if (at == used_) {
    check(cudaStreamWaitEvent(lanes_[at].stream, forked_), kPurpose);
    ++used_;
  }
  return lanes_[at].stream;
}

void Lanes::join(cudaStream_t stream) {
  for (; used_ > 0; --used_) {
    const Lane& lane = lanes_[used_ - 1];
    check(cudaEventRecord(lane.done, lane.stream), kPurpose);
    check(cudaStreamWaitEvent(stream, lane.done), kPurpose);
  }
}

void Lanes::finish() {
  for (const Lane& lane : lanes_)
    if (lane.stream != nullptr) cudaStreamSynchronize(lane.stream);
}

}  // namespace vertigo::gpu::hybrid
