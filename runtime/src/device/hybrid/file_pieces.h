#pragma once
// Partitions on their way from a file to the device: threads read them into pinned pieces of host
// memory, those that the launch at hand will ask for next beforehand. A piece that still holds a
// partition when it is asked for again is not read again.

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "partitions.h"
#include "vertigo/graph/edges_on_file.h"

namespace vertigo::gpu::hybrid {

class FilePieces {
 public:
  /// A partition of one direction.
  struct Name {
    unsigned direction = 0;
    std::size_t partition = 0;
    bool operator==(const Name&) const = default;
  };
  struct Held {
    const Vertex* targets = nullptr;
    const std::byte* attributes = nullptr;  ///< null: none are read
    std::size_t piece = 0;
    bool was_read = false;  ///< for whoever asks now; else it was there
    double waited = 0;      ///< seconds until it was there
  };

  FilePieces(std::shared_ptr<const graph::EdgesOnFile> edges, const Partitions& partitions);
  /// Waits for what is being read; whoever copies from pieces must have come to an end.
  ~FilePieces();
  FilePieces(const FilePieces&) = delete;

  /// Host memory for launches that ask for so many directions: for as many pieces as are of use,
  /// and fit into `allowed` bytes (0: into what is free). Throws Error(OutOfMemory) where too few
  /// do.
  std::uint64_t planned_bytes(unsigned directions, std::uint64_t allowed) const;
  /// Pins them, or as many as can be had. Throws Error(OutOfMemory) where these are too few.
  void prepare(unsigned directions, std::uint64_t allowed);

  /// What take() will be called for next, in order. What was expected before is no longer.
  void expect(std::vector<Name> names);
  /// Whether take() would not wait for the file.
  bool is_read(Name name);
  /// The partition in a piece that stays as it is until sent(). Throws what reading has thrown.
  Held take(Name name);
  /// Whoever copies from the piece has put that on the stream.
  void sent(std::size_t piece, cudaStream_t stream);

 private:
  struct Piece {
    std::byte* memory = nullptr;
    Name name;
    bool holds = false;     ///< or is being read
    bool expected = false;  ///< and not yet taken
    bool was_read = false;  ///< since it was taken last
    bool taken = false;
    std::size_t left = 0;  ///< blocks that are still to be read
    std::exception_ptr failure;
    std::uint64_t last_use = 0;
    cudaEvent_t copied = nullptr;
  };
  /// Some edges of a piece.
  struct Block {
    std::size_t piece = 0;
    EdgeIndex begin = 0;
    EdgeIndex end = 0;
  };

  /// With fewer, nothing is read while something is copied.
  std::uint64_t least_bytes(unsigned directions) const { return 2 * directions * bytes_; }
  bool pin_one();
  void start_threads();
  void serve();
  bool read_one(std::unique_lock<std::mutex>& lock);
  Piece* find(Name name);
  Piece* choose(bool may_wait);
  void begin(Piece& piece, Name name);
  void read_ahead();
  Vertex* targets(const Piece& piece) const { return reinterpret_cast<Vertex*>(piece.memory); }
  std::byte* attributes(const Piece& piece) const;

  const std::shared_ptr<const graph::EdgesOnFile> edges_;
  const Partitions& partitions_;
  std::uint64_t bytes_ = 0;  ///< of a piece
  std::deque<Piece> pieces_;
  std::deque<Name> expected_;
  std::uint64_t uses_ = 0;

  // Shared with the threads.
  std::mutex mutex_;
  std::condition_variable there_is_work_;
  std::condition_variable is_read_;
  std::deque<Block> blocks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace vertigo::gpu::hybrid
