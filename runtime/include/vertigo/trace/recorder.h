#pragma once
// Per-iteration records of a run. Used by every module and using none; writing JSON lines and
// Chrome traces happens after the run, so that recording costs one push_back.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vertigo/trace/stage.h"

namespace vertigo::trace {

/// Edges that an iteration read, and that came to the device in one way of transfer.
struct Moved {
  std::string_view way;          ///< a static string
  std::uint64_t partitions = 0;  ///< once for each launch that asked for them
  std::uint64_t bytes = 0;       ///< over the link
  std::uint64_t read = 0;        ///< bytes of edges that were visited
  double waited = 0;             ///< seconds, for a file
};

/// One superstep (or one asynchronous round) of one phase.
struct Iteration {
  std::string_view phase;  ///< static strings of the generated program
  std::string_view variant;
  std::string_view reason;  ///< why this variant was chosen
  std::uint64_t step = 0;
  std::uint64_t active_vertices = 0;
  std::uint64_t edges = 0;      ///< edges visited
  std::uint64_t out_edges = 0;  ///< of the active vertices; 0: not counted
  std::uint64_t in_edges = 0;   ///< of the vertices still to be reached; 0: not counted
  double start = 0;             ///< seconds since the run began
  double duration = 0;          ///< seconds
  double predicted = 0;         ///< seconds that the controller expected; 0: it expected nothing
  std::uint64_t deferred_vertices = 0;  ///< active, but below the threshold of the step
  float threshold = 0;                  ///< that a vertex must be worth; 0: there was none
  std::vector<Moved> moved;             ///< where edges come to the device in parts
};

class Recorder {
 public:
  void add(const Iteration& iteration) { iterations_.push_back(iteration); }
  const std::vector<Iteration>& iterations() const { return iterations_; }
  /// What the process did beside the iterations, for to_chrome_trace(), which then shows these
  /// where the last stage called "run" is.
  void set_stages(std::vector<Stage> stages) { stages_ = std::move(stages); }
  /// What the link to the device can do, where edges come over it in parts; empty: not known. The
  /// first JSON line has it, too.
  void set_link(std::string words) { link_ = std::move(words); }

  /// One JSON object per iteration and line.
  std::string to_json_lines() const;
  /// The Chrome trace event format (chrome://tracing, Perfetto).
  std::string to_chrome_trace() const;
  /// A self-contained HTML page with plots of variant, active vertices, edges and time per
  /// iteration.
  std::string to_html(std::string_view title) const;

 private:
  std::vector<Iteration> iterations_;
  std::vector<Stage> stages_;
  std::string link_;
};

}  // namespace vertigo::trace
