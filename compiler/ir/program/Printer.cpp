#include "compiler/ir/program/Printer.h"

#include <charconv>

#include "compiler/ir/program/Lexer.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::ir {

namespace {

class ProgramPrinter {
 public:
  explicit ProgramPrinter(const PrintOptions& options, unsigned indent = 0)
      : options_(options), indent_(indent) {}

  std::string take() { return std::move(text_); }

  void print(const Program& program) {
    text_ += "program " + program.name;
    if (!program.source_file.empty()) text_ += " from " + quote(program.source_file);
    open();
    for (const Parameter& parameter : program.parameters) print(parameter);
    if (program.edge) print(*program.edge);
    for (const EdgeAttribute& column : program.edge_columns) print(column, "column ");
    for (const EdgeState& state : program.edge_states) print(state);
    for (const State& state : program.states) print(state);
    for (const Message& message : program.messages) print(message);
    for (const Function& function : program.functions) print(function);
    for (const Requirement& requirement : program.requirements) print(requirement);
    for (const Phase& phase : program.phases) print(phase);
    if (!program.body.empty()) print_block("body", program.body, "");
    for (const Output& output : program.outputs) print(output);
    for (const Fact& fact : program.facts) line(ir::print(fact));
    close();
  }

  void print_stmt(const Stmt& stmt, const std::string& variable) {
    const std::string owner = variable.empty() ? "self" : variable;
    switch (stmt.kind) {
      case StmtKind::Let:
      case StmtKind::HostLet:
        return end_line(begin("let " + stmt.symbol + " = ") + value(stmt), stmt.location);
      case StmtKind::HostAssign:
        return end_line(begin("set " + stmt.symbol + " = ") + value(stmt), stmt.location);
      case StmtKind::AssignState:
        return end_line(begin(owner + "." + stmt.symbol + " = ") + value(stmt), stmt.location);
      case StmtKind::AssignInbox:
        return end_line(begin("inbox " + stmt.symbol + " = ") + value(stmt), stmt.location);
      case StmtKind::Report:
        return end_line(begin("report " + stmt.symbol + " = ") + value(stmt), stmt.location);
      case StmtKind::Phase:
        return end_line(begin("run " + stmt.symbol), stmt.location);
      case StmtKind::Send:
        return print_send(stmt);
      case StmtKind::UpdateEdges:
        return print_block(
            "edges " + stmt.neighbour + (stmt.apart ? " apart where " : " where ") + value(stmt),
            stmt.body, variable, stmt.location);
      case StmtKind::AssignEdge:
        return end_line(begin("edge " + stmt.symbol + " = ") + value(stmt), stmt.location);
      case StmtKind::If:
        return print_if(stmt, variable);
      case StmtKind::Repeat:
        return print_block("repeat " + value(stmt), stmt.body, variable, stmt.location);
      case StmtKind::While:
        return print_block("while " + value(stmt), stmt.body, variable, stmt.location);
      case StmtKind::For:
        return print_block("for " + stmt.symbol + " from " + value(stmt) +
                               (stmt.downward ? " down to " : " to ") + or_missing(stmt.limit),
                           stmt.body, variable, stmt.location);
    }
  }

 private:
  std::string begin(std::string text) const { return std::string(indent_, ' ') + text; }
  void line(const std::string& text) { text_ += begin(text) + "\n"; }
  std::string place(const Location& location) const {
    if (!options_.locations || location.line == 0) return "";
    return " loc(" + std::to_string(location.line) + ":" + std::to_string(location.column) + ")";
  }
  void end_line(const std::string& text, const Location& location) {
    text_ += text + place(location) + ";\n";
  }
  void open(const Location& location = {}) {
    text_ += place(location) + " {\n";
    indent_ += 2;
  }
  void close() {
    indent_ -= 2;
    line("}");
  }
  std::string expr(const Expr& e) const { return ir::print(e, options_); }
  std::string or_missing(const ExprPtr& e) const { return e ? expr(*e) : "missing"; }
  std::string value(const Stmt& stmt) const { return or_missing(stmt.value); }
  std::string initial(const ExprPtr& e) const { return e ? " = " + expr(*e) : ""; }

  void print_block(const std::string& head, const std::vector<StmtPtr>& body,
                   const std::string& variable, const Location& location = {}) {
    text_ += begin(head);
    open(location);
    for (const StmtPtr& stmt : body) print_stmt(*stmt, variable);
    close();
  }

  void print_if(const Stmt& stmt, const std::string& variable) {
    print_block("if " + value(stmt), stmt.body, variable, stmt.location);
    if (stmt.otherwise.empty()) return;
    text_.pop_back();
    text_ += " else {\n";
    indent_ += 2;
    for (const StmtPtr& inner : stmt.otherwise) print_stmt(*inner, variable);
    close();
  }

