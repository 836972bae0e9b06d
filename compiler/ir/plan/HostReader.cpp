#include "compiler/ir/plan/HostReader.h"

#include "compiler/ir/program/Spelling.h"

namespace vertigo::plan {

std::string HostReader::read_dashed(const char* what) {
  std::string word = tokens_.expect_name(what);
  while (tokens_.take_mark("-")) word += "-" + tokens_.expect_name(what);
  return word;
}

std::vector<std::string> HostReader::read_names(const char* what) {
  std::vector<std::string> names;
  do {
    names.push_back(tokens_.expect_name(what));
  } while (tokens_.take_mark(","));
  return names;
}

std::vector<KernelArgument> HostReader::read_arguments() {
  std::vector<KernelArgument> arguments;
  do {
    KernelArgument argument;
    argument.kind = read_one_of(tokens_, kArguments, "what a kernel takes");
    const bool has_name = argument.kind == KernelArgument::Kind::Buffer ||
                          argument.kind == KernelArgument::Kind::Parameter ||
                          argument.kind == KernelArgument::Kind::List;
    if (has_name) argument.name = tokens_.expect_name("a buffer or parameter");
    if (tokens_.take_mark(":")) argument.type = exprs_.read_type();
    argument.written = tokens_.take_word("written");
    arguments.push_back(std::move(argument));
  } while (tokens_.take_mark(","));
  return arguments;
}

std::string HostReader::read_because() {
  return tokens_.take_word("because") ? tokens_.expect_string("a reason") : std::string();
}

Location HostReader::read_location() {
  Location location;
  if (!tokens_.take_word("loc")) return location;
  tokens_.expect_mark("(");
  location.line = tokens_.expect_unsigned("a line number");
  tokens_.expect_mark(":");
  location.column = tokens_.expect_unsigned("a column number");
  tokens_.expect_mark(")");
  return location;
}

ir::EdgeDirection HostReader::read_direction() {
  const auto direction = ir::find_direction(tokens_.peek().text);
  if (!direction) tokens_.fail_expected("'out', 'in' or 'both'");
  tokens_.take();
  return *direction;
}

std::vector<Action> HostReader::read_actions() {
  std::vector<Action> actions;
  const ir::NestingGuard guard(exprs_.depth(), tokens_);
  tokens_.expect_mark("{");
  while (!tokens_.take_mark("}")) {
    Action action;
    action.kind = read_one_of(tokens_, kActions, "an action");
    if (has_symbol(action.kind)) action.symbol = tokens_.expect_name("a kernel or buffer");
    if (tokens_.take_word("from")) action.source = tokens_.expect_name("a buffer");
    if (tokens_.take_word("in_parts")) action.parts = read_direction();
    if (!tokens_.take_mark(";")) action.body = read_actions();
    actions.push_back(std::move(action));
  }
  return actions;
}

StepLoop HostReader::read_loop() {
  StepLoop loop;
  tokens_.expect_mark("{");
  if (tokens_.take_word("holds")) {
    loop.holds = read_names("a buffer");
    tokens_.expect_mark(";");
  }
  if (tokens_.take_word("takes")) {
    loop.takes = read_arguments();
    tokens_.expect_mark(";");
  }
  while (!tokens_.take_mark("}")) {
    const bool to_list = tokens_.take_word("to_list");
    if (to_list || tokens_.take_word("to_all")) {
      loop.changes.push_back({to_list, read_actions()});
      continue;
    }
    tokens_.expect_word("steps");
    std::string variant = read_dashed("the name of a variant");
    loop.steps.push_back({std::move(variant), read_actions()});
  }
  return loop;
}

Rounds::Part HostReader::read_part() {
  Rounds::Part part;
  part.phase = tokens_.expect_name("a phase");
  for (const auto& [reach, word] : kReaches)
    if (part.reach == Reach::Some && tokens_.take_word(word)) part.reach = reach;
  tokens_.expect_mark("{");
  if (tokens_.take_word("begin")) part.begin = read_actions();
  if (tokens_.take_word("finish")) part.finish = read_actions();
  tokens_.expect_mark("}");
  return part;
}

Rounds HostReader::read_rounds() {
  Rounds rounds;
  tokens_.expect_word("of");
  tokens_.expect_word("loop");
  rounds.loop = tokens_.expect_unsigned("the number of a loop");
  if (tokens_.take_mark(";")) return rounds;
  tokens_.expect_mark("{");
  while (!tokens_.take_mark("}")) {
    if (tokens_.take_word("runs")) {
      rounds.parts.push_back(read_part());
      continue;
    }
    if (tokens_.take_word("holds"))
      rounds.holds = read_names("a buffer");
    else if (tokens_.take_word("values"))
      rounds.values = read_names("a host variable");
    else if (tokens_.take_word("takes"))
      rounds.takes = read_arguments();
    else if (tokens_.take_word("reduces"))
      rounds.reductions = read_names("a reduction");
    else
      tokens_.fail_expected("'holds', 'values', 'takes', 'reduces' or 'runs'");
    tokens_.expect_mark(";");
  }
  return rounds;
}

Preparation HostReader::read_preparation() {
  Preparation made;
  if (!tokens_.take_word("engine")) {
    tokens_.expect_word("buffer");
    made.buffer = tokens_.expect_name("a buffer");
  }
  tokens_.expect_word("for");
  do {
    VariantOf variant;
    variant.phase = tokens_.expect_name("a phase");
    tokens_.expect_mark(".");
    variant.variant = read_dashed("the name of a variant");
    made.variants.push_back(std::move(variant));
  } while (tokens_.take_mark(","));
  return made;
}

HostVariable HostReader::read_variable() {
  HostVariable variable;
  variable.name = tokens_.expect_name("a host variable");
  tokens_.expect_mark(":");
  variable.type = exprs_.read_type();
  variable.has_end = tokens_.take_word("to");
  if (variable.has_end) {
    tokens_.expect_word("its");
    tokens_.expect_word("end");
  }
  return variable;
}

HostClass HostReader::read_host() {
  HostClass host;
  tokens_.expect_mark("{");
  while (!tokens_.take_mark("}")) {
    if (tokens_.take_word("holds"))
      host.holds = read_names("a buffer");
    else if (tokens_.take_word("ids"))
      host.ids = true;
    else if (tokens_.take_word("prepare"))
      host.preparations.push_back(read_preparation());
    else if (tokens_.take_word("variable"))
      host.variables.push_back(read_variable());
    else if (tokens_.take_word("columns"))
      host.columns = read_names("a state");
    else if (tokens_.take_word("graph"))
      host.graph_order = tokens_.expect_string("a preparation");
    else if (tokens_.take_word("all_schedules"))
      host.all_schedules = true;
    else if (tokens_.take_word("transfer"))
      host.transfer = tokens_.expect_string("a way of transfer");
    else
      tokens_.fail_expected(
          "'holds', 'ids', 'prepare', 'variable', 'columns', 'graph', 'all_schedules' or "
          "'transfer'");
    tokens_.expect_mark(";");
  }
  return host;
}

}  // namespace vertigo::plan
