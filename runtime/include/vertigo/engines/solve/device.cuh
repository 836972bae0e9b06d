#pragma once
// Engine `solve`: a phase whose state accumulates its inbox, and that sends what is linear in it,
// as the linear equations x = b + A x. Sweeps over all in-edges, without atomics, until no vertex's
// residual exceeds the threshold of the guard.

#include "vertigo/device/generated.cuh"
#include "vertigo/engines/solve/build_rows.cuh"
#include "vertigo/engines/solve/operators.h"
#include "vertigo/engines/solve/pack_rows.cuh"
#include "vertigo/engines/solve/run.cuh"

namespace vertigo::gpu::solve {

namespace detail {

template <class T, class Program, class Attribute>
__device__ __forceinline__ T sent_along(const Program& program, Vertex sender, Vertex receiver,
                                        const Attribute& attribute) {
  if constexpr (!Program::sent_reads_edge)
    return program.sent(T{1}, sender, receiver);
  else
    return program.sent(T{1}, sender, receiver, attribute);
}

/// What each sender multiplies with; 1 where nobody reads the product.
template <class Program, class T>
__global__ void __launch_bounds__(kBlock)
    weigh_senders(const Program program, const Vertex count, const Vertex* order,
                  const unsigned* out_degrees, T* weights, const Flag negative) {
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < count;
       i += gpu::detail::grid_stride()) {
    T weight{1};
    if (out_degrees[i] != 0)
      weight = program.sent(T{1}, order == nullptr ? static_cast<Vertex>(i) : order[i]);
    if (!(weight >= 0)) raise(negative);
    weights[i] = weight;
  }
}

/// The same per edge, a warp per row.
template <class Program, class T, class Attribute, class Offset>
__global__ void __launch_bounds__(kBlock)
    weigh_edges(const Program program, const Adjacency<Attribute> receivers,
                const PullRows<Offset> rows, T* values, const Flag negative) {
  const std::uint64_t warps = gpu::detail::grid_stride() / kWarp;
  for (std::uint64_t row = (gpu::detail::block_start() + threadIdx.x) / kWarp; row < rows.row_count;
       row += warps) {
    const Vertex at = rows.positions == nullptr ? row : rows.positions[row];
    const Vertex receiver = rows.order == nullptr ? at : rows.order[at];
    const EdgeIndex first = receivers.offsets[receiver];
    const Offset to = rows.begin[row];
    for (Offset e = lane(); e < rows.begin[row + 1] - to; e += kWarp) {
      const T value = sent_along<T>(program, receivers.targets[first + e], receiver,
                                    gpu::detail::attribute(receivers, first + e));
      if (!(value >= 0)) raise(negative);
      values[to + e] = value;
    }
  }
}

template <class Program, class T>
__global__ void __launch_bounds__(kBlock)
    list_tolerances(const Program program, const Vertex count, const Vertex* order, T* tolerances) {
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < count;
       i += gpu::detail::grid_stride())
    tolerances[i] = most_kept(static_cast<T>(program.guard_threshold(
                                  order == nullptr ? static_cast<Vertex>(i) : order[i])),
                              program.inclusive());
}

/// The state takes what was found, and nothing is left in the inbox.
template <class T, class Offset>
__global__ void __launch_bounds__(kBlock)
    give_solution(const System<T, Offset> system, T* state, T* inbox) {
  const T* const held = system.iterates[system.control->current];
  const Vertex* const position_of = system.rows.position_of;
  for (std::uint64_t v = gpu::detail::block_start() + threadIdx.x; v < system.rows.vertex_count;
       v += gpu::detail::grid_stride()) {
    const Vertex at = position_of == nullptr ? static_cast<Vertex>(v) : position_of[v];
    // What nobody sends to has what it started with.
    if (at < system.rows.row_end)
      state[v] += value_at(system, held, at);
    else if (takes_part(T{0}, inbox[v], tolerance_at(system, at)))
      state[v] += inbox[v];
    inbox[v] = 0;
  }
}

}  // namespace detail

