// Declarations of a program, and the order in which its parts are checked.

#include "compiler/check/Check.h"

#include <map>

#include "compiler/check/Checker.h"
#include "compiler/check/Warnings.h"
#include "compiler/support/NearMiss.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace vertigo::compiler::check {

namespace {

// As readers of tables compare the names of columns.
std::string plain_column_name(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if (llvm::isAlnum(c)) plain += llvm::toLower(c);
  return plain;
}

}  // namespace

void check(ast::Program& program, diag::DiagnosticEngine& diagnostics,
           const std::vector<ExternFunction>& externs) {
  Checker(program, diagnostics, externs).run();
}

void check_of_vertex(ast::Program& declarations, ast::ExprPtr& value, const ast::Type& type,
                     diag::DiagnosticEngine& diagnostics) {
  Checker(declarations, diagnostics, {}).of_vertex(value, type);
}

void Checker::of_vertex(ExprPtr& value, const Type& type) {
  for (auto& each : program_.parameters) declare(*each);
  for (auto& each : program_.states) declare(*each);
  const ast::ProgramDecl asked(Decl::Kind::State);  // after all others
  Restore place(place_, Place::Initial);
  Restore<const ast::ProgramDecl*> current(initialised_, &asked);
  expect(value, type);
}

void Checker::run() {
  declare_externs();
  declare_program();
  // What uses of a name mean that the program declares twice, nobody knows.
  if (declared_twice_) return;
  check_functions();
  check_parameters();
  check_edges();
  check_states();
  check_messages();
  check_requirements();
  host_block(program_.body);
  check_outputs();
  if (diagnostics_.has_errors()) return;
  warn_unused();
  refuse_shift_amounts(program_, diagnostics_);
  warn_of_saturated_constants(program_, diagnostics_);
  warn_of_integer_divisions(program_, diagnostics_);
  warn_of_lasting_guards(program_, diagnostics_);
  warn_empty();
}

bool Checker::declare(const Decl& decl) {
  const std::string& name = decl.name.text;
  bool reserved = value_builtin(name) != Builtin::None || ast::parse_scalar(name).has_value();
  if (decl.kind == Decl::Kind::State || decl.kind == Decl::Kind::Input)
    reserved = reserved || member_builtin(name) != Builtin::None;
  if (reserved) {
    diagnostics_.report(diag::ReservedName, decl.name.range, name, ast::describe(decl.kind));
    scopes_.add(decl);  // every use means this declaration, and is no further mistake
    return false;
  }
  if (const Decl* before = scopes_.find(name)) {
    diagnostics_.report(diag::Redeclared, decl.name.range, name)
        .note(before->name.range, "first declared here");
    if (scopes_.is_outermost())
      declared_twice_ = true;
    else
      scopes_.add(decl);  // what uses in its scope mean
    return false;
  }
  scopes_.add(decl);
  return true;
}

void Checker::declare_externs() {
  for (const ExternFunction& each : externs_) {
    const std::string& name = each.name;
    if (function_of_language(name) || reduction_op(name) || ast::parse_scalar(name)) continue;
    bool written = false;
    for (const auto& function : program_.functions)
      written = written || function->name.text == each.name;
    if (written) continue;
    auto function = std::make_unique<ast::Function>();
    function->name.text = each.name;
    function->header = each.header;
    function->type = each.result;
    for (const Type& type : each.parameters) {
      auto parameter = std::make_unique<ast::ProgramDecl>(Decl::Kind::FunctionParameter);
      parameter->type = type;
      function->parameters.push_back(std::move(parameter));
    }
    program_.functions.push_back(std::move(function));
  }
}

