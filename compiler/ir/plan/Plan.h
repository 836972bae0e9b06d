#pragma once
// Plan IR: how a program runs. Per phase the variants that are legal and worth having, the kernels
// and buffers that each needs, and the host-level actions that drive them; per choice a Decision.
// Made from Program IR by the passes of passes/toplan (decisions, then build-kernels), arranged by
// those of passes/plan, printed by the emitters.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/plan/Decision.h"
#include "compiler/ir/plan/Kernel.h"
#include "compiler/ir/program/Beginnings.h"
#include "compiler/ir/program/Program.h"
#include "compiler/ir/program/Uses.h"
#include "vertigo/core/variant.h"

namespace vertigo::plan {

/// What the host does in one step of a variant. Everything runs in stream order on the device.
enum class ActionKind : std::uint8_t {
  Launch,        ///< kernel `symbol`
  ClearBuffer,   ///< worklist emptied, bitmap zeroed, flag lowered: `symbol`
  ClearListed,   ///< in bitmap `symbol`, the bits of the vertices on worklist `source`
  FillWorklist,  ///< worklist `symbol` becomes all vertices
  RaiseFlag,     ///< flag `symbol`
  CopyBuffer,    ///< `symbol` <- `source` (snapshots)
  Swap,          ///< buffers `symbol` and `source` change names
  LoadInput,     ///< state buffer `symbol` from the user's file, where one is given
  /// `body` for each part of `symbol`, one after the other: kernels over a part see the one at
  /// hand.
  ForParts,
  ForRest,  ///< `body` for the vertices in none of the parts of `symbol`, where there are any
  // Of a loop over steps in one launch:
  Renew,      ///< list or flag `symbol` gets another, empty place
  Barrier,    ///< all threads wait for each other; then `body`
  EachBlock,  ///< `body`, by one thread of every block: work that touches the block's copy alone
  EndStep,    ///< as Barrier, and the step is over; `symbol` says whether another follows
  EndUpdate,  ///< as Barrier, and an update of all vertices is over
};

struct Action {
  ActionKind kind = ActionKind::Launch;
  std::string symbol;
  std::string source;
  std::vector<Action> body{};
  /// Of Launch: the runtime may make several of it, each for some of the kernel's vertices, whose
  /// edges along this are on the device then; filled in by cut-launches.
  std::optional<ir::EdgeDirection> parts{};
  bool operator==(const Action&) const = default;
};

/// An expression of the program, under the name by which an engine calls it:
/// `sent(level: int32): int32 = level + 1`.
struct Operator {
  std::string name;
  /// Locals of `body` and `value`; those of type vertex are bound vertices, the one named like the
  /// program's edge attribute is the edge's.
  std::vector<ir::FunctionParameter> parameters;
  Type type;
  Block body;  ///< what runs before; empty: a pure expression
  ExprPtr value;
  Location location;
};

/// What an engine is told of its operators: `minimizes = true`.
struct OperatorConstant {
  std::string name;
  bool value = false;
};

/// An algorithm of the runtime that runs a phase as a whole, given the program's own expressions
/// (its room: vertigo/engines/NAME).
struct Engine {
  std::string name;  ///< the variant's name, its room's and its namespace
  std::vector<OperatorConstant> constants;
  std::vector<Operator> operators;
  std::vector<std::string> buffers;  ///< in the order in which the engine's run() takes them
  /// Vertex inputs that the host gives to operators of it before any buffer is there.
  std::vector<std::string> inputs;
  /// Host variable of a loop whose remaining rounds the engine runs all at once; "": none.
  std::string loop;
};

/// Several of the phase's paths under a controller that changes them between steps (SEP-Graph,
/// section 4.3).
struct Hybrid {
  std::string control;             ///< "iterative" or "traversal"
  std::vector<std::string> paths;  ///< names of variants; the phase begins with the first
  std::vector<Action> to_list;     ///< before a data-driven step that follows another kind
  std::vector<Action> to_all;      ///< before a topology-driven step that follows another kind
  std::string list;                ///< what data-driven paths leave pending; "": there is none
  std::string flag;                ///< what the others do
};

/// One way to run a phase. `name()` is what --schedule, the trace and the tables say:
/// "async-push-data", or the name of an engine.
struct Variant {
  ExecutionPath path;  ///< unless an engine or a controller runs the phase
  std::string reason;  ///< why it is legal
  /// Bit-identical repeats: no floating sum depends on the order of threads.
  bool deterministic = true;
  /// Only for graphs without a negative weight.
  bool non_negative = false;
  /// Only for graphs that are known to be symmetric: every edge has its reverse, of the same
  /// weight.
  bool symmetric = false;
  /// Only for graphs that are known to have no two edges from one vertex to the same other.
  bool no_duplicates = false;
  /// All edges lie on the device while it runs: it cannot be given one part after the other.
  bool whole_graph = false;
  std::vector<Action> prepare;  ///< once each time the phase runs, the phase's starts included
  std::vector<Action> step;     ///< until `pending` says that nothing is active
  /// Worklist (empty: done) or flag (not raised: done) that ends the phase; "": one step (a sweep).
  std::string pending;
  /// A step visits nothing but lists that are no longer than `pending`, so that one block can run
  /// it while that list is short.
  bool one_block = false;
  /// Its steps run in one launch, with barriers between them, together with those of the phase's
  /// other fused variants. For targets that launch.
  bool fused = false;
  /// Runs after `prepare`, instead of steps.
  std::optional<Engine> engine;
  /// Changes between paths, whose steps it runs; it has none of its own.
  std::optional<Hybrid> hybrid;
  /// Buffers that it needs besides those that the host class holds for all variants.
  std::vector<std::string> needs;
  std::string threshold;  ///< which vertices wait in its steps; "": none
  bool prepares = false;  ///< something that it needs is made of the graph before the runs
  bool by_graph = false;  ///< the lengths of the graph's lists decide how some kernel shares them

