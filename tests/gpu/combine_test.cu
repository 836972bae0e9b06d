// Many threads combine into few places at the same time: nothing is lost, and whoever changed a
// value says so. Exit code 1, and one line for each difference, where that is not so.

#include <cstdio>
#include <string>
#include <vector>

#include "device_array.h"
#include "vertigo/device/generated.cuh"

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

int failures = 0;

constexpr unsigned kBlocks = 4;
constexpr unsigned kEach = 6;  // values of a thread
constexpr unsigned kThreads = kBlocks * kBlock;

/// A function of a program's own: greatest common divisor of what is there, 0 for nothing.
struct Divisor {
  __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    while (b != 0) {
      const std::int64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};

/// Which place a thread goes to: all to one, neighbours to the same, each to its own, or none.
__host__ __device__ unsigned place_of(unsigned spread, unsigned thread, unsigned turn) {
  return spread == 0 ? 0 : (thread / spread * 7 + turn) % 64;
}
__device__ bool takes_part(unsigned thread, unsigned turn) { return (thread + turn) % 5 != 0; }

__global__ void __launch_bounds__(kBlock)
    add(unsigned spread, bool cancels, Wide64* sums, unsigned* told) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < kEach; ++turn) {
    if (!takes_part(thread, turn)) continue;
    const unsigned place = place_of(spread, thread, turn);
    const int sign = cancels && turn % 2 != 0 ? -1 : 1;
    if (combine_sum(sums[place], Wide64{sign * static_cast<int>(1 + thread % 9)}))
      atomicAdd(told + place, 1u);
  }
}

__global__ void __launch_bounds__(kBlock)
    divide(unsigned spread, std::int64_t* divisors, unsigned* told) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < kEach; ++turn) {
    if (!takes_part(thread, turn)) continue;
    const unsigned place = place_of(spread, thread, turn);
    if (combine_with(divisors[place], std::int64_t{12} * (1 + thread % 9), Divisor{}))
      atomicAdd(told + place, 1u);
  }
}

/// Of both signs where the type has two.
template <class T>
__host__ __device__ T number_of(unsigned thread, unsigned turn) {
  const int number = static_cast<int>((thread * 7919 + turn * 104729) % 201);
  return static_cast<T>(kLowest<T> < T{0} ? number - 100 : number);
}

template <class T>
__global__ void __launch_bounds__(kBlock)
    find_extremes(unsigned spread, T* least, T* most, unsigned* told) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < kEach; ++turn) {
    const unsigned place = place_of(spread, thread, turn);
    const T number = number_of<T>(thread, turn);
    if (combine_min(least[place], number)) atomicAdd(told + place, 1u);
    if (combine_max(most[place], number)) atomicAdd(told + place, 1u);
  }
}

/// The same by lanes that combine first, of integers that the hardware adds.
__global__ void __launch_bounds__(kBlock)
    add_joined(unsigned spread, bool cancels, std::int64_t* sums, unsigned* told) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < kEach; ++turn) {
    if (!takes_part(thread, turn)) continue;
    const unsigned place = place_of(spread, thread, turn);
    const int sign = cancels && turn % 2 != 0 ? -1 : 1;
    if (combine_sum_joined(sums[place], std::int64_t{sign} * (1 + thread % 9), std::int64_t{0}))
      atomicAdd(told + place, 1u);
  }
}

/// What nobody is told of: each thread keeps it until the place changes.
__global__ void __launch_bounds__(kBlock)
    send_held(unsigned spread, std::int64_t* sums, float* least, std::int64_t* divisors) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  Held sums_held(sums, Sum{}, std::int64_t{0});
  Held least_held(least, Min{}, kInfinity<float>);
  Held divisors_held(divisors, Divisor{}, std::int64_t{0});
  for (unsigned turn = 0; turn < kEach; ++turn) {
    if (!takes_part(thread, turn)) continue;
    const unsigned place = place_of(spread, thread, turn);
    hold(sums_held, place, 1 + thread % 9);
    // What is no number comes first at many places and is no minimum.
    hold(least_held, place, turn % 2 == 0 ? 0.0f / static_cast<float>(turn % 2) : 1.0f + place);
    hold(divisors_held, place, std::int64_t{12} * (1 + thread % 9));
  }
}

void expect(bool holds, const std::string& what, unsigned spread) {
  if (holds) return;
  ++failures;
  std::printf("differs: %s, %u threads to a place\n", what.c_str(), spread);
}

/// What each place is given: sum of the values, greatest common divisor, number of values.
struct Given {
  std::vector<std::int64_t> sums = std::vector<std::int64_t>(64, 0);
  std::vector<std::int64_t> divisors = std::vector<std::int64_t>(64, 0);
  std::vector<float> least = std::vector<float>(64, kInfinity<float>);
  std::vector<unsigned> values = std::vector<unsigned>(64, 0);
};

Given given(unsigned spread, bool cancels) {
  Given result;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    for (unsigned turn = 0; turn < kEach; ++turn) {
      if ((thread + turn) % 5 == 0) continue;
      const unsigned place = place_of(spread, thread, turn);
      const std::int64_t value = 1 + thread % 9;
      result.sums[place] += cancels && turn % 2 != 0 ? -value : value;
      std::int64_t a = result.divisors[place], b = 12 * value;
      while (b != 0) {
        const std::int64_t rest = a % b;
        a = b;
        b = rest;
      }
      result.divisors[place] = a;
      if (turn % 2 != 0) result.least[place] = 1.0f + static_cast<float>(place);
      ++result.values[place];
    }
  return result;
}

