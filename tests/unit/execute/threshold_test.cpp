// The threshold of a sampled step: which places of a list are sampled, and what a rank of the
// samples makes of them.

#include "vertigo/execute/threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace vertigo::execute {
namespace {

float threshold(const std::vector<float>& samples, std::uint32_t rank) {
  const std::uint32_t bits = threshold_bits(rank, [&](std::uint32_t least) {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        samples, [=](float each) { return std::bit_cast<std::uint32_t>(each) >= least; }));
  });
  return std::bit_cast<float>(bits);
}

TEST(Threshold, IsTheRankedSampleOrSlightlyLess) {
  std::mt19937 random(1);
  std::lognormal_distribution<float> worth(-3, 4);
  std::vector<float> samples(kSamples);
  for (float& each : samples) each = worth(random);
  std::vector<float> sorted = samples;
  std::ranges::sort(sorted, std::greater<>());
  for (const std::uint32_t rank : {1U, 2U, 200U, 512U, 1023U, 1024U}) {
    const float wanted = sorted[rank - 1];
    const float found = threshold(samples, rank);
    EXPECT_LE(found, wanted) << rank;
    EXPECT_GT(found, wanted * (1 - 1.0F / 64)) << rank;
  }
}

// Whoever is worth most reaches it: a step with active vertices activates one.
TEST(Threshold, IsNeverAboveTheLargestSample) {
  for (const float only :
       {0.0F, 1e-45F, 1e-38F, 1.0F, 3.4e38F, std::numeric_limits<float>::infinity()})
    for (const std::uint32_t rank : {1U, 512U})
      EXPECT_FALSE(only < threshold({only}, rank)) << only;
  // No number compares below nothing: nobody waits for it.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(nan < threshold({nan, 1}, 1));
  EXPECT_FALSE(1.0F < threshold({nan, nan, 1}, 2));
}

TEST(Threshold, OfNoSampleIsZero) { EXPECT_EQ(threshold({}, 1), 0.0F); }

TEST(Threshold, RankIsAShareOfTheSamplesTaken) {
  EXPECT_EQ(rank_among(512, 1024), 512U);
  EXPECT_EQ(rank_among(512, 100), 50U);
  EXPECT_EQ(rank_among(1024, 3), 3U);
  EXPECT_EQ(rank_among(1, 7), 1U);
  EXPECT_EQ(rank_among(512, 0), 1U);
}

TEST(SampledPlace, LiesInTheListAndSpreadsOverIt) {
  for (const std::uint32_t length : {1U, 2U, 31U, 1024U, 65536U, 1000003U, 0xffffffffU}) {
    std::vector<unsigned> tenths(10);
    std::set<std::uint32_t> places;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const std::uint32_t place = sampled_place(i, length);
      ASSERT_LT(place, length);
      places.insert(place);
      ++tenths[std::uint64_t{place} * 10 / length];
    }
    if (length < kSamples) continue;
    EXPECT_GT(places.size(), kSamples / 2);
    for (const unsigned count : tenths) EXPECT_NEAR(count, kSamples / 10.0, 8);
  }
}

}  // namespace
}  // namespace vertigo::execute
