#include "compiler/ir/plan/PlanVerifier.h"

#include <algorithm>
#include <set>

#include "compiler/ir/plan/ArrangementVerifier.h"
#include "compiler/ir/plan/EdgeParts.h"
#include "compiler/ir/plan/HubForm.h"
#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/ir/plan/PlanWalk.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Typing.h"
#include "compiler/ir/program/Verifier.h"
#include "vertigo/core/colours.h"
#include "vertigo/core/quoted.h"
#include "vertigo/engines/engines.h"

namespace vertigo::plan {

namespace {

class PlanVerifier {
 public:
  explicit PlanVerifier(const Plan& plan) : plan_(plan), messages_(ir::verify(plan.program)) {}

  std::vector<std::string> run() {
    check_unique();
    for (const Kernel& kernel : plan_.kernels) {
      check_domain(kernel);
      if (const std::string problem = problem_of_hubs(plan_, kernel); !problem.empty())
        complain("kernel " + quoted(kernel.name) + ": " + problem);
    }
    for (const Sorting& sorting : plan_.sortings) check_sorting(sorting);
    check_actions(plan_.initialize, "initialize");
    for (const PhasePlan& phase : plan_.phases) check_phase(phase);
    for (const VertexReduction& reduction : plan_.reductions) {
      const std::string who = "reduction " + quoted(reduction.name);
      const bool has_kernel = reduction.phase.empty();
      if (has_kernel ? plan_.find_kernel(reduction.kernel) == nullptr
                     : plan_.find_phase(reduction.phase) == nullptr)
        complain(who + " names no " + (has_kernel ? "kernel" : "phase"));
      if (has_kernel) expect_buffer(reduction.buffer, {BufferRole::Scalar}, who);
    }
    PlanWalk<const Plan, PlanVerifier>(plan_, *this).run();
    return std::move(messages_);
  }

  // A choice that nobody can explain is a defect of the pass that made it.
  void check_reasons(const Decision& decision) {
    if (decision.reason.empty())
      complain("decision " + quoted(name_of(decision)) + " has no reason");
    for (const Alternative& other : decision.alternatives)
      if (other.reason.empty())
        complain("decision " + quoted(name_of(decision)) + " has no reason for or against " +
                 quoted(other.value));
  }

  void host_stmt(const ir::Stmt& stmt) {
    if (stmt.kind < ir::StmtKind::HostLet && stmt.kind != ir::StmtKind::If)
      complain("a statement of a body stands at host level");
    if (stmt.kind == ir::StmtKind::Phase && plan_.find_phase(stmt.symbol) == nullptr)
      complain("no phase is called " + quoted(stmt.symbol));
  }

  void expr(const ir::Expr& expr, const ir::Scope& scope) {
    ir::Type type;
    const std::string problem = derive_type(expr, scope, type);
    if (!problem.empty()) return complain(problem);
    if (expr.type != type)
      complain(quoted(ir::print(expr)) + " is typed " + to_string(expr.type) + ", but it is " +
               to_string(type));
    if (expr.op == ir::Op::Load && expr.operands.empty()) {
      if (plan_.find_reduction(expr.symbol) == nullptr && plan_.find_buffer(expr.symbol) == nullptr)
        complain("nothing to load is called " + quoted(expr.symbol));
    } else if (expr.op == ir::Op::Load && is_edge(*expr.operands.front())) {
      expect_buffer(expr.symbol, {BufferRole::EdgeState}, "a load of an edge");
    } else if (expr.op == ir::Op::Load) {
      expect_buffer(expr.symbol,
                    {BufferRole::State, BufferRole::Snapshot, BufferRole::Inbox,
                     BufferRole::Payload, BufferRole::Scalar},
                    "a load");
    } else if (expr.op == ir::Op::TestBit) {
      expect_buffer(expr.symbol, {BufferRole::Bitmap}, "a test of a bit");
    }
  }

