#include "compiler/ir/plan/PlanReader.h"

#include <unordered_map>

#include "compiler/ir/plan/HostReader.h"
#include "compiler/ir/plan/KernelReader.h"
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
      : tokens_(text), exprs_(tokens_), host_(tokens_, exprs_), kernels_(tokens_, exprs_, host_) {}

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
    if (tokens_.take_word("kernel")) {
      plan_.kernels.push_back(kernels_.read());
      return;
    }
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
    if (tokens_.take_word("sort")) return read_sorting();
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
        "'sort', 'rounds' or 'host'");
  }

  // After "sort".
  void read_sorting() {
    Sorting sorting;
    sorting.buffer = tokens_.expect_name("a buffer");
    for (const char* const word : {"before", "loop"}) tokens_.expect_word(word);
    sorting.loop = tokens_.expect_unsigned("the number of a loop");
    tokens_.expect_mark(";");
    plan_.sortings.push_back(std::move(sorting));
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
    decision.reason = host_.read_because();
    if (tokens_.take_mark("{")) {
      while (!tokens_.take_mark("}")) {
        Alternative other;
        other.legal = tokens_.take_word("or");
        if (!other.legal) tokens_.expect_word("not");
        other.value = tokens_.expect_string("a value");
        other.reason = host_.read_because();
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
    if (tokens_.take_word("by")) buffer.hubs = tokens_.expect_name("a buffer of hubs");
    if (tokens_.take_word("colours")) buffer.colours = tokens_.expect_string("how many colours");
    for (const Placement placement : {Placement::Owned, Placement::Replicated})
      if (tokens_.take_word(spelling(kPlacements, placement))) buffer.placement = placement;
    buffer.reason = host_.read_because();
    tokens_.expect_mark(";");
    plan_.buffers.push_back(std::move(buffer));
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
    if (tokens_.take_word("operator")) phase.importance = read_operator();
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
      variant.engine = Engine{engine->name, {}, {}, {}, {}, ""};
    else if (const auto* const path = std::get_if<ExecutionPath>(&*kind))
      variant.path = *path;
    else
      variant.hybrid.emplace();
    variant.deterministic = !tokens_.take_word("nondeterministic");
    variant.reason = host_.read_because();
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
                                     {"no_duplicates", &Variant::no_duplicates},
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
      if (tokens_.take_word("operator")) {
        engine.operators.push_back(read_operator());
      } else if (tokens_.take_word("inputs")) {
        engine.inputs = host_.read_names("a vertex input");
        tokens_.expect_mark(";");
      } else
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
    made.location = host_.read_location();
    if (tokens_.take_word("after"))
      made.body = kernels_.read_block();
    else
      tokens_.expect_mark(";");
    return made;
  }

  void read_reduction() {
    VertexReduction reduction;
    reduction.name = tokens_.expect_name("the name of a reduction");
    tokens_.expect_mark(":");
    reduction.type = exprs_.read_type();
    if (tokens_.take_word("of")) {
      reduction.phase = tokens_.expect_name("a phase");
      tokens_.expect_mark(";");
      plan_.reductions.push_back(std::move(reduction));
      return;
    }
    tokens_.expect_mark("=");
    reduction.kernel = tokens_.expect_name("a kernel");
    tokens_.expect_word("into");
    reduction.buffer = tokens_.expect_name("a buffer");
    tokens_.expect_word("by");
    reduction.combine = kernels_.read_combine();
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
  KernelReader kernels_;
  Plan plan_;
};

}  // namespace

Plan read_plan(std::string_view text) { return PlanReader(text).read(); }

bool is_plan(std::string_view text) { return TokenStream(text).at_word("plan"); }

}  // namespace vertigo::plan
