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

std::string_view kind_name(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return "bool";
    case ScalarKind::Int32:
      return "int32";
    case ScalarKind::Int64:
      return "int64";
    case ScalarKind::UInt32:
      return "uint32";
    case ScalarKind::UInt64:
      return "uint64";
    case ScalarKind::Float32:
      return "float32";
    case ScalarKind::Float64:
      return "float64";
    case ScalarKind::Wide64:
      return "wide64";
    case ScalarKind::Vertex:
      break;
  }
  return "vertex";
}

}  // namespace vertigo
