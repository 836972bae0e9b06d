#pragma once
// What is compiled for every type that weights have.

#include <cstdint>

/// Calls Use(T) with each of the types of graph::with_weight_type().
#define VERTIGO_WEIGHT_TYPES(Use) \
  Use(std::int32_t) Use(std::int64_t) Use(std::uint32_t) Use(std::uint64_t) Use(float) Use(double)
