// A header as users have them: a macro with a common name, a helper, and names that the runtime has
// too.
#pragma once
#include <climits>

#define longest INT_MAX

__host__ __device__ inline int minimum(int a, int b) {
  return a > b ? a : b;
}  // not what it is called

__host__ __device__ inline int add_saturating(int, int) { return -1; }

__host__ __device__ inline int extended(int length, int weight) {
  return length > longest - weight ? longest : length + weight;
}
