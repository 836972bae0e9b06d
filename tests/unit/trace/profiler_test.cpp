#include "vertigo/trace/profiler.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace vertigo::trace {
namespace {

// One test: the library asks for a listener once in a process.
TEST(Profiler, HearsOfRangesInTheDomainVertigo) {
#ifndef VERTIGO_LISTENER
  GTEST_SKIP() << "built without NVTX's headers";
#else
  setenv("NVTX_INJECTION64_PATH", VERTIGO_LISTENER, 1);
  {
    const ProfilerRange load("load");
    push_range("phase", "main");
    push_range("step");
    pop_range();
    pop_range();
  }
  void* listener = dlopen(VERTIGO_LISTENER, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(listener, nullptr) << "it was not loaded";
  const auto heard = reinterpret_cast<const char* (*)()>(dlsym(listener, "heard_by_listener"));
  ASSERT_NE(heard, nullptr);
  EXPECT_EQ(std::string(heard()),
            "domain vertigo\npush load\npush phase main\npush step\npop\npop\npop\n");
#endif
}

}  // namespace
}  // namespace vertigo::trace