  void stmt(const KernelStmt& stmt, const ir::Scope&) {
    const std::string what = quoted(std::string(spelling(kKernelOps, stmt.op)));
    if (needs_value(stmt.op) && !stmt.value) complain(what + " has no value");
    if (needs_index(stmt.op) && !stmt.index) complain(what + " has no index");
    if (needs_type(stmt.op) && stmt.type.is_none()) complain(what + " has no type");
    switch (stmt.op) {
      case KernelOp::ForEdges:
        check_votes(stmt);
        return check_slots(stmt);
      case KernelOp::ForMessages:
        return expect_buffer(stmt.buffer, {BufferRole::Messages}, what);
      case KernelOp::Store:
        if (is_slot(stmt.index))
          return expect_buffer(stmt.buffer, {BufferRole::Messages, BufferRole::EdgeState}, what);
        if (stmt.index && is_edge(*stmt.index))
          return expect_buffer(stmt.buffer, {BufferRole::EdgeState}, what);
        [[fallthrough]];
      case KernelOp::CombineInto:
        check_joined(stmt, what);
        return expect_buffer(
            stmt.buffer,
            {BufferRole::State, BufferRole::Snapshot, BufferRole::Inbox, BufferRole::Payload},
            what);
      case KernelOp::Take:
        return expect_buffer(stmt.buffer, {BufferRole::Inbox}, what);
      case KernelOp::Append:
        return expect_buffer(stmt.buffer, {BufferRole::Worklist}, what);
      case KernelOp::SetBit:
      case KernelOp::ClearBit:
        return expect_buffer(stmt.buffer, {BufferRole::Bitmap}, what);
      case KernelOp::Raise:
        return expect_buffer(stmt.buffer, {BufferRole::Flag}, what);
      case KernelOp::Count:
        return expect_buffer(stmt.buffer, {BufferRole::Counter}, what);
      case KernelOp::ReduceInto:
        return expect_buffer(stmt.buffer, {BufferRole::Scalar}, what);
      case KernelOp::Sample:
        if (stmt.value && stmt.value->type != Type(ir::ScalarKind::Float32))
          complain("a sample is not float32");
        if (stmt.index &&
            (stmt.index->op != ir::Op::Literal || stmt.index->type != Type(ir::ScalarKind::Int64)))
          complain("the rank of a sample is no literal");
        return expect_buffer(stmt.buffer, {BufferRole::Threshold}, what);
      case KernelOp::Uncount:
        if (stmt.index && stmt.index->op != ir::Op::EdgePlace)
          complain(what + " names no edge by its ends");
        if (!stmt.identity) complain(what + " does not say what counted before");
        return expect_buffer(stmt.buffer, {BufferRole::EdgeState}, what);
      case KernelOp::If:
        if (stmt.value && stmt.value->type != Type(ir::ScalarKind::Bool))
          complain("the condition of an 'if' is not bool");
        return;
      default:
        return;
    }
  }

 private:
  static bool is_edge(const ir::Expr& index) {
    return index.op == ir::Op::EdgePlace || index.op == ir::Op::EdgeAtHand || is_local(index);
  }
  // The one local that is an index.
  static bool is_local(const ir::Expr& index) {
    return index.op == ir::Op::Local && index.type == Type(ir::ScalarKind::UInt64);
  }
  static bool is_slot(const ExprPtr& index) { return index && is_local(*index); }

  // A loop has ballots of the values that its body compares, or neither.
  void check_votes(const KernelStmt& loop) {
    std::set<std::pair<KernelOp, std::string>> results;
    const Buffer* ballots = loop.buffer.empty() ? nullptr : plan_.find_buffer(loop.buffer);
    if (!loop.buffer.empty())
      expect_buffer(loop.buffer, {BufferRole::Ballots}, "a loop over edges");
    walk_statements(loop.body, [&](const KernelStmt& stmt) {
      if (!uses_ballots(stmt.op)) return;
      results.emplace(stmt.op, stmt.symbol);
      if (ballots != nullptr && stmt.value && stmt.value->type != ballots->type)
        complain("a vote is " + to_string(stmt.value->type) + ", ballots " + quoted(loop.buffer) +
                 " are " + to_string(ballots->type));
    });
    if (results.size() != (loop.buffer.empty() ? 0 : 1))
      complain("a loop over edges has votes for " + std::to_string(results.size()) +
               " values and " + (loop.buffer.empty() ? "no ballots" : "ballots for one"));
  }

