#pragma once
// Paths on the device: what the host makes of the graph (vertigo/graph/path_sketch.h), in arrays of
// the session.

#include <cstdint>

#include "vertigo/device/session.cuh"
#include "vertigo/engines/sketch/operators.h"

namespace vertigo::gpu::sketch {

struct Columns {
  Vertex* vertices = nullptr;       ///< of every slot: chunk by chunk, row by row, lane by lane
  std::uint32_t* breaks = nullptr;  ///< of every column: bit r: no edge leads to row r
  std::uint64_t* begins = nullptr;  ///< first slots of chunks, and behind the last one
  std::uint32_t chunks = 0;
  std::uint32_t hub_chunks = 0;  ///< stand first
  std::uint32_t hub_turns = 0;   ///< walks along these in a step
  std::uint64_t slots = 0;

  std::uint64_t columns() const { return std::uint64_t{chunks} * 32; }
};

/// What the host made, between declare() and prepare().
struct HostPaths;
class HostColumns {
 public:
  HostColumns() = default;
  HostColumns(const HostColumns&) = delete;
  HostColumns& operator=(const HostColumns&) = delete;
  ~HostColumns();
  void take(HostPaths* paths);
  const HostPaths& paths() const { return *paths_; }

 private:
  HostPaths* paths_ = nullptr;
};

struct Wanted {
  engines::sketch::Travel travel;
  /// Null: the degree.
  double (*importance)(const void* const* inputs, Vertex v, EdgeIndex in_degree,
                       EdgeIndex out_degree);
  const char* const* inputs;  ///< that it reads, by name
  unsigned input_count;
  double hub_share;
  double hub_sample;
  double hub_turns;
  bool weights;
};

/// Whether the user asks for walks in one direction.
bool walks_forward(const Session& session);
/// Makes the paths, into `made`, and declares what `columns` needs.
void declare_columns(Session& session, const Wanted& wanted, HostColumns& made, Columns& columns);
/// The weights of the edges that lead to the slots.
template <class Weight>
void upload_weights(Session& session, const HostColumns& from, Weight* weights);
/// The rest; gives the host's memory back.
void upload_columns(Session& session, HostColumns& from, const Columns& columns);
/// Whether the edges of the host's graph have weights, and not one for all.
bool has_weights(const Session& session);

}  // namespace vertigo::gpu::sketch
