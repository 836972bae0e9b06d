#pragma once
// States that gather the bits of messages, which are combined by `or` (or lose those that an `and`
// lacks): how updates spell the bits that are new, and all that there are.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// One message of a phase, and the state of the updated vertex that gathers its bits.
class SetsOfBits {
 public:
  /// Of a message that combines bits by `or`, or by `and`.
  SetsOfBits(const ir::Message& message, const ir::Phase& phase);

  /// Finds the state in the guard, given with its calls substituted: one of its conjuncts asks for
  /// bits that change it, `(inbox & ~state) != 0`. Null where none does.
  const ir::Expr* find_target(const ir::Expr& guard);
  const std::string& target() const { return target_; }

  // Of expressions over the values before the activation:

  bool is_target(const ir::Expr& e) const;
  /// The bits of the inbox that change the state: `m & ~s` (or), `s & ~m` (and).
  bool is_fresh(const ir::Expr& e) const;
  /// The state afterwards: `s | m`, or `s` and the new bits.
  bool is_whole(const ir::Expr& e) const;

 private:
  bool is_own_inbox(const ir::Expr& e) const;
  bool asks_for_new_bits(const ir::Expr& part) const;

  const ir::Message& message_;
  const std::string& vertex_;
  const bool is_or_;
  std::string target_;
};

}  // namespace vertigo::compiler::passes
