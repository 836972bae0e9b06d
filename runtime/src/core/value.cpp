#include "vertigo/core/value.h"

namespace vertigo {

std::size_t size_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return 1;
    case ScalarKind::Int32:
    case ScalarKind::UInt32:
    case ScalarKind::Float32:
    case ScalarKind::Vertex:
      return 4;
    case ScalarKind::Int64:
    case ScalarKind::UInt64:
    case ScalarKind::Float64:
    case ScalarKind::Wide64:
      return 8;
  }
  return 0;
}

}  // namespace vertigo
