#pragma once
// What generated code knows of an edge beside its end: nothing, the weight, or a record of the
// attributes that are read by name.

#include <string>

#include "compiler/emit/common/Writer.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::emit {

/// Whether edges come with anything.
bool has_edge_attribute(const ir::Program& program);

/// The type of what an edge comes with; `none` where that is nothing.
std::string edge_type(const ir::Program& program, const std::string& none);

/// The name under which loops over edges bind it.
std::string edge_variable(const ir::Program& program);

/// ", " and what every edge has where the graph does not say it; "" where the graph must.
std::string edge_default(const ir::Program& program);

/// The struct of the records, whose layout the runtime knows (vertigo/core/record_layout.h);
/// nothing where attributes are not read by name.
void print_edge_columns(Writer& out, const ir::Program& program);

}  // namespace vertigo::compiler::emit
