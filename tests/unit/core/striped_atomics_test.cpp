// As processors without an instruction for it do it. A program of its own: both ways have the names
// of one.
#define VERTIGO_STRIPED_LOCKS
#define VERTIGO_WIDE_ATOMICS StripedAtomics
#include "wide_atomics_body.h"