void try_sums(unsigned spread, bool cancels) {
  const Array<Wide64> sums(std::vector<Wide64>(64, Wide64{0}));
  const Array<unsigned> told(std::vector<unsigned>(64, 0));
  add<<<kBlocks, kBlock>>>(spread, cancels, sums.get(), told.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const Given expected = given(spread, cancels);
  const std::vector<Wide64> found = sums.values();
  const std::vector<unsigned> said = told.values();
  for (unsigned place = 0; place < 64; ++place) {
    expect(static_cast<double>(found[place]) == static_cast<double>(expected.sums[place]),
           "sum in place " + std::to_string(place), spread);
    // One word for several values is enough, but a place that was given any must be told of.
    expect(
        said[place] <= expected.values[place] && (said[place] > 0) == (expected.values[place] > 0),
        "who tells of place " + std::to_string(place), spread);
  }
}

template <class T>
void try_extremes(unsigned spread, const char* type) {
  std::vector<T> lowest(64, kInfinity<T>);
  std::vector<T> highest(64, kLowest<T>);
  const Array<T> least(lowest);
  const Array<T> most(highest);
  const Array<unsigned> told(std::vector<unsigned>(64, 0));
  find_extremes<<<kBlocks, kBlock>>>(spread, least.get(), most.get(), told.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  for (unsigned thread = 0; thread < kThreads; ++thread)
    for (unsigned turn = 0; turn < kEach; ++turn) {
      const unsigned place = place_of(spread, thread, turn);
      const T number = number_of<T>(thread, turn);
      if (number < lowest[place]) lowest[place] = number;
      if (highest[place] < number) highest[place] = number;
    }
  const std::vector<T> found_least = least.values();
  const std::vector<T> found_most = most.values();
  const std::vector<unsigned> said = told.values();
  for (unsigned place = 0; place < 64; ++place) {
    const std::string where = std::string(" of ") + type + " in place " + std::to_string(place);
    expect(found_least[place] == lowest[place], "minimum" + where, spread);
    expect(found_most[place] == highest[place], "maximum" + where, spread);
    expect((said[place] > 1) == (lowest[place] < kInfinity<T>), "who tells of the extremes" + where,
           spread);
  }
}

void try_extremes_of_all(unsigned spread) {
  try_extremes<std::int32_t>(spread, "int32");
  try_extremes<std::int64_t>(spread, "int64");
  try_extremes<std::uint32_t>(spread, "uint32");
  try_extremes<std::uint64_t>(spread, "uint64");
  try_extremes<float>(spread, "float32");
  try_extremes<double>(spread, "float64");
  try_extremes<Wide64>(spread, "wide64");
}

void try_joined(unsigned spread, bool cancels) {
  const Array<std::int64_t> sums(std::vector<std::int64_t>(64, 0));
  const Array<unsigned> told(std::vector<unsigned>(64, 0));
  add_joined<<<kBlocks, kBlock>>>(spread, cancels, sums.get(), told.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const Given expected = given(spread, cancels);
  const std::vector<unsigned> said = told.values();
  expect(sums.values() == expected.sums, "joined sums", spread);
  for (unsigned place = 0; place < 64; ++place)
    expect(
        said[place] <= expected.values[place] && (said[place] > 0) == (expected.values[place] > 0),
        "who tells of the joined place " + std::to_string(place), spread);
}

void try_held(unsigned spread) {
  const Array<std::int64_t> sums(std::vector<std::int64_t>(64, 0));
  const Array<float> least(std::vector<float>(64, kInfinity<float>));
  const Array<std::int64_t> divisors(std::vector<std::int64_t>(64, 0));
  send_held<<<kBlocks, kBlock>>>(spread, sums.get(), least.get(), divisors.get());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const Given expected = given(spread, false);
  expect(sums.values() == expected.sums, "held sums", spread);
  expect(least.values() == expected.least, "held minima", spread);
  expect(divisors.values() == expected.divisors, "held divisors", spread);
}

void try_divisors(unsigned spread) {
  const Array<std::int64_t> divisors(std::vector<std::int64_t>(64, 0));
  for (const bool again : {false, true}) {
    const Array<unsigned> told(std::vector<unsigned>(64, 0));
    divide<<<kBlocks, kBlock>>>(spread, divisors.get(), told.get());
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    const Given expected = given(spread, false);
    const std::vector<unsigned> said = told.values();
    for (unsigned place = 0; place < 64; ++place)
      expect((said[place] > 0) == (!again && expected.values[place] > 0),
             "who tells of divisor " + std::to_string(place), spread);
    expect(divisors.values() == expected.divisors, "greatest common divisors", spread);
  }
}

}  // namespace

int main() try {
  unsigned tried = 0;
  for (const unsigned spread : {0u, 1u, 3u, 32u, 300u}) {
    tried += 7;
    try_extremes_of_all(spread);
    try_sums(spread, false);
    try_sums(spread, true);
    try_joined(spread, false);
    try_joined(spread, true);
    try_held(spread);
    try_divisors(spread);
  }
  std::printf("%u ways, %d differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
