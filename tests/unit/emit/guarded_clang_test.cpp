#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <new>
#include <stdexcept>

#include "compiler/driver/GuardedClang.h"

namespace vertigo::compiler::driver {
namespace {

TEST(GuardedClang, ACrashIsAnAnswer) {
  EXPECT_EQ(run_clang([] { ::raise(SIGSEGV); }), "it was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(run_clang([] {}), "");  // and the next work is done
}

TEST(GuardedClang, ACrashForLackOfMemoryIsLackOfMemory) {
  const auto crash = [] {
    errno = ENOMEM;
    ::raise(SIGSEGV);
  };
  EXPECT_THROW(run_clang(crash), std::bad_alloc);
}

TEST(GuardedClang, AnErrorOfBeforeIsNoReason) {
  errno = ENOMEM;
  EXPECT_NE(run_clang([] { ::raise(SIGSEGV); }), "");
}

TEST(GuardedClang, WhatIsThrownArrives) {
  EXPECT_THROW(run_clang([] { throw std::length_error("long"); }), std::length_error);
}

}  // namespace
}  // namespace vertigo::compiler::driver
