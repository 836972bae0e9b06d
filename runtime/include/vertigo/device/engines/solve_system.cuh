#pragma once
// The system of linear equations x = b + A x that a linear phase stands for, by position, and what
// its solver reports. b is what the phase starts with, A what the program sends along an edge per
// unit of inbox.

#include "vertigo/device/engines/pull_rows.cuh"

namespace vertigo::gpu::solve {

/// How a sweep ended, or the solve.
enum class Outcome : unsigned {
  Running,
  Done,       ///< no residual above the tolerance
  Limit,      ///< the user's limit of steps came first
  NotFinite,  ///< a residual is infinite or no number
  Stalled,    ///< the residual does not shrink
};

enum class Step : unsigned {
  Plain,        ///< x <- b + A x
  Chebyshev,    ///< x <- omega (b + A x - x_before) + x_before
  Extrapolate,  ///< the residual shrinks by the same factor everywhere: the whole series at once
  Local,        ///< only few residuals are left: work on these alone
};

/// What the blocks agree on between two sweeps, and the host reads at the end.
struct Control {
  Outcome outcome = Outcome::Running;
  Step step = Step::Plain;
  double omega = 1;   ///< of Chebyshev
  double factor = 0;  ///< of Extrapolate
  unsigned current = 0;
  unsigned rounds = 0;
  unsigned plain = 0;   ///< plain steps in a row that led to the current iterate
  unsigned listed = 0;  ///< rows on the list of those above the tolerance
  unsigned unsettled[2] = {};
  unsigned local_sweeps = 0;
  unsigned extrapolations = 0;
  unsigned chebyshev_steps = 0;
  bool chebyshev_allowed = true;
  bool one_constant = false;
  bool cancels = false;  ///< terms have both signs, so that a sum may be smaller than its rounding
  double constant = 0;  ///< where it is one
  double start = 0;     ///< what the first iterate adds to b per in-edge
  double bound = 0;     ///< of the spectral radius; infinite where unknown
  double previous = 0;  ///< sum of absolute residuals one round ago; 0 where not comparable
  double least = 0;     ///< the smallest so far
  double checkpoint = 0;
  double residual = 0;  ///< sum of absolute residuals of the last sweep
  unsigned long long edges = 0;
};

/// What one sweep adds up over all rows; doubles, so that float programs do not overflow here.
inline constexpr unsigned kTotals = 6;

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
  T* apart = nullptr;  ///< x where it cannot be told from weight * x
  T* piece_sums = nullptr;
  T* piece_sizes = nullptr;
  unsigned* pieces_done = nullptr;  ///< of each long row; 0 between sweeps
  unsigned* list = nullptr;         ///< rows above the tolerance
  T* list_values = nullptr;
  unsigned list_room = 0;
  double* partials = nullptr;  ///< kTotals per block
  Control* control = nullptr;
  const std::uint32_t* negative = nullptr;  ///< raised where a coefficient is below zero
  unsigned step_limit = 0;
};

}  // namespace vertigo::gpu::solve
