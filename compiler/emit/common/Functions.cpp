#include "compiler/emit/common/Functions.h"

#include <map>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/Names.h"
#include "compiler/ir/program/Walk.h"

namespace vertigo::compiler::emit {

namespace {

/// Which functions stay calls: nvcc writes out every call, and functions that call each other twice
/// double with each of them until no memory is left.
class Inlining {
 public:
  bool stays_call(const ir::Function& function) {
    std::size_t nodes = 0;
    ir::walk(*function.body, [&](const ir::Expr& node) {
      const auto called =
          node.op == ir::Op::Call ? written_out_.find(node.symbol) : written_out_.end();
      nodes += called == written_out_.end() ? 1 : called->second;
    });
    const bool stays = nodes > kMostNodes;
    if (!stays) written_out_[function.name] = nodes;
    return stays;
  }

 private:
  static constexpr std::size_t kMostNodes = 1000;

  std::map<std::string, std::size_t> written_out_;  ///< nodes, of functions met before
};

}  // namespace

void print_functions(Writer& out, const plan::Plan& plan, const std::string& qualifier) {
  Inlining inlining;
  for (const ir::Function& function : plan.program.functions) {
    if (!function.body) {
      print_header_function(out, function, qualifier);
      continue;
    }
    std::string head = qualifier +
                       (inlining.stays_call(function) ? " __attribute__((noinline)) " : " ") +
                       cpp_type(function.result) + " " + cpp_name(function.name) + "(";
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
