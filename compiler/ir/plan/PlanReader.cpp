#include "compiler/ir/plan/PlanReader.h"

#include <unordered_map>

#include "compiler/ir/plan/HostReader.h"
#include "compiler/ir/plan/PlanSpelling.h"
#include "compiler/ir/plan/PlanWalk.h"
#include "compiler/ir/program/ExprReader.h"
#include "compiler/ir/program/Reader.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/ir/program/Typing.h"

namespace vertigo::plan {

namespace {

using ir::TokenStream;

class PlanReader {
 public:
  explicit PlanReader(std::string_view text)
      : tokens_(text), exprs_(tokens_), host_(tokens_, exprs_) {}

  Plan read() {
    tokens_.expect_word("plan");
    tokens_.expect_mark("{");
    plan_.program = ir::read_program(tokens_);
    plan_.uses = ir::Uses(plan_.program);
    plan_.beginnings = ir::Beginnings(plan_.program);
    while (!tokens_.take_mark("}")) read_item();
    if (!tokens_.at_end()) tokens_.fail_expected("the end of the text");
    assign_types();
    return std::move(plan_);
  }

 private:
  void read_item() {
    if (tokens_.take_word("decision")) return read_decision();
    if (tokens_.take_word("needs")) {
      tokens_.expect_word("transpose");
      tokens_.expect_mark(";");
      plan_.needs_transpose = true;
      return;
    }
    if (tokens_.take_word("buffer")) return read_buffer();
    if (tokens_.take_word("kernel")) return read_kernel();
    if (tokens_.take_word("initialize")) {
      plan_.initialize = host_.read_actions();
      return;
    }
    if (tokens_.take_word("phase")) return read_phase();
    if (tokens_.take_word("reduction")) return read_reduction();
    if (tokens_.take_word("body")) {
      plan_.body = ir::read_host_block(tokens_, exprs_);
      return;
    }
    if (tokens_.take_word("rounds")) {
      plan_.rounds.push_back(host_.read_rounds());
      return;
    }
    if (tokens_.take_word("host")) {
      plan_.host = host_.read_host();
      return;
    }
    tokens_.fail_expected(
        "'decision', 'needs', 'buffer', 'kernel', 'initialize', 'phase', 'reduction', 'body', "
        "'rounds' or 'host'");
  }

  std::string read_because() {
    return tokens_.take_word("because") ? tokens_.expect_string("a reason") : std::string();
  }
  Location read_location() {
    Location location;
    if (!tokens_.take_word("loc")) return location;
    tokens_.expect_mark("(");
    location.line = tokens_.expect_unsigned("a line number");
    tokens_.expect_mark(":");
    location.column = tokens_.expect_unsigned("a column number");
    tokens_.expect_mark(")");
    return location;
  }
  void read_decision() {
    Decision decision;
    decision.subject = tokens_.expect_name("a phase or 'program'");
    tokens_.expect_mark(".");
    decision.key = host_.read_dashed("a key");
    tokens_.expect_mark("=");
    decision.value = tokens_.expect_string("a value");
    tokens_.expect_word("by");
    decision.pass = host_.read_dashed("a pass");
    decision.pinned = tokens_.take_word("pinned");
    decision.reason = read_because();
    if (tokens_.take_mark("{")) {
      while (!tokens_.take_mark("}")) {
        Alternative other;
        other.legal = tokens_.take_word("or");
        if (!other.legal) tokens_.expect_word("not");
        other.value = tokens_.expect_string("a value");
        other.reason = read_because();
        tokens_.expect_mark(";");
        decision.alternatives.push_back(std::move(other));
      }
    } else {
      tokens_.expect_mark(";");
    }
    plan_.decisions.push_back(std::move(decision));
  }

