// Many threads combine tuples of more than 64 bits into few places, take what is there and read
// it: nothing is lost, nobody reads half of a tuple, and whoever changed one says so. By the
// device's own compare-and-swap, if it has one, and by locks. Exit code 1, and one line for each
// difference, where that is not so.

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "device_array.h"
#include "vertigo/device/generated.cuh"
#include "vertigo/device/wide_atomics.cuh"

// Tuples that end with an int32 take locks here, whatever the device can do.
template <class First>
inline constexpr bool vertigo::gpu::detail::kTakesLocks<vertigo::gpu::Packed<First, std::int32_t>> =
    true;

namespace {

using namespace vertigo;
using namespace vertigo::gpu;

int failures = 0;

constexpr unsigned kPlaces = 64;
constexpr unsigned kEach = 6;  // values of a thread
constexpr unsigned kThreads = 4 * kBlock;
constexpr double kScale = 0.25;  // of the second element, in the first

/// Which place a thread goes to: all to one, neighbours to the same, or each to its own.
__host__ __device__ unsigned place_of(unsigned spread, unsigned thread, unsigned turn) {
  return spread == 0 ? 0 : (thread / spread * 7 + turn) % kPlaces;
}
__host__ __device__ bool takes_part(unsigned thread, unsigned turn) {
  return (thread + turn) % 5 != 0;
}
/// Ties in the first element are frequent, and both zeros occur in it.
template <class Second>
__host__ __device__ Tuple<double, Second> pair_of(unsigned thread, unsigned turn) {
  const unsigned mixed = (thread * 2654435761u + turn * 40503u) >> 7;
  const unsigned first = mixed % 16;
  const double zero = mixed / 16 % 2 == 0 ? -0.0 : 0.0;
  return {first == 0 ? zero : 1e-300 * first - 3e-300, static_cast<Second>(mixed / 32 % 1000)};
}

template <class Count>
struct Add {
  __device__ Tuple<std::int64_t, Count> operator()(const Tuple<std::int64_t, Count>& a,
                                                   const Tuple<std::int64_t, Count>& b) const {
    return {get<0>(a) + get<0>(b), get<1>(a) + get<1>(b)};
  }
};

template <class Second>
__global__ void __launch_bounds__(kBlock) extremes(unsigned spread, Packed<double, Second>* least,
                                                   Packed<double, Second>* most, unsigned* told) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < kEach; ++turn) {
    if (!takes_part(thread, turn)) continue;
    const unsigned place = place_of(spread, thread, turn);
    const Tuple<double, Second> pair = pair_of<Second>(thread, turn);
    if (combine_min(least[place], pair)) atomicAdd(told + place, 1u);
    if (combine_max(most[place], pair)) atomicAdd(told + kPlaces + place, 1u);
  }
}

/// Some threads add, others take meanwhile: the sums of both are what was added.
template <class Count>
__global__ void __launch_bounds__(kBlock)
    pass_on(unsigned spread, Packed<std::int64_t, Count>* slots, unsigned long long* taken) {
  using Counts = Tuple<std::int64_t, Count>;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 0; turn < kEach; ++turn) {
    const unsigned place = place_of(spread, thread, turn);
    if (takes_part(thread, turn)) {
      combine_with(slots[place], Counts(1, -3), Add<Count>{});
    } else {
      const Counts here = take(slots[place], Counts(0, 0));
      atomicAdd(taken, static_cast<unsigned long long>(get<0>(here)));
      atomicAdd(taken + 1, static_cast<unsigned long long>(std::int64_t{get<1>(here)}));
    }
  }
}

/// Both halves of what is written name the same number.
template <class Second>
__global__ void __launch_bounds__(kBlock)
    read_whole(Packed<double, Second>* slot, Tuple<double, Second>* state, unsigned* torn) {
  using Pair = Tuple<double, Second>;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned turn = 1; turn < 100; ++turn) {
    const auto number = static_cast<Second>(turn * kThreads + thread);
    if (thread % 64 == 0) combine_max(*slot, Pair(kScale * number, number));
    if (thread == 1) store_relaxed(*state, Pair(kScale * number, number));
    const Pair a = load_relaxed(*slot);
    const Pair b = load_relaxed(*state);
    if (get<0>(a) != kScale * get<1>(a) || get<0>(b) != kScale * get<1>(b)) atomicAdd(torn, 1u);
  }
}

void expect(bool holds, const std::string& what, unsigned spread) {
  if (holds) return;
  ++failures;
  std::printf("differs: %s, %u threads to a place\n", what.c_str(), spread);
}

