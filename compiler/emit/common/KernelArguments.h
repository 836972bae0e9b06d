#pragma once
// What a kernel takes, as names of C++.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

using plan::KernelArgument;

/// Name of the argument in C++; "graph", "step", the start vertex and the part have names which no
/// name of the program gets.
std::string cpp_argument(const KernelArgument& argument);

/// Name of the argument that carries the vertex of Domain::OneVertex.
inline constexpr const char* kStartArgument = "start_vertex";

/// Name of the part that a kernel over one runs for, and of the variable that goes through them.
inline constexpr const char* kPartArgument = "part";

/// How many colour classes stand before the rest, in C++.
std::string colours_text(const plan::Buffer& classes);

/// Whether the body of this edge loop reads the edge attribute (loops inside have their own edge).
bool reads_edge(const plan::KernelStmt& loop);

/// Whether the kernel folds into a scalar: a reduction over vertices.
bool reduces(const plan::Plan& plan, const plan::Kernel& kernel);

}  // namespace vertigo::compiler::emit