  // Each slot is one edge's, so loops that write messages visit what the slots were made of, and
  // write into nothing but buffers of these slots.
  void check_slots(const KernelStmt& loop) {
    if (loop.slot.empty() && !loop.slots.empty())
      return complain("a loop over edges names slots and no slot");
    if (loop.slot.empty()) return;
    if (loop.slots.empty()) return check_places(loop);
    expect_buffer(loop.slots, {BufferRole::Slots}, "a loop over edges");
    const Buffer* slots = plan_.find_buffer(loop.slots);
    if (slots != nullptr &&
        (slots->direction != loop.direction || slots->once_if_symmetric != loop.once_if_symmetric))
      complain("slots " + quoted(loop.slots) + " are of other edges than the loop's");
    walk_statements(loop.body, [&](const KernelStmt& stmt) {
      if (stmt.op != KernelOp::Store || !is_slot(stmt.index)) return;
      const Buffer* messages = plan_.find_buffer(stmt.buffer);
      if (messages != nullptr && messages->slots != loop.slots)
        complain(quoted(stmt.buffer) + " does not lie in slots " + quoted(loop.slots));
    });
  }

  // What threads combine before they touch an element begins with what changes nothing.
  void check_joined(const KernelStmt& stmt, const std::string& what) {
    if (!stmt.joined || stmt.op != KernelOp::CombineInto) return;
    if (!stmt.atomic) complain(what + " is joined, but not atomic");
    if (!stmt.identity) complain(what + " is joined and does not say what changes nothing");
  }

  // Places count the out-edges, as edge states do.
  void check_places(const KernelStmt& loop) {
    if (loop.direction != ir::EdgeDirection::Out)
      complain("a loop names the places of edges that are no out-edges");
    walk_statements(loop.body, [&](const KernelStmt& stmt) {
      if (stmt.op != KernelOp::Store || !is_slot(stmt.index) || stmt.index->symbol != loop.slot)
        return;
      expect_buffer(stmt.buffer, {BufferRole::EdgeState}, "a store at the place of an edge");
    });
  }

  static bool needs_value(KernelOp op) {
    return op != KernelOp::ForEdges && op != KernelOp::ForMessages && op != KernelOp::LeaveEdges &&
           op != KernelOp::SetBit && op != KernelOp::ClearBit && op != KernelOp::Raise &&
           op != KernelOp::Alone;
  }
  static bool needs_index(KernelOp op) {
    return op == KernelOp::Store || op == KernelOp::CombineInto || op == KernelOp::Take ||
           op == KernelOp::SetBit || op == KernelOp::ClearBit || op == KernelOp::ForMessages ||
           op == KernelOp::Sample || op == KernelOp::Uncount;
  }
  static bool needs_type(KernelOp op) {
    return op == KernelOp::ForMessages || op == KernelOp::Let || op == KernelOp::Accumulator ||
           op == KernelOp::Take;
  }

  void complain(const std::string& message) { messages_.push_back(message); }

  void expect_buffer(const std::string& name, std::initializer_list<BufferRole> roles,
                     const std::string& what) {
    const Buffer* buffer = plan_.find_buffer(name);
    if (buffer == nullptr) return complain(what + " names no buffer: " + quoted(name));
    for (const BufferRole role : roles)
      if (buffer->role == role) return;
    complain(what + " cannot use " + quoted(name) + ", a " +
             std::string(spelling(kBufferRoles, buffer->role)));
  }

  void check_unique() {
    // A list finds the first of a name.
    for (const Buffer& buffer : plan_.buffers)
      if (plan_.buffers.find(buffer.name) != &buffer)
        complain("buffer " + quoted(buffer.name) + " stands there twice");
    for (const Buffer& buffer : plan_.buffers)
      if (buffer.role == BufferRole::Messages)
        expect_buffer(buffer.slots, {BufferRole::Slots}, "buffer " + quoted(buffer.name));
    for (const Buffer& buffer : plan_.buffers)
      if (!buffer.hubs.empty()) {
        expect_buffer(buffer.hubs, {BufferRole::Hubs}, "buffer " + quoted(buffer.name));
        expect_buffer(buffer.name, {BufferRole::Payload}, "what lies by hubs");
      }
    for (const Buffer& buffer : plan_.buffers)
      check_colours(buffer, "buffer " + quoted(buffer.name));
    for (const Kernel& kernel : plan_.kernels)
      if (plan_.kernels.find(kernel.name) != &kernel)
        complain("kernel " + quoted(kernel.name) + " stands there twice");
    for (const Decision& decision : plan_.decisions) {
      check_reasons(decision);
      if (plan_.find_decision(decision.subject, decision.key) != &decision)
        complain("decision " + quoted(name_of(decision)) + " stands there twice");
      if (decision.subject != "program" && plan_.program.find_phase(decision.subject) == nullptr)
        complain("decision " + quoted(decision.key) +
                 " is of no phase: " + quoted(decision.subject));
    }
  }