/// Arrays for offsets of one width.
template <class T, class Offset>
class Memory {
 public:
  void declare(Session& session, EdgeIndex edges, bool per_edge, bool per_vertex_tolerance) {
    const std::uint64_t vertices = session.vertex_count();
    // Values of edges stand beside their sources, and are not packed.
    const bool packs = !per_edge && !session.keeps_edges() && may_pack(edges);
    system.list_room = static_cast<unsigned>(vertices / kShareListed) + kLocalRows;
    if (!per_edge) {
      Pushes& pushes = system.pushes;
      pushes.candidate_room = static_cast<unsigned>(edges / kShareTouched) + kLocalRows;
      session.declare(pushes.left, vertices, "solve (residuals)");
      session.declare(pushes.touched, vertices, "solve (rounds)");
      session.declare(pushes.candidates, pushes.candidate_room, "solve (rows touched)");
      session.declare(pushes.pieces, system.list_room, "solve (pieces of rows left)");
    }
    session.declare(rows_.order, vertices, "solve (order by degree)");
    session.declare(rows_.position_of, vertices, "solve (positions)");
    session.declare(rows_.positions, vertices, "solve (rows)");
    session.declare(rows_.begin, vertices + 1, "solve (offsets)");
    if (packs)
      declare_packed(session, vertices, edges);
    else
      session.declare_long(rows_.sources, edges, "solve (in-neighbours)");
    if (!per_edge) session.declare(rows_.pairs, vertices, "solve (pairs of hot in-neighbours)");
    session.declare(rows_.out_degrees, vertices, "solve (degrees)");
    const Cut cut = packs ? kPackedCut : Cut{};
    session.declare(rows_.pieces, most_pieces(edges, cut), "solve (pieces of long rows)");
    session.declare(rows_.first_piece, most_long_rows(edges, cut) + 1, "solve (long rows)");
    session.declare(rows_.pieces_done, most_long_rows(edges, cut) + 1, "solve (pieces done)");
    session.declare(system.piece_sums, most_pieces(edges, cut), "solve (sums of pieces)");
    session.declare(system.piece_sizes, most_pieces(edges, cut), "solve (sizes of pieces)");
    session.declare(system.constants, vertices, "solve (constants)");
    session.declare(system.iterates[0], vertices, "solve (iterate)");
    session.declare(system.iterates[1], vertices, "solve (next iterate)");
    session.declare(system.apart, vertices, "solve (values apart)");
    if (per_edge)
      session.declare_long(values, edges, "solve (coefficients)");
    else
      session.declare(values, vertices, "solve (coefficients)");
    if (per_vertex_tolerance) session.declare(tolerances, vertices, "solve (tolerances)");
    session.declare(system.list, system.list_room, "solve (rows left)");
    session.declare(system.list_values, system.list_room, "solve (values of rows left)");
    session.declare(system.partials, std::uint64_t{kTotals} * most_solver_blocks(),
                    "solve (partial sums)");
    session.declare(system.control, 1, "solve (control)");
    session.reserve("rows of in-edges",
                    packs ? packed_row_memory<Offset>(session.vertex_count(), rows_.window)
                          : row_memory<Offset>(session.vertex_count(), !per_edge));
  }

  void prepare(Session& session, const EdgeLists& lists) {
    const bool packs = rows_.sources == nullptr;
    system.rows = build_rows(session, lists, rows_, hot_room(sizeof(T), packs ? kTileRoom : 0));
    if (packs) session.once_prepared(&place, this);
    system.pieces_done = rows_.pieces_done;
    system.pushes.offsets = lists.sender_offsets;
    system.pushes.receivers = lists.sender_targets;
  }

  System<T, Offset> system;
  T* values = nullptr;
  T* tolerances = nullptr;

 private:
  /// Work on the few vertices that are left pays up to about these shares of all.
  static constexpr unsigned kShareListed = 32;   ///< of the vertices
  static constexpr unsigned kShareTouched = 64;  ///< of the edges

  void declare_packed(Session& session, std::uint64_t vertices, EdgeIndex edges) {
    // Which side receives is known only to the program.
    const std::uint64_t out = session.longest_list(Along::Out, true);
    const std::uint64_t in = session.longest_list(Along::In, true);
    rows_.window = packed_window(session, out < in ? in : out);
    const std::uint64_t tiles = rows_.packed.room =
        most_tiles(vertices, edges, packed_width(static_cast<std::uint32_t>(vertices)),
                   most_windows(vertices, edges, rows_.window));
    session.declare_packed(rows_.sources, edges, "solve (in-neighbours)", tiles * kTileBytes);
    session.declare(rows_.packed.tiles, tiles, "solve (tiles)");
    session.declare(rows_.packed.first_unit, tiles + 1, "solve (units of tiles)");
    session.declare(rows_.packed.turns, tiles, "solve (turns of tiles)");
  }
  static void place(Session& session, void* memory) {
    auto& of = *static_cast<Memory*>(memory);
    place_tiles(session, of.system.rows.packed, of.rows_.packed);
  }

