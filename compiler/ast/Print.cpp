#include "compiler/ast/Print.h"

#include "compiler/ir/program/Spelling.h"
#include "llvm/Support/Format.h"

namespace vertigo::compiler::ast {
namespace {

void print_syntax(const TypeSyntax& type, llvm::raw_ostream& out) {
  if (type.elements.empty()) {
    out << type.scalar.text << (type.is_list ? "[]" : "");
    return;
  }
  out << "(";
  for (std::size_t i = 0; i < type.elements.size(); ++i) {
    if (i != 0) out << ", ";
    if (!type.names[i].empty()) out << type.names[i].text << ": ";
    print_syntax(type.elements[i], out);
  }
  out << ")";
}

void print_reduction(const Expr& expr, llvm::raw_ostream& out) {
  out << expr.name.text << "(";
  if (expr.value) print(*expr.value, out);
  if (expr.over_neighbours) {
    out << (expr.value ? " over " : "over ");
    if (expr.common)
      print(*expr.common, out);
    else
      out << ir::to_string(expr.direction);
    out << " " << expr.binder.text;
  }
  if (expr.condition) {
    out << " where ";
    print(*expr.condition, out);
  }
  out << ")";
  if (expr.otherwise) {
    out << " else ";
    print(*expr.otherwise, out);
  }
}

void print_list(const std::vector<ExprPtr>& exprs, llvm::raw_ostream& out) {
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    if (i != 0) out << ", ";
    print(*exprs[i], out);
  }
}

class Printer {
 public:
  explicit Printer(llvm::raw_ostream& out) : out_(out) {}

  void program(const Program& program);

 private:
  llvm::raw_ostream& line() { return out_.indent(2 * depth_); }
  void declaration(const char* word, const ProgramDecl& decl);
  void function(const Function& function);
  void block(const Block& block);
  void stmt(const Stmt& stmt);
  void phase(const Phase& phase);
  void optional(const char* word, const ExprPtr& expr);

  llvm::raw_ostream& out_;
  unsigned depth_ = 0;
};

void Printer::optional(const char* word, const ExprPtr& expr) {
  if (!expr) return;
  out_ << word;
  print(*expr, out_);
}

void Printer::declaration(const char* word, const ProgramDecl& decl) {
  line() << word << " " << decl.name.text << ": ";
  print_syntax(decl.written_type, out_);
  optional(" = ", decl.initial);
  out_ << "\n";
}

void Printer::function(const Function& function) {
  line() << "fn " << function.name.text << "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    out_ << (i == 0 ? "" : ", ") << function.parameters[i]->name.text << ": ";
    print_syntax(function.parameters[i]->written_type, out_);
  }
  out_ << "): ";
  print_syntax(function.written_type, out_);
  optional(" = ", function.body);
  out_ << "\n";
}

void Printer::block(const Block& statements) {
  ++depth_;
  for (const StmtPtr& each : statements) stmt(*each);
  --depth_;
}

void Printer::phase(const Phase& phase) {
  line() << "phase";
  if (!phase.decl.name.empty()) out_ << " " << phase.decl.name.text;
  if (phase.loop_variable) {
    out_ << " for " << phase.loop_variable->name.text << " in ";
    print(*phase.first, out_);
    optional(" .. ", phase.last);
    optional(" by ", phase.by);
  }
  out_ << "\n";
  ++depth_;
  if (phase.serializable.valid()) line() << "consistency serializable\n";
  if (phase.order_free.valid()) line() << "assume order_free\n";
  for (const Start& start : phase.starts) {
    line() << "start";
    if (start.set == Start::Set::All) out_ << " all";
    optional(" ", start.vertices);
    if (start.variable) out_ << " " << start.variable->name.text;
    optional(" where ", start.condition);
    out_ << "\n";
    block(start.body);
  }
  if (phase.update) {
    const Update& update = *phase.update;
    line() << "update ";
    if (update.kind == Update::Kind::Edges)
      out_ << "edge (" << update.variable->name.text << ", " << update.other->name.text << ")";
    else
      out_ << (update.kind == Update::Kind::All ? "all " : "") << update.variable->name.text;
    optional(update.kind == Update::Kind::When ? " when " : " where ", update.condition);
    optional(" limit ", phase.limit);
    out_ << "\n";
    block(update.body);
  }
  --depth_;
}

