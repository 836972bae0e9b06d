#pragma once
// The boundary between a generated program and the runtime. A generated file describes its program
// in a ProgramInfo, implements run() for its target, and registers both; libvertigo_host provides
// main(), which reads the command line and the graph, calls run() of the chosen target, checks and
// writes the result. A program of one's own calls host::run() (vertigo/host/run.h) instead.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/core/path_choice.h"
#include "vertigo/core/value.h"
#include "vertigo/graph/graph.h"
#include "vertigo/trace/stage.h"

namespace vertigo::graph {
class ReadingDevice;  // vertigo/graph/reading_device.h
}

namespace vertigo::trace {
class Recorder;  // vertigo/trace/recorder.h
}

namespace vertigo::host {

enum class TargetKind : std::uint8_t { Cpu, Gpu };

/// `default_text` here and below is what a user could type: a literal, `inf`, `none`, `true` or
/// `false`; a default that is an expression is evaluated by the compiler.
struct ParameterInfo {
  std::string_view name;
  ScalarKind kind;
  bool is_list;                   ///< vertex[]: one or more ids, comma separated or `@file`
  std::string_view default_text;  ///< empty: the user must give it
};

/// A vertex attribute that the user may give as a file (`--injection FILE`: lines `vertex value`).
/// Vertices that the file does not name take `default_text`.
struct VertexInputInfo {
  std::string_view name;
  ScalarKind kind;
  std::string_view default_text;  ///< empty (the initial value is no literal): the file must name
                                  ///< every vertex
};

/// An edge attribute: taken from the graph, else `default_text` everywhere.
struct EdgeAttributeInfo {
  std::string_view name;
  ScalarKind kind;
  std::string_view default_text;  ///< empty: the graph must have it
};

struct OutputInfo {
  std::string_view state;
  std::vector<ScalarKind> kinds;  ///< one column per tuple element
  double tolerance;  ///< for floating kinds: relative to the column's largest magnitude; 0: exact
};

struct ReportInfo {
  std::string_view name;
  ScalarKind kind;
};

/// One way to run one phase: a name such as "async-push-data" that --schedule and the trace use.
/// Which edges the kernels of a variant can be given part by part. `Whole`: none, they find all
/// edges at any time. `None`: they read none.
enum class EdgeParts : std::uint8_t { Whole, None, Out, In, Both };

struct VariantInfo {
  std::string_view name;  ///< as core/variant.h spells it
  std::string_view reason;
  bool prepares = false;           ///< pinned when compiling: something is made of the graph first
  bool balanced_by_graph = false;  ///< compiled with balance=auto, and has edges to follow
  bool non_negative = false;       ///< only for graphs without a negative weight
  bool symmetric = false;          ///< only for symmetric graphs
  bool no_duplicates = false;      ///< only for graphs without parallel edges
  bool deterministic = true;       ///< no floating sum depends on the order of threads
  EdgeParts parts = EdgeParts::Whole;
  /// Of one that runs colour classes and a rest: how many classes, where the user does not say it
  /// (parse_colours() reads it); else empty.
  std::string_view colours = {};
};

struct PhaseInfo {
  std::string_view name;
  std::vector<VariantInfo> variants;  ///< that are compiled
  std::size_t preferred;              ///< index of the one that `auto` starts with
};

/// What the graph must satisfy, with the reason to print when it does not.
struct RequirementInfo {
  enum class Kind : std::uint8_t { Symmetric, NonNegativeWeights, NoDuplicates } kind;
  std::string_view reason;
  /// Of NonNegativeWeights: which of ProgramInfo::edge_columns; empty: ProgramInfo::edge.
  std::string_view attribute = {};
};

/// Whether a schedule that makes something of the graph first (sorted lists, packed records) may be
/// chosen.
enum class Prepare : std::uint8_t {
  Auto,    ///< where it saves more over the runs than it takes
  Always,  ///< wherever the plan prefers it
  Never
};

/// Where a GPU's kernels read edges.
enum class Transfer : std::uint8_t {
  Auto,      ///< on the device, or where that has too little memory, in host memory
  Resident,  ///< on the device
  ZeroCopy,  ///< in host memory, over the link, without a copy on the device
  // Partition by partition, as steps need them:
  Filter,      ///< copied as a whole
  Compaction,  ///< the lists of active vertices, gathered by the host and copied
};

/// Everything that the runtime needs to know of a program; the same for every target.
struct ProgramInfo {
  std::string_view name;
  std::string_view source_file;
  std::string_view compiler_version;
  std::string_view options;     ///< of the compiler, as the emitted file's header states them
  std::string_view program_ir;  ///< text form; --check and --interpret read it
  std::string_view plan;        ///< text form; --explain prints it
  std::vector<ParameterInfo> parameters;
  std::vector<VertexInputInfo> vertex_inputs;
  std::optional<EdgeAttributeInfo> edge;  ///< taken from the graph's weights
  /// Instead of `edge`: attributes that are read by their names, all of them in one record an edge
  /// (vertigo/graph/edge_records.h).
  std::vector<EdgeAttributeInfo> edge_columns = {};
  std::vector<OutputInfo> outputs;
  std::vector<ReportInfo> reports;
  std::vector<RequirementInfo> requirements;
  std::vector<PhaseInfo> phases;
  bool needs_transpose;             ///< some variant reads in-neighbours
  bool all_schedules = false;       ///< every legal variant is compiled, not what is needed alone
  Prepare prepare = Prepare::Auto;  ///< where the user says nothing
  Transfer transfer = Transfer::Auto;  ///< where the user says nothing
};

/// Parameters of one run, resolved to internal ids and typed.
class Arguments {
 public:
  void set(std::string name, Value value) { scalars_[std::move(name)] = value; }
  /// A list is a set: naming a vertex twice starts it once, and `none` is no vertex. Kept
  /// ascending.
  void set_list(std::string name, const std::vector<Vertex>& vertices) {
    std::map<Vertex, bool> once;
    for (const Vertex v : vertices)
      if (v != kNoVertex) once[v] = true;
    std::vector<Vertex>& list = lists_[std::move(name)];
    list.clear();
    for (const auto& [v, there] : once) list.push_back(v);
  }
  void set_input(Column column) { inputs_[column.name] = std::move(column); }

