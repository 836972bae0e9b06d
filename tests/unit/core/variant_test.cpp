#include "vertigo/core/variant.h"

#include <gtest/gtest.h>

namespace vertigo {
namespace {

TEST(Variant, EveryNameIsReadBack) {
  std::vector<VariantKind> kinds{Hybrid{}, EngineName{"levels"}};
  for (const ExecutionPath& path : kExecutionPaths) kinds.emplace_back(path);
  for (const VariantKind& kind : kinds) EXPECT_EQ(read_variant(spelling(kind)), kind);
  EXPECT_EQ(spelling(kExecutionPaths.front()), "sync-push-data");
  EXPECT_EQ(spelling(kExecutionPaths.back()), "coloured-pull-topology");
}

TEST(Variant, OtherNamesAreNone) {
  for (const char* name :
       {"", "sync-push", "sync-push-dat", "sync-push-data-driven", "-", "push-sync-data"})
    EXPECT_FALSE(read_variant(name)) << name;
  EXPECT_FALSE(read_path("hybrid"));
  EXPECT_FALSE(read_path("levels"));
}

TEST(Variant, APathIsMadeOfItsChoices) {
  const auto choices = choices_of(*read_path("async-pull-data"));
  EXPECT_EQ(choices[0], (AxisValue{"timing", "async"}));
  EXPECT_EQ(choices[1], (AxisValue{"direction", "pull"}));
  EXPECT_EQ(choices[2], (AxisValue{"activation", "data-driven"}));
}

TEST(Variant, ValuesAreReadInEverySpelling) {
  EXPECT_EQ(read_axis_value("timing", "asynchronous"), "async");
  EXPECT_EQ(read_axis_value("activation", "data"), "data-driven");
  EXPECT_EQ(read_axis_value("activation", "topology-driven"), "topology-driven");
  EXPECT_FALSE(read_axis_value("timing", "push"));
  EXPECT_FALSE(read_axis_value("timing", "syncopated"));
  EXPECT_FALSE(read_axis_value("variant", "sync"));
}

}  // namespace
}  // namespace vertigo
