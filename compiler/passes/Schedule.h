#pragma once
// Choices that the user pins: `--schedule direction=pull,forward.timing=sync`, or a file
//
//   schedule {
//     direction = pull;          // every phase where it applies
//     forward.timing = sync;     // one phase
//   }

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// One decision that can be pinned.
struct ScheduleKey {
  const char* key;
  const char* pass;
  bool per_phase;  ///< false: one choice for the program
  std::vector<std::string> values;
  bool number = false;      ///< any positive number is a value too
  bool expression = false;  ///< an expression over one vertex is a value too
};

/// Reads the expression at a place of a source: typed, over `self`. Null where it cannot be one;
/// then an error was reported. The passes know nothing of the language's text.
using ExpressionReader = std::function<ir::ExprPtr(SourceRange place)>;

/// All keys, in the order in which the passes decide them.
const std::vector<ScheduleKey>& schedule_keys();
const ScheduleKey* find_schedule_key(const std::string& key);  ///< null: there is none

struct Pin {
  std::string phase;  ///< "": every phase, or the program
  std::string key;
  std::string value;
  SourceRange range;
  /// What `value` means, where it is an expression.
  std::shared_ptr<const ir::Expr> expression = nullptr;
};

class Schedule {
 public:
  /// Reads both spellings. Unknown keys and values, and phases that `program` lacks, are reported
  /// with the nearest known one. `file` is a source of `diagnostics`.
  static Schedule read(std::uint32_t file, const ir::Program& program,
                       diag::DiagnosticEngine& diagnostics, const ExpressionReader& expressions);

  /// The pin for a decision; one that names the phase goes before one that does not. Later ones
  /// overrule earlier ones. Null where nothing is pinned.
  const Pin* find(const std::string& phase, const std::string& key) const;

  /// Pins one decision; "" as phase: every phase, or the program.
  void pin(const std::string& phase, const std::string& key, const std::string& value,
           SourceRange range = {});
  void pin(Pin pin) { pins_.push_back(std::move(pin)); }
  bool empty() const { return pins_.empty(); }
  /// Adds the pins of another one; they overrule.
  void add(const Schedule& other);

 private:
  std::vector<Pin> pins_;
};

}  // namespace vertigo::compiler::passes
