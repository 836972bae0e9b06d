#pragma once
// What folds values in C++: the operators as function objects, the values that they begin with, and
// folds over the common neighbours of two vertices.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// `Min`, `Sum` …
std::string operator_name(ir::Combine combine);
/// The operator as an object: `Sum{}`, `Any<T>{empty}`.
std::string operator_object(ir::Combine combine, const std::string& type, const std::string& empty);
/// What leaves everything as it is.
std::string identity_text(ir::Combine combine, const ir::Type& type);

/// `reduce_common(graph, u, v, Sum{}, 0.0, keep(v), [=](Vertex x, Vertex v) { return …; })`
std::string common_fold(const ir::Expr& reduction);

}  // namespace vertigo::compiler::emit
