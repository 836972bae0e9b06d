#pragma once
// Phases whose messages move what arrived by something that does not depend on it: `inbox +
// weight`, the least of several such, a choice between them. A cycle that improves its own vertices
// once does so every time round, and by as much: there is no fixed point.

#include <optional>

#include "recognise.h"

namespace vertigo::reference {

struct MovingPhase : PlainPhase {
  bool is_min = true;
  /// So many elements of what is sent, from the first on, are moved; what follows them is free.
  std::size_t moved = 0;
  /// No constant may take the place of what is moved, as in `min(inbox + weight, 100)`.
  bool is_pure = true;
};

/// Sends that do something else are left out; nothing where none is left. `host_is_known`: so are
/// those that read variables of the host, where their values are not known.
std::optional<MovingPhase> recognise_moving(const ir::Program& program, const ir::Phase& phase,
                                            bool host_is_known);

}  // namespace vertigo::reference
