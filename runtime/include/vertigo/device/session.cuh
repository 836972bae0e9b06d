#pragma once
// The host side of a generated CUDA program: its buffers on the device, the steps of its phases,
// and the way of results back. Everything of weight lies in the library vertigo_gpu; what is here
// names types and sizes.
//
// Failures are vertigo::Error: OutOfMemory with the bytes needed and free, DeviceUnusable for
// whatever else CUDA reports.

#include <initializer_list>
#include <utility>

#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/buffers.cuh"
#include "vertigo/device/kinds.cuh"
#include "vertigo/device/launches.cuh"
#include "vertigo/device/loop_state.cuh"
#include "vertigo/device/program.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/tuple.cuh"

struct CUstream_st;  // cudaStream_t points to one

namespace vertigo::graph {
struct Graph;
}
namespace vertigo::host {
struct RunRequest;
}

namespace vertigo::execute {
class CycleWatch;
}

namespace vertigo::gpu {

using Stream = CUstream_st*;

namespace detail {

struct State;  // of the library

/// Where a program keeps what its kernels are given: pointers that the library sets when it has the
/// edges on the device.
struct AdjacencyPlaces {
  const EdgeIndex** offsets = nullptr;
  const Vertex** targets = nullptr;
  const void** attributes = nullptr;
};
struct GraphPlaces {
  AdjacencyPlaces out;
  AdjacencyPlaces in;
  unsigned attribute_bytes = 0;  ///< of an edge's attribute; 0: the program has none
};

// What cooperative.cuh stands on. `arguments`: the places of the kernel's parameters.
void launch_cooperatively(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                          Stream stream);
unsigned most_resident_blocks(const void* kernel, unsigned threads);

}  // namespace detail

class Session {
 public:
  explicit Session(detail::State& state) : state_(state) {}
  Session(const Session&) = delete;
  /// Number of the variant that a phase will run, counted from the phase's first.
  unsigned variant(unsigned phase) const;
  /// Allocates, prepares and runs the program as often as the request says; the graph and what was
  /// made of it stay on the device between runs. Nothing in a dry run, which asks for sizes alone.
  template <class Program>
  void execute(Program& program) {
    if (!allocate()) return;
    if constexpr (requires { program.prepare(); }) {
      begin_preparation();
      program.prepare();
      end_preparation();
    }
    while (begin_run()) {
      program.run();
      end_run();
    }
  }

  // Buffers. Each is declared (twice does no harm), then allocate() checks the sum against the
  // memory that is free or allowed, allocates, and uploads the graph. All of it ends with the
  // session.

