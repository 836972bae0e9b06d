#pragma once
// Memory of a generated program: owners, which the program's class holds, and the light handles
// that its kernels take by value.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "vertigo/core/scalar.h"
#include "vertigo/core/uninitialised.h"

namespace vertigo::cpu {

/// Set by the parallel loops; generated code never runs outside of them with more than one thread.
inline constinit thread_local unsigned current_thread = 0;
inline constinit thread_local std::size_t current_chunk = 0;

/// Threads that a parallel loop uses, and the calling one's number.
unsigned thread_count();
unsigned thread_number();

/// Vertices of one chunk of a loop over all of them.
inline constexpr std::size_t kVertexChunk = 256;

/// Elements that nobody has written yet.
template <class T>
std::shared_ptr<T[]> uninitialised_array(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));
  if (count > ~std::size_t{0} / sizeof(T)) throw std::bad_alloc();
  std::shared_ptr<void> memory = uninitialised(count * sizeof(T));
  T* const first = static_cast<T*>(memory.get());
  std::uninitialized_default_construct_n(first, count);
  return {std::move(memory), first};
}

/// One element per vertex.
template <class T>
class VertexBuffer {
 public:
  /// Once per run; a second call keeps what is there.
  void allocate(std::size_t count) {
    if (data_) return;
    data_ = uninitialised_array<T>(count);
    count_ = count;
  }
  operator T*() { return data_.get(); }              // NOLINT: kernels take plain pointers
  operator const T*() const { return data_.get(); }  // NOLINT
  std::span<const T> values() const { return {data_.get(), count_}; }
  std::span<T> values() { return {data_.get(), count_}; }

 private:
  std::shared_ptr<T[]> data_;
  std::size_t count_ = 0;
};

/// Copies all elements.
template <class T>
inline void copy(VertexBuffer<T>& to, const VertexBuffer<T>& from) {
  const std::span<const T> source = from.values();
  T* target = to;
#pragma omp parallel for if (source.size() >= 65536)
  for (std::size_t i = 0; i < source.size(); ++i) target[i] = source[i];
}

/// One bit per vertex.
struct Bitmap {
  std::uint64_t* words;
};

class BitmapBuffer {
 public:
  void allocate(std::size_t vertices) {
    if (words_.empty()) words_.assign((vertices + 63) / 64, 0);
  }
  void clear();
  operator Bitmap() { return {words_.data()}; }  // NOLINT
  void swap(BitmapBuffer& other) { words_.swap(other.words_); }
  /// Copies all bits.
  friend void copy(BitmapBuffer& to, const BitmapBuffer& from) { to.words_ = from.words_; }

 private:
  std::vector<std::uint64_t> words_;
};