void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <class Second>
std::pair<double, Second> plain(const Tuple<double, Second>& pair) {
  return {get<0>(pair), get<1>(pair)};
}

/// What each place is given, by the standard library's pairs.
template <class Second>
struct Expected {
  using Plain = std::pair<double, Second>;
  std::vector<Plain> least = std::vector<Plain>(kPlaces, {kInfinity<double>, 1 << 20});
  std::vector<Plain> most = std::vector<Plain>(kPlaces, {-kInfinity<double>, 0});
  std::vector<bool> given = std::vector<bool>(kPlaces);

  explicit Expected(unsigned spread) {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      for (unsigned turn = 0; turn < kEach; ++turn) {
        if (!takes_part(thread, turn)) continue;
        const unsigned place = place_of(spread, thread, turn);
        const Plain pair = plain(pair_of<Second>(thread, turn));
        least[place] = std::min(least[place], pair);
        most[place] = std::max(most[place], pair);
        given[place] = true;
      }
  }
};

template <class Second>
void try_extremes(unsigned spread) {
  using Pair = Tuple<double, Second>;
  using Slot = Packed<double, Second>;
  const Array<Slot> least(std::vector<Slot>(kPlaces, Pair(kInfinity<double>, 1 << 20)));
  const Array<Slot> most(std::vector<Slot>(kPlaces, Pair(-kInfinity<double>, 0)));
  const Expected<Second> expected(spread);
  for (const bool again : {false, true}) {
    const Array<unsigned> told(std::vector<unsigned>(2 * kPlaces, 0));
    extremes<Second><<<kThreads / kBlock, kBlock>>>(spread, least.get(), most.get(), told.get());
    finish();
    const std::vector<Slot> low = least.values();
    const std::vector<Slot> high = most.values();
    const std::vector<unsigned> said = told.values();
    for (unsigned place = 0; place < kPlaces; ++place) {
      const std::string where = " of place " + std::to_string(place);
      const bool tells = expected.given[place] && !again;
      expect(plain<Second>(low[place]) == expected.least[place], "minimum" + where, spread);
      expect(plain<Second>(high[place]) == expected.most[place], "maximum" + where, spread);
      expect((said[place] > 0) == tells, "who tells of the minimum" + where, spread);
      expect((said[kPlaces + place] > 0) == tells, "who tells of the maximum" + where, spread);
    }
  }
}

template <class Count>
void try_passing_on(unsigned spread) {
  using Counts = Tuple<std::int64_t, Count>;
  using Slot = Packed<std::int64_t, Count>;
  const Array<Slot> slots(std::vector<Slot>(kPlaces, Counts(0, 0)));
  const Array<unsigned long long> taken(std::vector<unsigned long long>(2, 0));
  pass_on<Count><<<kThreads / kBlock, kBlock>>>(spread, slots.get(), taken.get());
  finish();
  std::int64_t added = 0;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    for (unsigned turn = 0; turn < kEach; ++turn) added += takes_part(thread, turn);
  auto ones = static_cast<std::int64_t>(taken.values()[0]);
  auto threes = static_cast<std::int64_t>(taken.values()[1]);
  for (const Counts left : slots.values()) {
    ones += get<0>(left);
    threes += get<1>(left);
  }
  expect(ones == added && threes == -3 * added, "sums that were taken", spread);
}

template <class Second>
void try_reading() {
  using Pair = Tuple<double, Second>;
  using Slot = Packed<double, Second>;
  const Array<Slot> slot(std::vector<Slot>(1, Pair(0, 0)));
  const Array<Pair> state(std::vector<Pair>(1, Pair(0, 0)));
  const Array<unsigned> torn(std::vector<unsigned>(1, 0));
  read_whole<Second><<<kThreads / kBlock, kBlock>>>(slot.get(), state.get(), torn.get());
  finish();
  expect(torn.values()[0] == 0, "halves of what was read", 0);
}

}  // namespace

int main() try {
  unsigned tried = 2;
  try_reading<Vertex>();
  try_reading<std::int32_t>();
  for (const unsigned spread : {0u, 1u, 3u, 32u, 300u}) {
    tried += 4;
    try_extremes<Vertex>(spread);
    try_extremes<std::int32_t>(spread);
    try_passing_on<std::int64_t>(spread);
    try_passing_on<std::int32_t>(spread);
  }
  std::printf("%u ways, %d differences\n", tried, failures);
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
