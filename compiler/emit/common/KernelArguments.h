#pragma once
// What a kernel takes, as names of C++.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

using plan::KernelArgument;

/// Name of the argument in C++; "graph", "step" and the start vertex have names which no name of
/// the program gets.
std::string cpp_argument(const KernelArgument& argument);

/// Name of the argument that carries the vertex of Domain::OneVertex.
inline constexpr const char* kStartArgument = "start_vertex";

/// Whether the body of this edge loop reads the edge attribute (loops inside have their own edge).
bool reads_edge(const plan::KernelStmt& loop);

}  // namespace vertigo::compiler::emit