// Names of the top level are visible everywhere in the program, whatever their order.
void Checker::declare_program() {
  for (auto& each : program_.parameters) declare(*each);
  for (auto& each : program_.edges) declare(*each);
  for (auto& each : program_.states) declare(*each);
  for (auto& each : program_.messages) declare(*each);
  for (auto& each : program_.functions) {
    const std::string& name = each->name.text;
    if (function_of_language(name) || reduction_op(name) || ast::parse_scalar(name))
      diagnostics_.report(diag::ReservedName, each->name.range, name, "function");
    else if (auto before = functions_.find(name); before != functions_.end()) {
      diagnostics_.report(diag::Redeclared, each->name.range, name)
          .note(before->second->name.range, "first declared here");
      declared_twice_ = true;
    } else
      functions_[name] = each.get();
  }
  auto collect = [&](const ast::Block& block, auto& self) -> void {
    for (const ast::StmtPtr& stmt : block) {
      if (stmt->kind == ast::StmtKind::Assign && stmt->target->kind == ExprKind::Member)
        written_states_.insert(stmt->target->name.text);
      // An edge attribute that is assigned somewhere is a state.
      if (stmt->kind == ast::StmtKind::Assign && stmt->target->kind == ExprKind::Reference)
        for (const auto& edge : program_.edges)
          if (edge->name.text == stmt->target->name.text) edge->written = true;
      self(stmt->body, self);
      for (const ast::Branch& branch : stmt->branches) self(branch.body, self);
      if (stmt->phase && stmt->phase->update) self(stmt->phase->update->body, self);
    }
  };
  collect(program_.body, collect);
  // Types first, so that any place may use any declaration.
  for (auto& each : program_.parameters) each->type = resolve(each->written_type);
  for (auto& each : program_.edges) each->type = resolve(each->written_type);
  for (auto& each : program_.states) each->type = resolve(each->written_type);
  for (auto& each : program_.messages) each->type = resolve(each->written_type);
  for (auto& each : program_.functions) {
    if (each->written_type.written()) each->type = resolve(each->written_type);
    for (auto& parameter : each->parameters)
      if (parameter->written_type.written()) parameter->type = resolve(parameter->written_type);
  }
}

Type Checker::resolve_scalar(const ast::Name& name) {
  if (auto kind = ast::parse_scalar(name.text)) return *kind;
  suggest(diagnostics_.report(diag::UnknownType, name.range, name.text)
              .note("types are int32, int64, uint32, uint64, float32, float64, bool, vertex and "
                    "tuples of them"),
          name, {"int32", "int64", "uint32", "uint64", "float32", "float64", "bool", "vertex"});
  return Type::Form::Error;
}

Type Checker::resolve(const ast::TypeSyntax& syntax) {
  if (syntax.elements.empty()) {
    Type scalar = resolve_scalar(syntax.scalar);
    if (!syntax.is_list || scalar.is_error()) return scalar;
    if (scalar.is_vertex()) return Type::Form::VertexList;
    diagnostics_.report(diag::ListOutsideParameter, syntax.range);
    return Type::Form::Error;
  }
  Type type(Type::Form::Value);
  bool good = true;
  for (std::size_t i = 0; i < syntax.elements.size(); ++i) {
    Type element = resolve(syntax.elements[i]);
    good = good && !element.is_error();
    if (!element.is_error() && !element.is_scalar()) {
      diagnostics_.report(diag::TupleShape, syntax.elements[i].range);
      good = false;
    }
    if (element.is_scalar()) type.elements.push_back(element.elements[0]);
    const ast::Name& name = syntax.names[i];
    for (const std::string& before : type.names)
      if (!name.empty() && before == name.text) {
        diagnostics_.report(diag::NameTwice, name.range, name.text);
        good = false;
      }
    type.names.push_back(name.text);
  }
  if (good && (type.elements.size() < 2 || type.elements.size() > 4)) {
    diagnostics_.report(diag::TupleShape, syntax.range);
    good = false;
  }
  return good ? type : Type(Type::Form::Error);
}

Type Checker::scalar_or_report(const ast::ProgramDecl& decl, const char* what) {
  if (decl.type.is_error() || decl.type.is_scalar()) return decl.type;
  if (decl.type.is_list())
    diagnostics_.report(diag::ListOutsideParameter, decl.written_type.range);
  else
    diagnostics_.report(diag::ScalarNeeded, decl.written_type.range, what, in_words(decl.type));
  return Type::Form::Error;
}

void Checker::check_parameters() {
  Restore place(place_, Place::Constant);
  constant_what_ = "the default of a parameter";
  for (auto& each : program_.parameters) {
    if (each->type.is_list()) {
      if (each->initial) diagnostics_.report(diag::ListDefault, each->initial->range);
      continue;
    }
    each->type = scalar_or_report(*each, "parameter");
    if (each->initial) expect(each->initial, each->type);
  }
}

// Some attributes come with the graph; the others are states, which updates write.
void Checker::check_edges() {
  Restore place(place_, Place::Constant);
  constant_what_ = "the default of an edge attribute";
  const ast::ProgramDecl* state = nullptr;
  std::map<std::string, const ast::ProgramDecl*> columns;
  for (auto& each : program_.edges) {
    if (each->written)
      state = each.get();
    else if (const auto [other, is_new] =
                 columns.emplace(plain_column_name(each->name.text), each.get());
             !is_new)
      diagnostics_
          .report(diag::EdgeAttributeColumn, each->name.range, each->name.text,
                  other->second->name.text)
          .note(other->second->name.range, "which is declared here")
          .note("upper and lower case and signs do not matter in the names of columns");
    const bool number = each->type.is_scalar() && each->type.is_number();
    const bool fits = (number && !each->type.is(ScalarKind::Wide64)) || each->type.is_bool();
    if (!each->type.is_error() && !fits)
      diagnostics_.report(diag::EdgeAttributeType, each->written_type.range, in_words(each->type));
    else if (each->initial)
      expect(each->initial, each->type);
    else if (each->written)
      diagnostics_.report(diag::InitialValueMissing, each->name.range, ast::describe(each->kind),
                          each->name.text);
  }
  if (state != nullptr) check_edge_states(*state);
}

