#include "compiler/emit/cuda/CudaKernels.h"

#include <algorithm>
#include <set>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/cuda/BalancedLoops.h"
#include "compiler/emit/cuda/FusedSteps.h"

namespace vertigo::compiler::emit {

using plan::KernelOp;
using plan::KernelStmt;

namespace {

std::string operator_name(ir::Combine combine) {
  switch (combine) {
    case ir::Combine::Min:
      return "Min";
    case ir::Combine::Max:
      return "Max";
    case ir::Combine::Or:
      return "Or";
    case ir::Combine::And:
      return "And";
    default:
      return "Sum";
  }
}

/// What leaves everything as it is.
std::string identity_text(ir::Combine combine, ir::ScalarKind kind) {
  const std::string type = cpp_type(kind);
  switch (combine) {
    case ir::Combine::Min:
      return kind == ir::ScalarKind::Bool ? "true" : "kInfinity<" + type + ">";
    case ir::Combine::Max:
      return kind == ir::ScalarKind::Bool ? "false" : "kLowest<" + type + ">";
    case ir::Combine::And:
      return kind == ir::ScalarKind::Bool ? "true" : "static_cast<" + type + ">(-1)";
    default:
      return kind == ir::ScalarKind::Bool ? "false" : type + "{0}";
  }
}

std::string identity_text(ir::Combine combine, const ir::Type& type) {
  if (type.is_scalar()) return identity_text(combine, type.scalar());
  std::string text = cpp_type(type) + "{";
  for (std::size_t i = 0; i < type.elements.size(); ++i)
    text += (i > 0 ? ", " : "") + identity_text(combine, type.elements[i]);
  return text + "}";
}

class CudaKernelPrinter : public KernelPrinter {
 public:
  using KernelPrinter::KernelPrinter;

 protected:
  void open_kernel(const plan::Kernel& kernel,
                   const std::vector<KernelArgument>& arguments) override {
    kernel_ = &kernel;
    note_names(arguments);
    shared_ = kernel.balance != plan::Balance::Thread && kernel.balance != plan::Balance::Sorted &&
              has_shared_loop(kernel, kernel.body);
    std::vector<std::string> parameters;
    for (const KernelArgument& argument : arguments) parameters.push_back(parameter(argument));
    const bool is_part = parts_.contains(kernel.name);
    open_function((is_part ? "__device__ __forceinline__ void "
                           : "__global__ void __launch_bounds__(kBlock) ") +
                      cpp_name(kernel.name),
                  parameters);
    for (const KernelArgument& argument : arguments) own_part(argument);
    const std::string vertex = cpp_name(kernel.vertex);
    if (shared_) {
      tile_ = fresh("tile");
      out_.open("for (const Tile " + tile_ + " : " + tiles() + ")");
      out_.line("const Vertex " + vertex + " = " + tile_ + ".vertex;");
    } else {
      out_.open("for (const Vertex " + vertex + " : " + vertices() + ")");
    }
  }

  void close_kernel(const plan::Kernel& kernel) override {
    out_.close();
    out_.close();
    if (parts_.contains(kernel.name) && launched_.contains(kernel.name)) print_launched(kernel);
  }

  void body(const plan::Kernel& kernel) override {
    if (shared_)
      together(kernel.body, tile_ + ".active");
    else
      block(kernel.body);
  }

 private:
  /// A part of a loop that some variant launches by itself.
  void print_launched(const plan::Kernel& kernel) {
    std::vector<std::string> parameters;
    std::string names;
    for (const KernelArgument& argument : arguments_of(plan_, kernel)) {
      parameters.push_back(parameter(argument));
      names += (names.empty() ? "" : ", ") + parameter_name(argument);
    }
    out_.blank();
    out_.comment("The same, launched by itself.");
    open_function(
        "__global__ void __launch_bounds__(kBlock) " + launched_name(plan_, parts_, kernel.name),
        parameters);
    out_.line(cpp_name(kernel.name) + "(" + names + ");");
    out_.close();
  }