  template <class Attribute>
  void declare(Graph<Attribute>& graph, bool transpose, Attribute everywhere = {}) {
    graph.out.everywhere = graph.in.everywhere = everywhere;
    declare_graph(graph.vertex_count, graph.edge_count, graph.symmetric);
    graph.last = graph.vertex_count;
    declare_edges({places_of(graph.out), places_of(graph.in), kAttributeSize<Attribute>},
                  transpose);
  }
  /// Decides by the longest lists which ones a block or a warp follows in kernels that leave it
  /// open.
  template <class Attribute>
  void share_lists(Graph<Attribute>& graph, bool transpose) {
    share_lists(graph.out.sharing, transpose ? &graph.in.sharing : nullptr);
  }
  template <class Attribute>  // the ids of the input file, which random numbers depend on
  void declare_ids(Graph<Attribute>& graph) {
    declare_ids(graph.first_id, &graph.ids);
  }
  /// One value per vertex.
  template <class T>
  void declare(T*& values, const char* name) {
    declare(values, vertex_count(), name);
  }
  void declare(Bitmap& bitmap, const char* name);
  void declare(Worklist& list, const char* name);
  void declare(VertexList& list, const char* parameter);
  void declare(Flag& flag, const char*) { declare_word(&flag.word); }
  void declare(Counter& counter, const char*) { declare_word(&counter.total); }
  void declare(Threshold& threshold, const char*) {
    declare_word(reinterpret_cast<std::uint32_t**>(&threshold.value));
  }
  template <class T>
  void declare(Scalar<T>& scalar, const char* name) {
    declare_array(reinterpret_cast<void**>(&scalar.value), name, sizeof(T));
    declare_array(reinterpret_cast<void**>(&scalar.partials), name, sizeof(T) * kReductionBlocks);
    declare_word(&scalar.blocks_done);
  }
  /// Any number of elements, unwritten but for zeros between those of a tuple, which copies read.
  template <class T>
  void declare(T*& values, std::uint64_t count, const char* name) {
    declare_array(reinterpret_cast<void**>(&values), name, sizeof(T) * count, kHasPadding<T>);
  }
  /// The same of an array that is as long as the edges: it may come to lie in host memory, where
  /// kernels read and write it over the link.
  template <class T>
  void declare_long(T*& values, std::uint64_t count, const char* name) {
    declare_long_array(reinterpret_cast<void**>(&values), name, sizeof(T) * count);
  }
  /// The same, but where the device has no room for all of it the array stays null: then the engine
  /// keeps what it would hold in another form, in at most `packed` bytes that lend() gives.
  void declare_packed(Vertex*& ids, std::uint64_t count, const char* name, std::uint64_t packed);
  /// Host memory that kernels and copies find at this address until the session ends.
  void* lend(std::uint64_t bytes, const char* name);
  /// act(session, of) when all preparations have given back the memory that they took.
  void once_prepared(void (*act)(Session&, void*), void* of);
  /// Device memory that is left then, until the session ends; null where it cannot be had.
  std::uint64_t left_memory() const;
  void* take_left(std::uint64_t bytes);
  /// Adds to what the summary says of memory.
  void note_placement(const char* words);
  void declare(StepLog& log, const char* name);
  template <class Buffers>
  void declare(LoopMemory<Buffers>& loop, const char* name) {
    declare(loop.log, name);
    declare(loop.shown, 1, name);
    declare_loop(&loop.nanoseconds);
    for (Counter* const counter :
         {&loop.counters.active, &loop.counters.edges, &loop.counters.out_edges,
          &loop.counters.asked, &loop.counters.frontier_edges, &loop.counters.deferred})
      declare(*counter, name);
  }
  /// What a preparation takes from the device and gives back, beside the buffers.
  void reserve(const char* name, std::uint64_t bytes);
  /// Bytes that a preparation may take beyond what was reserved, now that everything is allocated.
  std::uint64_t spare_memory() const;
  /// How many edges a preparation works on at a time, so that it takes little memory besides.
  std::uint64_t edges_at_a_time() const;
  /// Whether everything that is as long as the edges lies on the device.
  bool keeps_edges() const;
  /// Slots for messages along the graph's edges, and passes over adjacencies that they take
  /// (MessageSlots). Counted as preparation.
  std::uint64_t message_room(Along along, bool once_if_symmetric);
  unsigned message_passes(Along along, bool once_if_symmetric) const;
  void declare_classes(Vertex*& vertices, const char* name);  ///< before share_lists()
  /// Vertices by colour, to `vertices`; or `colours` classes, unless asked for others, and a rest.
  PartsAndRest colour_classes(Vertex* vertices);
  PartsAndRest few_colour_classes(Vertex* vertices, std::uint32_t colours);
  /// What an engine makes of the graph on the host, before it declares: counted as preparation.
  void count_preparation(double seconds);
  /// What the user asks for, values of vertices included.
  const host::RunRequest& request() const;
  /// Adds to what the summary says of paths.
  void note_paths(const char* words);
  /// From the host's memory, which may change as soon as this returns.
  template <class T>
  void upload(T* to, const T* from, std::uint64_t count) {
    if (count != 0) write_bytes(to, from, sizeof(T) * count);
  }
  std::uint64_t longest_list(Along along, bool once_if_symmetric) const;  ///< edges of one vertex
  /// The graph on the host, for what an engine decides by its statistics before it declares.
  const graph::Graph& host_graph() const;
  bool may_order_hubs(Along along) const;  ///< of the neighbours that these lists have (HubOrder)
  bool order_hubs(bool pays);              ///< whether they are; notes it for the summary
  /// Made when first asked for: the same with the reverses of all edges.
  const graph::Graph& both_directions();
  const graph::Graph* show(const graph::Graph* graph);  ///< for ShownGraph; returns the one before
  /// Whether engines run in their form for graphs of large diameter: what the user says, else
  /// `estimated`.
  bool is_deep(bool estimated) const;
  /// Whether the lists came sorted by weight, smallest first, from the graph's cached form.
  bool lists_ascend_by_weight(bool in) const;
  /// Of the program on this graph: what preparation pays for.
  unsigned runs() const;

