#pragma once
// What a kernel takes, as names of C++.

#include <set>
#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

using plan::KernelArgument;

/// Name of the argument in C++; "graph", "step", the start vertex and the part have names which no
/// name of the program gets.
std::string cpp_argument(const KernelArgument& argument);

/// Name of the argument that carries the vertex of Domain::OneVertex.
inline constexpr const char* kStartArgument = "start_vertex";

/// Name of the part that a kernel over one runs for, and of the variable that goes through them;
/// and of all of them, for a kernel that does.
inline constexpr const char* kPartArgument = "part";
inline constexpr const char* kPartsArgument = "parts";

/// How many colour classes stand before the rest, in C++.
std::string colours_text(const plan::Buffer& classes);

/// The attributes of its edge that the body of this loop reads (loops inside have their own edge),
/// and whether there are any.
std::set<std::string> edge_reads(const plan::KernelStmt& loop);
bool reads_edge(const plan::KernelStmt& loop);

/// Whether the kernel folds into a scalar: a reduction over vertices.
bool reduces(const plan::Plan& plan, const plan::Kernel& kernel);

}  // namespace vertigo::compiler::emit
