#include "vertigo/core/uninitialised.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

namespace vertigo {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
const std::size_t kSizes[] = {0,
                              1,
                              kHugePage / 2 - 1,
                              kHugePage / 2,
                              kHugePage,
                              kHugePage + 1,
                              kHugePage + kHugePage / 2 + 1,
                              3 * kHugePage - 5};

/// Kilobytes of address space.
long mapped() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmSize:")) return std::stol(line.substr(8));
  return -1;
}

TEST(Uninitialised, EveryByteIsTheOwners) {
  for (const std::size_t bytes : kSizes) {
    const std::shared_ptr<void> room = uninitialised(bytes);
    std::memset(room.get(), 7, bytes);
    if (bytes >= kHugePage / 2) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(room.get()) % kHugePage, 0u) << bytes;
    }
  }
}

TEST(Uninitialised, AddressSpaceGoesBack) {
  const auto all = [] {
    for (const std::size_t bytes : kSizes) std::memset(uninitialised(bytes).get(), 1, bytes);
  };
  all();
  const long before = mapped();
  for (int i = 0; i < 100; ++i) all();
  EXPECT_LT(mapped() - before, 2048);
}

TEST(Uninitialised, VectorsKeepWhatTheyAreGiven) {
  UninitialisedBytes bytes(3, std::byte{5});
  bytes.resize(kHugePage);
  EXPECT_EQ(bytes[2], std::byte{5});
  bytes.resize(2 * kHugePage, std::byte{9});
  EXPECT_EQ(bytes[0], std::byte{5});
  EXPECT_EQ(bytes[kHugePage], std::byte{9});
  EXPECT_EQ(bytes.back(), std::byte{9});
  const UninitialisedBytes copy = bytes;
  EXPECT_EQ(copy, bytes);
  EXPECT_THROW(UninitialisedBytes(PTRDIFF_MAX), std::bad_alloc);
}

}  // namespace
}  // namespace vertigo
