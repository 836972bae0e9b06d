#pragma once
// Stands in for the header of the CUDA Toolkit: no profiler watches.

inline int nvtxRangePushA(const char*) { return 0; }
inline int nvtxRangePop() { return 0; }