  void print_send(const Stmt& stmt) {
    const std::string way = stmt.receiver ? "one " + expr(*stmt.receiver) + " into"
                                          : std::string(to_string(stmt.direction));
    std::string text = begin("send ") + way + " " + stmt.symbol + " = " + value(stmt);
    if (!stmt.neighbour.empty()) text += " to " + stmt.neighbour;
    if (stmt.condition) text += " where " + expr(*stmt.condition);
    end_line(text, stmt.location);
  }

  void print(const Parameter& parameter) {
    end_line(begin("param " + parameter.name + ": " + std::string(to_string(parameter.kind)) +
                   (parameter.is_list ? "[]" : "") + initial(parameter.initial)),
             parameter.location);
  }
  void print(const EdgeAttribute& edge, const std::string& word = "") {
    end_line(begin("edge " + word + edge.name + ": " + std::string(to_string(edge.kind)) +
                   initial(edge.initial)),
             edge.location);
  }
  void print(const EdgeState& state) {
    end_line(begin("edge state " + state.name + ": " + std::string(to_string(state.kind)) +
                   initial(state.initial)),
             state.location);
  }
  void print(const State& state) {
    end_line(begin((state.is_input ? "input " : "state ") + state.name + ": " +
                   to_string(state.type) + initial(state.initial)),
             state.location);
  }
  void print(const Message& message) {
    std::string text = "message " + message.name + ": " + to_string(message.type) + " combine " +
                       std::string(to_string(message.combine));
    if (message.combine == Combine::Function) text += " " + message.function;
    if (message.identity) text += " identity " + expr(*message.identity);
    if (message.keep) text += " keep";
    end_line(begin(text), message.location);
  }
  void print(const Function& function) {
    std::string text = (function.body ? "fn " : "extern fn ") + function.name + "(";
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      if (i > 0) text += ", ";
      text += function.parameters[i].name + ": " + to_string(function.parameters[i].type);
    }
    text += "): " + to_string(function.result);
    text += function.body ? initial(function.body) : " from " + quote(function.header);
    end_line(begin(text), function.location);
  }
  void print(const Requirement& requirement) {
    std::string text = "requires " + std::string(to_string(requirement.kind));
    if (!requirement.attribute.empty()) text += "(" + requirement.attribute + ")";
    if (requirement.derived) text += " derived";
    if (!requirement.reason.empty()) text += " because " + quote(requirement.reason);
    end_line(begin(text), requirement.location);
  }
  void print(const Output& output) {
    std::string text = "output " + output.state;
    if (output.tolerance) {
      char digits[64];
      const auto end = std::to_chars(digits, digits + sizeof digits, *output.tolerance).ptr;
      text += " tolerance " + std::string(digits, end);
    }
    end_line(begin(text), output.location);
  }

  void print(const Phase& phase) {
    text_ += begin("phase " + phase.name) +
             (phase.kind == PhaseKind::Fixpoint ? ": fixpoint " : ": sweep ") + phase.variable;
    if (phase.guard) text_ += " when " + expr(*phase.guard);
    open(phase.location);
    if (phase.step_limit) line("limit " + expr(*phase.step_limit) + ";");
    if (phase.serializable) line("consistency serializable;");
    if (phase.assume_order_free) line("assume order_free;");
    for (const Start& start : phase.starts) print(start);
    print_block("update", phase.body, phase.variable);
    for (const Fact& fact : all_facts(phase)) line(ir::print(fact));
    close();
  }

  void print(const Start& start) {
    std::string head = "start ";
    switch (start.set) {
      case StartSet::All:
        head += "all";
        break;
      case StartSet::Vertex:
        head += "vertex " + or_missing(start.vertex);
        break;
      case StartSet::List:
        head += "list $" + start.list;
        break;
      case StartSet::Where:
        head += "where " + or_missing(start.condition);
        break;
    }
    if (!start.variable.empty()) head += " as " + start.variable;
    print_block(head, start.body, start.variable, start.location);
  }

  const PrintOptions& options_;
  unsigned indent_;
  std::string text_;
};

}  // namespace

std::string print(const Program& program, const PrintOptions& options) {
  ProgramPrinter printer(options);
  printer.print(program);
  return printer.take();
}

std::string print(const Stmt& stmt, const std::string& variable, unsigned indent,
                  const PrintOptions& options) {
  ProgramPrinter printer(options, indent);
  printer.print_stmt(stmt, variable);
  return printer.take();
}

std::string print(const Fact& fact) {
  std::string text = "fact " + fact.key + " = " + quote(fact.value);
  if (!fact.reason.empty()) text += " because " + quote(fact.reason);
  return text + ";";
}

}  // namespace vertigo::ir
