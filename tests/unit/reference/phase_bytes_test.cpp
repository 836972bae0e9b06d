// What --compare-schedules counts as bytes moved, by phase.
#include <gtest/gtest.h>

#include "programs.h"
#include "vertigo/reference/reference.h"

namespace vertigo::test {
namespace {

constexpr std::uint64_t kOffsets = 16, kId = 4;

TEST(PhaseBytes, CountWhatOneEdgeAndOneActivationName) {
  const auto bytes = reference::bytes_of_phases(kSssp);
  ASSERT_EQ(bytes.size(), 1u);
  // id, weight and message along an edge; offsets, `best` and `distance` of the vertex.
  EXPECT_EQ(bytes.at("main").per_edge, kId + 4 + 4);
  EXPECT_EQ(bytes.at("main").per_activation, kOffsets + 4 + 4);
}

TEST(PhaseBytes, CountEveryElementOfATuple) {
  EXPECT_EQ(reference::bytes_of_phases(kSsspTree).at("main").per_edge, kId + 4 + 8);
}

TEST(PhaseBytes, LeaveOutWhatThePhaseDoesNotRead) {
  EXPECT_EQ(reference::bytes_of_phases(kWcc).at("main").per_edge, kId + 4);
}

}  // namespace
}  // namespace vertigo::test