  bool is_path() const { return !engine && !hybrid; }
  /// Whether the structure of the graph decides, when it is read, if this can be had.
  bool is_for_some() const { return symmetric || no_duplicates; }
  VariantKind kind() const;
  std::string name() const { return spelling(kind()); }
};

/// Where values may improve round a cycle, for ever, so that the phase has no fixed point: the
/// runtime looks for such a cycle while the phase runs.
using ir::Cycles;

/// The steps of a phase's fused variants, chained by barriers into one kernel.
struct StepLoop {
  struct Change {
    bool to_list = false;  ///< as Hybrid::to_list, or to_all
    std::vector<Action> actions;
  };
  struct Steps {
    std::string variant;
    std::vector<Action> actions;
  };

  std::vector<std::string> holds;     ///< lists, marks and flags: some change places while it runs
  std::vector<KernelArgument> takes;  ///< what else its parts take, each once
  std::vector<Change> changes;        ///< where a controller changes between the variants
  std::vector<Steps> steps;
};

/// What an update visits every time that it runs: the more that is, the longer a round takes beside
/// a look from the host.
enum class Reach : std::uint8_t { Some, AllVertices, AllEdges };

/// A loop of the host level that runs in one launch: every thread goes through its statements, and
/// the phases and reductions that these ask for are chained by barriers.
struct Rounds {
  /// A phase that runs in it, by its preferred variant.
  struct Part {
    std::string phase;
    Reach reach = Reach::Some;
    std::vector<Action> begin;   ///< before the steps; of an update of all vertices, all that it is
    std::vector<Action> finish;  ///< as PhasePlan::finish
  };

  unsigned loop = 0;  ///< which loop of Plan::body, counted from 0 in the order of the text
  // Filled in by place-barriers.
  std::vector<std::string> holds;     ///< lists, marks and flags: some change places while it runs
  std::vector<std::string> values;    ///< variables of the host level that it reads or changes
  std::vector<KernelArgument> takes;  ///< what else its parts take, each once
  std::vector<std::string> reductions;
  std::vector<Part> parts;
};

/// What the host sorts before a loop begins in which no vertex changes its place.
struct Sorting {
  std::string buffer;  ///< Sorted
  unsigned loop = 0;   ///< as Rounds::loop
  bool operator==(const Sorting&) const = default;
};

struct PhasePlan {
  const Variant* find_variant(const std::string& name) const;

