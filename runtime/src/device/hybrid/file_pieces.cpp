#include "file_pieces.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "../check.h"
#include "vertigo/core/error.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/parallel.h"

namespace vertigo::gpu::hybrid {

namespace {

constexpr const char* kPurpose = "bring edges from the file to the device";
/// More read no faster than the disk, and what they leave is the page cache's.
constexpr std::size_t kMostPieces = 16;
/// Requests in flight that a disk of today wants; each is a thread's.
constexpr int kMostThreads = 8;
constexpr std::uint64_t kBlockBytes = 2u << 20;

}  // namespace

FilePieces::FilePieces(std::shared_ptr<const graph::EdgesOnFile> edges,
                       const Partitions& partitions)
    : edges_(std::move(edges)), partitions_(partitions), bytes_(partitions.slot_bytes()) {}

FilePieces::~FilePieces() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    blocks_.clear();
  }
  there_is_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (const Piece& piece : pieces_) {
    if (piece.copied != nullptr) cudaEventDestroy(piece.copied);
    if (piece.memory != nullptr) cudaFreeHost(piece.memory);
  }
}

std::uint64_t FilePieces::planned_bytes(unsigned directions, std::uint64_t allowed) const {
  if (bytes_ == 0) return 0;
  const std::uint64_t least = least_bytes(directions);
  if (allowed != 0 && allowed < least)
    throw Error(ExitCode::OutOfMemory, "edges from a file pass through " + in_words(least) +
                                           " of host memory at least, --host-memory allows " +
                                           in_words(allowed));
  // Of what is free most stays for the page cache, which holds what was read, too.
  const std::uint64_t usable = allowed != 0 ? allowed : available_memory() / 4;
  return std::clamp(usable / bytes_ * bytes_, least, kMostPieces * directions * bytes_);
}

void FilePieces::prepare(unsigned directions, std::uint64_t allowed) {
  const std::uint64_t planned = planned_bytes(directions, allowed);
  std::uint64_t pinned = 0;
  while (pinned < planned && pin_one()) pinned += bytes_;
  if (pinned < std::min(planned, least_bytes(directions)))
    throw Error(ExitCode::OutOfMemory,
                "cannot pin " + in_words(least_bytes(directions)) +
                    " of host memory, through which edges from a file pass; " +
                    in_words(available_memory()) + " are free (ulimit -l may allow less)");
  start_threads();
}

