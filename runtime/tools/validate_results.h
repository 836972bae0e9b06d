#pragma once
// Whether a result is what a reference says, by the rules of LDBC Graphalytics (specification,
// "Validation").

#include <string>

namespace vertigo::tools {

enum class Rule {
  Exact,        ///< equal values
  Equivalence,  ///< the same classes, whatever they are called
  Epsilon,      ///< numbers that differ by a small share of the reference
};

struct Validation {
  std::string result;
  std::string reference;
  Rule rule = Rule::Exact;
  double epsilon = 1e-4;  ///< of Graphalytics
};

/// One line that says how many vertices agree. Throws Error(CheckFailed) with the first vertices
/// that do not, InputInvalid where a file is not one vertex and one value a line.
std::string validate(const Validation& validation);

}  // namespace vertigo::tools