  // What the user asked for.
  template <class T>
  T parameter(const char* name) const {
    T value;
    read_parameter(name, &value, detail::KindOf<T>::kKind);
    return value;
  }
  /// The user's file for a vertex input, if there is one.
  template <class T>
  void load_input(T* values, const char* name) {
    load_input(values, name, sizeof(T));
  }

  // Actions, in stream order.
  Stream stream() const;
  Vertex vertex_count() const;
  EdgeIndex edge_count() const;
  /// A kernel that reads the edges `along` of the listed vertices, or of all: one launch, or where
  /// edges come to the device in parts, as many as there are parts.
  template <class Attribute>
  Launches<PartOfList<Attribute>> in_parts(const Graph<Attribute>& graph, const Worklist& list,
                                           Along along) {
    return {*this, {graph, list}, begin_tasks(along, &list)};
  }
  template <class Attribute>
  Launches<Graph<Attribute>> in_parts(const Graph<Attribute>& graph, Along along) {
    return {*this, graph, begin_tasks(along, nullptr)};
  }

  /// Blocks for one thread per vertex, as far as the device runs them at once.
  unsigned blocks() const;
  unsigned blocks_in_turn() const;  ///< several times as many: few are left when others end
  unsigned blocks(const Worklist& list) const;
  unsigned blocks(const VertexList& list) const;
  unsigned blocks(const VertexParts& parts) const;
  /// Blocks of a kernel that reduces: a function of the number of vertices alone.
  unsigned reduction_blocks() const;
  /// To be called after each launch; names the kernel in an error.
  void launched(const char* kernel);

  void clear(const Bitmap& bitmap);
  void clear(const Worklist& list);
  void clear(const Flag& flag);
  void clear(const Counter& counter);
  /// Zero bytes.
  template <class T>
  void clear(T* values, std::uint64_t count) {
    clear_bytes(values, sizeof(T) * count);
  }
  /// The bits of the listed vertices.
  void clear_listed(const Bitmap& bitmap, const Worklist& list);
  void fill(const Worklist& list);  ///< all vertices, in ascending order
  void raise(const Flag& flag);
  template <class T>
  void copy(T* to, const T* from) {
    copy_bytes(to, from, sizeof(T) * vertex_count());
  }
  template <class T>
  void copy(T* to, const T* from, std::uint64_t count) {
    copy_bytes(to, from, sizeof(T) * count);
  }
  /// Waits for everything before it.
  template <class T>
  T get(const Scalar<T>& scalar) {
    T value;
    read_bytes(&value, scalar.value, sizeof(T));
    return value;
  }

  // Results.

  template <class T>
  void output(const char* state, const T* values) {
    add_output(state, values, sizeof(T), 0, detail::KindOf<T>::kKind);
  }
  void output_vertices(const char* state, const Vertex* values) {
    add_output(state, values, sizeof(Vertex), 0, ScalarKind::Vertex);
  }
  /// One element of a tuple state, named "state.0" …
  void output_element(const char* column, const void* tuples, unsigned stride, unsigned offset,
                      ScalarKind kind) {
    add_output(column, tuples, stride, offset, kind);
  }
  /// True where some edge has a negative weight.
  bool has_negative_weights() const;
  /// Throws where the result holds a value of `state` that is infinite or no number: phase `phase`,
  /// a linear one, has no fixed point then.
  void require_finite(const char* phase, const char* state) const;
  template <class T>
  void report(const char* name, ScalarKind kind, T value) {
    add_report(name, &value, kind);
  }

 private:
  friend class Phase;
  friend class Rounds;
  template <class Part>
  friend bool next_part(Session& session, Part& part);

