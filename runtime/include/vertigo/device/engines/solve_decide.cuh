#pragma once
// What the solver does next, by what the last sweep measured. One thread decides for the grid.

#include "vertigo/device/engines/solve_system.cuh"

namespace vertigo::gpu::solve {

/// What a thread, or all, add up in a sweep; the order is that of System::partials.
template <class T>
struct Totals {
  double residual = 0;    ///< sum of |b + A x - x|
  unsigned above = 0;     ///< rows whose residual exceeds their tolerance
  float listed_edges = 0;  ///< of the rows on the list
  // Of the residual now and one plain step ago: whether they point the same way.
  T now_now = 0;
  T now_before = 0;
  T before_before = 0;
};

/// A residual that is the one before, times a number, up to this much of its length is a single
/// mode, whose series is summed in closed form.
inline constexpr double kSameDirection = 0.9;
inline constexpr double kOtherDirection = 0.5;
/// A residual that shrinks faster needs no acceleration.
inline constexpr double kSlow = 0.5;
/// Working on the few rows that are left costs up to this share of the edges of a sweep.
inline constexpr double kFewEdges = 0.02;
/// From here on a residual that took half of all rounds to lose a tenth is told apart from one that
/// converges.
inline constexpr unsigned kFirstCheckpoint = 4096;

__device__ __forceinline__ bool is_finite(double value) { return value - value == 0; }

/// Whether the residual has shrunk since half as many rounds.
__device__ inline bool stalls(Control& control, double residual) {
  if (control.rounds < kFirstCheckpoint / 2 || (control.rounds & (control.rounds - 1)) != 0)
    return false;
  const bool first = control.rounds == kFirstCheckpoint / 2;
  const bool stalled = !first && residual > 0.9 * control.checkpoint;
  control.checkpoint = residual;
  return stalled;
}

/// The ratio at which Chebyshev's iteration takes the spectrum to end: what the coefficients prove,
/// else what the residual showed.
__device__ inline double spectral_bound(const Control& control, double ratio) {
  return control.bound < 1 ? control.bound : ratio < 0.999 ? ratio : 0.999;
}

__device__ inline void choose_step(Control& control, const double (&totals)[kTotals], double edges,
                                   unsigned list_room) {
  const auto [residual, above, listed_edges, now_now, now_before, before_before] = totals;
  const double ratio = control.previous > 0 ? residual / control.previous : 0;
  if (control.step == Step::Chebyshev) {
    // Complex eigenvalues can lie outside of what the recurrence damps.
    if (residual > 2 * control.least) {
      control.chebyshev_allowed = false;
      control.step = Step::Plain;
      return;
    }
    control.omega = 1 / (1 - control.factor * control.factor * control.omega / 4);
    ++control.chebyshev_steps;
    return;
  }
  control.step = Step::Plain;
  if (control.listed <= list_room && listed_edges <= kFewEdges * edges) {
    control.step = Step::Local;
    return;
  }
  if (control.plain == 0 || ratio <= kSlow) return;
  const double squares = now_now * before_before;
  const double cosine2 = now_before * now_before / squares;
  const double mode = now_before / before_before;
  if (cosine2 > kSameDirection && mode > -1 && mode < 0.9999) {
    control.step = Step::Extrapolate;
    control.factor = mode / (1 - mode);
    ++control.extrapolations;
  } else if (cosine2 < kOtherDirection && control.chebyshev_allowed && ratio < 1) {
    control.step = Step::Chebyshev;
    control.factor = spectral_bound(control, ratio);
    control.omega = 1 / (1 - control.factor * control.factor / 2);
    ++control.chebyshev_steps;
  }
}

/// After the sweep from iterate `control.current` to the other one.
__device__ inline void decide(Control& control, const double (&totals)[kTotals], double edges,
                              unsigned list_room, unsigned step_limit) {
  const double residual = totals[0];
  const double above = totals[1];
  // What the sweep that was measured did: a Chebyshev step is no plain one.
  const bool was_plain = control.step != Step::Chebyshev;
  ++control.rounds;
  control.residual = residual;
  if (!is_finite(residual)) {
    control.outcome = Outcome::NotFinite;
  } else if (above == 0) {
    control.outcome = Outcome::Done;  // it is the current iterate whose residual was measured
  } else if (control.rounds == step_limit) {
    control.outcome = Outcome::Limit;
  } else if (stalls(control, residual)) {
    control.outcome = Outcome::Stalled;
  }
  if (control.outcome == Outcome::Done) return;
  control.current ^= 1;
  if (control.outcome != Outcome::Running) return;
  if (control.rounds == 1 || residual < control.least) control.least = residual;
  choose_step(control, totals, edges, list_room);
  control.previous = residual;
  control.plain = was_plain ? control.plain + 1 : 0;
  if (control.step == Step::Extrapolate || control.step == Step::Local) {
    control.previous = 0;
    control.plain = 0;
  }
}

}  // namespace vertigo::gpu::solve
