#pragma once
// Tries many mutated inputs under a cap of memory and time each, in processes of their own, and
// shrinks those that end one. No sanitizer and no coverage: this is for numbers of inputs that
// libFuzzer does not reach.
//
//   PROGRAM [--inputs N] [--seconds S] [--first N] [--jobs N] [--memory MiB] [--limit S] [--found
//   DIR]
//           [--longest BYTES] [--dictionary FILE] SEED…   a SEED is a file or a folder of them
//
// Says the rate, the slowest input and the peak of memory. Exit status 1 where an input crashed,
// hung, went over the memory, or was not what it should be; such inputs lie in DIR, shrunk.

#include <string_view>

namespace vertigo::fuzz {

/// Returns where the input was handled as it should be, whether it was taken or refused (true:
/// taken); aborts otherwise.
using TryInput = bool (*)(std::string_view input);

int run_mutations(int argc, char** argv, TryInput try_input);

}  // namespace vertigo::fuzz
