#pragma once
// The threads of emulated grids: one fibre each, all run by one thread of the host, so that a run
// repeats exactly. A fibre goes on until it waits for others or until the scheduler lets another
// one go first; both happen only in the functions below.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emulator {

struct Index {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  Index(unsigned x_size = 1, unsigned y_size = 1, unsigned z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct Block;
struct Launch;
struct Warp;

/// One value per lane.
using Words = std::array<std::uint64_t, 32>;

/// Lanes of a warp on their way through one instruction that names them.
struct Meeting {
  const char* operation = nullptr;  ///< null: free for the next use
  unsigned mask = 0;
  unsigned arrived = 0;
  unsigned left = 0;  ///< who has not read the words yet
  bool done = false;
  bool is_answered = false;
  std::uint64_t answer = 0;  ///< what the lanes are told, where all are told the same
  Words words{};
  std::unique_ptr<Meeting> next;  ///< of this warp; nobody moves it while lanes are in it
};

struct Thread {
  Index index;
  Block* block = nullptr;
  Warp* warp = nullptr;
  unsigned lane = 0;

  void* stack_pointer = nullptr;
  char* stack = nullptr;
  void* fake_stack = nullptr;  ///< of the address sanitizer
  bool finished = false;
  const char* waits_for = nullptr;  ///< for the message about a deadlock
  const void* converges_at = nullptr;
  unsigned converged = 0;
  unsigned polls = 0;  ///< reads since it last did something else
  /// The places of the last of them: who reads one of them again, waits for others.
  std::array<const void*, 8> polled;
};

struct Warp {
  unsigned alive = 0;
  Meeting meetings;  ///< the first; others where its lanes are in several at the same time
  std::array<Thread*, 32> lanes{};
};

struct Block {
  const Launch* launch = nullptr;
  Index index;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  unsigned alive = 0;

  const char* barrier = nullptr;  ///< which kind of barrier the threads have begun to wait at
  std::vector<Thread*> waiting;
  unsigned votes = 0;
  unsigned generation = 0;
  unsigned result[2] = {};  ///< votes of the last two barriers

  std::vector<std::unique_ptr<std::byte[]>> shared;  ///< by the number of the declaration
  std::unique_ptr<std::byte[]> dynamic_shared;
};

struct Launch {
  std::string kernel;
  Index grid;
  Index block;
  std::uint64_t shared_bytes = 0;
  bool cooperative = false;
  std::function<void()> body;
};

/// The thread that runs; null where this thread of the host runs no kernel.
extern constinit thread_local Thread* current;
/// Of the launches that run, the first; for messages.
extern const Launch* launched;

/// Runs grids to their ends, as many blocks of each as the device has room for: the launches at the
/// heads of several streams run at the same time. Ends the process with a message where their
/// threads wait for ever. One thread of the host at a time may call it.
void run(const std::vector<Launch>& launches);

/// Ends the process: the kernel did what no CUDA program may do.
[[noreturn]] void fail(const std::string& what);

// What a thread does besides computing.

/// Waits until all lanes of `mask` have come; the caller must leave() after reading the words.
Meeting& meet(const char* operation, unsigned mask, std::uint64_t word);
void leave(Meeting& meeting);
/// Waits for all threads of the block; returns how many of them voted.
unsigned wait_for_block(const char* barrier, bool vote);
/// Lanes of this warp that arrived here together.
unsigned converge(const void* place);
/// Other threads may go first. After an atomic operation, a fence, a store that others may see.
void interleave();
/// The same after a read that found nothing new at `place` perhaps: a thread that does nothing else
/// is waiting for another one.
void poll(const void* place);

/// Bytes of a __shared__ variable, one for every block.
std::byte* shared_bytes(unsigned declaration, std::size_t bytes);
unsigned new_shared_declaration();

/// Processors of the device, and threads that one of them runs at once.
inline constexpr unsigned kProcessors = 2;
inline constexpr unsigned kThreadsPerProcessor = 1024;
inline constexpr std::uint64_t kSharedPerBlock = 227 << 10;

/// Blocks of so many threads that a processor runs at once.
inline unsigned resident_blocks(std::uint64_t threads) {
  return threads == 0 ? 0 : static_cast<unsigned>(kThreadsPerProcessor / threads);
}

}  // namespace emulator
