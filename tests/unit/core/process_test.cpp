#include "vertigo/core/process.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace vertigo {
namespace {

// What a page says that its file no longer has.
[[noreturn]] void read_behind_the_end() {
  const ProcessGuard guard;
  std::FILE* const file = std::tmpfile();
  const int descriptor = fileno(file);
  if (::ftruncate(descriptor, 8192) != 0) std::_Exit(1);
  const auto* const pages = static_cast<const volatile char*>(
      ::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, descriptor, 0));
  if (::ftruncate(descriptor, 0) != 0) std::_Exit(1);
  std::_Exit(pages[4096]);
}

TEST(ProcessGuard, SaysThatAMappedPageIsLost) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(read_behind_the_end(), testing::ExitedWithCode(3),
              "error: a page of a file that is in use can no longer be read");
}

// Nothing is known of a signal that somebody sends.
TEST(ProcessGuard, LeavesOtherBusErrorsAsTheyAre) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto raise = [] {
    const ProcessGuard guard;
    (void)std::raise(SIGBUS);
    std::_Exit(0);
  };
  EXPECT_EXIT(raise(), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace vertigo