  RowArrays<Offset> rows_;
};

template <engines::solve::Wanted Program, class Graph>
class Engine {
  static constexpr bool kPerEdge = Program::sent_reads_receiver;
  static constexpr bool kTolerancePerVertex = Program::threshold_reads_vertex;
  using Attribute = typename Graph::Attribute;

  __device__ static constexpr auto sample_sent(const Program& program) {
    if constexpr (!kPerEdge)
      return program.sent(1, Vertex{});
    else if constexpr (!Program::sent_reads_edge)
      return program.sent(1, Vertex{}, Vertex{});
    else
      return program.sent(1, Vertex{}, Vertex{}, Attribute{});
  }
  using T = decltype(sample_sent(std::declval<const Program&>()));

 public:
  void declare(Session& session, const Graph& graph) {
    wide_ = graph.edge_count > 0xffffffffu;
    if (wide_)
      wide_memory_.declare(session, graph.edge_count, kPerEdge, kTolerancePerVertex);
    else
      memory_.declare(session, graph.edge_count, kPerEdge, kTolerancePerVertex);
    session.declare(negative_, "a coefficient is below zero");
    session.declare(log_, "log of sweeps");
  }

  void prepare(Session& session, const Graph& graph) {
    if (graph.vertex_count == 0) return;
    const bool back = Program{}.sends_back();
    const Adjacency<Attribute>& senders = back ? graph.in : graph.out;
    const Adjacency<Attribute>& receivers = back ? graph.out : graph.in;
    const EdgeLists lists{graph.vertex_count, graph.edge_count,  senders.offsets,
                          senders.targets,    receivers.offsets, receivers.targets};
    if (wide_)
      wide_memory_.prepare(session, lists);
    else
      memory_.prepare(session, lists);
  }

  void run(Phase& phase, const Program& program, const Graph& graph, T* state, T* inbox) {
    if (graph.vertex_count == 0) return;
    if (wide_)
      run(phase, program, graph, state, inbox, wide_memory_);
    else
      run(phase, program, graph, state, inbox, memory_);
  }

 private:
  template <class Offset>
  void run(Phase& phase, const Program& program, const Graph& graph, T* state, T* inbox,
           Memory<T, Offset>& memory) {
    Session& session = phase.session();
    System<T, Offset>& system = memory.system;
    phase.begin(log_);
    session.clear(negative_);
    if constexpr (kPerEdge) {
      detail::weigh_edges<<<session.blocks(), kBlock, 0, session.stream()>>>(
          program, program.sends_back() ? graph.out : graph.in, system.rows, memory.values,
          negative_);
      session.launched("weigh_edges");
      system.edge_values = memory.values;
    } else {
      detail::weigh_senders<<<session.blocks(), kBlock, 0, session.stream()>>>(
          program, graph.vertex_count, system.rows.order, system.rows.out_degrees, memory.values,
          negative_);
      session.launched("weigh_senders");
      system.weights = memory.values;
    }
    if constexpr (kTolerancePerVertex) {
      detail::list_tolerances<<<session.blocks(), kBlock, 0, session.stream()>>>(
          program, graph.vertex_count, system.rows.order, memory.tolerances);
      session.launched("list_tolerances");
      system.tolerances = memory.tolerances;
    } else {
      system.tolerance = most_kept(static_cast<T>(program.guard_threshold()), program.inclusive());
    }
    system.inbox = inbox;
    system.negative = negative_.word;
    system.one_sided = program.one_sided();
    system.step_limit = phase.step_limit();
    system.log = log_;
    session.clear(system.control, 1);
    launch_solve(system, session.stream());
    detail::give_solution<<<session.blocks(), kBlock, 0, session.stream()>>>(system, state, inbox);
    session.launched("give_solution");
    const Control control = session.get(Scalar<Control>{.value = system.control});
    if (const char* const problem = failure(control.outcome)) phase.fail(problem, control.rounds);
    phase.finish(log_, {"jacobi", "chebyshev", "extrapolated", "local", "pushed"},
                 "by how the residual shrank");
  }

  bool wide_ = false;
  Memory<T, std::uint32_t> memory_;
  Memory<T, std::uint64_t> wide_memory_;
  Flag negative_;
  StepLog log_;
};

}  // namespace vertigo::gpu::solve