bool FilePieces::pin_one() {
  std::byte* memory = nullptr;
  if (cudaMallocHost(reinterpret_cast<void**>(&memory), bytes_) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  Piece& piece = pieces_.emplace_back();
  piece.memory = memory;
  piece.copied = make_event();
  return true;
}

// Where the system starts none, whoever takes a piece reads it.
void FilePieces::start_threads() {
  const int wanted = std::min(thread_count(), kMostThreads);
  threads_.reserve(static_cast<std::size_t>(wanted));
  try {
    for (int i = 0; i < wanted; ++i) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
  }
}

void FilePieces::serve() {
  std::unique_lock lock(mutex_);
  while (!ends_)
    if (!read_one(lock)) there_is_work_.wait(lock);
}

// False where there is nothing to read.
bool FilePieces::read_one(std::unique_lock<std::mutex>& lock) {
  if (blocks_.empty()) return false;
  const Block block = blocks_.front();
  blocks_.pop_front();
  Piece& piece = pieces_[block.piece];
  lock.unlock();
  std::exception_ptr failure;
  try {
    const hybrid::Piece whole = partitions_.piece(piece.name.partition, piece.name.direction != 0);
    const EdgeIndex at = block.begin - whole.begin;
    std::byte* const weights = attributes(piece);
    const unsigned width = edges_->edge_bytes() - sizeof(Vertex);
    edges_->read(piece.name.direction != 0, block.begin, block.end, targets(piece) + at,
                 weights == nullptr ? nullptr : weights + at * width);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure != nullptr && piece.failure == nullptr) piece.failure = failure;
  if (--piece.left == 0) is_read_.notify_all();
  return true;
}

std::byte* FilePieces::attributes(const Piece& piece) const {
  if (!edges_->weights()) return nullptr;
  const hybrid::Piece whole = partitions_.piece(piece.name.partition, piece.name.direction != 0);
  const SlotLayout at(0, whole.edges(), edges_->edge_bytes() - sizeof(Vertex));
  return piece.memory + (at.attributes - at.targets);
}

FilePieces::Piece* FilePieces::find(Name name) {
  const auto found = std::ranges::find_if(
      pieces_, [&](const Piece& piece) { return piece.holds && piece.name == name; });
  return found == pieces_.end() ? nullptr : &*found;
}

// One that nobody reads, copies or waits for, used longest ago; null where there is none. With
// `may_wait`, one that is expected may go, and copies are waited for.
FilePieces::Piece* FilePieces::choose(bool may_wait) {
  Piece* best = nullptr;
  for (Piece& piece : pieces_) {
    if (piece.left > 0 || piece.taken || (piece.expected && !may_wait)) continue;
    if (!may_wait && cudaEventQuery(piece.copied) != cudaSuccess) continue;
    const bool better = best == nullptr || std::pair(piece.expected, piece.last_use) <
                                               std::pair(best->expected, best->last_use);
    if (better) best = &piece;
  }
  if (may_wait && best != nullptr) check(cudaEventSynchronize(best->copied), kPurpose);
  return best;
}

// Under the lock.
void FilePieces::begin(Piece& piece, Name name) {
  piece.name = name;
  piece.holds = piece.was_read = true;
  piece.failure = nullptr;
  const hybrid::Piece whole = partitions_.piece(name.partition, name.direction != 0);
  const auto number = static_cast<std::size_t>(
      std::ranges::find_if(pieces_, [&](const Piece& each) { return &each == &piece; }) -
      pieces_.begin());
  const EdgeIndex step = kBlockBytes / edges_->edge_bytes();
  for (EdgeIndex at = whole.begin; at < whole.end; at += step) {
    blocks_.push_back({number, at, std::min(whole.end, at + step)});
    ++piece.left;
  }
  there_is_work_.notify_all();
}

// Under the lock.
void FilePieces::read_ahead() {
  while (!expected_.empty()) {
    Piece* piece = find(expected_.front());
    if (piece == nullptr) {
      piece = choose(false);
      if (piece == nullptr) return;
      begin(*piece, expected_.front());
    }
    piece->expected = true;
    expected_.pop_front();
  }
}

void FilePieces::expect(std::vector<Name> names) {
  const std::lock_guard lock(mutex_);
  for (Piece& piece : pieces_) piece.expected = false;
  expected_.assign(names.begin(), names.end());
  read_ahead();
}

bool FilePieces::is_read(Name name) {
  const std::lock_guard lock(mutex_);
  const Piece* const piece = find(name);
  return piece != nullptr && piece->left == 0;
}

FilePieces::Held FilePieces::take(Name name) {
  const auto begin_of_wait = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  read_ahead();
  Piece* piece = find(name);
  while (piece == nullptr) {
    std::erase(expected_, name);
    piece = choose(true);
    if (piece != nullptr)
      begin(*piece, name);
    else if (!read_one(lock))  // all are being read
      is_read_.wait(lock);
  }
  while (piece->left > 0)
    if (!read_one(lock)) is_read_.wait(lock);
  piece->expected = false;
  if (piece->failure != nullptr) {
    piece->holds = false;
    std::rethrow_exception(std::exchange(piece->failure, nullptr));
  }
  piece->taken = true;
  piece->last_use = ++uses_;
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin_of_wait;
  const auto number = static_cast<std::size_t>(
      std::ranges::find_if(pieces_, [&](const Piece& each) { return &each == piece; }) -
      pieces_.begin());
  return {targets(*piece), attributes(*piece), number, std::exchange(piece->was_read, false),
          waited.count()};
}

void FilePieces::sent(std::size_t number, cudaStream_t stream) {
  Piece& piece = pieces_[number];
  check(cudaEventRecord(piece.copied, stream), kPurpose);
  const std::lock_guard lock(mutex_);
  piece.taken = false;
  read_ahead();
}

}  // namespace vertigo::gpu::hybrid