  /// False where one launch does for all.
  bool begin_tasks(Along along, const Worklist* list);
  bool next_task(detail::Task& task);
  template <class Attribute>
  bool next_task(Graph<Attribute>& graph, detail::Task& task) {
    if (!next_task(task)) return false;
    const auto show = [](const detail::TaskLists& lists, Adjacency<Attribute>& adjacency) {
      adjacency.offsets = lists.offsets;
      adjacency.targets = lists.targets;
      adjacency.attributes = static_cast<const Attribute*>(lists.attributes);
    };
    show(task.out, graph.out);
    show(task.in, graph.in);
    return true;
  }
  template <class Attribute>
  bool next_part(Graph<Attribute>& graph) {
    detail::Task task;
    if (!next_task(graph, task)) return false;
    graph.first = task.first;
    graph.last = task.last;
    return true;
  }
  template <class Attribute>
  bool next_part(PartOfList<Attribute>& part) {
    detail::Task task;
    if (!next_task(part.graph, task)) return false;
    part.list = task.list;
    return true;
  }

  template <class Attribute>
  static constexpr unsigned kAttributeSize = sizeof(Attribute);

  bool allocate();
  void begin_preparation();
  void end_preparation();
  bool begin_run();
  void end_run();

  void declare_graph(Vertex& vertices, EdgeIndex& edges, bool& symmetric);
  template <class Attribute>
  static detail::AdjacencyPlaces places_of(Adjacency<Attribute>& adjacency) {
    return {&adjacency.offsets, &adjacency.targets,
            reinterpret_cast<const void**>(&adjacency.attributes)};
  }
  void declare_edges(const detail::GraphPlaces& places, bool transpose);
  void share_lists(Sharing& out, Sharing* in);
  void declare_loop(std::uint32_t** word);
  void declare_board(unsigned by_grid);
  void declare_ids(std::uint64_t& first_id, const std::uint64_t** ids);
  void declare_array(void** place, const char* name, std::uint64_t bytes, bool zeroed = false);
  void declare_long_array(void** place, const char* name, std::uint64_t bytes);
  void declare_word(std::uint32_t** place);
  void declare_word(unsigned long long** place);
  void clear_word(const void* word, const char* what);
  void read_parameter(const char* name, void* value, ScalarKind kind) const;
  void load_input(void* values, const char* name, unsigned size);
  void clear_bytes(void* values, std::uint64_t bytes);
  void copy_bytes(void* to, const void* from, std::uint64_t bytes);
  void write_bytes(void* to, const void* from, std::uint64_t bytes);
  void read_bytes(void* to, const void* from, std::uint64_t bytes);
  void add_output(const char* column, const void* values, unsigned stride, unsigned offset,
                  ScalarKind kind);
  void add_report(const char* name, const void* value, ScalarKind kind);

  detail::State& state_;
};

template <>
inline constexpr unsigned Session::kAttributeSize<NoAttribute> = 0;

template <class Part>
bool next_part(Session& session, Part& part) {
  return session.next_part(part);
}

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

/// A limit of steps that the program states; a negative one permits none.
template <class T>
VERTIGO_HOST_DEVICE std::uint64_t limit_of(T steps) {
  return steps > T{0} ? static_cast<std::uint64_t>(steps) : 0;
}

/// One run of one phase: which variant, how many steps, what they visited.
class Phase {
 public:
  /// `index` counts the phases of ProgramTables; `limit`: most steps, 0 for no limit of the
  /// program's.
  Phase(Session& session, unsigned index, const Counter& active, const Counter& edges,
        std::uint64_t limit = kNoLimit);
  ~Phase();
  Phase(const Phase&) = delete;

  /// Number of the variant to run, counted from the phase's first.
  unsigned variant() const { return variant_; }
  /// Of the step being run, from 0.
  std::int32_t step() const { return static_cast<std::int32_t>(steps_) - 1; }
  /// A limit of steps ended the phase, the program's own or the user's.
  bool stopped() const { return stopped_; }

