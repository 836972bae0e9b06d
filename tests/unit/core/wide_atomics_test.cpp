// As this processor does it.
#define VERTIGO_WIDE_ATOMICS WideAtomics
#include "wide_atomics_body.h"
