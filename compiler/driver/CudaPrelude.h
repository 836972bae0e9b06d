#pragma once
// What the runtime's device headers take from CUDA, as declarations for Clang. A name that is
// missing here shows up as an error of the check, never as a file that passes wrongly.

namespace vertigo::compiler::driver {

inline constexpr const char* kCudaPrelude = R"prelude(
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __CUDACC__ 1

struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct uint4 { unsigned x, y, z, w; };
struct uint2 { unsigned x, y; };
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
typedef struct CUstream_st* cudaStream_t;
typedef int cudaError_t;
extern "C" cudaError_t cudaConfigureCall(dim3, dim3, unsigned long = 0, cudaStream_t = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0,
                                                cudaStream_t = nullptr);

namespace std {
#define VERTIGO_MATH(name) \
  __host__ __device__ float name(float); __host__ __device__ double name(double);
VERTIGO_MATH(fabs) VERTIGO_MATH(sqrt) VERTIGO_MATH(exp) VERTIGO_MATH(log)
#undef VERTIGO_MATH
__host__ __device__ float fmod(float, float);
__host__ __device__ double fmod(double, double);
}

__device__ void __syncthreads();
__device__ void __syncwarp(unsigned = 0xffffffffu);
__device__ int __syncthreads_or(int);
__device__ int __syncthreads_count(int);
__device__ void __threadfence();
__device__ unsigned long __cvta_generic_to_shared(const void*);
[[noreturn]] __device__ void __trap();
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __any_sync(unsigned, int);
__device__ unsigned __match_any_sync(unsigned, unsigned);
__device__ unsigned __match_any_sync(unsigned, unsigned long long);
__device__ void __nanosleep(unsigned);
__device__ unsigned __reduce_add_sync(unsigned, unsigned);
__device__ unsigned __reduce_or_sync(unsigned, unsigned);
__device__ unsigned __reduce_max_sync(unsigned, unsigned);
__device__ unsigned __shfl_sync(unsigned, unsigned, int, int = 32);
__device__ unsigned __shfl_xor_sync(unsigned, unsigned, int, int = 32);
__device__ unsigned long long __shfl_xor_sync(unsigned, unsigned long long, int, int = 32);
__device__ unsigned __shfl_up_sync(unsigned, unsigned, unsigned, int = 32);
__device__ float __fdividef(float, float);
__device__ int __ffs(int);
template <class T> __device__ T __ldg(const T*);
template <class T> __device__ T __ldca(const T*);
template <class T> __device__ T __ldcg(const T*);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);

#define VERTIGO_ATOMIC(name, type) __device__ type name(type*, type);
VERTIGO_ATOMIC(atomicAdd, int) VERTIGO_ATOMIC(atomicAdd, unsigned)
VERTIGO_ATOMIC(atomicAdd, unsigned long long) VERTIGO_ATOMIC(atomicAdd, float)
VERTIGO_ATOMIC(atomicAdd, double)
VERTIGO_ATOMIC(atomicMin, int) VERTIGO_ATOMIC(atomicMin, unsigned)
VERTIGO_ATOMIC(atomicMin, long long) VERTIGO_ATOMIC(atomicMin, unsigned long long)
VERTIGO_ATOMIC(atomicMax, int) VERTIGO_ATOMIC(atomicMax, unsigned)
VERTIGO_ATOMIC(atomicMax, long long) VERTIGO_ATOMIC(atomicMax, unsigned long long)
VERTIGO_ATOMIC(atomicOr, unsigned) VERTIGO_ATOMIC(atomicOr, unsigned long long)
VERTIGO_ATOMIC(atomicXor, unsigned) VERTIGO_ATOMIC(atomicXor, unsigned long long)
VERTIGO_ATOMIC(atomicAnd, unsigned) VERTIGO_ATOMIC(atomicAnd, unsigned long long)
VERTIGO_ATOMIC(atomicExch, int) VERTIGO_ATOMIC(atomicExch, unsigned)
VERTIGO_ATOMIC(atomicExch, unsigned long long)
#undef VERTIGO_ATOMIC
__device__ unsigned atomicCAS(unsigned*, unsigned, unsigned);
__device__ int atomicCAS(int*, int, int);
__device__ unsigned long long atomicCAS(unsigned long long*, unsigned long long,
                                        unsigned long long);
)prelude";

}  // namespace vertigo::compiler::driver
