#include "state.h"

#include <algorithm>

#include "check.h"
#include "vertigo/core/error.h"
#include "vertigo/device/session.cuh"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu::detail {

namespace {

/// Context, stream and device attributes; the first run of a process pays for the context.
unsigned attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "query the device");
  return static_cast<unsigned>(value);
}

}  // namespace

State::State(const host::RunRequest& r, const host::ProgramInfo& i, const std::vector<bool>& d,
             Room for_preparing, bool dry)
    : request(r), info(i), deterministic(d), room(for_preparing), dry_run(dry) {
  check(cudaSetDevice(0), "start CUDA");
  processors = attribute(cudaDevAttrMultiProcessorCount);
  most_blocks =
      processors * std::max(1u, attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / kBlock);
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
}

State::~State() {
  // Errors are left alone here: whoever waits for the results sees them first.
  cudaStreamSynchronize(stream);
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

Choice State::choose(unsigned index) const {
  // Asked at the beginning of every run of a phase, and the graph is not looked at twice.
  const auto [known, is_new] = choices.try_emplace(index);
  if (is_new) known->second = choose_now(index);
  return known->second;
}

Choice State::choose_now(unsigned index) const {
  const host::PhaseInfo& phase = info.phases[index];
  unsigned first = 0;
  for (unsigned i = 0; i < index; ++i)
    first += static_cast<unsigned>(info.phases[i].variants.size());
  const auto count = static_cast<unsigned>(phase.variants.size());
  const auto allowed = [&](unsigned variant) {
    return !request.deterministic || deterministic[first + variant];
  };

  const auto pinned = request.schedule.find(std::string(phase.name));
  if (pinned != request.schedule.end() && !pinned->second.empty()) {
    for (unsigned variant = 0; variant < count; ++variant) {
      if (phase.variants[variant].name != pinned->second) continue;
      if (allowed(variant)) return {variant, "pinned by --schedule"};
      throw Error(ExitCode::Usage, "phase '" + std::string(phase.name) + "': '" + pinned->second +
                                       "' adds floating values in no fixed order, which "
                                       "--deterministic rules out");
    }
    throw Error(ExitCode::Usage,
                "phase '" + std::string(phase.name) + "' has no schedule '" + pinned->second + "'");
  }
  const auto preferred = static_cast<unsigned>(phase.preferred);
  const Payoff payoff = payoff_of_preparation(phase.variants[preferred], request, room);
  if (allowed(preferred) && payoff.worth) return {preferred, payoff.reason};
  if (!payoff.worth)
    // The plan does not say what it would prefer next: an asynchronous push, where there is one, is
    // the best of the paths on most graphs.
    for (const bool wants_async : {true, false})
      for (unsigned variant = 0; variant < count; ++variant) {
        const std::string_view name = phase.variants[variant].name;
        if (allowed(variant) && name.starts_with("async-push") == wants_async &&
            payoff_of_preparation(phase.variants[variant], request, room).worth)
          return {variant, payoff.reason};
      }
  if (allowed(preferred)) return {preferred, "preferred by the plan"};
  for (unsigned variant = 0; variant < count; ++variant)
    if (allowed(variant)) return {variant, "the first that --deterministic permits"};
  throw Error(ExitCode::Usage, "phase '" + std::string(phase.name) +
                                   "' has no schedule that --deterministic permits");
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