  // Throw Error(Usage) where the parameter is missing.
  template <class T>
  T get(const std::string& name) const {
    return value(name).as<T>();
  }
  const Value& value(const std::string& name) const { return there(scalars_, name); }
  std::span<const Vertex> list(const std::string& name) const { return there(lists_, name); }

  bool has(const std::string& name) const { return scalars_.contains(name); }
  bool has_list(const std::string& name) const { return lists_.contains(name); }
  /// Null where the user gave no file; the program's initial value serves then.
  const Column* input(const std::string& name) const {
    const auto found = inputs_.find(name);
    return found == inputs_.end() ? nullptr : &found->second;
  }

  /// Of everything that was set.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : scalars_) all.push_back(name);
    for (const auto& [name, list] : lists_) all.push_back(name);
    for (const auto& [name, column] : inputs_) all.push_back(name);
    return all;
  }

 private:
  template <class T>
  static const T& there(const std::map<std::string, T>& all, const std::string& name) {
    const auto found = all.find(name);
    if (found == all.end()) throw Error(ExitCode::Usage, "parameter '" + name + "' is missing");
    return found->second;
  }

  std::map<std::string, Value> scalars_;
  std::map<std::string, std::vector<Vertex>> lists_;
  std::map<std::string, Column> inputs_;
};

/// Which form of an engine runs: the one for graphs of small diameter, or that for large ones.
enum class Diameter : std::uint8_t { Estimated, Small, Large };

/// Who follows the edges of a list, in kernels that were compiled with balance=auto.
enum class EdgeSharing : std::uint8_t {
  Auto,   ///< by the longest list of the graph
  Mixed,  ///< as if the graph had lists of every length
};

struct RunRequest;

/// Asked while a phase runs whose values may improve round a cycle, for ever.
struct CycleQuestion {
  std::string_view phase;
  const std::vector<Column>& before;  ///< all states at an earlier moment of the phase
  const std::vector<Column>& now;
};

/// The other way round: a phase has come to rest, after it ran for the first time.
struct RestQuestion {
  std::string_view phase;
  const std::vector<Column>& now;
};

