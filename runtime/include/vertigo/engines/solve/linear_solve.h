#pragma once
// How a system of linear equations x = b + A x is solved: what a solver keeps between two sweeps
// over all rows, and what it does next, by what the last sweep measured. The same on every target.

#include <cstdint>
#include <cstring>

#include "vertigo/core/host_device.h"

namespace vertigo::linear {

/// How a sweep ended, or the solve.
enum class Outcome : unsigned {
  Running,
  Done,       ///< no residual above the tolerance
  Limit,      ///< the user's limit of steps came first
  NotFinite,  ///< a residual is infinite or no number
  Stalled,    ///< the residual does not shrink
  Cancels,    ///< of a solver for terms of one sign: there are both
  OneSided,   ///< what is below zero would stay in inboxes: the guard never lets it through
};

/// What is wrong where a solve ended without a solution; null where nothing is.
inline const char* failure(Outcome outcome) {
  switch (outcome) {
    case Outcome::NotFinite:
      return "what is left to deliver grows without bound";
    case Outcome::Stalled:
      return "what is left to deliver does not become less";
    case Outcome::OneSided:
      return "a message is below zero, and the guard looks at one side only";
    default:
      return nullptr;
  }
}

enum class Step : unsigned {
  Plain,        ///< x <- b + A x
  Chebyshev,    ///< x <- omega (b + A x - x_before) + x_before
  Extrapolate,  ///< the residual shrinks by the same factor everywhere: the whole series at once
  Local,        ///< only few residuals are left: work on these alone
  Push,         ///< the same, and what they send is added to the residuals of the others
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
  unsigned push_rows = 0;    ///< pushing is worth a look where no more rows are above
  unsigned push_rounds = 0;  ///< so far
  /// There was more to do than there is room for: in even and in odd rounds, so that nobody reads
  /// what others may be writing.
  unsigned push_failed[2] = {};
  unsigned moving[2] = {};   ///< pieces of rows that even and odd rounds deliver
  unsigned touched[2] = {};  ///< rows that something was delivered to in these
  double push_unit = 0;      ///< residuals are counted in these, so that their sums have no order
  unsigned local_sweeps = 0;
  unsigned extrapolations = 0;
  unsigned chebyshev_steps = 0;
  bool chebyshev_allowed = true;
  unsigned extrapolations_failed = 0;
  bool one_constant = false;
  /// Every vertex is active from the start, or certainly is as soon as these have sent.
  bool all_take_part = false;
  unsigned waiting = 0;  ///< vertices whose constant does not pass their guard
  bool cancels = false;  ///< terms have both signs, so that a sum may be smaller than its rounding
  double constant = 0;   ///< where it is one
  double start = 0;      ///< what the first iterate adds to b per in-edge
  double bound = 0;      ///< of the spectral radius; infinite where unknown
  double previous = 0;   ///< sum of absolute residuals one round ago; 0 where not comparable
  double least = 0;      ///< the smallest so far
  double plain_residual = 0;  ///< what plain steps instead of Chebyshev's would have left
  double checkpoint = 0;
  double residual = 0;             ///< sum of absolute residuals of the last sweep
  std::uint64_t last_step_ns = 0;  ///< for the trace
};

/// What one sweep adds up over all rows; doubles, so that float programs do not overflow here.
inline constexpr unsigned kTotals = 6;

/// A residual within so many rounding units of the sum that it is the difference of cannot shrink.
/// The certificate of --check allows as much, and more for the terms.
inline constexpr int kRoundings = 16;
/// Rows are listed from this share of their tolerance on: work on the listed ones moves the
/// residuals of the others, which then stay below it.
inline constexpr double kListShare = 0.5;

/// A residual that is the one before, times a number, up to this much of its length is a single
/// mode, whose series is summed in closed form.
inline constexpr double kSameDirection = 0.9;
inline constexpr double kOtherDirection = 0.5;
/// An extrapolation that made it worse costs this many plain steps before the next one, and each
/// further one twice as many as the last.
inline constexpr unsigned kPlainAfterFailure = 4;
/// A measured ratio that is this much above a proven bound is rounding.
inline constexpr double kRoundedUp = 1.0009;
/// A residual that shrinks faster needs no acceleration.
inline constexpr double kSlow = 0.5;
/// Acceleration that leaves so many times what plain steps would have is none.
inline constexpr double kCreeps = 4;
/// Working on the few rows that are left costs up to this share of the edges of a sweep.
inline constexpr double kFewEdges = 0.02;
/// … in sweeps over these alone; and up to so many rows. More take longer than a sweep over all.
inline constexpr unsigned kLocalRows = 16384;
/// Pushing begins where the rows that are left have, and send along, up to this share of the edges.
inline constexpr double kFewPushes = 0.01;
/// What is left in all is this many units at first. It does not grow, and 2^63 overflows.
inline constexpr double kPushUnits = 0x1p54;
/// So much more may lie where vertices take no part, in the same units.
inline constexpr double kMostKept = 0x1p61;
/// From here on a residual that took half of all rounds to lose a tenth is told apart from one that
/// converges.
inline constexpr unsigned kFirstCheckpoint = 4096;

/// Whether the vertices that wait join at once is looked for up to this share of all vertices.
inline constexpr double kFewWaiting = 0.125;

/// The next smaller number of a positive one.
VERTIGO_HOST_DEVICE inline float just_below(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  --bits;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}
VERTIGO_HOST_DEVICE inline double just_below(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  --bits;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

/// The largest magnitude that may stay in an inbox, by the guard's threshold; `inclusive`: the
/// threshold itself passes. Below zero everything passes, and an empty inbox is not asked; what is
/// no number lets nothing pass.
template <class T>
VERTIGO_HOST_DEVICE inline T most_kept(T threshold, bool inclusive) {
  if (threshold != threshold) return T(__builtin_huge_val());
  if (!(threshold > 0)) return 0;
  return inclusive ? just_below(threshold) : threshold;
}

/// A vertex joins when what has come in passes the guard, and stays: until then it keeps its inbox
/// and sends nothing. `x`: what it has taken so far.
template <class T>
VERTIGO_HOST_DEVICE inline bool takes_part(T x, T came_in, T most_kept) {
  return x != 0 || came_in > most_kept || -came_in > most_kept;
}

VERTIGO_HOST_DEVICE inline bool is_finite(double value) { return value - value == 0; }

/// Whether the residual has shrunk since half as many rounds.
VERTIGO_HOST_DEVICE inline bool stalls(Control& control, double residual) {
  if (control.rounds < kFirstCheckpoint / 2 || (control.rounds & (control.rounds - 1)) != 0)
    return false;
  const bool first = control.rounds == kFirstCheckpoint / 2;
  const bool stalled = !first && residual > 0.9 * control.checkpoint;
  control.checkpoint = residual;
  return stalled;
}

/// Whether the residual is one mode, whose series converges: it shrinks as the coefficients allow.
VERTIGO_HOST_DEVICE inline bool is_one_mode(const Control& control, double cosine2, double mode) {
  const double most = control.bound < 0.999 ? kRoundedUp * control.bound : 0.9999;
  const unsigned wait = control.extrapolations_failed == 0 ? 0u
                        : control.extrapolations_failed < 16
                            ? kPlainAfterFailure << (control.extrapolations_failed - 1)
                            : ~0u;
  return control.plain >= wait && cosine2 > kSameDirection && mode > -1 && mode <= most;
}

/// The ratio at which Chebyshev's iteration takes the spectrum to end: what the coefficients prove,
/// else what the residual showed.
VERTIGO_HOST_DEVICE inline double spectral_bound(const Control& control, double ratio) {
  return control.bound < 1 ? control.bound : ratio < 0.999 ? ratio : 0.999;
}

VERTIGO_HOST_DEVICE inline void begin_push(Control& control, double residual) {
  control.step = Step::Push;
  control.push_unit = residual / kPushUnits;
  control.push_rounds = 0;
  for (unsigned i = 0; i < 2; ++i)
    control.push_failed[i] = control.moving[i] = control.touched[i] = 0;
}

VERTIGO_HOST_DEVICE inline void choose_step(Control& control, const double (&totals)[kTotals],
                                            double edges, unsigned list_room) {
  const auto [residual, above, listed_edges, now_now, now_before, before_before] = totals;
  const double ratio = control.previous > 0 ? residual / control.previous : 0;
  if (control.step == Step::Chebyshev) {
    // Complex eigenvalues can lie outside of what the recurrence damps: then it grows, or creeps.
    control.plain_residual *= control.factor;
    if (residual > 2 * control.least || residual > kCreeps * control.plain_residual) {
      control.chebyshev_allowed = false;
      control.step = Step::Plain;
      return;
    }
    control.omega = 1 / (1 - control.factor * control.factor * control.omega / 4);
    ++control.chebyshev_steps;
    return;
  }
  // What was taken for one mode was none.
  if (control.step == Step::Extrapolate && residual > 2 * control.least)
    ++control.extrapolations_failed;
  control.step = Step::Plain;
  if (above <= control.push_rows && listed_edges <= kFewPushes * edges) {
    begin_push(control, residual);
    return;
  }
  if (control.listed <= kLocalRows && control.listed <= list_room &&
      listed_edges <= kFewEdges * edges) {
    control.step = Step::Local;
    return;
  }
  if (control.plain == 0 || ratio <= kSlow) return;
  const double squares = now_now * before_before;
  const double cosine2 = now_before * now_before / squares;
  const double mode = now_before / before_before;
  if (is_one_mode(control, cosine2, mode)) {
    control.step = Step::Extrapolate;
    control.factor = mode / (1 - mode);
    ++control.extrapolations;
  } else if (cosine2 < kOtherDirection && control.chebyshev_allowed && ratio < 1) {
    control.step = Step::Chebyshev;
    control.factor = spectral_bound(control, ratio);
    control.omega = 1 / (1 - control.factor * control.factor / 2);
    control.plain_residual = residual;
    ++control.chebyshev_steps;
  }
}

/// After the sweep from iterate `control.current` to the other one.
VERTIGO_HOST_DEVICE inline void decide(Control& control, const double (&totals)[kTotals],
                                       double edges, unsigned list_room, std::uint64_t step_limit) {
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

/// Step::Push, where it has been found out along how many edges the rows left send. Pushing
/// starts from the iterate whose residual was measured; without it, the next one is better.
VERTIGO_HOST_DEVICE inline void decide_push(Control& control, double out_edges, double kept,
                                            double edges) {
  if (out_edges <= kFewPushes * edges && kept < kMostKept && control.push_failed[1] == 0) {
    control.current ^= 1;
    return;
  }
  control.step = Step::Plain;
  control.push_rows /= 2;
}

/// After the last round of pushes.
VERTIGO_HOST_DEVICE inline void conclude_push(Control& control) {
  if ((control.push_failed[0] | control.push_failed[1]) == 0) {
    control.outcome = Outcome::Done;
    return;
  }
  // The iterate is a better one, but its residual has to be measured again.
  control.step = Step::Plain;
  control.push_rows = 0;
  control.previous = 0;
  control.plain = 0;
}

}  // namespace vertigo::linear
