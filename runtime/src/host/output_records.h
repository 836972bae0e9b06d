#pragma once
// Results for programs: a record a vertex, as NumPy reads it.

#include "host/output.h"

namespace vertigo::host {

/// Throws Error(Usage) where the results cannot be records: there are none, ids are text, or a type
/// is not NumPy's.
void refuse_records(const ProgramInfo& info, const graph::IdMap& ids, OutputFormat format);

/// A packed record a vertex, by ascending input id: `vertex`, 64 bits, then the columns, everything
/// little-endian. A value that is a vertex is its id in 64 bits, all of them set for none. Npy puts
/// the header of NumPy's format in front.
void write_records(std::span<const OutputColumn> columns, const graph::Graph& graph,
                   OutputFormat format, const Sink& sink);

}  // namespace vertigo::host
