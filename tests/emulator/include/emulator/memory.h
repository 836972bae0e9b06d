#pragma once
// Atomic operations, loads and stores with a hint for the caches, and the PTX that the device
// headers spell out. One thread of the host runs all fibres, so each operation is one step anyway;
// what counts is that another thread may go first before the next one.

#include <string_view>

#include "emulator/builtins.h"

namespace emulator {

/// *address = update(*address) as one step; returns what was there.
template <class T, class Update>
T update_atomically(T* address, const Update& update) {
  const T old = *address;
  *address = update(old);
  interleave();
  return old;
}

template <class T>
using Given = std::type_identity_t<T>;

template <class T>
concept Atomic = std::is_arithmetic_v<T> && sizeof(T) >= 4;
template <class T>
concept AtomicInteger = Atomic<T> && std::is_integral_v<T>;

/// Integers wrap around, without a word from a sanitizer.
template <class T>
T add_wrapping(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
  else
    return a + b;
}

}  // namespace emulator

#define EMULATOR_ATOMIC(name, Kind, expression)                                          \
  template <emulator::Kind T>                                                            \
  T name(T* address, emulator::Given<T> value) {                                         \
    return emulator::update_atomically(address, [&](T old) -> T { return expression; }); \
  }                                                                                      \
  template <emulator::Kind T>                                                            \
  T name##_block(T* address, emulator::Given<T> value) {                                 \
    return name(address, value);                                                         \
  }                                                                                      \
  template <emulator::Kind T>                                                            \
  T name##_system(T* address, emulator::Given<T> value) {                                \
    return name(address, value);                                                         \
  }
EMULATOR_ATOMIC(atomicAdd, Atomic, emulator::add_wrapping(old, value))
EMULATOR_ATOMIC(atomicSub, AtomicInteger, static_cast<T>(old - value))
EMULATOR_ATOMIC(atomicMin, AtomicInteger, value < old ? value : old)
EMULATOR_ATOMIC(atomicMax, AtomicInteger, old < value ? value : old)
EMULATOR_ATOMIC(atomicAnd, AtomicInteger, static_cast<T>(old& value))
EMULATOR_ATOMIC(atomicOr, AtomicInteger, static_cast<T>(old | value))
EMULATOR_ATOMIC(atomicXor, AtomicInteger, static_cast<T>(old ^ value))
EMULATOR_ATOMIC(atomicExch, Atomic, value)
EMULATOR_ATOMIC(atomicInc, AtomicInteger, old >= value ? 0 : old + 1)
EMULATOR_ATOMIC(atomicDec, AtomicInteger, old == 0 || old > value ? value : old - 1)
#undef EMULATOR_ATOMIC

template <class T>
  requires(std::is_integral_v<T>)
T atomicCAS(T* address, emulator::Given<T> expected, emulator::Given<T> desired) {
  const T old = *address;
  if (old != expected) {
    emulator::poll(address);
    return old;
  }
  *address = desired;
  emulator::interleave();
  return old;
}

#define EMULATOR_LOAD(name)  \
  template <class T>         \
  T name(const T* address) { \
    return *address;         \
  }
EMULATOR_LOAD(__ldg)
EMULATOR_LOAD(__ldcg)
EMULATOR_LOAD(__ldca)
EMULATOR_LOAD(__ldcs)
EMULATOR_LOAD(__ldlu)
EMULATOR_LOAD(__ldcv)
#undef EMULATOR_LOAD
#define EMULATOR_STORE(name)                        \
  template <class T>                                \
  void name(T* address, emulator::Given<T> value) { \
    *address = value;                               \
  }
EMULATOR_STORE(__stwb)
EMULATOR_STORE(__stcg)
EMULATOR_STORE(__stcs)
EMULATOR_STORE(__stwt)
#undef EMULATOR_STORE

