#pragma once
// Random programs for properties of the compiler; tests/fuzz/programs makes those that are run.

#include <rapidcheck.h>

#include <string>

namespace vertigo::compiler::test {

/// The text of a well-typed program: states of every type, a message, a phase and a sweep with
/// random expressions.
rc::Gen<std::string> program_text();

}  // namespace vertigo::compiler::test
