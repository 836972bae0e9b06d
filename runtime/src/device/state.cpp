#include "state.h"

#include <algorithm>

#include "check.h"
#include "cooperative.h"
#include "vertigo/core/error.h"
#include "vertigo/device/session.cuh"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu::detail {

namespace {

/// The first run of a process on a device pays for the context. The calling thread's device from
/// now on.
void begin_on(unsigned device) {
  check(cudaSetDevice(static_cast<int>(device)), "start CUDA on GPU " + std::to_string(device));
}

}  // namespace

State::State(const host::RunRequest& r, const host::ProgramInfo& i, Room for_preparing, bool dry)
    : request(r), info(i), room(for_preparing), dry_run(dry) {
  begin_on(request.device);
  processors = attribute_of_device(cudaDevAttrMultiProcessorCount);
  most_blocks = processors *
                std::max(1u, attribute_of_device(cudaDevAttrMaxThreadsPerMultiProcessor) / kBlock);
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
}

State::~State() {
  // Errors are left alone here: whoever waits for the results sees them first.
  cudaStreamSynchronize(stream);
  forget_cooperative_launches(stream);
  if (host_words != nullptr) cudaFreeHost(host_words);
  cudaStreamDestroy(stream);
}

void State::declare_word(void** place, const char* name) {
  for (const Word& known : words)
    if (known.place == place) return;
  words.push_back({place, name});
}

const std::uint64_t* State::read_words() {
  check(cudaMemcpyAsync(host_words, device_words, word_bytes(), cudaMemcpyDeviceToHost, stream),
        "read the step's result");
  check(cudaStreamSynchronize(stream), "run the kernels of this step");
  return host_words;
}

const execute::Chosen& State::choose(unsigned index) const {
  const auto [known, is_new] = choices.try_emplace(index);
  if (is_new)
    known->second =
        execute::choose_variant(info.phases[index], request, [&](const host::VariantInfo& variant) {
          return payoff_of_preparation(variant, request, room);
        });
  return known->second;
}

void State::begin_run() {
  host::Timing timing = std::move(result.timing);
  result = host::RunResult();
  result.timing = std::move(timing);
  result.balance = balance;
  summary_of_phase.clear();
  learnt.clear();
  known_list = nullptr;
  if (request.trace != nullptr) *request.trace = trace::Recorder();
  kept.drop();
  ++runs_begun;
  check(cudaStreamSynchronize(stream), "begin a run");
  run_start = Clock::now();
  running = true;
}

void State::finish_run() {
  if (!running) return;
  check(cudaStreamSynchronize(stream), "run the kernels");
  result.timing.run = seconds_since(run_start);
  result.timing.runs.push_back(result.timing.run);
  running = false;
  fetch_records();
}

void State::fetch_records() {
  if (request.trace != nullptr) kept.fetch(stream, *request.trace);
}

}  // namespace vertigo::gpu::detail
