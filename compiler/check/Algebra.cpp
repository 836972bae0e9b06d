// Combine operators: which type they fit, their identity, and what a user's function claims.

#include "compiler/check/Checker.h"
#include "compiler/check/Evaluate.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/support/NearMiss.h"

namespace vertigo::compiler::check {
namespace {

bool contains(const Type& type, ScalarKind kind) {
  for (ScalarKind each : type.elements)
    if (each == kind) return true;
  return false;
}

}  // namespace

bool Checker::combine_fits(const ast::Message& message) {
  const std::string& word = message.combine.text;
  const Type& type = message.type;
  if (word == "or" || word == "and") return type.is_bool() || type.is_integer();
  if (word == "xor") return type.is_integer();
  if (word == "sum") return type.is_scalar() && type.is_number();
  if (word == "any") return type.is_scalar();
  if (contains(type, ScalarKind::Bool)) return false;
  // No vertex lies below every other, so max over vertices has no identity.
  return word == "min" || !contains(type, ScalarKind::Vertex);
}

void Checker::check_combine(ast::Message& message) {
  const std::string& word = message.combine.text;
  const auto known = ir::find_combine(word);
  if (!known || *known == ir::Combine::Function) {
    check_combine_function(message);
    return;
  }
  if (message.type.is_error()) return;
  if (!combine_fits(message)) {
    auto& report =
        diagnostics_.report(diag::CombineType, message.combine.range, word, in_words(message.type));
    if (word == "max")
      report.note("no vertex lies below all others; combine by a function with 'identity none'");
    if (message.type.is_bool()) report.note("bool messages combine by 'or' or 'and'");
    return;
  }
  if (word == "any" && !message.type.is_vertex()) {
    if (!message.initial) {
      SourceRange behind{message.combine.range.end, message.combine.range.end,
                         message.combine.range.file};
      diagnostics_
          .report(diag::IdentityMissing, message.combine.range, word, in_words(message.type))
          .note("the value that stands for no message; it must never be sent")
          .fix(behind, " identity …");
      return;
    }
    Restore place(place_, Place::Constant);
    constant_what_ = "an identity";
    expect(message.initial, message.type);
    return;
  }
  if (message.initial) diagnostics_.report(diag::IdentityGiven, message.initial->range, word);
}

void Checker::check_combine_function(ast::Message& message) {
  const std::string& word = message.combine.text;
  auto found = functions_.find(word);
  if (found == functions_.end()) {
    std::vector<std::string> known = {"min", "max", "sum", "or", "and", "xor", "any"};
    for (const auto& [name, function] : functions_) known.push_back(name);
    suggest(diagnostics_.report(diag::UnknownCombine, message.combine.range, word), message.combine,
            known);
    return;
  }
  const ast::Function& function = *found->second;
  function.read = true;
  message.combine_function = &function;
  bool fits = function.parameters.size() == 2 && function.type.same(message.type);
  for (const auto& parameter : function.parameters)
    fits = fits && parameter->type.same(message.type);
  if (message.type.is_error() || function.type.is_error()) return;
  if (!fits) {
    diagnostics_.report(diag::CombineSignature, message.combine.range, word, in_words(message.type))
        .note(function.name.range, "declared here");
    return;
  }
  if (!message.initial) {
    diagnostics_.report(diag::IdentityMissing, message.combine.range, word, in_words(message.type));
    return;
  }
  unsigned errors = diagnostics_.error_count();
  {
    Restore place(place_, Place::Constant);
    constant_what_ = "an identity";
    expect(message.initial, message.type);
  }
  if (errors == 0 && diagnostics_.error_count() == 0) spot_check(message, function);
}

// The claims of a combine function cannot be proved in general; a few values refute most wrong
// ones.
void Checker::spot_check(const ast::Message& message, const ast::Function& function) {
  Evaluator evaluator;
  auto identity = evaluator.evaluate(*message.initial);
  if (!identity) return;
  std::vector<Constant> samples = sample_values(message.type, *identity);
  auto apply = [&](const Constant& a, const Constant& b) {
    return evaluator.call(function, {a, b});
  };
  auto call = [&](const std::string& a, const std::string& b, const Constant& result) {
    return function.name.text + "(" + a + ", " + b + ") = " + to_string(result);
  };
  for (const Constant& a : samples) {
    auto with = apply(a, *identity);
    if (with && !agree(*with, a)) {
      diagnostics_.report(diag::NotAnIdentity, message.initial->range, to_string(*identity),
                          function.name.text, call(to_string(a), to_string(*identity), *with));
      return;
    }
  }
  for (const Constant& a : samples) {
    for (const Constant& b : samples) {
      auto ab = apply(a, b), ba = apply(b, a);
      if (ab && ba && !agree(*ab, *ba)) {
        diagnostics_
            .report(diag::NotCommutative, message.combine.range, function.name.text,
                    call(to_string(a), to_string(b), *ab), call(to_string(b), to_string(a), *ba))
            .note(function.name.range, "declared here");
        return;
      }
      for (const Constant& c : samples) {
        auto bc = apply(b, c);
        if (!ab || !bc) continue;
        auto left = apply(*ab, c), right = apply(a, *bc);
        if (!left || !right || agree(*left, *right)) continue;
        std::string inner_left =
            function.name.text + "(" + to_string(a) + ", " + to_string(b) + ")";
        std::string inner_right =
            function.name.text + "(" + to_string(b) + ", " + to_string(c) + ")";
        diagnostics_
            .report(diag::NotAssociative, message.combine.range, function.name.text,
                    call(inner_left, to_string(c), *left), call(to_string(a), inner_right, *right))
            .note(function.name.range, "declared here");
        return;
      }
    }
  }
}

}  // namespace vertigo::compiler::check
