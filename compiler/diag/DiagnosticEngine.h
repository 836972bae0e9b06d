#pragma once
// Collects what the steps have to say about a program, and prints it with the source line and a
// caret.

#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "compiler/diag/Diagnostic.h"
#include "compiler/support/SourceRange.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace vertigo::compiler::diag {

/// A place that explains a diagnostic further.
struct Note {
  SourceRange range;
  std::string text;
};

/// An edit that would mend the program: `range` replaced by `replacement` (an empty range inserts).
struct Fix {
  SourceRange range;
  std::string replacement;
};

/// One diagnostic as it was reported. The functions return the report itself, so that they chain.
struct Report {
  unsigned code = 0;
  Severity severity = Severity::Error;
  SourceRange range;
  std::string text;
  std::vector<Note> notes;
  std::vector<Fix> fixes;

  Report& note(SourceRange where, std::string text);
  /// A note without a place of its own; it is shown at the place of the diagnostic.
  Report& note(std::string text);
  Report& fix(SourceRange where, std::string replacement);
};

/// Owns the source texts and the reports of one compilation. Not thread-safe.
class DiagnosticEngine {
 public:
  /// After this many errors the rest is dropped, and the output says so. Warnings have a limit of
  /// their own.
  static constexpr unsigned kErrorLimit = 20;
  static constexpr unsigned kWarningLimit = 50;

  /// Adds a source text; `name` is what messages call it. Returns the file number for SourceRange.
  std::uint32_t add_source(std::string name, llvm::StringRef text);
  llvm::StringRef source(std::uint32_t file) const;
  llvm::StringRef source_name(std::uint32_t file) const;
  /// The bytes of a range; empty where it has no place.
  llvm::StringRef text(SourceRange range) const;
  /// Line and column of the first byte, counted from 1; {0, 0} where it has no place.
  std::pair<unsigned, unsigned> line_and_column(SourceRange range) const;

  /// The byte at line and column of the first source, where Program IR's locations point; no place
  /// for line 0 or without a source.
  SourceRange range_at(unsigned line, unsigned column) const;

  template <class... Args>
  Report& report(const Diagnostic<Args...>& diagnostic, SourceRange range,
                 std::type_identity_t<Args>... args) {
    return add(diagnostic.code, diagnostic.severity, diagnostic.text, range, {argument(args)...});
  }

  /// Takes back what was reported in these words and is not printed yet: a later step found that it
  /// does not hold. Of warnings alone.
  template <class... Args>
  void take_back(const Diagnostic<Args...>& diagnostic, std::type_identity_t<Args>... args) {
    withdraw(diagnostic.code, diagnostic.text, {argument(args)...});
  }

  bool has_errors() const { return errors_ != 0; }
  unsigned error_count() const { return errors_; }
  /// The limit is passed: further errors are counted and dropped.
  bool full() const { return errors_ > kErrorLimit; }
  const std::deque<Report>& reports() const { return reports_; }

  /// Prints what was reported since the last call, in the order of reporting.
  void print(llvm::raw_ostream& out, bool colours = false);

 private:
  static std::string argument(llvm::StringRef text) { return text.str(); }
  static std::string argument(std::int64_t number) { return std::to_string(number); }

  Report& add(unsigned code, Severity severity, llvm::StringRef text, SourceRange range,
              std::vector<std::string> arguments);
  void withdraw(unsigned code, llvm::StringRef text, std::vector<std::string> arguments);
  llvm::SMRange place(SourceRange range) const;
  void print_at(SourceRange where, llvm::SourceMgr::DiagKind kind, llvm::StringRef text,
                llvm::ArrayRef<llvm::SMFixIt> fixes, llvm::raw_ostream& out, bool colours) const;
  void print_one(const Report& report, llvm::raw_ostream& out, bool colours) const;

  llvm::SourceMgr sources_;
  std::vector<std::vector<std::uint32_t>>
      line_begins_;             // of each source; files are numbered from 1
  std::deque<Report> reports_;  // a deque, because report() hands out references that must last
  Report dropped_;              // what report() returns once the limit is passed
  std::size_t printed_ = 0;
  unsigned errors_ = 0;
  unsigned warnings_ = 0;
};

}  // namespace vertigo::compiler::diag
