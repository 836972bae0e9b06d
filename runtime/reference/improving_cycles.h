#pragma once
// Whether a phase improves its values round a cycle, for ever. Two moments of the phase, or the end
// of it, are all that is looked at; who sent what is not known, and need not be:
//
// Draw an edge from u to v where the value of v is no better than what u's value sends along a real
// edge. Who improved whom last is among these edges, since senders only improve. Round a cycle of
// them the value that comes back is no worse than the one that set out; better, where on one edge
// it is better than the head's. So a cycle through such an edge improves for ever (moving.h), and
// where values improve for ever, one shows as soon as a wave has gone round.

#include <string>
#include <vector>

#include "context.h"
#include "moving.h"

namespace vertigo::reference {

/// The states are as the resolver has them, the host's variables bound where the phase reads any.
/// `before`: the phase's state at an earlier moment. The cycle in words; "": there is none.
std::string improving_cycle(Context& context, const MovingPhase& phase,
                            const std::vector<ColumnRef>& before);
/// Of a phase that has come to rest, and a state that nobody wrote before it began. `initial`: the
/// state as it was then.
std::string improving_cycle_at_rest(Context& context, const MovingPhase& phase,
                                    const std::vector<ColumnRef>& initial);

}  // namespace vertigo::reference
