#pragma once
// The system of linear equations x = b + A x that a linear phase stands for, by position, and what
// its solver reports. b is what the phase starts with, A what the program sends along an edge per
// unit of inbox.

#include "vertigo/device/step_log.cuh"
#include "vertigo/engines/solve/linear_solve.h"
#include "vertigo/engines/solve/pull_rows.cuh"

namespace vertigo::gpu::solve {

using namespace linear;  // NOLINT: what the solver decides, the same on every target

/// What pushing residuals needs besides.
struct Pushes {
  const EdgeIndex* offsets = nullptr;  ///< of the edges along which messages go; null: no pushing
  const Vertex* receivers = nullptr;
  long long* left = nullptr;     ///< residuals by position, in Control::push_unit
  unsigned* touched = nullptr;   ///< the round in which something was last delivered there
  Vertex* candidates = nullptr;  ///< positions that something was delivered to
  unsigned* pieces = nullptr;    ///< which of its pieces a row on the list delivers
  unsigned candidate_room = 0;
};

template <class T, class Offset>
struct System {
  PullRows<Offset> rows;
  const T* inbox = nullptr;  ///< b, by vertex
  T* constants = nullptr;    ///< room for b by position
  /// What a sender multiplies with, by position; null: `edge_values` are per edge.
  const T* weights = nullptr;
  const T* edge_values = nullptr;
  const T* tolerances = nullptr;  ///< by position; null: `tolerance` everywhere
  T tolerance{};
  /// weight * x (or x, with edge values) by position, this round's and the last's.
  T* iterates[2] = {};
  /// x where it cannot be told from weight * x; elsewhere, of a vertex that takes no part, what has
  /// come in.
  T* apart = nullptr;
  T* piece_sums = nullptr;
  T* piece_sizes = nullptr;
  unsigned* pieces_done = nullptr;  ///< of each long row; 0 between sweeps
  unsigned* list = nullptr;         ///< rows above the tolerance
  T* list_values = nullptr;
  unsigned list_room = 0;
  Pushes pushes;
  double* partials = nullptr;  ///< kTotals per block
  Control* control = nullptr;
  bool one_sided = false;                   ///< x is a solution only where nothing is below zero
  const std::uint32_t* negative = nullptr;  ///< raised where a coefficient is below zero
  std::uint64_t step_limit = ~std::uint64_t{0};
  StepLog log;
};

namespace detail {

template <class T>
__device__ __forceinline__ T magnitude(T value) {
  return value < 0 ? -value : value;
}
/// A weight below makes a product that may be denormal, from which x cannot be told.
template <class T>
inline constexpr T kLeastWeight = sizeof(T) == 4 ? T(0x1p-60) : T(0x1p-500);

}  // namespace detail

template <class T, class Offset>
__device__ __forceinline__ T tolerance_at(const System<T, Offset>& system, Vertex at) {
  return system.tolerances == nullptr ? system.tolerance : system.tolerances[at];
}

template <class T, class Offset>
__device__ __forceinline__ T constant_at(const System<T, Offset>& system, Vertex at) {
  const Control& control = *system.control;
  return control.one_constant ? static_cast<T>(control.constant) : system.constants[at];
}

/// Whether b alone passes the guard of the vertex at a position.
template <class T, class Offset>
__device__ __forceinline__ bool starts(const System<T, Offset>& system, Vertex at) {
  return takes_part(T{0}, constant_at(system, at), tolerance_at(system, at));
}

/// x at a position, of what the iterate `held` says there.
template <class T, class Offset>
__device__ __forceinline__ T value_at(const System<T, Offset>& system, const T* held, Vertex at) {
  if (system.weights == nullptr) return held[at];
  const T weight = system.weights[at];
  if (detail::magnitude(weight) < detail::kLeastWeight<T>) return system.apart[at];
  return divide_quickly(held[at], weight);
}

}  // namespace vertigo::gpu::solve
