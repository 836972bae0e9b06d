#include "vertigo/core/memory.h"

#include <gtest/gtest.h>

#include "vertigo/core/error.h"

namespace vertigo {
namespace {

TEST(Memory, FormatsSizes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 30), "3.0 GiB");
}

TEST(Memory, RefusesMoreThanThereIs) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 20);
  require_memory(1, "one byte");
  try {
    require_memory(~std::uint64_t{0} - 1, "the impossible");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::OutOfMemory);
    EXPECT_NE(error.message().find("the impossible needs"), std::string::npos);
  }
}

}  // namespace
}  // namespace vertigo
