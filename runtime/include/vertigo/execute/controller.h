#pragma once
// Which execution path takes the next step of a phase: the two controllers of SEP-Graph (Wang et
// al., PPoPP 2019, section 4.3). Plain arithmetic on a few numbers, the same in the host's loop of
// the CPU target and between two steps of a loop on the GPU.

#include <cstdint>

#include "vertigo/core/host_device.h"

namespace vertigo::execute {

enum class Control : std::uint8_t {
  Fixed,      ///< one path runs the whole phase
  Iterative,  ///< Algorithm 1: try each path that may pay, then take the one predicted to be
              ///< fastest
  Traversal,  ///< Algorithm 2: push, and pull while the frontier holds most of what is untouched
};

/// Why a path was taken; text_of() spells it.
enum class Why : std::uint8_t {
  Only,
  First,
  Trial,
  Predicted,
  Sparse,
  StillPush,
  FrontierHeavy,
  StillPull,
  FrontierLight,
  Short,
};

/// A variant that a controller may choose.
struct Path {
  std::uint8_t variant;  ///< counted from the phase's first
  bool pull;
  bool data_driven;
};

inline constexpr unsigned kMostPaths = 4;

/// A barrier between two steps of a loop on a GPU takes about as long as so many edges.
inline constexpr float kDeviceStepWork = 65536;

/// Graphs with fewer edges per vertex have small frontiers for many steps (SEP-Graph, section 5).
inline constexpr unsigned kSparseDegree = 5;

/// A frontier of less than such a share of all vertices is never pulled from.
inline constexpr unsigned kFewVertices = 1024;

/// A path that has so many times the work of another one is not tried: a unit of work of a pull,
/// and of a push over all vertices, is at best so many times cheaper than one of a push from a list
/// (on an H200 0.033, 0.077 and 0.106 ns; kcore, road 4890 4890).
inline constexpr float kHopelessPull = 4;
inline constexpr float kHopelessPush = 2;

/// Constants of Algorithm 2. Each divides a share of the graph, as in the paper.
struct TraversalConstants {
  /// To pull: out-edges of the frontier > untouched edges / alpha. On an H200 an edge that is
  /// pushed along takes twice as long as one that is gathered over (kron 21 48, sssp: 28 and 61
  /// G/s).
  float alpha = 2;
  float beta = 20;              ///< back to push: vertices of the frontier < vertices / beta
  float gamma = 1;              ///< an edge is touched that many times in all
  float delta = kSparseDegree;  ///< graphs with fewer edges per vertex are never pulled over
};

/// What a step did.
struct StepDone {
  std::uint64_t active = 0;     ///< vertices that it activated
  std::uint64_t out_edges = 0;  ///< of those
  float nanoseconds = 0;        ///< read by Algorithm 1 only
};

/// What the next step faces.
struct Frontier {
  std::uint64_t vertices = 0;
  std::uint64_t out_edges = 0;  ///< read where needs_out_edges() said so
};

/// A controller's settings and what it has learnt. Set up by begin(), and for later runs of the
/// same phase by begin_again(); no constructor, so that it can live in shared memory.
struct Controller {
  Control control;
  Why why;
  std::uint8_t path_count;
  std::uint8_t current;  ///< index into `paths`
  Path paths[kMostPaths];
  TraversalConstants constants;
  std::uint64_t vertices;
  std::uint64_t edges;
  float untouched;             ///< of Algorithm 2: E'
  float per_work[kMostPaths];  ///< of Algorithm 1: T^n, nanoseconds per unit of work; 0: not tried
  float step_work;             ///< of Algorithm 1: edges that take as long as an empty step
  float predicted;             ///< nanoseconds for the step to come; 0: no prediction
  StepDone first;              ///< what the first step did when the phase ran last
  bool at_first;               ///< the first step is to come

  VERTIGO_HOST_DEVICE void begin(Control kind, std::uint64_t vertex_count,
                                 std::uint64_t edge_count) {
    control = path_count > 1 ? kind : Control::Fixed;
    constants = TraversalConstants();
    vertices = vertex_count;
    edges = edge_count;
    current = 0;
    untouched = static_cast<float>(edge_count) * constants.gamma;
    for (float& each : per_work) each = 0;
    step_work = kDeviceStepWork;
    predicted = 0;
    first = StepDone();
    at_first = true;
    why = control == Control::Fixed ? Why::Only : Why::First;
    if (control != Control::Traversal || !is_sparse()) return;
    control = Control::Fixed;
    why = Why::Sparse;
  }

  /// The phase begins once more, as in a loop of the program. What was learnt of the paths holds,
  /// and the first step is expected to do what it did last time; so it may belong to another path
  /// than the first of all.
  VERTIGO_HOST_DEVICE void begin_again() {
    untouched = static_cast<float>(edges) * constants.gamma;
    predicted = 0;
    at_first = true;
    if (control == Control::Fixed) return;
    current = 0;
    why = Why::First;
    if (control == Control::Iterative && per_work[0] > 0) try_or_predict(first);
  }

  /// The path to take.
  VERTIGO_HOST_DEVICE const Path& path() const { return paths[current]; }

  /// A graph with few edges per vertex: the frontier stays small for many steps.
  VERTIGO_HOST_DEVICE bool is_sparse() const {
    return static_cast<float>(edges) < constants.delta * static_cast<float>(vertices);
  }