  /// Kernels that the host launches.
  static std::set<std::string> launched_kernels(const plan::Plan& plan) {
    std::set<std::string> kernels;
    const auto add = [&](const std::vector<plan::Action>& actions) {
      for (const plan::Action& action : actions)
        if (action.kind == plan::ActionKind::Launch) kernels.insert(action.symbol);
    };
    add(plan.initialize);
    for (const plan::PhasePlan& phase : plan.phases) {
      add(phase.finish);
      for (const plan::Variant& variant : phase.variants) {
        add(variant.prepare);
        if (!variant.fused) add(variant.step);
      }
    }
    return kernels;
  }

  // ---- names

  void note_names(const std::vector<KernelArgument>& arguments) {
    names_ = {"graph", "step", cpp_name(kernel_->vertex)};
    if (plan_.program.edge) names_.insert(cpp_name(plan_.program.edge->name));
    for (const KernelArgument& argument : arguments) {
      const std::string name = cpp_name(argument.name);
      names_.insert({name, name + "_counter", name + "_scalar", name + "_word"});
    }
    plan::walk_statements(kernel_->body, [&](const KernelStmt& stmt) {
      if (!stmt.symbol.empty()) names_.insert(cpp_name(stmt.symbol));
      if (!stmt.slot.empty()) names_.insert(cpp_name(stmt.slot));
    });
  }

  /// `wanted`, or with a number where the kernel has that name.
  std::string fresh(const std::string& wanted) {
    std::string name = cpp_name(wanted);
    for (unsigned number = 2; !names_.insert(name).second; ++number)
      name = wanted + "_" + std::to_string(number);
    return name;
  }

  // ---- parameters

  static std::string parameter(const KernelArgument& argument) {
    return parameter_type(argument) + " " + parameter_name(argument);
  }

  static std::string parameter_type(const KernelArgument& argument) {
    switch (argument.kind) {
      case KernelArgument::Kind::Graph:
        return "const Graph";
      case KernelArgument::Kind::List:
        return "const VertexList";
      case KernelArgument::Kind::Start:
        return "const Vertex";
      case KernelArgument::Kind::Buffer:
        return buffer_type(argument);
      default:
        return "const " + cpp_type(argument.type);
    }
  }

  static std::string buffer_type(const KernelArgument& argument) {
    switch (argument.buffer->role) {
      case plan::BufferRole::Bitmap:
        return "const Bitmap";
      case plan::BufferRole::Worklist:
        return "const Worklist";
      case plan::BufferRole::Flag:
        return "const Flag";
      case plan::BufferRole::Order:
        return "const VertexOrder";
      case plan::BufferRole::Slots:
        return "const MessageSlots";
      case plan::BufferRole::Counter:
        return "const Counter";
      case plan::BufferRole::Threshold:
        return "const Threshold";
      case plan::BufferRole::Scalar:
        return "const Scalar<" + cpp_type(argument.buffer->type) + ">";
      default:
        return (argument.written ? "" : "const ") + element_type(*argument.buffer) + "*";
    }
  }

  /// What each thread keeps a part of has the plain name; what the parts go to has another.
  static std::string parameter_name(const KernelArgument& argument) {
    const std::string name = cpp_argument(argument);
    if (argument.kind != KernelArgument::Kind::Buffer) return name;
    switch (argument.buffer->role) {
      case plan::BufferRole::Counter:
        return name + "_counter";
      case plan::BufferRole::Scalar:
        return name + "_scalar";
      case plan::BufferRole::Threshold:
        return name + (argument.written ? "_word" : "");
      default:
        return name;
    }
  }

  /// Counts and reductions that each thread keeps to itself until the kernel ends.
  void own_part(const KernelArgument& argument) {
    if (argument.kind != KernelArgument::Kind::Buffer) return;
    const std::string name = cpp_name(argument.name);
    if (argument.buffer->role == plan::BufferRole::Counter)
      out_.line("Tally " + name + "(" + name + "_counter);");
    if (argument.buffer->role == plan::BufferRole::Threshold && argument.written)
      out_.line("Samples " + name + "(" + name + "_word, " + rank_text(*kernel_) + ");");
    if (argument.buffer->role != plan::BufferRole::Scalar) return;
    const KernelStmt* fold = nullptr;
    plan::walk_statements(kernel_->body, [&](const KernelStmt& stmt) {
      if (stmt.op == KernelOp::ReduceInto && stmt.buffer == argument.name) fold = &stmt;
    });
    if (fold == nullptr) return;
    const std::string type = cpp_type(argument.buffer->type);
    out_.line("Reduction<" + type + ", " + operator_name(fold->combine) + "> " + name + "(" + name +
              "_scalar, {}, " + identity_text(fold->combine, argument.buffer->type) + ");");
  }

