#pragma once
// The registry of diagnostics as C++ values: `diag::UnknownName` is a constant whose type fixes the
// arguments that a report of it takes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace vertigo::compiler::diag {

enum class Severity : std::uint8_t { Error, Warning, Note };

using Text = llvm::StringRef;
using Number = std::int64_t;

/// One entry of Diagnostics.def; `Args` are the types of {0}, {1} … in its text.
template <class... Args>
struct Diagnostic {
  unsigned code;
  Severity severity;
  const char* text;
};

#define VG_DIAGNOSTIC(code, name, severity, text, ...) \
  inline constexpr Diagnostic<__VA_ARGS__> name{code, Severity::severity, text};
#include "compiler/diag/Diagnostics.def"

/// An entry with its types erased, for listings, `--explain` and the coverage test.
struct Entry {
  unsigned code;
  Severity severity;
  const char* name;
  const char* text;
};
llvm::ArrayRef<Entry> registry();

/// "VG0101".
std::string code_name(unsigned code);
/// The code that `word` names ("VG0101", "vg0101" or "101"), or nothing.
std::optional<unsigned> parse_code(llvm::StringRef word);
/// The page of a code in Markdown, or nothing where no diagnostic has the code.
std::optional<llvm::StringRef> explain(unsigned code);

}  // namespace vertigo::compiler::diag
