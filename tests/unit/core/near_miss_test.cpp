#include "vertigo/core/near_miss.h"

#include <gtest/gtest.h>

namespace vertigo {
namespace {

TEST(NearMiss, FindsTypingErrors) {
  const std::vector<std::string> names = {"--source", "--output", "--symmetrize"};
  EXPECT_EQ(near_miss("--sorce", names), "--source");
  EXPECT_EQ(near_miss("--ouptut", names), "--output");
  EXPECT_EQ(near_miss("--symetrise", names), "--symmetrize");
}

TEST(NearMiss, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(near_miss("--frobnicate", {"--source", "--output"}), std::nullopt);
  EXPECT_EQ(near_miss("x", {}), std::nullopt);
  EXPECT_EQ(near_miss(std::string(100000, 'a'), {std::string(100000, 'a')}), std::nullopt);
}

TEST(NearMiss, PrefersTheEarliestOfEquals) { EXPECT_EQ(near_miss("mim", {"min", "mix"}), "min"); }

}  // namespace
}  // namespace vertigo
