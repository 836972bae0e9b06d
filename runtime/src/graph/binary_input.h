#pragma once
// Arrays from binary files whose headers may lie: memory follows the bytes that are there.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "input_stream.h"
#include "room.h"
#include "row_facts.h"
#include "vertigo/core/parallel.h"
#include "vertigo/core/scalar.h"

namespace vertigo::graph {

/// Reads one value; refuses where the file ends.
template <class T>
T read_value(InputStream& stream, const char* what) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  const std::uint64_t at = stream.position();
  if (stream.read(reinterpret_cast<char*>(&value), sizeof value) != sizeof value) {
    throw refused_at_byte(stream.path(), at, fmt::format("the file ends before {}", what));
  }
  return value;
}

/// Refuses where a plain file has fewer than `bytes` left, or the machine has not as much memory.
void require_bytes(const InputStream& stream, std::uint64_t count, std::uint64_t bytes,
                   const char* what);
/// "the file ends within ...", at the stream's position.
Error ends_within(const InputStream& stream, std::uint64_t count, const char* what);

/// `count` values of a file that is not plain: its size is not known, so that memory grows with
/// what was read, at most doubling it.
template <class T>
std::vector<T> read_growing(InputStream& stream, std::uint64_t count, const char* what) {
  constexpr std::uint64_t kStep = (std::uint64_t{8} << 20) / sizeof(T);
  std::vector<T> values;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t step = std::min(kStep, count - done);
    values.resize(done + step);
    if (stream.read(reinterpret_cast<char*>(values.data() + done), step * sizeof(T)) !=
        step * sizeof(T))
      throw ends_within(stream, count, what);
    done += step;
  }
  return values;
}

/// Shown values of an array while they are in the cache: look(first, values), from several threads.
template <class T>
using LookAtValues = std::function<void(std::uint64_t, std::span<const T>)>;

/// The next `count` values, `front` zeros in front of them. `look` sees all that come from the
/// file.
template <class T>
Array<T> read_array(InputStream& stream, std::uint64_t count, const char* what,
                    std::size_t front = 0, const LookAtValues<T>& look = nullptr) {
  require_bytes(stream, count, sizeof(T), what);
  if (const RawFile* const file = stream.plain()) {
    Room<T> values(front + count);
    std::fill_n(values.data(), front, T{});
    T* const first = values.data() + front;
    const auto seen = [&](std::size_t at, std::size_t bytes) {
      if (look) look(at / sizeof(T), {first + at / sizeof(T), bytes / sizeof(T)});
    };
    file->read_all_at(stream.position(), first, count * sizeof(T), seen);
    stream.take(count * sizeof(T));
    return std::move(values).finished();
  }
  std::vector<T> values = read_growing<T>(stream, count, what);
  if (look) look(0, values);
  values.insert(values.begin(), front, T{});
  return values;
}

/// The next `count` values of a stream, for those who keep them in another form. The constructor
/// refuses where the file ends before, so that room can be taken for them.
template <class T, std::uint64_t kPiece = (std::uint64_t{1} << 20) / sizeof(T)>
class ValuesInPieces {
 public:
  ValuesInPieces(InputStream& stream, std::uint64_t count, const char* what)
      : file_(stream.plain()), begin_(stream.position()), count_(count) {
    require_bytes(stream, count, sizeof(T), what);
    if (file_ != nullptr)
      stream.take(count * sizeof(T));
    else
      values_ = read_growing<T>(stream, count, what);
  }
  /// One of them.
  T at(std::uint64_t place) const {
    if (file_ == nullptr) return values_[place];
    T value;
    file_->read_at(begin_ + place * sizeof(T), &value, sizeof value);
    return value;
  }
  /// Calls `take(first, values)` for pieces of kPiece values, in any order and from several
  /// threads; only while the stream is there.
  template <class Take>
  void each(const Take& take) const {
    ExceptionCarrier carrier;
#pragma omp parallel if (count_ > kPiece)
    carrier.run([&] {
      std::vector<T> buffer(file_ == nullptr ? 0 : std::min(kPiece, count_));
#pragma omp for schedule(dynamic, 1) nowait
      for (std::uint64_t first = 0; first < count_; first += kPiece) {
        carrier.run([&] {
          const std::uint64_t size = std::min(kPiece, count_ - first);
          if (file_ != nullptr)
            file_->read_at(begin_ + first * sizeof(T), buffer.data(), size * sizeof(T));
          const T* const values = file_ == nullptr ? values_.data() + first : buffer.data();
          take(first, std::span<const T>(values, size));
        });
      }
    });
    carrier.rethrow();
  }

  /// Writes the values to where `place(first, count)` says that each piece goes; the same order and
  /// threads.
  template <class Place>
  void each_into(const Place& place) const {
    ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1) if (count_ > kPiece)
    for (std::uint64_t first = 0; first < count_; first += kPiece) {
      carrier.run([&] {
        const std::uint64_t size = std::min(kPiece, count_ - first);
        T* const to = place(first, size);
        if (file_ != nullptr)
          file_->read_at(begin_ + first * sizeof(T), to, size * sizeof(T));
        else
          std::copy_n(values_.data() + first, size, to);
      });
    }
    carrier.rethrow();
  }

 private:
  const RawFile* file_;
  std::uint64_t begin_;
  std::uint64_t count_;
  std::vector<T> values_;
};

/// Refuses bytes behind the last array.
void require_end(InputStream& stream);

/// Refuses offsets that do not start at 0, descend, or do not end at `edge_count`; `byte`: where
/// they begin in the file.
void check_offsets(const std::string& path, std::span<const EdgeIndex> offsets,
                   std::uint64_t edge_count, std::uint64_t byte);

/// Refuses targets that are not below `vertex_count`; target i stands `stride * i` bytes behind
/// `byte`.
void check_targets(const std::string& path, std::span<const Vertex> targets,
                   std::uint64_t vertex_count, std::uint64_t byte, std::uint64_t stride);

/// The same of lists, whose offsets have been checked; what a look at them tells.
RowFacts check_lists(const std::string& path, const Adjacency& adjacency, std::uint64_t byte,
                     std::uint64_t stride);
/// The same where `facts` are known; returns them.
RowFacts check_lists(const std::string& path, const Adjacency& adjacency, const RowFacts& facts,
                     std::uint64_t byte, std::uint64_t stride);
/// Reads the targets of `edges` edges, whose offsets have been checked, and checks them.
RowFacts read_targets(InputStream& stream, std::uint64_t edges, const char* what,
                      Adjacency& adjacency);

}  // namespace vertigo::graph