  // ---- domains

  std::string vertices() const {
    switch (kernel_->domain) {
      case plan::Domain::AllVertices:
        return kernel_->order.empty() ? "all_vertices(graph)"
                                      : "listed(" + cpp_name(kernel_->order) + ")";
      case plan::Domain::OneVertex:
        return std::string("only(graph, ") + kStartArgument + ")";
      case plan::Domain::Sample:
        return "sampled(" + cpp_name(kernel_->list) + ", " + count_text(*kernel_->start) + ")";
      default:
        return "listed(" + cpp_name(kernel_->list) + ")";
    }
  }

  std::string tiles() const {
    switch (kernel_->domain) {
      case plan::Domain::AllVertices:
        return "tiles(graph)";
      case plan::Domain::OneVertex:
        return std::string("tile_of(graph, ") + kStartArgument + ")";
      default:
        return "tiles(" + cpp_name(kernel_->list) + ")";
    }
  }

  // ---- code that all threads of a block go through together

  /// Prints the block for threads whose `mask` holds; the others come along to help with edges.
  void together(const plan::Block& block, const std::string& mask) {
    std::size_t i = 0;
    while (i < block.size()) {
      if (is_shared_loop(*block[i])) {
        shared_loop(*block[i], mask);
        ++i;
      } else if (has_shared_branch(*block[i])) {
        branch(*block[i], mask);
        ++i;
      } else {
        const std::size_t begin = i;
        while (i < block.size() && !is_shared_loop(*block[i]) && !has_shared_branch(*block[i])) ++i;
        alone(block, begin, i, mask);
      }
    }
  }

  bool is_shared_loop(const KernelStmt& stmt) const {
    return stmt.op == KernelOp::ForEdges && shared_form(*kernel_, stmt).has_value();
  }
  bool has_shared_branch(const KernelStmt& stmt) const {
    return stmt.op == KernelOp::If &&
           (has_shared_loop(*kernel_, stmt.body) || has_shared_loop(*kernel_, stmt.otherwise));
  }

  /// Statements [begin, end) for the vertex's own thread; locals that the rest of the block reads
  /// are declared in front.
  void alone(const plan::Block& block, std::size_t begin, std::size_t end,
             const std::string& mask) {
    std::set<std::string> outlive;
    for (std::size_t i = begin; i < end; ++i) {
      const KernelStmt& stmt = *block[i];
      if (!declares(stmt)) continue;
      const bool read_later =
          std::any_of(block.begin() + static_cast<std::ptrdiff_t>(end), block.end(),
                      [&](const auto& later) { return mentions(*later, stmt.symbol); });
      if (!read_later) continue;
      outlive.insert(stmt.symbol);
      out_.line(cpp_type(stmt.type) + " " + cpp_name(stmt.symbol) + "{};");
    }
    out_.open("if (" + mask + ")");
    for (std::size_t i = begin; i < end; ++i) {
      if (outlive.contains(block[i]->symbol) && declares(*block[i]))
        assign(*block[i]);
      else
        one(*block[i]);
    }
    out_.close();
  }

  static bool declares(const KernelStmt& stmt) {
    return stmt.op == KernelOp::Let || stmt.op == KernelOp::Accumulator ||
           stmt.op == KernelOp::Take;
  }

  void assign(const KernelStmt& stmt) {
    const Origin origin(out_, stmt.location);
    const std::string value = expr_text(*stmt.value);
    const std::string slot =
        stmt.op == KernelOp::Take ? cpp_name(stmt.buffer) + "[" + expr_text(*stmt.index) + "]" : "";
    out_.line(cpp_name(stmt.symbol) + " = " +
              (slot.empty() ? value : "take(" + slot + ", " + value + ")") + ";");
  }

  void one(const KernelStmt& stmt) {
    plan::Block single;
    single.push_back(stmt.clone());
    block(single);
  }

  void branch(const KernelStmt& stmt, const std::string& mask) {
    const Origin origin(out_, stmt.location);
    const std::string taken = fresh("takes_part");
    out_.line("const bool " + taken + " = " + mask + " && " + bracketed(*stmt.value) + ";");
    together(stmt.body, taken);
    if (stmt.otherwise.empty()) return;
    const std::string other = fresh("takes_other_part");
    out_.line("const bool " + other + " = " + mask + " && !" + taken + ";");
    together(stmt.otherwise, other);
  }