/// Looks for cycles that improve the values of their own vertices every time round, so that the
/// phase has no fixed point. Both answer in words, naming a cycle by its vertices; "": there is
/// none to be found in what is shown.
class CycleSearch {
 public:
  virtual ~CycleSearch() = default;
  virtual std::string find(const RunRequest& request, const CycleQuestion& question) const = 0;
  /// Where the numbers ran out on such a cycle, its values rest at the end of their type's range.
  virtual std::string find_at_rest(const RunRequest& request,
                                   const RestQuestion& question) const = 0;
};

/// One run that is asked for. The graph has the program's edge attribute type (or no weights) and,
/// where ProgramInfo::needs_transpose says so, its transpose; check_request() says what is wrong.
/// Graph, arguments and recorder belong to the run until it returns; several runs may read the same
/// graph and arguments at the same time.
struct RunRequest {
  const graph::Graph& graph;
  const Arguments& arguments;
  /// Phase name -> variant name; a phase that is not named is `auto`: the controller chooses.
  std::map<std::string, std::string> schedule = {};
  std::uint64_t step_limit = 0;      ///< per phase; 0: the program's own, or none
  unsigned device = 0;               ///< number of the GPU, as CUDA counts; 0 on the CPU
  std::uint64_t device_memory = 0;   ///< bytes that may be used on the device; 0: what is free
  std::uint64_t host_memory = 0;     ///< bytes that edges from a file may take; 0: what is free
  bool deterministic = false;        ///< floating sums in a fixed order
  trace::Recorder* trace = nullptr;  ///< may be null
  Prepare prepare = Prepare::Auto;
  Diameter diameter = Diameter::Estimated;
  EdgeSharing balance = EdgeSharing::Auto;
  Transfer transfer = Transfer::Auto;
  /// How many colour classes run before a rest; nothing: as the program was compiled.
  std::optional<std::uint32_t> colours = {};
  PathChoice paths = {};                ///< along which paths, where it runs along paths
  bool negative_weights = false;        ///< some edge has one; host::run() looks itself
  const CycleSearch* cycles = nullptr;  ///< null: a cycle is noticed, but not named
  /// How often to run; only a target that `repeats` looks at it.
  unsigned runs = 1;
  /// Where runs keep what they have found out about the machine; empty: nowhere.
  std::string kept_folder = {};
  /// A run that took longer (seconds) is the last one.
  double longest_repeated = std::numeric_limits<double>::infinity();
};

/// Seconds by stage. `run` is the main loop alone, as the field counts it; of several runs, the
/// last.
struct Timing {
  double preprocess = 0;
  double preparation = 0;  ///< on the target, once for all runs: what engines make of the graph
  double transfer = 0;
  double run = 0;
  std::vector<double> runs = {};  ///< of a target that repeats: one per run
  /// When each of these was; empty where the target does not say.
  std::vector<trace::Stage> stages = {};
};

struct PhaseSummary {
  std::string phase;
  std::string schedule;  ///< variants used, in order of first use, joined by ","
  std::string_view reason =
      {};  ///< why the first of them; static, empty where the target does not say
  std::uint64_t steps = 0;
  std::uint64_t edges = 0;            ///< edges visited
  std::uint64_t active_vertices = 0;  ///< summed over the steps
};

struct RunResult {
  std::vector<Column>
      states;  ///< every state (tuples: one column per element), internal order and ids
  std::map<std::string, Value> reports;
  std::vector<PhaseSummary> phases;
  /// Who follows which edges, in one line, where the graph decided that; else empty.
  std::string balance = {};
  /// How many vertices are in how many colour classes, in one line, where there are any; else
  /// empty.
  std::string colours = {};
  /// How many hubs and paths there are, where values travel along paths; else empty.
  std::string paths = {};
  /// Where edges that are not on the device lie, and why, in one line; empty where all are there.
  std::string placement = {};
  /// How edges that are not there came to the device, in one line; empty where kernels read all of
  /// them in place.
  std::string moved = {};
  /// What the link to the device can do, and how long it took to find out, in one line; empty where
  /// nobody asked.
  std::string link = {};
  Timing timing;
  bool converged = true;  ///< false: the user's limit of steps ended a phase
};