  std::string phase;              ///< name in the Program
  std::vector<Variant> variants;  ///< legal, in a fixed order
  std::size_t preferred = 0;
  ir::ExprPtr step_limit;  ///< of the program, reductions replaced by their names; null: none
  /// Of the pinned importance of vertices, of a path order (order-paths); else nothing.
  std::optional<Operator> importance;
  Cycles cycles = Cycles::None;
  /// State that a diverging sum drives out of the finite numbers; "" where no sum accumulates.
  std::string watched_state;
  /// When the phase has ended, whichever variant ran it.
  std::vector<Action> finish;
  /// `finish` has work only where a limit of steps, the program's or the user's, ended the phase.
  bool finish_if_stopped = false;
  /// Of its fused variants; filled in by place-barriers.
  std::optional<StepLoop> loop;
};

/// A reduction over vertices that host-level code asks for. `Load` of `name` without operand stands
/// for it in Plan::body.
struct VertexReduction {
  std::string name;
  /// It runs this phase, and is whether anyone took part; then there are no kernel and no buffer.
  std::string phase = {};
  std::string kernel;
  std::string buffer;
  Type type;
  ir::Combine combine = ir::Combine::Min;
  ExprPtr identity;  ///< its value where no vertex takes part
};

/// Counters that every plan has: what the trace and the summary report of a step.
inline constexpr const char* kActiveCounter = "active_vertices";
inline constexpr const char* kEdgeCounter = "visited_edges";
/// What a controller asks for besides.
inline constexpr const char* kOutEdgeCounter = "active_edges";
inline constexpr const char* kAskedCounter = "asked_vertices";
/// Of a step with a threshold: active vertices that wait.
inline constexpr const char* kDeferredCounter = "deferred_vertices";

/// Decisions and phases are found by more than a name of their own, and by another one.
inline std::string decision_name(const std::string& subject, const std::string& key) {
  return subject + "." + key;
}
inline std::string name_of(const Decision& decision) {
  return decision_name(decision.subject, decision.key);
}
inline bool is_named(const Decision& decision, const std::string& name) {
  const std::size_t split = decision.subject.size();
  return name.size() == split + 1 + decision.key.size() && name.starts_with(decision.subject) &&
         name[split] == '.' && name.ends_with(decision.key);
}
inline const std::string& name_of(const PhasePlan& phase) { return phase.phase; }
inline bool is_named(const PhasePlan& phase, const std::string& name) {
  return phase.phase == name;
}

/// A variant of a phase, by their names.
struct VariantOf {
  std::string phase;
  std::string variant;
  bool operator==(const VariantOf&) const = default;
};

/// Something that is made of the graph once, before the runs, where one of these variants will run.
struct Preparation {
  std::string buffer;  ///< "": the engine of the one variant
  std::vector<VariantOf> variants;
};

/// A variable of the host level; a member of the class, because kernels of any phase may read it.
struct HostVariable {
  std::string name;
  Type type;
  bool has_end = false;  ///< of a loop that an engine runs: its last value is kept, too
};

/// The class that owns a program's buffers and runs its kernels: what it has besides the buffers,
/// phases and reductions of the plan, in their order.
struct HostClass {
  std::vector<std::string> holds;         ///< buffers that are there whatever variants run
  bool ids = false;                       ///< kernels ask what vertices were called when read
  std::vector<Preparation> preparations;  ///< in order
  ir::NamedList<HostVariable> variables;
  std::vector<std::string> columns;  ///< states in the order in which a run hands them out
  std::string graph_order;           ///< the pinned preparation of the graph; "": the runtime's
  bool all_schedules = false;        ///< every legal variant is there
  std::string transfer;              ///< the pinned way of edges to the device; "": the runtime's
};

/// The whole plan. It owns the Program it came from: kernels quote its functions, the emitters its
/// declarations.
struct Plan {
  ir::Program program;
  ir::Uses uses;              ///< of the program: who makes the one makes the others
  ir::Beginnings beginnings;  ///< likewise
  ir::NamedList<Decision> decisions;
  ir::NamedList<Buffer> buffers;
  ir::NamedList<Kernel> kernels;   ///< each is used by at least one action or reduction
  std::vector<Action> initialize;  ///< once per run, before the body: states, inputs and inboxes
  ir::NamedList<PhasePlan> phases;
  ir::NamedList<VertexReduction> reductions;
  std::vector<ir::StmtPtr> body;  ///< the program's host level, reductions replaced by their names
  std::vector<Sorting> sortings;
  std::vector<Rounds> rounds;  ///< one inside another is for when the host goes through that one
  bool needs_transpose = false;
  std::optional<HostClass> host;  ///< filled in by arrange-host, last of all

  const Buffer* find_buffer(const std::string& name) const;
  const Kernel* find_kernel(const std::string& name) const;
  const PhasePlan* find_phase(const std::string& name) const;
  const VertexReduction* find_reduction(const std::string& name) const;
  const Decision* find_decision(const std::string& subject, const std::string& key) const;
};

inline bool is_loop(const ir::Stmt& stmt) {
  return stmt.kind == ir::StmtKind::Repeat || stmt.kind == ir::StmtKind::For ||
         stmt.kind == ir::StmtKind::While;
}

/// Calls `visit(number, loop)` for the loops of a host level, as Rounds::loop counts them. Where it
/// answers false, the loops inside are passed over.
template <class Visit>
void walk_loops(const std::vector<ir::StmtPtr>& body, const Visit& visit, bool visits,
                unsigned& next) {
  for (const ir::StmtPtr& stmt : body) {
    const bool inside = visits && (!is_loop(*stmt) || visit(next, *stmt));
    if (is_loop(*stmt)) ++next;
    walk_loops(stmt->body, visit, inside, next);
    walk_loops(stmt->otherwise, visit, inside, next);
  }
}
template <class Visit>
void walk_loops(const std::vector<ir::StmtPtr>& body, const Visit& visit) {
  unsigned next = 0;
  walk_loops(body, visit, true, next);
}

/// What an update by this variant visits; Some where it is a phase of many steps.
Reach reach_of(const Plan& plan, const Variant& variant);

/// The loops of the host level, by their numbers; they belong to the plan.
std::vector<const ir::Stmt*> loops_of(const Plan& plan);

/// Phases that the statement runs itself: by its name, or by asking who took part in one.
std::vector<const PhasePlan*> phases_run_by(const Plan& plan, const ir::Stmt& stmt);

}  // namespace vertigo::plan