  static std::string bracketed(const ir::Expr& expr) {
    const bool loose = expr.op == ir::Op::Or || expr.op == ir::Op::Select;
    return loose ? "(" + expr_text(expr) + ")" : expr_text(expr);
  }

  void shared_loop(const KernelStmt& loop, const std::string& mask) {
    const SharedLoop form = *shared_form(*kernel_, loop);
    const bool gathers = !form.accumulator.empty();
    const std::string vertex = cpp_name(kernel_->vertex);
    std::string kept;
    std::string parameters = "Vertex " + vertex + ", Vertex " + cpp_name(loop.symbol);
    if (reads_edge(loop))
      parameters +=
          ", " + cpp_type(plan_.program.edge->kind) + " " + cpp_name(plan_.program.edge->name);
    if (!loop.slot.empty()) parameters += ", EdgeIndex " + cpp_name(loop.slot);
    if (gathers)
      parameters += ", " + cpp_type(form.accumulator_type) + "& " + cpp_name(form.accumulator);
    for (const KeptValue& value : form.kept) {
      kept += (kept.empty() ? "" : ", ") + cpp_name(value.symbol);
      parameters += ", " + cpp_type(value.type) + " " + cpp_name(value.symbol);
    }
    const std::string common = "(" + edges_name(loop) + "(graph" +
                               (loop.slots.empty() ? "" : ", " + cpp_name(loop.slots)) + "), " +
                               vertex + ", " + mask + ", keep(" + kept + "), ";
    const Origin origin(out_, loop.location);
    if (!gathers) {
      out_.open("expand_" + way(false) + common + "[&](" + parameters + ")");
      block(loop.body);
      return out_.close(");");
    }
    const std::string found = fresh(form.accumulator + "_found");
    out_.open("const " + cpp_type(form.accumulator_type) + " " + found + " = gather_" + way(true) +
              common + operator_name(form.combine) + "{}, " +
              identity_text(form.combine, form.accumulator_type) + ", [&](" + parameters + ")");
    gather_body(loop.body);
    out_.close(");");
    const std::string fold = "accumulate_" + combine_suffix(form.combine) + "(" +
                             cpp_name(form.accumulator) + ", " + found + ")";
    out_.line(form.changed.empty()
                  ? "if (" + mask + ") " + fold + ";"
                  : "if (" + mask + " && " + fold + ") " + cpp_name(form.changed) + " = true;");
  }

  /// The edge function of a gather says whether further edges can matter.
  void gather_body(const plan::Block& body) {
    plan::Block plain;
    for (const auto& stmt : body) plain.push_back(stmt->clone());
    plan::walk_statements(plain, [](KernelStmt& stmt) { stmt.changed.clear(); });
    leave_edges_ = "return false;";
    block(plain);
    leave_edges_ = "break;";
    out_.line("return true;");
  }

  std::string way(bool gathers) const {
    switch (kernel_->balance) {
      case plan::Balance::Edge:
        return gathers ? "mixed" : "by_edge";
      case plan::Balance::Warp:
        return "by_warp";
      case plan::Balance::Block:
        return "by_block";
      case plan::Balance::Auto:
        return gathers || kernel_->domain != plan::Domain::AllVertices ? "auto" : "auto_all";
      default:
        return "mixed";
    }
  }

  const std::set<std::string> parts_ = fused_parts(plan_);
  const std::set<std::string> launched_ = launched_kernels(plan_);
  const plan::Kernel* kernel_ = nullptr;
  bool shared_ = false;
  std::string tile_;
  std::set<std::string> names_;  // of the kernel's parameters and locals
};

}  // namespace

void print_cuda_kernels(Writer& out, const plan::Plan& plan, const EmitOptions& options) {
  CudaKernelPrinter printer(out, plan, options);
  for (const plan::Kernel& kernel : plan.kernels) printer.print(kernel);
  for (const plan::PhasePlan& phase : plan.phases)
    if (FusedSteps::stands_for(phase)) FusedSteps(plan, phase).print_kernel(out);
}

}  // namespace vertigo::compiler::emit