  void read_buffer() {
    Buffer buffer;
    buffer.name = tokens_.expect_name("the name of a buffer");
    tokens_.expect_mark(":");
    buffer.role = read_one_of(tokens_, kBufferRoles, "the role of a buffer");
    ir::ScalarKind kind = ir::ScalarKind::Bool;
    if (tokens_.at_mark("(") || ir::parse_scalar(tokens_.peek().text, kind))
      buffer.type = exprs_.read_type();
    if (tokens_.take_word("of")) buffer.of = tokens_.expect_name("a state or message");
    buffer.packed = tokens_.take_word("packed");
    if (tokens_.take_word("along")) buffer.direction = host_.read_direction();
    buffer.once_if_symmetric = tokens_.take_word("once_if_symmetric");
    if (tokens_.take_word("in")) buffer.slots = tokens_.expect_name("a buffer of slots");
    if (tokens_.take_word("colours")) buffer.colours = tokens_.expect_string("how many colours");
    for (const Placement placement : {Placement::Owned, Placement::Replicated})
      if (tokens_.take_word(spelling(kPlacements, placement))) buffer.placement = placement;
    buffer.reason = read_because();
    tokens_.expect_mark(";");
    plan_.buffers.push_back(std::move(buffer));
  }

  void read_kernel() {
    Kernel kernel;
    kernel.name = tokens_.expect_name("the name of a kernel");
    tokens_.expect_word("over");
    if (tokens_.take_word("worklist")) {
      kernel.domain = Domain::Worklist;
      kernel.list = tokens_.expect_name("a worklist");
    } else if (tokens_.take_word("sample")) {
      kernel.domain = Domain::Sample;
      kernel.list = tokens_.expect_name("a worklist");
      tokens_.expect_word("from");
      kernel.start = exprs_.read();
    } else if (tokens_.take_word("part") || tokens_.peek().text == "rest") {
      kernel.domain = tokens_.take_word("rest") ? Domain::Rest : Domain::Part;
      tokens_.expect_word("of");
      kernel.list = tokens_.expect_name("a buffer of parts");
    } else if (tokens_.take_word("vertex")) {
      kernel.domain = Domain::OneVertex;
      kernel.start = exprs_.read();
    } else if (tokens_.take_word("list")) {
      kernel.domain = Domain::VertexList;
      tokens_.expect_mark("$");
      kernel.list = tokens_.expect_name("a parameter");
    } else {
      tokens_.expect_word("all");
    }
    tokens_.expect_word("as");
    kernel.vertex = tokens_.expect_name("the name of the vertex");
    tokens_.expect_word("balance");
    kernel.balance = read_one_of(tokens_, kBalances,
                                 "'thread', 'warp', 'block', 'mixed', 'edge', 'sorted' or 'auto'");
    if (tokens_.take_word("by")) kernel.order = tokens_.expect_name("an order");
    kernel.together = tokens_.take_word("together");
    if (tokens_.take_word("called_by"))
      kernel.called_by = read_one_of(tokens_, kCallers, "'host', 'loop' or 'both'");
    if (tokens_.take_word("takes")) kernel.takes = host_.read_arguments();
    kernel.comment = read_because();
    kernel.location = read_location();
    kernel.body = read_block();
    plan_.kernels.push_back(std::move(kernel));
  }

  Block read_block() {
    tokens_.expect_mark("{");
    return read_open_block();
  }
  // After the '{'.
  Block read_open_block() {
    const ir::NestingGuard guard(exprs_.depth(), tokens_);
    Block block;
    while (!tokens_.take_mark("}")) block.push_back(read_stmt());
    return block;
  }

  KernelStmtPtr read_stmt() {
    auto stmt = std::make_unique<KernelStmt>();
    stmt->op = read_one_of(tokens_, kKernelOps, "a statement of a kernel");
    read_head(*stmt);
    read_operands(*stmt);
    stmt->location = read_location();
    if (tokens_.take_mark(";")) return stmt;
    stmt->body = read_block();
    if (tokens_.take_word("else")) stmt->otherwise = read_block();
    return stmt;
  }

