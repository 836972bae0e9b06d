#pragma once
// Types as the checker sees them: those of a program, and the open types of literals that still
// have to be told.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::compiler::ast {

using vertigo::ScalarKind;

/// A scalar, a tuple of scalars in lexicographic order, a list of vertices, or a literal whose type
/// its surroundings decide.
struct Type {
  enum class Form : std::uint8_t {
    Error,         ///< something wrong was reported; agrees with everything
    Nothing,       ///< not yet told
    Value,         ///< scalar or tuple, in `elements`
    VertexList,    ///< `vertex[]`
    OpenInteger,   ///< integer literals: any number type that holds them; int32 where nothing
                   ///< decides
    OpenFloat,     ///< floating literals: any floating type; float64 where nothing decides
    OpenInfinity,  ///< `inf`: any number type
  };

  Form form = Form::Nothing;
  std::vector<ScalarKind> elements;
  std::vector<std::string> names;  ///< of a tuple's elements: one each, or none at all

  Type() = default;
  Type(Form form) : form(form) {}                               // NOLINT: a form is a type
  Type(ScalarKind kind) : form(Form::Value), elements{kind} {}  // NOLINT: a scalar kind is a type

  bool is_error() const { return form == Form::Error; }
  bool is_scalar() const { return form == Form::Value && elements.size() == 1; }
  bool is_tuple() const { return form == Form::Value && elements.size() > 1; }
  bool is_list() const { return form == Form::VertexList; }
  bool is_open() const { return form >= Form::OpenInteger; }
  bool is(ScalarKind kind) const { return is_scalar() && elements[0] == kind; }
  bool is_bool() const { return is(ScalarKind::Bool); }
  bool is_vertex() const { return is(ScalarKind::Vertex); }
  bool is_integer() const;  ///< a scalar integer type, or an open integer
  bool is_float() const;    ///< a scalar floating type, or an open one
  bool is_number() const { return is_integer() || is_float() || form == Form::OpenInfinity; }

  /// Same values; names of tuple elements do not count.
  bool same(const Type& other) const { return form == other.form && elements == other.elements; }
};

/// Spelling in the language: "int32", "(distance: int32, parent: vertex)", "vertex[]", "a whole
/// number".
std::string to_string(const Type& type);
std::string_view to_string(ScalarKind kind);
std::optional<ScalarKind> parse_scalar(std::string_view word);

/// True where every value of `from` is a value of `to` (integers), or where the rule for floats
/// permits it: any integer becomes a float where one is needed, float32 becomes float64, and both
/// become wide64.
/// docs/language.md states the rule.
bool converts_implicitly(ScalarKind from, ScalarKind to);
/// The type in which two numbers meet: the smaller of the types both convert to implicitly; none
/// for, say, int64 and uint64.
std::optional<ScalarKind> common_scalar(ScalarKind a, ScalarKind b);

}  // namespace vertigo::compiler::ast
