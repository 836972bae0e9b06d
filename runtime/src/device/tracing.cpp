#include "tracing.h"

#include <nvtx3/nvToolsExt.h>

namespace vertigo::gpu {

void push_range(const char* name) { nvtxRangePushA(name); }
void pop_range() { nvtxRangePop(); }

}  // namespace vertigo::gpu
