#include "emulator/threads.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "order.h"
#include "switch.h"

namespace emulator {

constinit thread_local Thread* current = nullptr;
const Launch* launched = nullptr;

namespace {

/// Of local arrays and calls; what a thread of a GPU has as local memory is of that order.
constexpr std::size_t kStack = 16 << 10;
/// From one stack to the next: an odd number of cache lines, or all stacks would want the same
/// ones.
constexpr std::size_t kStride = kStack + 64;
/// What the lowest word of a stack holds as long as nothing grew over it.
constexpr std::uint64_t kBottom = 0x5afe5afe5afe5afe;
constexpr unsigned char kUnwritten = 0xcd;

thread_local void* host_stack_pointer = nullptr;
std::vector<char*> free_stacks;
unsigned shared_declarations = 0;

/// All stacks lie side by side in huge pages: with pages of their own, most switches would wait for
/// the translation of an address.
char* make_stacks() {
  // One more than there are threads: room below the first for what grows over it.
  constexpr std::size_t kBytes = (std::size_t{kProcessors} * kThreadsPerProcessor + 1) * kStride;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for the stacks of the threads");
  madvise(memory, kBytes, MADV_HUGEPAGE);
  return static_cast<char*>(memory) + kStride;
}

char* take_stack() {
  static char* next = make_stacks();
  if (free_stacks.empty()) {
    std::memcpy(next, &kBottom, sizeof kBottom);
    free_stacks.push_back(next);
    next += kStride;
  }
  char* const stack = free_stacks.back();
  free_stacks.pop_back();
  return stack;
}

void expect_bottom(const Thread& thread) {
  std::uint64_t bottom = 0;
  std::memcpy(&bottom, thread.stack, sizeof bottom);
  if (bottom != kBottom) fail("a thread has more local memory than " + std::to_string(kStack));
}

// The switches, as the address sanitizer wants them announced. `null`: the host's own stack.

#if defined(EMULATOR_SANITIZED)
thread_local const void* host_stack = nullptr;
thread_local std::size_t host_stack_bytes = 0;
thread_local void* host_fake_stack = nullptr;

void find_host_stack() {
  if (host_stack != nullptr) return;
  pthread_attr_t attributes;
  void* bottom = nullptr;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &bottom, &host_stack_bytes);
  pthread_attr_destroy(&attributes);
  host_stack = bottom;
}
#else
void find_host_stack() {}
#endif

void switch_to(Thread* from, Thread* to) {
  current = to;
  void** const save = from ? &from->stack_pointer : &host_stack_pointer;
  void* const target = to ? to->stack_pointer : host_stack_pointer;
#if defined(EMULATOR_SANITIZED)
  void** const fake = from ? (from->finished ? nullptr : &from->fake_stack) : &host_fake_stack;
  __sanitizer_start_switch_fiber(fake, to ? to->stack : host_stack, to ? kStack : host_stack_bytes);
  emulator_switch(save, target);
  __sanitizer_finish_switch_fiber(from ? from->fake_stack : host_fake_stack, nullptr, nullptr);
#else
  emulator_switch(save, target);
#endif
}

[[noreturn]] void report_deadlock() {
  std::fprintf(stderr, "emulator: deadlock in kernel '%s': no thread can go on\n",
               launched->kernel.c_str());
  describe_waiting();
  std::fflush(stderr);
  std::abort();
}

/// Leaves the running thread, which is noted wherever it waits.
void go_on_elsewhere() {
  Thread* const self = current;
  Thread* const next = order().next();
  if (next == self) return;
  if (next == nullptr) report_deadlock();
  switch_to(self, next);
}

void wake(Thread* thread) {
  thread->waits_for = nullptr;
  order().add(thread);
}

void complete(Warp& warp, Meeting& meeting) {
  meeting.done = true;
  meeting.left = meeting.arrived;
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((meeting.arrived >> lane & 1) != 0 && warp.lanes[lane] != current) wake(warp.lanes[lane]);
}

void complete_barrier(Block& block) {
  block.result[block.generation++ & 1] = block.votes;
  block.votes = 0;
  block.barrier = nullptr;
  for (Thread* const thread : block.waiting)
    if (thread != current) wake(thread);
  block.waiting.clear();
}

/// Whom the end of a thread sets free: nobody waits for it any more.
void finish(Thread& thread) {
  expect_bottom(thread);
  thread.finished = true;
  thread.warp->alive &= ~(1u << thread.lane);
  for (Meeting* meeting = &thread.warp->meetings; meeting != nullptr; meeting = meeting->next.get())
    if (meeting->operation != nullptr && !meeting->done && meeting->arrived != 0 &&
        meeting->arrived == (meeting->mask & thread.warp->alive))
      complete(*thread.warp, *meeting);
  Block& block = *thread.block;
  --block.alive;
  if (block.alive != 0 && block.waiting.size() == block.alive) complete_barrier(block);
}

/// The first frame of every fibre; it is left for good in its last line.
void enter() {
#if defined(EMULATOR_SANITIZED)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  current->block->launch->body();
  Thread* const self = current;
  finish(*self);
  order().progress();
  Thread* const next = self->block->alive == 0 ? nullptr : order().next();
  if (next == nullptr && self->block->alive != 0) report_deadlock();
  switch_to(self, next);
  std::abort();
}

std::unique_ptr<Block> make_block(const Launch& launch, std::uint64_t number) {
  auto block = std::make_unique<Block>();
  block->launch = &launch;
  block->index = Index(static_cast<unsigned>(number % launch.grid.x),
                       static_cast<unsigned>(number / launch.grid.x % launch.grid.y),
                       static_cast<unsigned>(number / launch.grid.x / launch.grid.y));
  const auto threads = static_cast<unsigned>(launch.block.count());
  block->alive = threads;
  block->threads.resize(threads);
  block->warps.resize((threads + 31) / 32);
  block->dynamic_shared = std::make_unique_for_overwrite<std::byte[]>(launch.shared_bytes);
  std::memset(block->dynamic_shared.get(), kUnwritten, launch.shared_bytes);
  for (unsigned i = 0; i < threads; ++i) {
    Thread& thread = block->threads[i];
    thread.index = Index(i % launch.block.x, i / launch.block.x % launch.block.y,
                         i / launch.block.x / launch.block.y);
    thread.block = block.get();
    thread.warp = &block->warps[i / 32];
    thread.lane = i % 32;
    thread.warp->lanes[thread.lane] = &thread;
    thread.warp->alive |= 1u << thread.lane;
    thread.stack = take_stack();
    thread.stack_pointer = fresh_stack(thread.stack, kStack, &enter);
    order().add(&thread);
  }
  return block;
}

/// A launch of which some blocks may have to wait for room.
struct Grid {
  const Launch* launch;
  std::uint64_t started = 0;

