#pragma once
// Functions for the host and the device alike, in headers that nvcc and g++ read.

#ifdef __CUDACC__
#define VERTIGO_HOST_DEVICE __host__ __device__
/// Becomes part of each place that calls it.
#define VERTIGO_INLINED __host__ __device__ __forceinline__
/// Is called, not copied to each place: rare, and much for nvcc to compile.
#define VERTIGO_CALLED __host__ __device__ __attribute__((noinline)) inline
#else
#define VERTIGO_HOST_DEVICE
#define VERTIGO_INLINED inline
#define VERTIGO_CALLED inline
#endif