  void check_colours(const Buffer& buffer, const std::string& what) {
    if (buffer.colours.empty()) return;
    if (buffer.role != BufferRole::Classes) complain(what + " has colours, but no classes");
    if (!parse_colours(buffer.colours))
      complain(what + " has colours that are not " + colours_words());
  }

  void check_domain(const Kernel& kernel) {
    const std::string what = "kernel " + quoted(kernel.name);
    if (kernel.at_ends && !is_sliced(kernel))
      complain(what + " runs at the ends of values, but has no slice");
    if (is_sliced(kernel))
      check_slice(kernel, what);
    else if (kernel.domain == Domain::Worklist || kernel.domain == Domain::Sample)
      expect_buffer(kernel.list, {BufferRole::Worklist}, what);
    if (kernel.domain == Domain::Sample && (!kernel.start || kernel.start->op != ir::Op::Literal ||
                                            kernel.start->type != Type(ir::ScalarKind::Int64)))
      complain(what + " does not say which lists are short");
    if ((kernel.balance == Balance::Sorted) != !kernel.order.empty())
      complain(what + " is sorted and names no order, or the reverse");
    if (!kernel.order.empty()) {
      expect_buffer(kernel.order, {BufferRole::Order, BufferRole::Slots}, what);
      if (kernel.domain != Domain::AllVertices)
        complain(what + " takes vertices in an order, but not all of them");
    }
    if (kernel.domain == Domain::OneVertex &&
        (!kernel.start || kernel.start->type != Type(ir::ScalarKind::Vertex)))
      complain(what + " names no vertex to run for");
    if (is_of_classes(kernel)) check_part(kernel, what);
    if (kernel.domain != Domain::VertexList) return;
    for (const ir::Parameter& parameter : plan_.program.parameters)
      if (parameter.name == kernel.list && parameter.is_list) return;
    complain(what + " runs over " + quoted(kernel.list) + ", which is no list parameter");
  }

  // The slice is found where the kernel is launched, by a value of the kind that was sorted by.
  void check_slice(const Kernel& kernel, const std::string& what) {
    expect_buffer(kernel.list, {BufferRole::Sorted}, what);
    const Buffer* const sorted = plan_.find_buffer(kernel.list);
    if (sorted != nullptr && kernel.start->type != sorted->type)
      complain(what + " runs over a slice of " + to_string(kernel.start->type) + ", but " +
               quoted(kernel.list) + " is sorted by " + to_string(sorted->type));
    if (std::ranges::none_of(plan_.sortings,
                             [&](const Sorting& each) { return each.buffer == kernel.list; }))
      complain(what + " runs over a slice of " + quoted(kernel.list) + ", which nobody sorts");
  }

  void check_sorting(const Sorting& sorting) {
    const std::string what = "a sorting";
    expect_buffer(sorting.buffer, {BufferRole::Sorted}, what);
    const Buffer* const sorted = plan_.find_buffer(sorting.buffer);
    if (sorted != nullptr) expect_buffer(sorted->of, {BufferRole::State}, what);
    if (sorting.loop >= loops_of(plan_).size())
      complain(what + " of " + quoted(sorting.buffer) + " stands before no loop");
  }

  static bool is_of_classes(const Kernel& kernel) {
    return kernel.domain == Domain::Part || kernel.domain == Domain::Rest;
  }