  std::uint64_t left() const { return launch->grid.count() - started; }
  /// Of kRoom, what one block takes.
  std::uint64_t share() const {
    return kThreadsPerProcessor / std::max(1u, resident_blocks(launch->block.count()));
  }
};

constexpr std::uint64_t kRoom = std::uint64_t{kProcessors} * kThreadsPerProcessor;

/// All blocks of a cooperative launch start together, once there is room for them.
void start_blocks(std::vector<Grid>& grids, std::vector<std::unique_ptr<Block>>& running) {
  std::uint64_t room = kRoom;
  for (const auto& block : running) room -= Grid{block->launch}.share();
  for (Grid& grid : grids) {
    const std::uint64_t wanted = grid.launch->cooperative ? grid.left() : 1;
    while (grid.left() != 0 && room >= wanted * grid.share()) {
      for (std::uint64_t i = 0; i < wanted; ++i, room -= grid.share())
        running.push_back(
            make_block(*grid.launch, order().block(grid.started++, grid.launch->grid.count())));
    }
  }
}

}  // namespace

void fail(const std::string& what) {
  std::fprintf(stderr, "emulator: %s\n", what.c_str());
  if (current != nullptr)
    std::fprintf(stderr, "  in kernel '%s', block %u, thread %u\n",
                 current->block->launch->kernel.c_str(), current->block->index.x, current->index.x);
  std::fflush(stderr);
  std::abort();
}

void run(const std::vector<Launch>& launches) {
  if (launched != nullptr) fail("a kernel launches a kernel");
  launched = &launches.front();
  const TimeLimit limit;
  std::vector<Grid> grids;
  for (const Launch& launch : launches) grids.push_back({&launch});
  std::vector<std::unique_ptr<Block>> running;
  find_host_stack();
  order().begin(running);
  while (true) {
    start_blocks(grids, running);
    if (running.empty()) break;
    Thread* const next = order().next();
    if (next == nullptr) report_deadlock();
    switch_to(nullptr, next);
    // Back here: a block has ended.
    std::erase_if(running, [](const std::unique_ptr<Block>& block) {
      if (block->alive != 0) return false;
      for (const Thread& thread : block->threads) free_stacks.push_back(thread.stack);
      return true;
    });
  }
  launched = nullptr;
}

