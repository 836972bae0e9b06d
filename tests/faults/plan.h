#pragma once
// What is to fail, as run_faults.py says it in the environment:
//
//   VERTIGO_FAULT         KIND:K:MODE    the K-th call of the kind fails (from 0), MODE `once`, or
//                         it and all after it, MODE `on`
//                         KIND:every:MODE:FIRST:STRIDE:DEPTH   each STRIDE-th call from FIRST on,
//                         in a child of its own (every.cpp); with a DEPTH (not 0) only those whose
//                         DEPTH innermost callers made no such call before (place.cpp)
//   VERTIGO_FAULT_NAMED   set: the file system has no files without a name
//   VERTIGO_FAULT_THREADS threads that may run at a time, beside the first
//   VERTIGO_FAULT_GROWS   a file: with the kind `growth`, its K-th read finds it a line end longer
//   VERTIGO_FAULT_EMPTIED a folder that loses its files after each child of `every`
//   VERTIGO_FAULT_COUNTS  a file of two 64-bit numbers: calls of the kind, and those that failed
//
// Calls are counted from the program's own start on: what the loader and the initialisation of
// shared libraries do is not the program's.

#include <cstdint>

namespace vertigo::faults {

enum class Kind : std::uint8_t { None, Memory, Read, Write, Thread, Descriptor, Interrupt, Growth };

/// True where this call of `kind` is to fail. Counts it.
bool fails(Kind kind);

/// Reads the plan; from here on calls are counted.
void begin();

/// Numbers in the file of VERTIGO_FAULT_COUNTS.
struct Counts {
  std::uint64_t calls;
  std::uint64_t failed;
};

/// True where no call was made before by the same callers, as far as `depth` of them go.
bool is_new_place(unsigned depth);

/// The rest of an `every` run: tries the call that is numbered `call` in a child. True in that
/// child, where the call is to fail.
bool fails_in_child(std::uint64_t call);

/// What this process was asked to do.
struct Plan {
  Kind kind = Kind::None;
  bool every = false;
  bool on = false;  ///< all later calls fail too
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  unsigned depth = 0;  ///< of a place; 0: places do not matter
};
extern Plan plan;

/// Calls are the program's.
extern bool counting;

}  // namespace vertigo::faults
