#pragma once
// NVTX ranges, for profilers. Behind functions of the library because NVTX's header would add half
// a second to every compilation of a generated file; without a profiler a range costs nanoseconds.

namespace vertigo::gpu {

void push_range(const char* name);
void pop_range();

}  // namespace vertigo::gpu
