#pragma once
// How several attributes of an edge lie beside each other: one record per edge, as C++ lays out a
// struct whose members come in descending size. Generated code declares that struct, and the host
// fills it by these offsets.

#include <cstddef>
#include <span>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo {

/// Bytes of a number or a bool, which are also its alignment; 0 for what no record holds.
constexpr unsigned record_bytes_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return 1;
    case ScalarKind::Int32:
    case ScalarKind::UInt32:
    case ScalarKind::Float32:
      return 4;
    case ScalarKind::Int64:
    case ScalarKind::UInt64:
    case ScalarKind::Float64:
      return 8;
    case ScalarKind::Vertex:
    case ScalarKind::Wide64:
      break;
  }
  return 0;
}

struct RecordLayout {
  std::vector<unsigned> offsets;   ///< in bytes, in the order in which the fields were given
  std::vector<std::size_t> order;  ///< the fields as they lie in the record
  unsigned bytes = 0;              ///< of a record, with what pads it
};

/// Fields of equal size keep their order, so nothing lies between two fields.
inline RecordLayout layout_of(std::span<const ScalarKind> kinds) {
  RecordLayout layout;
  layout.offsets.resize(kinds.size());
  unsigned largest = 1;
  for (const unsigned size : {8U, 4U, 1U})
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (record_bytes_of(kinds[i]) != size) continue;
      layout.order.push_back(i);
      layout.offsets[i] = layout.bytes;
      layout.bytes += size;
      if (size > largest) largest = size;
    }
  layout.bytes = (layout.bytes + largest - 1) / largest * largest;
  return layout;
}

}  // namespace vertigo