namespace emulator {

/// Text as a parameter of a template.
template <std::size_t kSize>
struct Text {
  char letters[kSize];
  constexpr Text(const char (&text)[kSize]) { std::copy_n(text, kSize, letters); }
  constexpr std::string_view view() const { return {letters, kSize - 1}; }
};

/// The number in "[%1+16]".
constexpr std::ptrdiff_t offset_in(std::string_view instruction) {
  std::ptrdiff_t offset = 0;
  const std::size_t plus = instruction.find('+');
  if (plus == instruction.npos) return 0;
  for (std::size_t i = plus + 1;
       i < instruction.size() && instruction[i] >= '0' && instruction[i] <= '9'; ++i)
    offset = offset * 10 + (instruction[i] - '0');
  return offset;
}

/// The bytes of the type that ends an operation such as "ld.global.v2.u32".
constexpr unsigned bytes_of_type(std::string_view operation) {
  if (operation.ends_with("128")) return 16;
  if (operation.ends_with("8")) return 1;
  if (operation.ends_with("16")) return 2;
  if (operation.ends_with("32")) return 4;
  return 8;
}

template <class Word>
void load_one(const char*& from, unsigned bytes, Word& to) {
  unsigned __int128 word = 0;
  std::memcpy(&word, from, bytes);
  from += bytes;
  std::memcpy(&to, &word, sizeof(Word));
}

template <class... Words>
void load(unsigned bytes, const char* from, Words&... to) {
  (load_one(from, bytes, to), ...);
}

template <class Word>
void store_one(char*& to, unsigned bytes, const Word& from) {
  std::memcpy(to, &from, bytes);
  to += bytes;
}

template <class... Words>
void store(unsigned bytes, char* to, const Words&... from) {
  (store_one(to, bytes, from), ...);
}

/// Operands of a load, results first: (results..., address), and a cache policy behind it if any.
template <bool kPolicy, class... Operands>
void load_operands(bool waits, std::string_view operation, std::ptrdiff_t offset,
                   Operands&... operands) {
  auto all = std::tie(operands...);
  constexpr std::size_t kAddress = sizeof...(Operands) - (kPolicy ? 2 : 1);
  const char* const address = reinterpret_cast<const char*>(std::get<kAddress>(all)) + offset;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    load(bytes_of_type(operation), address, std::get<i>(all)...);
  }(std::make_index_sequence<kAddress>());
  if (waits) poll(address);
}

template <bool kPolicy, class Address, class... Operands>
void store_operands(std::string_view operation, std::ptrdiff_t offset, Address address,
                    const Operands&... operands) {
  auto all = std::tie(operands...);
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    store(bytes_of_type(operation), reinterpret_cast<char*>(address) + offset, std::get<i>(all)...);
  }(std::make_index_sequence<sizeof...(Operands) - (kPolicy ? 1 : 0)>());
}

template <class Result, class... Rest>
void move_special(std::string_view source, Result& result) {
  if (source.find("globaltimer") != source.npos || source.find("clock") != source.npos)
    result = static_cast<Result>(nanoseconds());
  else if (source.find("smid") != source.npos)
    result = static_cast<Result>(current->block->index.x % kProcessors);
  else if (source.find("laneid") != source.npos)
    result = static_cast<Result>(current->lane);
  else
    fail("no such register: " + std::string(source));
}

/// (result, address, expected, desired) of a compare-and-swap, (result, address, value) of an
/// exchange: those that CUDA has no function for in all versions.
template <class Word, class... Operands>
void exchange_operands(std::string_view operation, Word& found, Word* address,
                       const Operands&... operands) {
  const auto given = std::tie(operands...);
  if constexpr (sizeof...(Operands) == 2) {
    if (operation.find(".cas.") == operation.npos)
      fail("no such atomic: " + std::string(operation));
    found = *address;
    if (found != std::get<0>(given)) return poll(address);
    *address = std::get<1>(given);
  } else {
    if (operation.find(".exch.") == operation.npos)
      fail("no such atomic: " + std::string(operation));
    found = *address;
    *address = std::get<0>(given);
  }
  interleave();
}

/// What `asm volatile("instruction" : results : operands)` becomes.
template <Text kInstruction, class... Operands>
void ptx(Operands&&... operands) {
  constexpr std::string_view kText = kInstruction.view();
  constexpr std::string_view kOperation = kText.substr(0, kText.find_first_of(" ;"));
  constexpr std::ptrdiff_t kOffset = offset_in(kText);
  constexpr bool kPolicy = kOperation.find("cache_hint") != kOperation.npos;
  constexpr bool kShared = kOperation.find("relaxed") != kOperation.npos ||
                           kOperation.find("acquire") != kOperation.npos ||
                           kOperation.find("release") != kOperation.npos ||
                           kOperation.find("volatile") != kOperation.npos;
  if constexpr (kOperation.starts_with("ld.")) {
    load_operands<kPolicy>(kShared, kOperation, kOffset, operands...);
  } else if constexpr (kOperation.starts_with("st.")) {
    store_operands<kPolicy>(kOperation, kOffset, operands...);
    if (kShared) interleave();
  } else if constexpr (kOperation.starts_with("atom.")) {
    exchange_operands(kOperation, operands...);
  } else if constexpr (kOperation.starts_with("mov.")) {
    move_special(kText.substr(kText.find('%', kText.find(','))), operands...);
  } else if constexpr (kOperation.starts_with("fence") || kOperation.starts_with("membar")) {
    interleave();
  } else if constexpr (kOperation.starts_with("cp.async.cg")) {
    auto all = std::tie(operands...);
    std::memcpy(reinterpret_cast<void*>(std::get<0>(all)), std::get<1>(all), 16);
  } else if constexpr (kOperation.starts_with("cp.async.wait")) {
    interleave();
  } else if constexpr (kOperation.starts_with("createpolicy")) {
    ((operands = 0), ...);
  } else {
    static_assert(
        kOperation.starts_with("prefetch") || kOperation.starts_with("applypriority") ||
            kOperation.starts_with("discard.L2"),
        "the emulator does not know this PTX: see tests/emulator/include/emulator/memory.h");
  }
}

}  // namespace emulator