  /// Whether next() reads Frontier::out_edges for a frontier of `count` vertices. To count them
  /// costs a barrier, so very few vertices are not asked, hubs or not.
  VERTIGO_HOST_DEVICE bool needs_out_edges(std::uint64_t count) const {
    return control == Control::Traversal && !path().pull && count > vertices / kFewVertices;
  }

  /// Whether next() reads StepDone::nanoseconds. To tell the time to all costs a barrier, and a
  /// step of less work than that says nothing of a path: it goes on over lists.
  VERTIGO_HOST_DEVICE bool needs_time(const StepDone& done) const {
    if (control != Control::Iterative || path().pull || !path().data_driven)
      return control == Control::Iterative;
    return static_cast<float>(done.active) + static_cast<float>(done.out_edges) >= step_work / 2;
  }

  /// Chooses the path of the next step.
  VERTIGO_HOST_DEVICE void next(const StepDone& done, const Frontier& frontier) {
    if (at_first) first = done;
    at_first = false;
    if (control == Control::Iterative) next_iterative(done);
    if (control == Control::Traversal) next_traversal(done, frontier);
  }

 private:
  VERTIGO_HOST_DEVICE bool is_light(std::uint64_t count) const {
    return static_cast<float>(count) * constants.beta < static_cast<float>(vertices);
  }

  VERTIGO_HOST_DEVICE void take(bool pull) {
    for (std::uint8_t i = 0; i < path_count; ++i)
      if (paths[i].pull == pull) current = i;
  }

  // Algorithm 2, lines 13 to 20. The frontier's own edges are taken off E' before they are compared
  // with it.
  VERTIGO_HOST_DEVICE void next_traversal(const StepDone& done, const Frontier& frontier) {
    if (path().pull) {
      const bool light = is_light(frontier.vertices);
      if (light) take(false);
      why = light ? Why::FrontierLight : Why::StillPull;
      return;
    }
    untouched -= static_cast<float>(done.out_edges);
    if (untouched < 0) untouched = 0;
    const float facing = static_cast<float>(frontier.out_edges);
    // Towards the end hardly an edge is untouched, and a pull would still look at all receivers.
    const bool large = facing * constants.beta > static_cast<float>(edges);
    const bool heavy = large && facing * constants.alpha > untouched - facing;
    if (heavy) take(true);
    why = heavy ? Why::FrontierHeavy : Why::StillPush;
  }

  // normalizeTime and predictTime of Algorithm 1: a pull gathers over all edges, a push over all
  // vertices looks at each of them, a push from a list only at the active ones. A vertex weighs as
  // much as an edge.
  VERTIGO_HOST_DEVICE float work(const Path& each, const StepDone& facts) const {
    const float all = static_cast<float>(vertices);
    if (each.pull) return all + static_cast<float>(edges) + step_work;
    const float share = each.data_driven ? static_cast<float>(facts.active) : all;
    return share + static_cast<float>(facts.out_edges) + step_work;
  }

  // Algorithm 1; the active vertices of the step that ended stand for those of the next.
  VERTIGO_HOST_DEVICE void next_iterative(const StepDone& done) {
    if (!needs_time(done)) {
      why = Why::Short;
      predicted = 0;
      return;
    }
    // A clock may be too coarse for a step, and a path that was tried is never at 0.
    per_work[current] = (done.nanoseconds > 1 ? done.nanoseconds : 1) / work(path(), done);
    try_or_predict(done);
  }

  VERTIGO_HOST_DEVICE bool is_tried(std::uint8_t index) const { return per_work[index] > 0; }

  /// Of the paths that were tried, the first always among them.
  VERTIGO_HOST_DEVICE float least_work(const StepDone& like) const {
    float least = work(paths[0], like);
    for (std::uint8_t i = 1; i < path_count; ++i) {
      const float each = work(paths[i], like);
      if (is_tried(i) && each < least) least = each;
    }
    return least;
  }

  // Unlike the paper, a path waits for its trial until a step gives it a chance: on a road network
  // a pull over all edges takes longer than all the pushes that it would stand for.
  VERTIGO_HOST_DEVICE void try_or_predict(const StepDone& like) {
    const float least = least_work(like);
    predicted = 0;
    why = Why::Predicted;
    for (std::uint8_t i = 0; i < path_count; ++i) {
      if (!is_tried(i)) {
        if (work(paths[i], like) >= least * (paths[i].pull ? kHopelessPull : kHopelessPush))
          continue;
        current = i;
        predicted = 0;
        why = Why::Trial;
        return;
      }
      const float expected = per_work[i] * work(paths[i], like);
      if (i > 0 && expected >= predicted) continue;
      predicted = expected;
      current = i;
    }
  }
};

/// For the trace.
constexpr const char* text_of(Why why) {
  switch (why) {
    case Why::Only:
      return "no other is to choose from";
    case Why::First:
      return "the first to be tried";
    case Why::Trial:
      return "every path that may pay is tried once";
    case Why::Predicted:
      return "predicted to be the fastest";
    case Why::Sparse:
      return "push: the graph has few edges per vertex";
    case Why::StillPush:
      return "push: the frontier has fewer edges than are untouched";
    case Why::FrontierHeavy:
      return "pull: most of the untouched edges are the frontier's";
    case Why::StillPull:
      return "pull: the frontier is still large";
    case Why::FrontierLight:
      return "push: the frontier is small again";
    case Why::Short:
      return "the last step was short: it stays with lists";
  }
  return "";
}

}  // namespace vertigo::execute
