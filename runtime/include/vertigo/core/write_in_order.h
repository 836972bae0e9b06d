#pragma once
// Text that all threads format and that goes to one place in order.

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "vertigo/core/parallel.h"

namespace vertigo {

/// Hands out the numbers 0 .. count-1 and passes the pieces of text that threads make of them on,
/// in the order of the numbers. No thread waits for its turn: whichever completes the piece that is
/// next passes it on, with all behind it that are complete by then, while the others format on.
/// They wait where `room` pieces are under way.
template <class Piece>
class PiecesInOrder {
 public:
  PiecesInOrder(std::uint64_t count, std::size_t room) : count_(count), places_(room) {}

  /// The next number; nothing when there is none left, or when something failed.
  std::optional<std::uint64_t> take() {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return failed_ || taken_ < passed_ + places_.size(); });
    if (failed_ || taken_ == count_) return std::nullopt;
    return taken_++;
  }

  /// The piece of a number is complete; `piece` is another one afterwards. Throws what `pass`
  /// throws, to one thread.
  template <class Pass>
  void complete(std::uint64_t number, Piece& piece, const Pass& pass) {
    std::unique_lock lock(mutex_);
    std::swap(place(number).piece, piece);
    place(number).is_complete = true;
    if (std::exchange(is_passing_, true)) return;
    while (!failed_ && place(passed_).is_complete) {
      const Piece& next = place(passed_).piece;
      lock.unlock();
      pass(next);
      lock.lock();
      place(passed_).is_complete = false;
      ++passed_;
      has_room_.notify_all();
    }
    is_passing_ = false;
  }

  /// Nothing more is handed out, and what is complete stays where it is.
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    has_room_.notify_all();
  }

 private:
  struct Place {
    Piece piece;
    bool is_complete = false;
  };
  Place& place(std::uint64_t number) { return places_[number % places_.size()]; }

  std::uint64_t count_;
  std::vector<Place> places_;
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::uint64_t taken_ = 0;
  std::uint64_t passed_ = 0;
  bool is_passing_ = false;
  bool failed_ = false;
};

/// Passes on what `append(piece, i)` appends for i in 0 .. count-1, in that order. Pieces are
/// cleared before they are used again. Throws what either of the two throws, after which nothing is
/// passed on any more.
template <class Piece, class Append, class Pass>
void write_in_order(std::uint64_t count, const Append& append, const Pass& pass) {
  constexpr std::uint64_t kItems = 1 << 15;
  constexpr std::size_t kPiecesEach = 2;
  PiecesInOrder<Piece> pieces((count + kItems - 1) / kItems,
                              kPiecesEach * static_cast<std::size_t>(thread_count()));
  ExceptionCarrier carrier;
#pragma omp parallel if (count > kItems)
  {
    // Its own while it grows: pieces that lie beside one another share lines of the caches.
    Piece piece;
    while (const auto number = pieces.take()) {
      bool is_done = false;
      carrier.run([&] {
        piece.clear();
        const std::uint64_t end = std::min(count, (*number + 1) * kItems);
        for (std::uint64_t i = *number * kItems; i < end; ++i) append(piece, i);
        pieces.complete(*number, piece, pass);
        is_done = true;
      });
      if (!is_done) pieces.fail();
    }
  }
  carrier.rethrow();
}

}  // namespace vertigo
