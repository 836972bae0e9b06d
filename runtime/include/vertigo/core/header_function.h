#pragma once
// Functions of a header that a program names by `use`, as the interpreter calls them. The code that
// was generated for the program hands them over in a table.
//
// This header stands in emitted CUDA too, so that it includes no containers
// (docs/decisions/thin-device-headers.md).

#include <cstddef>
#include <cstdint>
#include <cstring>

// One header serves the CPU and the GPU: to a compiler that knows no CUDA, its words mean nothing.
#ifndef __CUDACC__
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __forceinline__
#define __forceinline__ inline
#endif
#endif

namespace vertigo {

/// Arguments and result are words that hold the value's bytes, lowest first.
struct HeaderFunction {
  const char* name;
  std::uint64_t (*call)(const std::uint64_t* arguments);
};

template <class T>
T argument_of(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

template <class T>
std::uint64_t word_of(T value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}

/// Makes the table of a program known in this process, for as long as it lasts. Of a function that
/// two tables of the program have (both targets), the first is taken.
void add_header_functions(const char* program, const HeaderFunction* functions, std::size_t count);
/// Null where no table of the program has it.
const HeaderFunction* find_header_function(const char* program, const char* name);

struct HeaderFunctionTable {
  template <std::size_t N>
  HeaderFunctionTable(const char* program, const HeaderFunction (&functions)[N]) {
    add_header_functions(program, functions, N);
  }
};

/// What a library made for the interpreter exports: the address of its table, and its length.
inline constexpr const char* kHeaderFunctionsSymbol = "vertigo_header_functions";
inline constexpr const char* kHeaderFunctionCountSymbol = "vertigo_header_function_count";

}  // namespace vertigo
