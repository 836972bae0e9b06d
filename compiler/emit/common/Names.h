#pragma once
// Names of the plan as names of C++: the user's own wherever C++ and the primitives leave them
// free.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// `name`, or `name_` where it is a word of C++ or CUDA, or a name that generated code calls. Names
/// with an underscore at either end, or two in a row, get letters beside them and one at the end:
/// no two names become the same, and other names that end in an underscore are the emitters' own.
std::string cpp_name(const std::string& name);

/// `wanted`, with underscores behind it while the program or a buffer has that name.
std::string free_name(const plan::Plan& plan, const std::string& wanted);
/// Name of the counter that the plan made for this purpose, whatever the user took; "": it has
/// none.
std::string find_counter(const plan::Plan& plan, const std::string& purpose);

/// "single_source" as "SingleSource".
std::string type_name(const std::string& name);

/// "int32" as "std::int32_t", a tuple as "Tuple<...>".
std::string cpp_type(const ir::Type& type);
std::string cpp_type(ir::ScalarKind kind);
/// Of the elements of a type, between commas: "std::int32_t, float".
std::string element_types(const ir::Type& type);
/// ScalarKind's own spelling, for tables: "ScalarKind::Int32".
std::string kind_name(ir::ScalarKind kind);

/// "Along::Out": which edges a buffer belongs to, as it is told when it is made.
std::string along_text(const plan::Buffer& buffer);
std::string along_text(ir::EdgeDirection direction);
/// "Ballots<Vertex>": what kernels take to find the most frequent of such values.
std::string ballots_type(const plan::Buffer& buffer);
/// Whether some buffer of the plan has the role.
bool has_role(const plan::Plan& plan, plan::BufferRole role);
/// Whether some kernel has such a statement.
bool has_operation(const plan::Plan& plan, plan::KernelOp op);
/// Element type of a buffer: "Packed<...>" for packed inboxes.
std::string element_type(const plan::Buffer& buffer);

}  // namespace vertigo::compiler::emit