void Printer::stmt(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::Phase:
      return phase(*stmt.phase);
    case StmtKind::Let:
    case StmtKind::Report:
      line() << (stmt.kind == StmtKind::Let ? "let " : "report ") << stmt.decl->name.text;
      if (stmt.decl->type.form != Type::Form::Nothing) out_ << ": " << to_string(stmt.decl->type);
      optional(" = ", stmt.value);
      break;
    case StmtKind::Assign:
      line();
      print(*stmt.target, out_);
      optional(" = ", stmt.value);
      break;
    case StmtKind::Send:
      line() << "send "
             << (stmt.direction == Direction::Both ? "both "
                 : stmt.direction == Direction::In ? "back "
                                                   : "");
      print(*stmt.value, out_);
      if (stmt.sent_message != nullptr)
        out_ << " into " << stmt.sent_message->name.text;
      else if (!stmt.message.empty())
        out_ << " into " << stmt.message.text;
      if (stmt.neighbour) out_ << " to " << stmt.neighbour->name.text;
      optional(" where ", stmt.condition);
      break;
    case StmtKind::If:
      for (std::size_t i = 0; i < stmt.branches.size(); ++i) {
        line() << (i == 0 ? "if" : stmt.branches[i].condition ? "else if" : "else");
        optional(" ", stmt.branches[i].condition);
        out_ << "\n";
        block(stmt.branches[i].body);
      }
      return;
    case StmtKind::Repeat:
    case StmtKind::While:
      line() << (stmt.kind == StmtKind::Repeat ? "repeat" : "while");
      optional(" ", stmt.value);
      break;
    case StmtKind::For:
      line() << "for " << stmt.decl->name.text;
      optional(" in ", stmt.value);
      optional(" .. ", stmt.last);
      optional(" by ", stmt.by);
      break;
  }
  out_ << "\n";
  block(stmt.body);
}

void Printer::program(const Program& program) {
  out_ << "program " << program.name.text << "\n";
  depth_ = 1;
  for (const auto& each : program.parameters) declaration("parameter", *each);
  for (const Use& each : program.uses) line() << "use \"" << each.header << "\"\n";
  for (const Requirement& each : program.requirements) {
    line() << "requires " << each.name.text;
    if (!each.argument.empty()) out_ << "(" << each.argument.text << ")";
    out_ << "\n";
  }
  if (program.serializable.valid()) line() << "consistency serializable\n";
  if (program.order_free.valid()) line() << "assume order_free\n";
  for (const auto& each : program.edges) declaration("edge", *each);
  for (const auto& each : program.functions) function(*each);
  for (const auto& each : program.states)
    declaration(each->kind == Decl::Kind::Input ? "input vertex" : "vertex", *each);
  for (const auto& each : program.messages) {
    line() << "message " << each->name.text << ": ";
    print_syntax(each->written_type, out_);
    out_ << " combine " << each->combine.text;
    optional(" identity ", each->initial);
    if (each->keep) out_ << " keep";
    out_ << "\n";
  }
  for (const StmtPtr& each : program.body) stmt(*each);
  for (const Output& each : program.outputs) {
    line() << "output " << each.name.text;
    optional(" tolerance ", each.tolerance);
    out_ << "\n";
  }
}

}  // namespace

void print(const Expr& expr, llvm::raw_ostream& out) {
  switch (expr.kind) {
    case ExprKind::Integer:
      out << expr.integer;
      break;
    case ExprKind::Float:
      // 17 digits name a double exactly.
      out << llvm::format("%.17g", expr.number);
      break;
    case ExprKind::Bool:
      out << (expr.integer != 0 ? "true" : "false");
      break;
    case ExprKind::Reference:
      out << expr.name.text;
      break;
    case ExprKind::Member:
      print(*expr.operands[0], out);
      out << "." << expr.name.text;
      break;
    case ExprKind::Unary:
      out << ir::written(expr.op);
      print(*expr.operands[0], out);
      break;
    case ExprKind::Binary:
      out << "(";
      print(*expr.operands[0], out);
      out << " " << ir::written(expr.op) << " ";
      print(*expr.operands[1], out);
      out << ")";
      break;
    case ExprKind::Conditional:
      out << "(";
      print(*expr.operands[0], out);
      out << " ? ";
      print(*expr.operands[1], out);
      out << " : ";
      print(*expr.operands[2], out);
      out << ")";
      break;
    case ExprKind::Call:
      out << expr.name.text << "(";
      print_list(expr.operands, out);
      if (expr.condition) {
        out << " where ";
        print(*expr.condition, out);
      }
      out << ")";
      break;
    case ExprKind::Cast:
      out << (expr.implicit ? "~" : "") << to_string(expr.type) << "(";
      print_list(expr.operands, out);
      out << ")";
      break;
    case ExprKind::Tuple:
      out << "(";
      print_list(expr.operands, out);
      out << ")";
      break;
    case ExprKind::Reduction:
      print_reduction(expr, out);
      break;
  }
}

void print(const Program& program, llvm::raw_ostream& out) { Printer(out).program(program); }

}  // namespace vertigo::compiler::ast