  /// True where another step is to be run. Waits for the step before, reads the words of the device
  /// in one piece and records what that step did.
  bool active(const Worklist& pending);
  bool active(const Flag& pending);
  /// Steps have a threshold, below which active vertices wait; for the trace.
  void defers(const Threshold& threshold, const Counter& deferred) {
    threshold_ = threshold.value;
    deferred_ = deferred.total;
  }
  bool active();  ///< true the first time: a sweep is one step
  static bool took_part(const Session& session, unsigned index);  ///< anyone, in its last step

  // For phases whose steps run in one launch.

  /// Sets up a loop over `paths`: one, or those that the controller may choose from. `pending`: the
  /// word that says whether anything is active before the first step.
  template <class Buffers>
  void begin(StepLoop<Buffers>& loop, const LoopMemory<Buffers>& memory,
             const std::uint32_t* pending, execute::Control control, ListOf<execute::Path> paths) {
    loop.log = memory.log;
    loop.shown = memory.shown;
    loop.nanoseconds = reinterpret_cast<float*>(memory.nanoseconds);
    static_cast<StepCounters&>(loop) = memory.counters;
    loop.pending_word = pending;
    begin(loop, control, paths);
  }
  /// Waits for the launch, if there was one, and takes over where the loop has come to. True: it is
  /// to be launched, or launched again.
  template <class Buffers>
  bool more(StepLoop<Buffers>& loop) {
    return more(loop, sizeof loop);
  }
  /// Blocks of a loop's launch, where the device runs `resident` at once: barriers are cheap among
  /// few blocks, and graphs with few edges per vertex have small frontiers.
  unsigned blocks(unsigned resident) const;

  // For engines, whose loops run on the device.

  Session& session() const { return session_; }
  /// The phase has not run before in this run of the program.
  bool is_first() const { return is_first_run_; }
  /// Most steps that the program or the user permits; kNoLimit where neither says any.
  std::uint64_t step_limit() const { return limit_; }
  /// Throws Error(NotConverged): the phase has no fixed point, for the reason `problem`.
  [[noreturn]] void fail(const char* problem, std::uint64_t steps) const;
  /// Zeroes the log, before the loop is launched.
  void begin(const StepLog& log);
  /// Waits for the loop and takes over what it logged; `modes`: names of the modes, for the trace
  /// and the summary ("push", "pull"). `reason`: for the trace; null: why the variant is legal.
  /// Throws Error(NotConverged) where there is no fixed point.
  void finish(const StepLog& log, std::initializer_list<const char*> modes, const char* reason);

  /// Values may improve round a cycle, for ever: the phase looks for one now and then, and throws
  /// Error(NotConverged) where it finds it. `outputs(program)` calls session.output for all states.
  void watch_cycles(void (*outputs)(void* program), void* program);
  /// Whether it is time to look for values without bound: rare enough to cost nothing.
  bool checkpoint() const;
  /// Throws where a value of `state` is infinite or no number, as in a phase that diverges.
  template <class T>
  void require_finite(const char* state, const T* values) {
    require_finite(state, values, detail::KindOf<T>::kKind);
  }

 private:
  bool next(bool pending);
  /// The watch looks, if it is time; at the end, whether it is one.
  void look();
  void rest() const;
  /// The limit is reached: of the user's, work may be left; at the program's own a phase is at its
  /// end.
  void stop();
  void begin(LoopState& loop, execute::Control control, ListOf<execute::Path> paths);
  bool more(LoopState& loop, std::uint64_t bytes);
  void end(const LoopState& loop);
  void require_finite(const char* state, const void* values, ScalarKind kind);
  std::uint64_t word(const void* place) const;

  Session& session_;
  const Counter& active_;
  const Counter& edges_;
  unsigned index_;
  unsigned variant_;
  std::uint64_t limit_;
  bool cuts_short_ = false;  ///< the limit is the user's
  bool stopped_ = false;
  execute::CycleWatch* watch_ = nullptr;
  bool is_first_run_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t active_before_ = 0;
  std::uint64_t edges_before_ = 0;
  const float* threshold_ = nullptr;
  const unsigned long long* deferred_ = nullptr;
  std::uint64_t deferred_before_ = 0;
  double step_start_ = 0;
  bool launched_ = false;
};

}  // namespace vertigo::gpu
