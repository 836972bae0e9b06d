#include "compiler/emit/common/HeaderFunctions.h"

#include <algorithm>
#include <set>

#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

namespace {

template <class Visit>
void for_each_header_function(const ir::Program& program, const Visit& visit) {
  for (const ir::Function& function : program.functions)
    if (!function.body) visit(function);
}

std::string argument(std::size_t i) { return "x" + std::to_string(i); }

std::string table_entry(const ir::Function& function) {
  std::string call = cpp_name(function.name) + "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    call += (i > 0 ? ", " : "") + ("argument_of<" + cpp_type(function.parameters[i].type)) +
            ">(arguments[" + std::to_string(i) + "])";
  return "{" + quoted(function.name) +
         ", []([[maybe_unused]] const std::uint64_t* arguments) { return word_of<" +
         cpp_type(function.result) + ">(" + call + ")); }},";
}

void print_table(Writer& out, const ir::Program& program, const std::string& head) {
  out.blank();
  out.open(head + "[] =");
  for_each_header_function(program,
                           [&](const ir::Function& function) { out.line(table_entry(function)); });
  out.close(";");
}

}  // namespace

bool uses_headers(const ir::Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [](const ir::Function& function) { return !function.body; });
}

void print_header_includes(Writer& out, const ir::Program& program, const EmitOptions& options) {
  if (!uses_headers(program)) return;
  out.line("#include \"vertigo/core/header_function.h\"");
  out.blank();
  std::set<std::string> done;
  for_each_header_function(program, [&](const ir::Function& function) {
    if (!done.insert(function.header).second) return;
    // The name of a header knows no escapes; a string of the language has neither '"' nor line end.
    const bool is_absolute = function.header.starts_with('/');
    out.line("#include \"" + (is_absolute ? "" : options.header_folder) + function.header + "\"");
  });
  for (const std::string& macro : options.header_macros) out.line("#undef " + macro);
}

void open_program(Writer& out, const ir::Program& program, const std::string& target) {
  if (uses_headers(program)) {
    out.comment("Inside, the runtime's names are found before those of a user's header.");
    out.line("namespace vertigo::" + target + " {");
  }
  out.line("namespace {");
  out.blank();
  if (uses_headers(program)) return;
  out.line("using namespace vertigo;");
  out.line("using namespace vertigo::" + target + ";");
  out.blank();
}

void close_program(Writer& out, const ir::Program& program) {
  out.blank();
  out.line("}  // namespace");
  if (uses_headers(program)) out.line("}  // namespace");
}

void print_header_function(Writer& out, const ir::Function& function,
                           const std::string& qualifier) {
  std::string parameters;
  std::string arguments;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const std::string comma = i > 0 ? ", " : "";
    parameters += comma + cpp_type(function.parameters[i].type) + " " + argument(i);
    arguments += comma + argument(i);
  }
  out.blank();
  out.comment("Of " + function.header + ".");
  out.open(qualifier + " " + cpp_type(function.result) + " " + cpp_name(function.name) + "(" +
           parameters + ")");
  out.line("return ::" + function.name + "(" + arguments + ");");
  out.close();
}

void print_header_table(Writer& out, const ir::Program& program) {
  if (!uses_headers(program)) return;
  print_table(out, program, "const HeaderFunction header_functions_");
  out.line("const HeaderFunctionTable header_table_(\"" + program.name + "\", header_functions_);");
}

std::string emit_header_library(const ir::Program& program, const EmitOptions& options,
                                const std::string& target) {
  Writer out("", options.output_name);
  print_header_includes(out, program, options);
  out.blank();
  open_program(out, program, target);
  for_each_header_function(program, [&](const ir::Function& function) {
    print_header_function(out, function, "__host__ __device__ inline");
  });
  out.blank();
  out.line("}  // namespace");
  print_table(out, program, "extern \"C\" const HeaderFunction vertigo_header_functions");
  out.line("extern \"C\" const std::size_t vertigo_header_function_count =");
  out.line("    sizeof(vertigo_header_functions) / sizeof(HeaderFunction);");
  out.blank();
  out.line("}  // namespace");
  return out.take();
}

}  // namespace vertigo::compiler::emit