namespace {

/// The one that the lane may join, else one that is free.
Meeting* find_meeting(Warp& warp, unsigned mask, unsigned bit) {
  Meeting* free = nullptr;
  Meeting* last = nullptr;
  for (Meeting* each = &warp.meetings; each != nullptr; each = each->next.get()) {
    last = each;
    if (each->operation == nullptr) {
      if (free == nullptr) free = each;
    } else if (!each->done && each->mask == mask && (each->arrived & bit) == 0) {
      return each;
    }
  }
  if (free != nullptr) return free;
  last->next = std::make_unique<Meeting>();
  return last->next.get();
}

}  // namespace

Meeting& meet(const char* operation, unsigned mask, std::uint64_t word) {
  Thread& self = *current;
  Warp& warp = *self.warp;
  const unsigned bit = 1u << self.lane;
  if ((mask & bit) == 0)
    fail(std::string(operation) + ": the mask does not name the lane that calls");
  order().progress();
  self.polls = 0;
  Meeting* meeting = find_meeting(warp, mask, bit);
  if (meeting->operation == nullptr) {
    meeting->operation = operation;
    meeting->mask = mask;
    meeting->arrived = 0;
    meeting->done = meeting->is_answered = false;
    meeting->words.fill(0xcdcdcdcdcdcdcdcdu);
  } else if (meeting->operation != operation && std::strcmp(meeting->operation, operation) != 0) {
    fail("lanes of a warp meet in different operations: " + std::string(meeting->operation) +
         " and " + operation);
  }
  meeting->arrived |= bit;
  meeting->words[self.lane] = word;
  if (meeting->arrived == (mask & warp.alive)) {
    complete(warp, *meeting);
  } else {
    self.waits_for = operation;
    go_on_elsewhere();
  }
  return *meeting;
}

void leave(Meeting& meeting) {
  meeting.left &= ~(1u << current->lane);
  if (meeting.left == 0) meeting.operation = nullptr;
}

unsigned wait_for_block(const char* barrier, bool vote) {
  Thread& self = *current;
  Block& block = *self.block;
  order().progress();
  self.polls = 0;
  if (block.barrier == nullptr) block.barrier = barrier;
  if (block.barrier != barrier && std::strcmp(block.barrier, barrier) != 0)
    fail("threads of a block meet at different barriers: " + std::string(block.barrier) + " and " +
         barrier);
  const unsigned generation = block.generation;
  block.votes += vote ? 1 : 0;
  block.waiting.push_back(&self);
  if (block.waiting.size() == block.alive) {
    complete_barrier(block);
  } else {
    self.waits_for = barrier;
    go_on_elsewhere();
  }
  return block.result[generation & 1];
}

unsigned converge(const void* place) {
  Thread& self = *current;
  order().progress();
  self.polls = 0;
  self.converged = 0;
  self.converges_at = place;
  order().add(&self);
  go_on_elsewhere();
  if (self.converged != 0) return self.converged;
  // The first to go on takes along whoever came here meanwhile.
  unsigned together = 0;
  for (Thread* const lane : self.warp->lanes)
    if (lane != nullptr && !lane->finished && lane->converges_at == place)
      together |= 1u << lane->lane;
  for (Thread* const lane : self.warp->lanes) {
    if (lane == nullptr || (together >> lane->lane & 1) == 0) continue;
    lane->converged = together;
    lane->converges_at = nullptr;
  }
  return together;
}

void interleave() {
  if (current == nullptr) return;  // the host shares some headers with the device
  order().progress();
  current->polls = 0;
  if (!order().lets_others_go_first()) return;
  order().add_last(current);
  go_on_elsewhere();
}

void poll(const void* place) {
  if (current == nullptr) return;
  Thread& self = *current;
  const auto known = self.polled.begin() + std::min<std::size_t>(self.polls, self.polled.size());
  if (std::find(self.polled.begin(), known, place) != known) {
    order().add_waiting(current);
    go_on_elsewhere();
  } else if (order().lets_others_go_first()) {
    order().add_last(current);
    go_on_elsewhere();
  }
  self.polled[self.polls++ % self.polled.size()] = place;
}

std::byte* shared_bytes(unsigned declaration, std::size_t bytes) {
  auto& shared = current->block->shared;
  if (shared.size() <= declaration) shared.resize(declaration + 1);
  if (shared[declaration] == nullptr) {
    shared[declaration] = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memset(shared[declaration].get(), kUnwritten, bytes);
  }
  return shared[declaration].get();
}

unsigned new_shared_declaration() { return shared_declarations++; }

}  // namespace emulator