using RunFunction = std::function<RunResult(const RunRequest&)>;

/// Memory that a run needs for one array.
struct ArrayBytes {
  std::string name;
  std::uint64_t bytes = 0;
  bool on_device = false;
  bool on_file = false;  ///< and in no memory
};

/// What `--dry-run` prints: every array of the run, and the strategy that follows from the memory.
struct Footprint {
  std::vector<ArrayBytes> arrays;
  std::uint64_t device_total = 0;  ///< bytes of the device; 0: unknown, or no device
  std::uint64_t device_free = 0;   ///< bytes free on it now
  std::string strategy;            ///< one sentence, such as "resident: everything fits"

  /// Of all arrays on the device, or of all on the host.
  std::uint64_t bytes(bool on_device) const {
    std::uint64_t sum = 0;
    for (const ArrayBytes& array : arrays)
      if (array.on_device == on_device && !array.on_file) sum += array.bytes;
    return sum;
  }
};

/// A generated file's entry: what it is and how to run it. The optional hooks may be null.
struct Target {
  TargetKind kind;
  const ProgramInfo* info;
  RunFunction run;
  std::string_view emitted_source;  ///< for --dump-cuda / --dump-cpu

  /// "" where this machine can run the target, else the reason in one line without a full stop:
  /// no driver, driver too old, no visible GPU, wrong architecture are told apart. Allocates
  /// nothing on the device. Null: always usable.
  std::function<std::string(unsigned device)> unusable = {};
  /// The device in words, such as "NVIDIA H200, 139 GiB"; called only when usable.
  std::function<std::string(unsigned device)> device = {};
  /// Does what the first run would wait for and what needs no graph, from any thread, so that the
  /// graph can be read meanwhile. What fails here is left for the run to meet and to tell.
  std::function<void(unsigned device)> start = {};
  /// The device as one that takes part in reading. Null: the target has none.
  std::function<std::shared_ptr<graph::ReadingDevice>(unsigned device)> reading_device = {};
  /// Has the device take the lists of an adjacency, of which the host keeps its own: it turns them
  /// round and compares them faster, and the run needs them there. Null where the device has too
  /// little memory.
  std::function<std::shared_ptr<const graph::DeviceLists>(
      unsigned device, const graph::Adjacency& lists, bool has_duplicates)>
      hold_lists = {};
  /// Does what is to be done on the device when the process ends, which asks it for nothing any
  /// more and holds nothing there. Null: nothing is.
  std::function<void(unsigned device)> end = {};
  /// run() honours RunRequest::runs, so that graph and preparation stay between runs.
  bool repeats = false;
  /// Bytes per array for this request. Null: the runtime estimates from ProgramInfo.
  std::function<Footprint(const RunRequest&)> footprint = {};
};

/// Throws Error where the request is not one that the program can run: Usage for parameters that
/// are missing, unknown or of another kind, for schedules that the program has not, and for a
/// device of the CPU; InputRefused for a vertex that is not in the graph, and for a graph without
/// what the program requires (weights, their type, symmetry, a transpose). Every target's run()
/// begins with it.
void check_request(const ProgramInfo& info, TargetKind target, const RunRequest& request);

/// Called by static initialisers of generated files: `static const vertigo::host::RegisterTarget
/// registration(target);`. Any number of programs may be linked into one binary.
struct RegisterTarget {
  explicit RegisterTarget(const Target& target);
};

/// The registered target of that program, or null. Throws Error(Usage) where two programs of this
/// process have the same name.
const Target* find_target(std::string_view program, TargetKind kind);
/// The same of the only program; throws Error(Usage) that names them where there are several.
const Target* find_target(TargetKind kind);
/// Names of the registered programs, ascending.
std::vector<std::string_view> program_names();

/// The command line of a generated binary (docs/running.md); returns its exit code.
/// vertigo/host/run_main.h has the form that tests call.
int run_main(int argc, const char* const* argv);
/// The same in a process that ends afterwards. CUDA takes a tenth of a second to end. Half of that
/// goes on beside the writing of results where `many` vertices have some; where few have, it would
/// only take longer.
int run_process(int argc, const char* const* argv, std::uint64_t many = std::uint64_t{1} << 23);

}  // namespace vertigo::host
