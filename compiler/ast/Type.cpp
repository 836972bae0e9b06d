#include "compiler/ast/Type.h"

#include <array>
#include <utility>

namespace vertigo::compiler::ast {
namespace {

constexpr std::array<std::pair<ScalarKind, std::string_view>, 9> kScalars = {{
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

bool integer(ScalarKind kind) { return kind >= ScalarKind::Int32 && kind <= ScalarKind::UInt64; }
bool floating(ScalarKind kind) {
  return kind == ScalarKind::Float32 || kind == ScalarKind::Float64 || kind == ScalarKind::Wide64;
}

}  // namespace

bool Type::is_integer() const {
  return form == Form::OpenInteger || (is_scalar() && integer(elements[0]));
}

bool Type::is_float() const {
  return form == Form::OpenFloat || (is_scalar() && floating(elements[0]));
}

std::string_view to_string(ScalarKind kind) {
  for (const auto& [scalar, name] : kScalars)
    if (scalar == kind) return name;
  return "?";
}

std::optional<ScalarKind> parse_scalar(std::string_view word) {
  for (const auto& [scalar, name] : kScalars)
    if (name == word) return scalar;
  return std::nullopt;
}

std::string to_string(const Type& type) {
  switch (type.form) {
    case Type::Form::Error:
      return "an error";
    case Type::Form::Nothing:
      return "no value";
    case Type::Form::VertexList:
      return "vertex[]";
    case Type::Form::OpenInteger:
      return "a whole number";
    case Type::Form::OpenFloat:
      return "a fraction";
    case Type::Form::OpenInfinity:
      return "'inf'";
    case Type::Form::Value:
      break;
  }
  if (type.elements.size() == 1) return std::string(to_string(type.elements[0]));
  std::string text = "(";
  for (std::size_t i = 0; i < type.elements.size(); ++i) {
    if (i != 0) text += ", ";
    if (i < type.names.size() && !type.names[i].empty()) text += type.names[i] + ": ";
    text += to_string(type.elements[i]);
  }
  return text + ")";
}

bool converts_implicitly(ScalarKind from, ScalarKind to) {
  if (from == to) return true;
  switch (from) {
    case ScalarKind::Int32:
      return to == ScalarKind::Int64 || floating(to);
    case ScalarKind::UInt32:
      return to == ScalarKind::Int64 || to == ScalarKind::UInt64 || floating(to);
    case ScalarKind::Int64:
    case ScalarKind::UInt64:
      return floating(to);
    case ScalarKind::Float32:
      return to == ScalarKind::Float64 || to == ScalarKind::Wide64;
    case ScalarKind::Float64:
      return to == ScalarKind::Wide64;
    default:
      return false;
  }
}

std::optional<ScalarKind> common_scalar(ScalarKind a, ScalarKind b) {
  if (converts_implicitly(a, b)) return b;
  if (converts_implicitly(b, a)) return a;
  bool mixed = (a == ScalarKind::Int32 && b == ScalarKind::UInt32) ||
               (a == ScalarKind::UInt32 && b == ScalarKind::Int32);
  if (mixed) return ScalarKind::Int64;
  return std::nullopt;
}

}  // namespace vertigo::compiler::ast