  static bool is_vertex_of(const Kernel& kernel, const ir::Expr* at) {
    return at != nullptr && at->op == ir::Op::BoundVertex && at->vertex == kernel.vertex;
  }
  // Vertices of a class run together with their neighbours at rest: what is a neighbour's may be
  // read, but is shared with other neighbours of it where it is written. Vertices of the rest run
  // beside their neighbours, which combine into their inboxes meanwhile.
  void check_part(const Kernel& kernel, const std::string& what) {
    expect_buffer(kernel.list, {BufferRole::Classes}, what);
    const Buffer* const classes = plan_.find_buffer(kernel.list);
    if (kernel.domain == Domain::Rest && classes != nullptr && classes->colours.empty())
      complain(what + " runs over the rest of " + quoted(kernel.list) + ", which has none");
    if (kernel.domain == Domain::Part && kernel.start) check_asked(kernel, what);
    walk_statements(kernel.body, [&](const KernelStmt& stmt) {
      const bool own = is_vertex_of(kernel, stmt.index.get());
      if ((stmt.op == KernelOp::Store || stmt.op == KernelOp::Take) && !own)
        complain(what + " stores to a vertex that is not of its part");
      if (stmt.op == KernelOp::CombineInto && !own && !stmt.atomic)
        complain(what + " combines into a neighbour that others of its part share, and no atomic");
      const Buffer* const changed = plan_.find_buffer(stmt.buffer);
      if (kernel.domain == Domain::Rest && stmt.op == KernelOp::Store && changed != nullptr &&
          changed->role == BufferRole::Inbox)
        complain(what + " stores to an inbox into which neighbours combine meanwhile");
    });
  }

  // All vertices are asked before the first of them runs.
  void check_asked(const Kernel& kernel, const std::string& what) {
    bool is_own = kernel.start->type == Type(ir::ScalarKind::Bool);
    ir::walk(*kernel.start, [&](const ir::Expr& e) {
      if (e.op != ir::Op::Load) return;
      const Buffer* const read = plan_.find_buffer(e.symbol);
      is_own = is_own && !e.operands.empty() && is_vertex_of(kernel, e.operands[0].get()) &&
               (read == nullptr || read->role != BufferRole::Inbox);
    });
    if (!is_own) complain(what + " asks its vertices for more than a condition of their own");
  }

  // Other vertices have no edges on the device then.
  void check_cut(const Kernel& kernel, ir::EdgeDirection along, const std::string& what) {
    const EdgeReads reads = edge_reads_of(plan_, kernel);
    if (!reads.problem.empty())
      complain(what + " launches " + quoted(kernel.name) + " in parts, but " + reads.problem);
    else if (reads.along != along)
      complain(what + " launches " + quoted(kernel.name) + " in parts along edges that it " +
               "does not read, or not alone");
  }

  void check_actions(const std::vector<Action>& actions, const std::string& what,
                     const std::string& parts = "", Domain of = Domain::Part) {
    for (const Action& action : actions) {
      // Of one launch; loops have their own rules.
      if (action.kind >= ActionKind::Renew)
        complain(what + " has " + quoted(std::string(spelling(kActions, action.kind))) +
                 " outside a loop");
      if (action.kind == ActionKind::Launch) {
        const Kernel* const kernel = plan_.find_kernel(action.symbol);
        if (kernel == nullptr)
          complain(what + " launches no kernel: " + quoted(action.symbol));
        else if (is_of_classes(*kernel) && (kernel->list != parts || kernel->domain != of))
          complain(what + " launches " + quoted(action.symbol) + " where no part of " +
                   quoted(kernel->list) + " is at hand");
        else if (action.parts)
          check_cut(*kernel, *action.parts, what);
        continue;
      }
      if (plan_.find_buffer(action.symbol) == nullptr)
        complain(what + " names no buffer: " + quoted(action.symbol));
      if (!action.source.empty() && plan_.find_buffer(action.source) == nullptr)
        complain(what + " names no buffer: " + quoted(action.source));
      if (action.kind != ActionKind::ForParts && action.kind != ActionKind::ForRest) continue;
      expect_buffer(action.symbol, {BufferRole::Classes}, what);
      if (action.body.size() != 1 || action.body[0].kind != ActionKind::Launch)
        complain(what + " does something else with parts than one launch for each");
      check_actions(action.body, what, action.symbol,
                    action.kind == ActionKind::ForParts ? Domain::Part : Domain::Rest);
    }
  }

