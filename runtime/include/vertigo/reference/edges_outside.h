#pragma once
// Whether a program reads edges where none of its phases runs.

#include <string>
#include <string_view>

namespace vertigo::reference {

/// What a program does with edges outside of its phases, such as in initial values that reduce over
/// neighbours, in words: "a reduction over neighbours"; "": nothing. Throws Error(Other) when the
/// text is damaged.
std::string edges_outside_phases(std::string_view program_ir);

}  // namespace vertigo::reference
