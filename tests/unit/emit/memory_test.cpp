// Every allocation of a run in one's own process may fail, and nothing stays behind when it does.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "variants.h"
#include "vertigo/core/error.h"
#include "vertigo/host/run.h"

namespace {

/// Allocations that are alive, in the whole process.
std::atomic<std::int64_t> alive{0};
/// How many allocations succeed before one fails; below zero: all do.
std::atomic<std::int64_t> countdown{-1};
/// Whether those behind the first that fails do so, too.
std::atomic<bool> goes_on{false};
/// Allocations that failed.
std::atomic<std::int64_t> failed{0};

bool fails() {
  if (countdown.load(std::memory_order_relaxed) < 0) return false;
  if (countdown.fetch_sub(1) > 0) return false;
  countdown = goes_on ? 0 : -1;
  ++failed;
  return true;
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* const memory =
      fails() ? nullptr
              : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  ++alive;
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) --alive;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace vertigo::test {
namespace {

/// Allocation 0 fails, then 1, then 2, until the run needs no more.
void fail_each(const char* program, const Schedule& schedule) {
  const host::Target& target = *host::find_target(program, host::TargetKind::Cpu);
  const graph::Graph graph = random_graph(*target.info, 60, 3, 1);
  const host::Arguments arguments = arguments_for(*target.info, graph);
  const host::RunRequest request{.graph = graph, .arguments = arguments, .schedule = schedule};
  host::run(target, request);  // what is made once for all runs is there now
  for (std::int64_t failing = 0;; ++failing) {
    const std::int64_t before = alive;
    failed = 0;
    countdown = failing;
    try {
      host::run(target, request);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ExitCode::OutOfMemory) << error.message();
    } catch (const std::bad_alloc&) {  // not even the words found room
    }
    countdown = -1;
    ASSERT_EQ(alive, before) << program << ", " << describe(schedule) << ": allocation " << failing;
    if (failed == 0) {
      EXPECT_GT(failing, 10);
      return;
    }
  }
}

void fail_everywhere(const char* program) {
  for (const Schedule& schedule :
       schedules_of(*host::find_target(program, host::TargetKind::Cpu)->info))
    for (const bool on : {false, true}) {
      goes_on = on;
      fail_each(program, schedule);
    }
}

TEST(OneProcess, KeepsNothingOfABreadthFirstSearchThatFails) { fail_everywhere("bfs"); }
TEST(OneProcess, KeepsNothingOfShortestPathsThatFail) { fail_everywhere("sssp"); }
TEST(OneProcess, KeepsNothingOfPageRankThatFails) { fail_everywhere("pagerank"); }
TEST(OneProcess, KeepsNothingOfALoopThatFails) { fail_everywhere("kcore"); }
TEST(OneProcess, KeepsNothingOfComponentsThatFail) { fail_everywhere("wcc"); }

}  // namespace
}  // namespace vertigo::test
