#pragma once
// Clang was written for a process that may crash: some of its memory it takes without looking
// whether it got it, and a header can be anything. A crash of Clang is an answer of Clang's here.

#include <functional>
#include <string>

namespace vertigo::compiler::driver {

/// Runs the work, which calls Clang. Returns "" where it came to its end, else how it crashed: "it
/// was ended by signal 11 (Segmentation fault)". After a crash nothing that the work made is
/// destroyed. Throws what the work throws, and std::bad_alloc where Clang crashed because the
/// memory had come to its end.
std::string run_clang(const std::function<void()>& work);

}  // namespace vertigo::compiler::driver