inline bool test_bit(Bitmap bitmap, Vertex v) {
  return (__atomic_load_n(&bitmap.words[v / 64], __ATOMIC_RELAXED) >> (v % 64) & 1) != 0;
}
/// True when the bit was clear before.
inline bool test_and_set(Bitmap bitmap, Vertex v) {
  const std::uint64_t bit = std::uint64_t{1} << (v % 64);
  if (test_bit(bitmap, v)) return false;
  return (__atomic_fetch_or(&bitmap.words[v / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
}
inline void set_bit(Bitmap bitmap, Vertex v) { test_and_set(bitmap, v); }
inline void clear_bit(Bitmap bitmap, Vertex v) {
  const std::uint64_t bit = std::uint64_t{1} << (v % 64);
  __atomic_fetch_and(&bitmap.words[v / 64], ~bit, __ATOMIC_RELAXED);
}

/// Vertices in no particular order, each at most once. Threads append to blocks of their own, which
/// are put together when the list is read.
class WorklistStorage {
 public:
  explicit WorklistStorage(std::size_t vertices);
  void append(Vertex v) {
    Block& block = blocks_[current_thread];
    block.vertices[block.size++] = v;
    if (block.size == kBlock) flush(block);
  }
  std::span<const Vertex> vertices() {
    for (Block& block : blocks_)
      if (block.size != 0) flush(block);
    return {list_.get(), size_};
  }
  void clear() {
    for (Block& block : blocks_) block.size = 0;
    size_ = 0;
  }
  void fill();

 private:
  static constexpr std::size_t kBlock = 510;
  struct alignas(64) Block {
    std::size_t size = 0;
    Vertex vertices[kBlock];
  };
  void flush(Block& block);

  std::unique_ptr<Vertex[]> list_;  // in small pages: most lists stay short
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::vector<Block> blocks_;
};

struct Worklist {
  WorklistStorage* storage;
  std::span<const Vertex> vertices() const { return storage->vertices(); }
};
inline void append(Worklist list, Vertex v) { list.storage->append(v); }

class WorklistBuffer {
 public:
  void allocate(std::size_t vertices) {
    if (!storage_) storage_ = std::make_unique<WorklistStorage>(vertices);
  }
  void clear() { storage_->clear(); }
  /// All vertices.
  void fill() { storage_->fill(); }
  bool empty() const { return storage_->vertices().empty(); }
  std::size_t size() const { return storage_->vertices().size(); }
  operator Worklist() const { return {storage_.get()}; }  // NOLINT
  void swap(WorklistBuffer& other) { storage_.swap(other.storage_); }

 private:
  std::unique_ptr<WorklistStorage> storage_;
};

/// Clears the bits of the listed vertices.
void clear_listed(BitmapBuffer& bitmap, const WorklistBuffer& list);

template <class Buffer>
  requires requires(Buffer a, Buffer b) { a.swap(b); }
inline void swap(Buffer& a, Buffer& b) {
  a.swap(b);
}
template <class T>
inline void swap(VertexBuffer<T>& a, VertexBuffer<T>& b) {
  std::swap(a, b);
}

/// One word that threads raise.
struct Flag {
  std::uint32_t* word;
};
class FlagBuffer {
 public:
  void allocate(std::size_t) {}
  void clear() { word_ = 0; }
  void raise() { word_ = 1; }
  bool is_raised() const { return word_ != 0; }
  operator Flag() { return {&word_}; }  // NOLINT

 private:
  alignas(64) std::uint32_t word_ = 0;
};
inline void raise(Flag flag) {
  if (__atomic_load_n(flag.word, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(flag.word, 1, __ATOMIC_RELAXED);
}

/// A sum with one addend per thread.
struct Counter {
  struct alignas(64) Slot {
    std::uint64_t value = 0;
  };
  Slot* slots;
};
class CounterBuffer {
 public:
  void allocate(std::size_t) { slots_.assign(thread_count(), {}); }
  /// The sum since the last call.
  std::uint64_t take();
  operator Counter() { return {slots_.data()}; }  // NOLINT

 private:
  std::vector<Counter::Slot> slots_;
};
inline void count(Counter counter, std::uint64_t n) { counter.slots[current_thread].value += n; }

/// One partial result per chunk of vertices, folded in the order of the chunks.
template <class T>
struct Scalar {
  T* chunks;
};
template <class T>
class ScalarBuffer {
 public:
  void allocate(std::size_t vertices) { count_ = (vertices + kVertexChunk - 1) / kVertexChunk; }
  void reset(const T& identity) {
    if (!chunks_) chunks_ = std::make_unique_for_overwrite<T[]>(count_);
    for (std::size_t i = 0; i < count_; ++i) chunks_[i] = identity;
  }
  operator Scalar<T>() { return {chunks_.get()}; }  // NOLINT
  /// fold(result, chunk) over all chunks, beginning with `identity`.
  template <class Fold>
  T result(T identity, const Fold& fold) const {
    for (std::size_t i = 0; i < count_; ++i) fold(identity, chunks_[i]);
    return identity;
  }

 private:
  std::unique_ptr<T[]> chunks_;
  std::size_t count_ = 0;
};

}  // namespace vertigo::cpu
