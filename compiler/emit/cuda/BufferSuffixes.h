#pragma once
// What a kernel has beside what it calls by a buffer's name: "asked" collects what goes to the list
// "asked_list".

#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

constexpr const char* kCounter = "_counter";
constexpr const char* kScalar = "_scalar";
constexpr const char* kWord = "_word";
constexpr const char* kList = "_list";

/// Those that a buffer of the role may have.
inline std::vector<const char*> suffixes(plan::BufferRole role) {
  switch (role) {
    case plan::BufferRole::Counter:
      return {kCounter};
    case plan::BufferRole::Scalar:
      return {kScalar};
    case plan::BufferRole::Threshold:
      return {kWord};
    case plan::BufferRole::Worklist:
      return {kList};
    default:
      return {};
  }
}

}  // namespace vertigo::compiler::emit
