#include "compiler/ir/program/Reader.h"

#include "compiler/ir/program/ExprReader.h"
#include "compiler/ir/program/Spelling.h"
#include "compiler/ir/program/Typing.h"

namespace vertigo::ir {

namespace {

class ProgramReader {
 public:
  ProgramReader(TokenStream& tokens, ExprReader& exprs) : tokens_(tokens), exprs_(exprs) {}

  Program read() {
    tokens_.expect_word("program");
    program_.name = tokens_.expect_name("the name of the program");
    if (tokens_.take_word("from")) program_.source_file = tokens_.expect_string("a file name");
    tokens_.expect_mark("{");
    while (!tokens_.take_mark("}")) read_declaration();
    assign_types();
    return std::move(program_);
  }

  std::vector<StmtPtr> read_host_block() {
    host_ = true;
    std::vector<StmtPtr> body = read_block();
    host_ = false;
    return body;
  }

 private:
  void read_declaration() {
    if (tokens_.take_word("param")) return read_parameter();
    if (tokens_.take_word("edge")) return read_edge();
    if (tokens_.take_word("state")) return read_state(false);
    if (tokens_.take_word("input")) return read_state(true);
    if (tokens_.take_word("message")) return read_message();
    if (tokens_.take_word("fn")) return read_function(false);
    if (tokens_.take_word("extern")) {
      tokens_.expect_word("fn");
      return read_function(true);
    }
    if (tokens_.take_word("requires")) return read_requirement();
    if (tokens_.take_word("phase")) return read_phase();
    if (tokens_.take_word("body")) {
      if (!program_.body.empty()) tokens_.fail("a second 'body'");
      program_.body = read_host_block();
      return;
    }
    if (tokens_.take_word("output")) return read_output();
    if (tokens_.at_word("fact")) return program_.facts.push_back(read_fact());
    tokens_.fail_expected("a declaration ('param', 'edge', 'state', 'message', 'phase', ...)");
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
  Location end_of_line() {
    const Location location = read_location();
    tokens_.expect_mark(";");
    return location;
  }
  ExprPtr read_initial() { return tokens_.take_mark("=") ? exprs_.read() : nullptr; }

  void read_parameter() {
    Parameter parameter;
    parameter.name = tokens_.expect_name("the name of a parameter");
    tokens_.expect_mark(":");
    parameter.kind = exprs_.read_scalar();
    if (tokens_.take_mark("[")) {
      tokens_.expect_mark("]");
      parameter.is_list = true;
    }
    parameter.initial = read_initial();
    parameter.location = end_of_line();
    program_.parameters.push_back(std::move(parameter));
  }

  void read_edge_state() {
    EdgeState state;
    state.name = tokens_.expect_name("the name of an edge state");
    tokens_.expect_mark(":");
    state.kind = exprs_.read_scalar();
    tokens_.expect_mark("=");
    state.initial = exprs_.read();
    state.location = end_of_line();
    program_.edge_states.push_back(std::move(state));
  }

  void read_edge() {
    // `edge state: int32` is an attribute of that name.
    if (!tokens_.at_mark(":", 1) && tokens_.take_word("state")) return read_edge_state();
    const bool column = !tokens_.at_mark(":", 1) && tokens_.take_word("column");
    if (!column && program_.edge) tokens_.fail("a second edge attribute");
    EdgeAttribute edge;
    edge.name = tokens_.expect_name("the name of the edge attribute");
    tokens_.expect_mark(":");
    edge.kind = exprs_.read_scalar();
    edge.initial = read_initial();
    edge.location = end_of_line();
    if (column)
      program_.edge_columns.push_back(std::move(edge));
    else
      program_.edge = std::move(edge);
  }

  void read_state(bool is_input) {
    State state;
    state.is_input = is_input;
    state.name = tokens_.expect_name("the name of a state");
    tokens_.expect_mark(":");
    state.type = exprs_.read_type();
    tokens_.expect_mark("=");
    state.initial = exprs_.read();
    state.location = end_of_line();
    program_.states.push_back(std::move(state));
  }

  void read_message() {
    Message message;
    message.name = tokens_.expect_name("the name of a message");
    tokens_.expect_mark(":");
    message.type = exprs_.read_type();
    tokens_.expect_word("combine");
    const auto combine = find_combine(tokens_.peek().text);
    if (!combine) tokens_.fail_expected("'min', 'max', 'sum', 'or', 'and', 'any' or 'call'");
    tokens_.take();
    message.combine = *combine;
    if (*combine == Combine::Function) message.function = tokens_.expect_name("a function");
    tokens_.expect_word("identity");
    message.identity = exprs_.read();
    message.keep = tokens_.take_word("keep");
    message.location = end_of_line();
    program_.messages.push_back(std::move(message));
  }

  void read_function(bool is_extern) {
    Function function;
    function.name = tokens_.expect_name("the name of a function");
    tokens_.expect_mark("(");
    while (!tokens_.take_mark(")")) {
      if (!function.parameters.empty()) tokens_.expect_mark(",");
      FunctionParameter parameter;
      parameter.name = tokens_.expect_name("the name of a parameter");
      tokens_.expect_mark(":");
      parameter.type = exprs_.read_type();
      function.parameters.push_back(std::move(parameter));
    }
    tokens_.expect_mark(":");
    function.result = exprs_.read_type();
    if (is_extern) {
      tokens_.expect_word("from");
      function.header = tokens_.expect_string("the name of a header");
    } else {
      tokens_.expect_mark("=");
      function.body = exprs_.read();
    }
    function.location = end_of_line();
    program_.functions.push_back(std::move(function));
  }

  void read_requirement() {
    Requirement requirement;
    const auto kind = find_requirement(tokens_.peek().text);
    if (!kind) tokens_.fail_expected("'symmetric', 'non_negative_weights' or 'no_duplicates'");
    tokens_.take();
    requirement.kind = *kind;
    if (*kind == RequirementKind::NonNegativeWeights && tokens_.take_mark("(")) {
      requirement.attribute = tokens_.expect_name("the name of an edge attribute");
      tokens_.expect_mark(")");
    }
    requirement.derived = tokens_.take_word("derived");
    if (tokens_.take_word("because")) requirement.reason = tokens_.expect_string("a reason");
    requirement.location = end_of_line();
    program_.requirements.push_back(std::move(requirement));
  }

  void read_output() {
    Output output;
    output.state = tokens_.expect_name("the name of a state");
    if (tokens_.take_word("tolerance")) output.tolerance = tokens_.expect_double("a number");
    output.location = end_of_line();
    program_.outputs.push_back(std::move(output));
  }

  Fact read_fact() {
    tokens_.expect_word("fact");
    Fact fact;
    fact.key = tokens_.expect_name("the key of a fact");
    while (tokens_.take_mark("."))
      fact.key += "." + (tokens_.peek().kind == Token::Kind::Number
                             ? tokens_.take().text
                             : tokens_.expect_name("the key of a fact"));
    tokens_.expect_mark("=");
    fact.value = tokens_.expect_string("the value of a fact");
    if (tokens_.take_word("because")) fact.reason = tokens_.expect_string("a reason");
    tokens_.expect_mark(";");
    return fact;
  }

  void read_fact(Phase& phase) {
    const Token place = tokens_.peek();
    Fact fact = read_fact();
    const bool is_first = !phase.algebra;
    if (is_first) phase.algebra.emplace();
    switch (ir::read_fact(fact, *phase.algebra)) {
      case FactRead::Taken:
        return;
      case FactRead::Unknown:
        if (is_first) phase.algebra.reset();
        phase.facts.push_back(std::move(fact));
        return;
      case FactRead::Malformed:
        tokens_.fail_at(place, "'" + fact.value + "' is no value of the fact '" + fact.key + "'");
    }
  }

  void read_phase() {
    Phase phase;
    phase.name = tokens_.expect_name("the name of a phase");
    tokens_.expect_mark(":");
    if (tokens_.take_word("sweep"))
      phase.kind = PhaseKind::Sweep;
    else
      tokens_.expect_word("fixpoint");
    phase.variable = tokens_.expect_name("the name of the updated vertex");
    if (tokens_.take_word("when")) phase.guard = exprs_.read();
    phase.location = read_location();
    tokens_.expect_mark("{");
    while (!tokens_.take_mark("}")) read_phase_item(phase);
    program_.phases.push_back(std::move(phase));
  }

  void read_phase_item(Phase& phase) {
    if (tokens_.take_word("limit")) {
      phase.step_limit = exprs_.read();
      tokens_.expect_mark(";");
    } else if (tokens_.take_word("consistency")) {
      tokens_.expect_word("serializable");
      tokens_.expect_mark(";");
      phase.serializable = true;
    } else if (tokens_.take_word("assume")) {
      tokens_.expect_word("order_free");
      tokens_.expect_mark(";");
      phase.assume_order_free = true;
    } else if (tokens_.at_word("start")) {
      phase.starts.push_back(read_start());
    } else if (tokens_.take_word("update")) {
      owner_ = phase.variable;
      phase.body = read_block();
    } else if (tokens_.at_word("fact")) {
      read_fact(phase);
    } else {
      tokens_.fail_expected("'limit', 'consistency', 'assume', 'start', 'update' or 'fact'");
    }
  }

  Start read_start() {
    Start start;
    tokens_.expect_word("start");
    if (tokens_.take_word("vertex")) {
      start.set = StartSet::Vertex;
      start.vertex = exprs_.read();
    } else if (tokens_.take_word("list")) {
      start.set = StartSet::List;
      tokens_.expect_mark("$");
      start.list = tokens_.expect_name("the name of a parameter");
    } else if (tokens_.take_word("where")) {
      start.set = StartSet::Where;
      start.condition = exprs_.read();
    } else {
      tokens_.expect_word("all");
    }
    if (tokens_.take_word("as")) start.variable = tokens_.expect_name("the name of a vertex");
    start.location = read_location();
    owner_ = start.variable.empty() ? "self" : start.variable;
    start.body = read_block();
    return start;
  }

  std::vector<StmtPtr> read_block() {
    const NestingGuard guard(exprs_.depth(), tokens_);
    std::vector<StmtPtr> body;
    tokens_.expect_mark("{");
    while (!tokens_.take_mark("}")) body.push_back(read_stmt());
    return body;
  }

  StmtPtr read_stmt() {
    auto stmt = std::make_unique<Stmt>();
    if (tokens_.at_mark(".", 1)) {
      const Token owner = tokens_.take();
      if (owner.text != owner_)
        TokenStream::fail_at(owner, "only '" + owner_ + "' has its states assigned here");
      tokens_.take();
      stmt->kind = StmtKind::AssignState;
      read_assignment(*stmt);
    } else if (tokens_.take_word("let")) {
      stmt->kind = host_ ? StmtKind::HostLet : StmtKind::Let;
      read_assignment(*stmt);
    } else if (tokens_.take_word("set")) {
      stmt->kind = StmtKind::HostAssign;
      read_assignment(*stmt);
    } else if (tokens_.take_word("inbox")) {
      stmt->kind = StmtKind::AssignInbox;
      read_assignment(*stmt);
    } else if (tokens_.take_word("report")) {
      stmt->kind = StmtKind::Report;
      read_assignment(*stmt);
    } else if (tokens_.take_word("run")) {
      stmt->kind = StmtKind::Phase;
      stmt->symbol = tokens_.expect_name("the name of a phase");
      stmt->location = end_of_line();
    } else if (tokens_.take_word("send")) {
      read_send(*stmt);
    } else if (tokens_.take_word("edge")) {
      stmt->kind = StmtKind::AssignEdge;
      read_assignment(*stmt);
    } else {
      read_nested(*stmt);
    }
    return stmt;
  }

  void read_assignment(Stmt& stmt) {
    stmt.symbol = tokens_.expect_name("a name");
    tokens_.expect_mark("=");
    stmt.value = exprs_.read();
    stmt.location = end_of_line();
  }

  void read_send(Stmt& stmt) {
    stmt.kind = StmtKind::Send;
    if (tokens_.take_word("one")) {
      stmt.receiver = exprs_.read();
      tokens_.expect_word("into");
    } else {
      const auto direction = find_direction(tokens_.peek().text);
      if (!direction) tokens_.fail_expected("'out', 'in', 'both' or 'one'");
      tokens_.take();
      stmt.direction = *direction;
    }
    stmt.symbol = tokens_.expect_name("the name of a message");
    tokens_.expect_mark("=");
    stmt.value = exprs_.read();
    if (tokens_.take_word("to")) stmt.neighbour = tokens_.expect_name("the name of a vertex");
    if (tokens_.take_word("where")) stmt.condition = exprs_.read();
    stmt.location = end_of_line();
  }

  void read_nested(Stmt& stmt) {
    if (tokens_.take_word("if")) {
      stmt.kind = StmtKind::If;
      stmt.value = exprs_.read();
    } else if (tokens_.take_word("repeat")) {
      stmt.kind = StmtKind::Repeat;
      stmt.value = exprs_.read();
    } else if (tokens_.take_word("while")) {
      stmt.kind = StmtKind::While;
      stmt.value = exprs_.read();
    } else if (tokens_.take_word("for")) {
      stmt.kind = StmtKind::For;
      stmt.symbol = tokens_.expect_name("the name of the counter");
      tokens_.expect_word("from");
      stmt.value = exprs_.read();
      stmt.downward = tokens_.take_word("down");
      tokens_.expect_word("to");
      stmt.limit = exprs_.read();
    } else if (tokens_.take_word("edges")) {
      stmt.kind = StmtKind::UpdateEdges;
      stmt.neighbour = tokens_.expect_name("the name of a vertex");
      stmt.apart = tokens_.take_word("apart");
      tokens_.expect_word("where");
      stmt.value = exprs_.read();
    } else {
      tokens_.fail_expected("a statement");
    }
    stmt.location = read_location();
    stmt.body = read_block();
    if (stmt.kind == StmtKind::If && tokens_.take_word("else")) stmt.otherwise = read_block();
  }

  // Types that follow from the tree; what is wrong with one is told where its text stands.
  void assign_types() {
    struct Assign {
      const ExprReader& exprs;
      void phase(const Phase&) const {}
      void stmt(const Stmt&, const Scope&) const {}
      void expr(Expr& expr, const Scope& scope) const {
        const std::string problem = derive_type(expr, scope, expr.type);
        const Token* place = exprs.place_of(expr);
        if (!problem.empty()) TokenStream::fail_at(place ? *place : Token{}, problem);
      }
    } assign{exprs_};
    ProgramWalk walk(program_, assign);
    walk.run();
  }

  TokenStream& tokens_;
  ExprReader& exprs_;
  Program program_;
  std::string owner_ = "self";
  bool host_ = false;
};

}  // namespace

Program read_program(TokenStream& tokens) {
  ExprReader exprs(tokens);
  return ProgramReader(tokens, exprs).read();
}

std::vector<StmtPtr> read_host_block(TokenStream& tokens, ExprReader& exprs) {
  return ProgramReader(tokens, exprs).read_host_block();
}

Program read_program(std::string_view text) {
  TokenStream tokens(text);
  Program program = read_program(tokens);
  if (!tokens.at_end()) tokens.fail_expected("the end of the text");
  return program;
}

}  // namespace vertigo::ir
