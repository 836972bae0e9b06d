#include "compiler/emit/common/Functions.h"

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

void print_functions(Writer& out, const plan::Plan& plan, const std::string& qualifier) {
  for (const ir::Function& function : plan.program.functions) {
    if (!function.body) {
      print_header_function(out, function, qualifier);
      continue;
    }
    std::string head =
        qualifier + " " + cpp_type(function.result) + " " + cpp_name(function.name) + "(";
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      head += (i > 0 ? ", " : "") + cpp_type(function.parameters[i].type) + " " +
              cpp_name(function.parameters[i].name);
    out.blank();
    out.open(head + ")");
    {
      const Origin origin(out, function.location);
      out.line("return " + expr_text(*function.body) + ";");
    }
    out.close();
  }
}

}  // namespace vertigo::compiler::emit