  void read_head(KernelStmt& stmt) {
    switch (stmt.op) {
      case KernelOp::Let:
      case KernelOp::Accumulator:
      case KernelOp::Accumulate:
      case KernelOp::Take:
      case KernelOp::ForMessages:
      case KernelOp::Vote:
        stmt.symbol = tokens_.expect_name("a name");
        return;
      case KernelOp::If:
        stmt.value = exprs_.read();
        return;
      case KernelOp::ForEdges: {
        stmt.symbol = tokens_.expect_name("the name of the neighbour");
        stmt.direction = host_.read_direction();
        tokens_.expect_mark("(");
        stmt.vertex = tokens_.expect_name("the name of a vertex");
        tokens_.expect_mark(")");
        if (tokens_.take_word("place")) stmt.slot = tokens_.expect_name("the name of a place");
        if (!tokens_.take_word("slot")) return;
        stmt.slot = tokens_.expect_name("the name of a slot");
        tokens_.expect_word("in");
        stmt.slots = tokens_.expect_name("a buffer of slots");
        return;
      }
      default:
        return;
    }
  }

  void read_operands(KernelStmt& stmt) {
    if (tokens_.take_word("at")) stmt.buffer = tokens_.expect_name("the name of a buffer");
    if (tokens_.take_mark("[")) {
      stmt.index = exprs_.read();
      tokens_.expect_mark("]");
    }
    if (tokens_.take_mark(":")) stmt.type = exprs_.read_type();
    if (tokens_.take_word("by")) {
      stmt.combine = read_combine();
      if (stmt.combine == ir::Combine::Function) stmt.function = tokens_.expect_name("a function");
    }
    if (tokens_.take_mark("=")) stmt.value = exprs_.read();
    if (tokens_.take_word(stmt.op == KernelOp::Uncount ? "before" : "identity"))
      stmt.identity = exprs_.read();
    if (tokens_.take_word("changed")) stmt.changed = tokens_.expect_name("a name");
    stmt.atomic = tokens_.take_word("atomic");
    stmt.once_if_symmetric = tokens_.take_word("once_if_symmetric");
    stmt.outlives = tokens_.take_word("outlives");
    stmt.together = tokens_.take_word("together");
    if (tokens_.take_word("shared")) stmt.shared = read_shared();
  }

  ir::Combine read_combine() {
    const auto combine = ir::find_combine(tokens_.peek().text);
    if (!combine) tokens_.fail_expected("a combine operator");
    tokens_.take();
    return *combine;
  }

  // After "shared".
  SharedEdges read_shared() {
    SharedEdges edges;
    edges.way = read_one_of(tokens_, kSharings, "how edges are shared");
    if (tokens_.take_word("into")) {
      edges.accumulator = tokens_.expect_name("an accumulator");
      tokens_.expect_mark(":");
      edges.accumulator_type = exprs_.read_type();
      tokens_.expect_word("by");
      edges.votes = tokens_.take_word("votes");
      if (!edges.votes) edges.combine = read_combine();
      edges.leaves = tokens_.take_word("until_settled");
    }
    if (!tokens_.take_word("keeps")) return edges;
    do {
      KeptValue value;
      value.symbol = tokens_.expect_name("a local");
      tokens_.expect_mark(":");
      value.type = exprs_.read_type();
      edges.kept.push_back(std::move(value));
    } while (tokens_.take_mark(","));
    return edges;
  }

