#include "compiler/parse/Builder.h"

namespace vertigo::compiler::parse {

using ast::Decl;

ast::TypeSyntax Builder::type(Grammar::TypeContext* tree) {
  ast::TypeSyntax result;
  result.range = range(tree);
  if (tree->typeName() != nullptr) {
    result.scalar = {tree->typeName()->getText(), range(tree->typeName())};
    result.is_list = tree->getStop() != tree->typeName()->getStop();
    return result;
  }
  for (Grammar::TypeElementContext* element : tree->typeElement()) {
    result.elements.push_back(type(element->type()));
    result.names.push_back(element->name() != nullptr ? name(element->name()) : ast::Name{});
  }
  return result;
}

std::unique_ptr<ast::ProgramDecl> Builder::declare(Decl::Kind kind, Grammar::NameContext* tree,
                                                   Grammar::TypeContext* written,
                                                   Grammar::ExprContext* initial,
                                                   SourceRange where) {
  auto decl = std::make_unique<ast::ProgramDecl>(kind);
  decl->name = name(tree);
  decl->written_type = type(written);
  if (initial != nullptr) decl->initial = expr(initial);
  decl->range = where;
  return decl;
}

std::unique_ptr<ast::ProgramDecl> Builder::parameter(Grammar::ParameterContext* tree) {
  return declare(Decl::Kind::Parameter, tree->name(), tree->type(), tree->expr(), range(tree));
}

void Builder::function(ast::Program& program, Grammar::FunctionDeclarationContext* tree) {
  auto function = std::make_unique<ast::Function>();
  function->range = range(tree);
  function->name = name(tree->name());
  function->written_type = type(tree->type());
  for (Grammar::FunctionParameterContext* each : tree->functionParameter())
    function->parameters.push_back(
        declare(Decl::Kind::FunctionParameter, each->name(), each->type(), nullptr, range(each)));
  if (tree->expr() != nullptr) function->body = expr(tree->expr());
  program.functions.push_back(std::move(function));
}

void Builder::declaration(ast::Program& program, Grammar::DeclarationContext* tree) {
  SourceRange where = range(tree);
  if (auto* node = dynamic_cast<Grammar::EdgeDeclarationContext*>(tree)) {
    program.edges.push_back(
        declare(Decl::Kind::EdgeAttribute, node->name(), node->type(), node->expr(), where));
  } else if (auto* node = dynamic_cast<Grammar::StateDeclarationContext*>(tree)) {
    program.states.push_back(
        declare(Decl::Kind::State, node->name(), node->type(), node->expr(), where));
  } else if (auto* node = dynamic_cast<Grammar::InputDeclarationContext*>(tree)) {
    program.states.push_back(
        declare(Decl::Kind::Input, node->name(), node->type(), node->expr(), where));
  } else if (auto* node = dynamic_cast<Grammar::MessageDeclarationContext*>(tree)) {
    auto message = std::make_unique<ast::Message>();
    message->name = name(node->name(0));
    message->combine = name(node->name(1));
    message->written_type = type(node->type());
    if (node->expr() != nullptr) message->initial = expr(node->expr());
    message->keep = node->KEEP() != nullptr;
    message->range = where;
    program.messages.push_back(std::move(message));
  } else if (auto* node = dynamic_cast<Grammar::FunctionDeclarationContext*>(tree)) {
    function(program, node);
  } else if (auto* node = dynamic_cast<Grammar::UseDeclarationContext*>(tree)) {
    llvm::StringRef quoted = diagnostics_.text(range(node->STRING()->getSymbol()));
    program.uses.push_back({where, quoted.drop_front().drop_back().str()});
  } else if (auto* node = dynamic_cast<Grammar::RequiresDeclarationContext*>(tree)) {
    for (Grammar::RequirementContext* each : node->requirement())
      program.requirements.push_back({name(each->name(0)),
                                      each->name().size() > 1 ? name(each->name(1)) : ast::Name{},
                                      range(each)});
  } else if (auto* node = dynamic_cast<Grammar::OutputDeclarationContext*>(tree)) {
    for (Grammar::OutputContext* each : node->output()) {
      ast::Output output;
      output.name = name(each->name());
      if (each->expr() != nullptr) output.tolerance = expr(each->expr());
      program.outputs.push_back(std::move(output));
    }
  }
}

void Builder::clause(Grammar::ClauseContext* tree, SourceRange& serializable,
                     SourceRange& order_free) {
  ast::Name word = name(tree->name());
  bool consistency = tree->CONSISTENCY() != nullptr;
  SourceRange& stated = consistency ? serializable : order_free;
  llvm::StringRef known = consistency ? "serializable" : "order_free";
  if (word.text != known) {
    auto& report = consistency
                       ? diagnostics_.report(diag::UnknownConsistency, word.range, word.text)
                       : diagnostics_.report(diag::UnknownAssumption, word.range, word.text);
    report.note("the one that can be stated is '" + known.str() + "'").fix(word.range, known.str());
  } else if (stated.valid()) {
    diagnostics_
        .report(diag::SecondClause, range(tree), consistency ? "the consistency" : "the assumption")
        .note(stated, "first stated here");
  } else {
    stated = range(tree);
  }
}

std::unique_ptr<ast::Program> Builder::program(Grammar::ProgramContext* tree) {
  auto result = std::make_unique<ast::Program>();
  result->range = range(tree);
  result->name = name(tree->name());
  for (Grammar::ParameterContext* each : tree->parameter())
    result->parameters.push_back(parameter(each));
  std::vector<Grammar::StatementContext*> statements;
  for (Grammar::ItemContext* item : tree->item()) {
    if (item->declaration() != nullptr) declaration(*result, item->declaration());
    if (item->clause() != nullptr) clause(item->clause(), result->serializable, result->order_free);
    if (item->statement() != nullptr) statements.push_back(item->statement());
  }
  host_statements(statements, result->body);
  return result;
}

}  // namespace vertigo::compiler::parse