  void check_phase(const PhasePlan& phase) {
    if (phase.importance) check_type(*phase.importance);
    const std::string what = "phase " + quoted(phase.phase);
    if (plan_.program.find_phase(phase.phase) == nullptr)
      complain(what + " is none of the program");
    if (!phase.variants.empty() && phase.preferred >= phase.variants.size())
      complain(what + " prefers a variant that it does not have");
    check_actions(phase.finish, what);
    for (const Variant& variant : phase.variants)
      if (variant.fused) check_fused(variant, what + ", variant " + quoted(variant.name()));
    std::set<std::string> names;
    for (const Variant& variant : phase.variants) {
      if (!names.insert(variant.name()).second)
        complain(what + " has variant " + quoted(variant.name()) + " twice");
      check_actions(variant.prepare, what);
      check_actions(variant.step, what);
      if (!variant.pending.empty())
        expect_buffer(variant.pending, {BufferRole::Worklist, BufferRole::Flag}, what);
      if (variant.engine) check_engine(variant, what);
      if (variant.hybrid) check_hybrid(phase, variant, what);
    }
  }

  void check_hybrid(const PhasePlan& phase, const Variant& variant, const std::string& what) {
    const Hybrid& hybrid = *variant.hybrid;
    if (hybrid.control != "iterative" && hybrid.control != "traversal" && !hybrid.control.empty())
      complain(what + " knows no controller " + quoted(hybrid.control));
    if (!variant.step.empty()) complain(what + " has steps beside its controller");
    for (const std::string& path : hybrid.paths)
      if (std::none_of(phase.variants.begin(), phase.variants.end(), [&](const Variant& other) {
            return other.name() == path && !other.engine && !other.hybrid;
          }))
        complain(what + " has no path " + quoted(path) + " to change to");
    check_actions(hybrid.to_list, what);
    check_actions(hybrid.to_all, what);
  }

  // In one launch, kernels become parts of it, and the host takes no part.
  void check_fused(const Variant& variant, const std::string& what) {
    if (variant.engine) complain(what + " is fused, but an engine has no steps to fuse");
    if (!variant.whole_graph)
      complain(what + " is fused, but does not say that it needs the whole graph");
    if (!variant.step.empty() && variant.pending.empty())
      complain(what + " is fused, but is one step");
    for (const Action& action : variant.step)
      if (action.kind == ActionKind::LoadInput || action.kind == ActionKind::FillWorklist ||
          action.kind == ActionKind::RaiseFlag || action.kind == ActionKind::ForParts ||
          action.kind == ActionKind::ForRest)
        complain(what + " is fused, but " + quoted(std::string(spelling(kActions, action.kind))) +
                 " stands in a step");
  }

  void check_engine(const Variant& variant, const std::string& what) {
    const Engine& engine = *variant.engine;
    if (!variant.step.empty() || !variant.pending.empty())
      complain(what + " has steps beside engine " + quoted(engine.name));
    for (const std::string& buffer : engine.buffers)
      if (plan_.find_buffer(buffer) == nullptr)
        complain("engine " + quoted(engine.name) + " names no buffer: " + quoted(buffer));
    std::set<std::string> names;
    const engines::Contract* const contract = engines::find(engine.name);
    if (contract == nullptr) return complain("there is no engine " + quoted(engine.name));
    const auto check_name = [&](const std::string& name) {
      if (!names.insert(name).second)
        complain("engine " + quoted(engine.name) + " has operator " + quoted(name) + " twice");
      if (!engines::has_operator(*contract, name))
        complain("engine " + quoted(engine.name) + " asks for no operator " + quoted(name));
    };
    for (const OperatorConstant& each : engine.constants) check_name(each.name);
    for (const Operator& each : engine.operators) {
      check_name(each.name);
      check_type(each);
    }
    for (const std::string& input : engine.inputs) {
      const ir::State* const state = plan_.program.find_state(input);
      if (state == nullptr || !state->is_input)
        complain("engine " + quoted(engine.name) + " names no vertex input: " + quoted(input));
    }
  }

  void check_type(const Operator& each) {
    if (!each.value || each.value->type != each.type)
      complain("operator " + quoted(each.name) + " is not of its stated type");
  }

  const Plan& plan_;
  std::vector<std::string> messages_;
};

}  // namespace

std::vector<std::string> verify(const Plan& plan) {
  std::vector<std::string> messages = PlanVerifier(plan).run();
  // It follows names.
  return messages.empty() ? verify_arrangement(plan) : messages;
}

}  // namespace vertigo::plan