  void read_phase() {
    PhasePlan phase;
    phase.phase = tokens_.expect_name("the name of a phase");
    tokens_.expect_word("prefers");
    phase.preferred = tokens_.expect_unsigned("the number of the preferred variant");
    tokens_.expect_mark("{");
    if (tokens_.take_word("limit")) {
      phase.step_limit = exprs_.read();
      tokens_.expect_mark(";");
    }
    if (tokens_.take_word("cycles")) {
      const bool weights = tokens_.take_word("over");
      tokens_.expect_word(weights ? "negative_weights" : "any");
      tokens_.expect_mark(";");
      phase.cycles = weights ? Cycles::OverNegativeWeights : Cycles::Any;
    }
    if (tokens_.take_word("watch")) {
      phase.watched_state = tokens_.expect_name("a state");
      tokens_.expect_mark(";");
    }
    if (tokens_.take_word("finish")) {
      phase.finish_if_stopped = tokens_.take_word("if");
      if (phase.finish_if_stopped) tokens_.expect_word("stopped");
      phase.finish = host_.read_actions();
    }
    if (tokens_.take_word("loop")) phase.loop = host_.read_loop();
    while (!tokens_.take_mark("}")) {
      tokens_.expect_word("variant");
      phase.variants.push_back(read_variant());
    }
    plan_.phases.push_back(std::move(phase));
  }

  Variant read_variant() {
    Variant variant;
    const ir::Token place = tokens_.peek();
    const std::string name = host_.read_dashed("the name of a variant");
    const auto kind = vertigo::read_variant(name);
    if (!kind) TokenStream::fail_at(place, "no variant is called '" + name + "'");
    if (const auto* const engine = std::get_if<EngineName>(&*kind))
      variant.engine = Engine{engine->name, {}, {}, {}, ""};
    else if (const auto* const path = std::get_if<ExecutionPath>(&*kind))
      variant.path = *path;
    else
      variant.hybrid.emplace();
    variant.deterministic = !tokens_.take_word("nondeterministic");
    variant.reason = read_because();
    tokens_.expect_mark("{");
    while (!tokens_.take_mark("}"))
      if (!read_actions_of(variant)) read_property(variant);
    return variant;
  }

  bool read_actions_of(Variant& variant) {
    if (tokens_.take_word("prepare"))
      variant.prepare = host_.read_actions();
    else if (tokens_.take_word("step"))
      variant.step = host_.read_actions();
    else if (variant.engine && tokens_.take_word("engine"))
      read_engine(*variant.engine);
    else if (variant.hybrid && tokens_.take_word("control"))
      read_hybrid(*variant.hybrid);
    else
      return false;
    return true;
  }

  bool read_flag(Variant& variant) {
    for (const auto& [word, flag] : {std::pair("fused", &Variant::fused),
                                     {"non_negative_weights", &Variant::non_negative},
                                     {"symmetric_graphs", &Variant::symmetric},
                                     {"whole_graph", &Variant::whole_graph},
                                     {"prepares", &Variant::prepares}})
      if (tokens_.take_word(word)) return variant.*flag = true;
    return false;
  }

  void read_property(Variant& variant) {
    if (read_flag(variant)) {
    } else if (tokens_.take_word("needs")) {
      variant.needs = host_.read_names("a buffer");
    } else if (tokens_.take_word("waits")) {
      tokens_.expect_word("for");
      variant.threshold = tokens_.expect_name("a threshold");
    } else if (tokens_.take_word("shares")) {
      for (const char* const word : {"by", "graph"}) tokens_.expect_word(word);
      variant.by_graph = true;
    } else {
      tokens_.expect_word("pending");
      variant.pending = tokens_.expect_name("a worklist or flag");
      variant.one_block = tokens_.take_word("in");
      if (variant.one_block)
        for (const char* const word : {"one", "block"}) tokens_.expect_word(word);
    }
    tokens_.expect_mark(";");
  }

