#include "compiler/ir/program/Type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vertigo::ir {

namespace {

constexpr std::array<std::pair<ScalarKind, std::string_view>, 9> kSpellings = {{
    {ScalarKind::Bool, "bool"},
    {ScalarKind::Int32, "int32"},
    {ScalarKind::Int64, "int64"},
    {ScalarKind::UInt32, "uint32"},
    {ScalarKind::UInt64, "uint64"},
    {ScalarKind::Float32, "float32"},
    {ScalarKind::Float64, "float64"},
    {ScalarKind::Wide64, "wide64"},
    {ScalarKind::Vertex, "vertex"},
}};

unsigned bytes_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return 1;
    case ScalarKind::Int32:
    case ScalarKind::UInt32:
    case ScalarKind::Float32:
    case ScalarKind::Vertex:
      return 4;
    default:
      return 8;
  }
}

}  // namespace

unsigned bytes_of(const Type& type) {
  unsigned bytes = 0;
  for (const ScalarKind kind : type.elements) bytes += bytes_of(kind);
  return bytes;
}

// As the runtimes' tuples nest: the first element, and behind it all others as one structure.
unsigned layout_bytes(const Type& type) {
  unsigned bytes = 0;
  unsigned alignment = 1;
  for (std::size_t i = type.elements.size(); i-- > 0;) {
    const unsigned own = bytes_of(type.elements[i]);
    const auto aligned = [](unsigned place, unsigned to) { return (place + to - 1) / to * to; };
    const unsigned begin = aligned(own, alignment);
    alignment = std::max(alignment, own);
    bytes = aligned(begin + bytes, alignment);
  }
  return bytes;
}

std::string_view to_string(ScalarKind kind) {
  for (const auto& [known, spelling] : kSpellings)
    if (known == kind) return spelling;
  return "";
}

bool parse_scalar(std::string_view word, ScalarKind& kind) {
  for (const auto& [known, spelling] : kSpellings) {
    if (spelling != word) continue;
    kind = known;
    return true;
  }
  return false;
}

std::string to_string(const Type& type) {
  if (type.is_none()) return "()";
  if (type.is_scalar()) return std::string(to_string(type.scalar()));
  std::string text = "(";
  for (const ScalarKind kind : type.elements) {
    if (text.size() > 1) text += ", ";
    text += to_string(kind);
  }
  return text + ")";
}

}  // namespace vertigo::ir