// Both directions of an edge are one edge, which is found by its two ends.
void Checker::check_edge_states(const ast::ProgramDecl& state) {
  for (const char* needed : {"symmetric", "no_duplicates"}) {
    const bool stated = llvm::any_of(program_.requirements, [&](const ast::Requirement& each) {
      return each.name.text == needed;
    });
    if (stated) continue;
    diagnostics_.report(diag::EdgeStateGraph, state.name.range, state.name.text, needed)
        .note("write 'requires symmetric, no_duplicates;'");
    return;
  }
}

void Checker::check_states() {
  for (auto& each : program_.states) {
    bool input = each->kind == Decl::Kind::Input;
    if (input) each->type = scalar_or_report(*each, "vertex input");
    if (each->type.is_list()) {
      diagnostics_.report(diag::ListOutsideParameter, each->written_type.range);
      each->type = Type::Form::Error;
    }
    if (!each->initial) {
      SourceRange behind{each->written_type.range.end, each->written_type.range.end,
                         each->written_type.range.file};
      diagnostics_
          .report(diag::InitialValueMissing, each->name.range, ast::describe(each->kind),
                  each->name.text)
          .fix(behind, each->type.is_vertex() ? " = none"
                       : each->type.is_bool() ? " = false"
                                              : " = 0");
      continue;
    }
    Restore place(place_, Place::Initial);
    Restore<const ast::ProgramDecl*> current(initialised_, each.get());
    expect(each->initial, each->type);
  }
}

void Checker::check_messages() {
  for (auto& each : program_.messages) {
    if (each->type.is_list()) {
      diagnostics_.report(diag::ListOutsideParameter, each->written_type.range);
      each->type = Type::Form::Error;
    }
    check_combine(*each);
  }
}

void Checker::check_functions() {
  for (auto& each : program_.functions) {
    ScopeGuard scope(scopes_);
    for (auto& parameter : each->parameters) {
      if (parameter->name.empty()) continue;  // of a header's function
      if (parameter->type.is_list())
        diagnostics_.report(diag::ListOutsideParameter, parameter->written_type.range);
      declare(*parameter);
    }
    if (each->type.is_list())
      diagnostics_.report(diag::ListOutsideParameter, each->written_type.range);
    if (!each->body) {
      check_header_function(*each);
      continue;
    }
    Restore place(place_, Place::Function);
    Restore<const ast::Function*> current(function_, each.get());
    expect(each->body, each->type);
  }
  check_recursion();
}

void Checker::check_header_function(const ast::Function& function) {
  if (program_.uses.empty()) {
    diagnostics_.report(diag::FunctionWithoutBody, function.name.range, function.name.text);
    return;
  }
  const auto check = [&](const ast::Type& type, const ast::TypeSyntax& syntax) {
    const bool plain = type.is_bool() || (type.is_number() && !type.is(ScalarKind::Wide64));
    if (!type.is_error() && !plain)
      diagnostics_.report(diag::HeaderFunctionType, syntax.range, in_words(type));
  };
  for (const auto& parameter : function.parameters) check(parameter->type, parameter->written_type);
  check(function.type, function.written_type);
}

void Checker::check_recursion() {
  // Later steps follow calls by recursion, so that a chain of calls is bounded like brackets are.
  constexpr unsigned kMaxCallDepth = 200;
  std::map<const ast::Function*, unsigned>
      height;  // longest chain of calls from here; 0 while being visited
  auto visit = [&](const ast::Function* function, unsigned above, auto& self) -> bool {
    auto known = height.find(function);
    if (known != height.end() && known->second == 0) {
      diagnostics_.report(diag::RecursiveFunction, function->name.range, function->name.text);
      return false;
    }
    if (known == height.end() && above < kMaxCallDepth) {
      height[function] = 0;
      unsigned below = 0;
      for (const ast::Function* callee : calls_[function]) {
        if (!self(callee, above + 1, self)) return false;
        below = std::max(below, height[callee]);
      }
      known = height.insert_or_assign(function, below + 1).first;
    }
    if (known != height.end() && above + known->second <= kMaxCallDepth) return true;
    diagnostics_.report(diag::NestedTooDeep, function->name.range, kMaxCallDepth);
    return false;
  };
  for (const auto& each : program_.functions)
    if (!visit(each.get(), 0, visit)) return;
}