  // After "control".
  void read_hybrid(Hybrid& hybrid) {
    hybrid.control = tokens_.expect_name("a controller");
    if (tokens_.take_word("over")) {
      do {
        hybrid.paths.push_back(host_.read_dashed("the name of a variant"));
      } while (tokens_.take_mark(","));
    }
    tokens_.expect_mark("{");
    while (!tokens_.take_mark("}")) {
      if (tokens_.take_word("to_list")) {
        hybrid.to_list = host_.read_actions();
      } else if (tokens_.take_word("to_all")) {
        hybrid.to_all = host_.read_actions();
      } else {
        const bool list = tokens_.take_word("list");
        if (!list) tokens_.expect_word("flag");
        (list ? hybrid.list : hybrid.flag) = tokens_.expect_name("a worklist or flag");
        tokens_.expect_mark(";");
      }
    }
  }

  // After "engine".
  void read_engine(Engine& engine) {
    tokens_.expect_word("on");
    while (!tokens_.take_mark("{")) {
      if (tokens_.take_word("over")) {
        tokens_.expect_mark("@");
        engine.loop = tokens_.expect_name("the variable of a loop");
        tokens_.expect_mark("{");
        break;
      }
      if (!engine.buffers.empty()) tokens_.expect_mark(",");
      engine.buffers.push_back(tokens_.expect_name("the name of a buffer"));
    }
    while (!tokens_.take_mark("}")) {
      if (tokens_.take_word("operator"))
        engine.operators.push_back(read_operator());
      else
        engine.constants.push_back(read_operator_constant());
    }
  }

  OperatorConstant read_operator_constant() {
    OperatorConstant made;
    made.name = tokens_.expect_name("an operator or a constant");
    tokens_.expect_mark("=");
    made.value = tokens_.take_word("true");
    if (!made.value) tokens_.expect_word("false");
    tokens_.expect_mark(";");
    return made;
  }

  Operator read_operator() {
    Operator made;
    made.name = tokens_.expect_name("the name of an operator");
    tokens_.expect_mark("(");
    while (!tokens_.take_mark(")")) {
      if (!made.parameters.empty()) tokens_.expect_mark(",");
      ir::FunctionParameter parameter;
      parameter.name = tokens_.expect_name("the name of a parameter");
      tokens_.expect_mark(":");
      parameter.type = exprs_.read_type();
      made.parameters.push_back(std::move(parameter));
    }
    tokens_.expect_mark(":");
    made.type = exprs_.read_type();
    tokens_.expect_mark("=");
    made.value = exprs_.read();
    made.location = read_location();
    if (tokens_.take_word("after"))
      made.body = read_block();
    else
      tokens_.expect_mark(";");
    return made;
  }

  void read_reduction() {
    VertexReduction reduction;
    reduction.name = tokens_.expect_name("the name of a reduction");
    tokens_.expect_mark(":");
    reduction.type = exprs_.read_type();
    tokens_.expect_mark("=");
    reduction.kernel = tokens_.expect_name("a kernel");
    tokens_.expect_word("into");
    reduction.buffer = tokens_.expect_name("a buffer");
    tokens_.expect_word("by");
    reduction.combine = read_combine();
    if (tokens_.take_word("identity")) reduction.identity = exprs_.read();
    tokens_.expect_mark(";");
    plan_.reductions.push_back(std::move(reduction));
  }

  void assign_types() {
    struct Assign {
      const ir::ExprReader& exprs;
      void stmt(const KernelStmt&, const ir::Scope&) const {}
      void host_stmt(const ir::Stmt&) const {}
      void expr(ir::Expr& expr, const ir::Scope& scope) const {
        const std::string problem = derive_type(expr, scope, expr.type);
        const ir::Token* place = exprs.place_of(expr);
        if (!problem.empty()) TokenStream::fail_at(place ? *place : ir::Token{}, problem);
      }
    } assign{exprs_};
    PlanWalk walk(plan_, assign);
    walk.run();
  }

  TokenStream tokens_;
  ir::ExprReader exprs_;
  HostReader host_;
  Plan plan_;
};

}  // namespace

Plan read_plan(std::string_view text) { return PlanReader(text).read(); }

bool is_plan(std::string_view text) { return TokenStream(text).at_word("plan"); }

}  // namespace vertigo::plan
