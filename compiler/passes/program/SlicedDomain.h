#pragma once
// Updates in a loop that ask for one value of a state in every round, as a walk from level to level
// does: `update v where v.depth == d`. Where nothing in the loop changes that state, each round
// looks at a slice of the vertices in the order of its values.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct SlicedDomain {
  std::string state;  ///< that is compared; "": there is no such domain
  ir::ExprPtr value;  ///< with which, of the host level and of the state's type
  /// The outermost loop around the phase in which nobody assigns the state, by its number in the
  /// order of the text.
  unsigned loop = 0;
  /// Why vertices may be sorted by the state, or what is in the way of the first comparison; "":
  /// the guard compares no state with a value of the host level.
  std::string reason;
};

/// Of the guard of `phase`, with the program's functions inlined.
SlicedDomain find_sliced_domain(const ir::Program& program, const ir::Phase& phase);

/// Whether the phase reads what it writes at no other vertex of its slice, as of those one level
/// down: each such read stands in a reduction that asks for another value. Not where the slice's
/// value is at an end of its type, which `d + 1` does not leave.
bool reads_other_slices(const ir::Phase& phase, const SlicedDomain& domain);

/// The value that the condition, of `vertex`, asks of the state: one of its conjuncts compares
/// them. Null where none does, with a value of the host level.
ir::ExprPtr value_asked_of(const ir::Program& program, const ir::Expr& condition,
                           const std::string& vertex, const std::string& state);

}  // namespace vertigo::compiler::passes