void Checker::check_requirements() {
  for (const ast::Requirement& each : program_.requirements) {
    const std::string& word = each.name.text;
    bool weights = word == "non_negative";
    if (!weights && word != "symmetric" && word != "no_duplicates") {
      suggest(diagnostics_.report(diag::UnknownRequirement, each.name.range, word)
                  .note("requirements are symmetric, non_negative(…) and no_duplicates"),
              each.name, {"symmetric", "non_negative", "no_duplicates"});
    } else if (weights) {
      check_non_negative(each);
    } else if (!each.argument.empty()) {
      diagnostics_.report(diag::RequirementArgument, each.argument.range, word,
                          "takes no argument");
    }
  }
}

void Checker::check_non_negative(const ast::Requirement& requirement) {
  std::vector<std::string> known;
  for (const auto& edge : program_.edges) {
    if (edge->written || edge->type.is_bool()) continue;
    if (edge->name.text == requirement.argument.text) {
      edge->read = true;
      return;
    }
    known.push_back("non_negative(" + edge->name.text + ")");
  }
  diagnostics_.report(diag::RequirementArgument, requirement.range, requirement.name.text,
                      known.empty() ? std::string("needs an edge attribute, and none is declared")
                                    : "names the edge attribute: " + llvm::join(known, " or "));
}

void Checker::check_outputs() {
  std::set<std::string> seen;
  for (ast::Output& output : program_.outputs) {
    const Decl* decl = scopes_.find(output.name.text);
    if (decl == nullptr || decl->kind != Decl::Kind::State) {
      std::vector<std::string> known;
      for (const auto& each : program_.states) known.push_back(each->name.text);
      diag::Report& report =
          diagnostics_.report(diag::OutputNotAState, output.name.range, output.name.text);
      if (decl != nullptr && decl->kind == Decl::Kind::EdgeAttribute)
        report.note(
            "it is an attribute of edges; a vertex state can say what the edges of a vertex hold, "
            "as 'count(over out u where …)' does");
      else
        suggest(report, output.name, known);
      continue;
    }
    if (!seen.insert(output.name.text).second)
      diagnostics_.report(diag::SecondOutput, output.name.range, output.name.text);
    decl->read = true;
    output.state = decl;
    if (!output.tolerance) continue;
    Restore place(place_, Place::Constant);
    constant_what_ = "a tolerance";
    expect(output.tolerance, ScalarKind::Float64);
    bool floating = false;
    for (ScalarKind kind : decl->type.elements) floating = floating || Type(kind).is_float();
    const Expr& value = *output.tolerance;
    bool literal = value.kind == ExprKind::Float || value.kind == ExprKind::Integer;
    if (!floating && !decl->type.is_error())
      diagnostics_.report(
          diag::ToleranceMisused, value.range,
          "'" + output.name.text + "' is exact; a tolerance is for floating results");
    else if (!literal && !value.type.is_error())
      diagnostics_.report(diag::ToleranceMisused, value.range,
                          "a tolerance is a positive number written out");
  }
  bool reports = !reports_.names().empty();
  if (program_.outputs.empty() && !reports)
    diagnostics_.report(diag::NoOutput, program_.name.range, program_.name.text);
}

void Checker::warn_unused() {
  auto warn = [&](const Decl& decl) {
    const bool is_written = decl.name.range.valid();  // else a header offers it
    if (!is_written || decl.read || decl.name.empty() || decl.name.text[0] == '_') return;
    if (asking_messages_.contains(&decl))
      diagnostics_.report(diag::MessageOnlyAsks, decl.name.range, decl.name.text);
    else
      diagnostics_.report(diag::Unused, decl.name.range, ast::describe(decl.kind), decl.name.text);
  };
  for (const auto& each : program_.parameters) warn(*each);
  for (const auto& each : program_.edges) warn(*each);
  for (const auto& each : program_.states) warn(*each);
  for (const auto& each : program_.functions) warn(*each);
  for (const Decl* each : host_variables_) warn(*each);
  for (const auto& each : program_.messages) {
    warn(*each);
    if (each->read && !each->written)
      diagnostics_.report(diag::MessageNeverSent, each->name.range, each->name.text);
  }
}

void Checker::warn_empty() {
  for (const auto& each : program_.messages) {
    if (!each->written || each->keep || left_inboxes_.contains(each.get())) continue;
    for (const auto& [message, place] : plain_reads_)
      if (message == each.get())
        diagnostics_.report(diag::MessageAlwaysEmpty, place, each->name.text)
            .note(each->name.range, "'keep' at the end of its declaration keeps what is left");
  }
}

}  // namespace vertigo::compiler::check
