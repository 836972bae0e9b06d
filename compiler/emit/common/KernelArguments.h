#pragma once
// What a kernel needs of the world: found by reading its body, so that kernels take exactly what
// they use.

#include <set>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

struct KernelArgument {
  enum class Kind : std::uint8_t {
    Graph,
    Buffer,     ///< `buffer`
    Parameter,  ///< scalar parameter or host variable `name` of `type`
    List,       ///< parameter `name` of type vertex[]
    Step,       ///< number of the superstep
    Start,      ///< the one vertex of Domain::OneVertex
  };
  Kind kind = Kind::Graph;
  std::string name;  ///< of the plan, not yet of C++
  ir::Type type;
  const plan::Buffer* buffer = nullptr;
  bool written = false;  ///< of a buffer
};

/// Name of the argument in C++; "graph", "step" and the start vertex keep theirs, which no name of
/// the program gets.
std::string cpp_argument(const KernelArgument& argument);

/// Graph first, then what the domain runs over, lists and marks, arrays, counters, scalars,
/// parameters, step.
std::vector<KernelArgument> arguments_of(const plan::Plan& plan, const plan::Kernel& kernel);

/// Kernels that the variant launches, those of a hybrid's paths included.
std::set<std::string> kernels_of(const plan::PhasePlan& phase, const plan::Variant& variant);

/// Buffers that a variant needs, its kernels' among them; of a hybrid those of the paths that it
/// changes between, too.
std::set<std::string> buffers_of(const plan::Plan& plan, const plan::PhasePlan& phase,
                                 const plan::Variant& variant);

/// The threshold of the variant's steps; "" where every active vertex is processed.
std::string threshold_of(const plan::Plan& plan, const plan::PhasePlan& phase,
                         const plan::Variant& variant);

/// Name of the argument that carries the vertex of Domain::OneVertex.
inline constexpr const char* kStartArgument = "start_vertex";

/// Whether the body of this edge loop reads the edge attribute (loops inside have their own edge).
bool reads_edge(const plan::KernelStmt& loop);

}  // namespace vertigo::compiler::emit
