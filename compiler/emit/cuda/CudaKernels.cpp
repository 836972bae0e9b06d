#include "compiler/emit/cuda/CudaKernels.h"

#include <unordered_map>
#include <unordered_set>

#include "compiler/emit/common/EdgeColumns.h"
#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/FoldText.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/cuda/Appending.h"
#include "compiler/emit/cuda/BufferSuffixes.h"
#include "compiler/emit/cuda/FusedSteps.h"
#include "compiler/emit/cuda/RoundsCode.h"

namespace vertigo::compiler::emit {

using plan::KernelOp;
using plan::KernelStmt;

namespace {

bool shares(const plan::Kernel& kernel, plan::Sharing way) {
  bool found = false;
  plan::walk_statements(kernel.body, [&](const KernelStmt& stmt) {
    found = found || (stmt.shared && stmt.shared->way == way);
  });
  return found;
}

class CudaKernelPrinter : public KernelPrinter {
 public:
  using KernelPrinter::KernelPrinter;

 protected:
  void open_kernel(const plan::Kernel& kernel) override {
    kernel_ = &kernel;
    note_names();
    const bool is_part = kernel.called_by != plan::Caller::Host;
    grid_part_ = is_part && reduces(plan_, kernel) ? std::string(", ") + kGridPart : "";
    std::vector<std::string> head = parameters();
    if (!grid_part_.empty())
      head.insert(head.begin() + 1, std::string("const GridPart ") + kGridPart);
    open_function((is_part ? "__device__ __forceinline__ void "
                           : "__global__ void __launch_bounds__(kBlock) ") +
                      cpp_name(kernel.name),
                  head);
    for (const KernelArgument& argument : kernel.takes) own_part(argument);
    declare_appenders(kernel);
    declare_held(kernel);
    if (is_of_parts())
      out_.open(std::string("for (const VertexPart ") + kPartArgument + " : " + parts_in_turn() +
                ")");
    donations_.clear();
    if (donates_lists(kernel)) {
      donations_ = fresh("donations");
      out_.line("Donations " + donations_ + "(graph, " + list_name() + ");");
    }
    const std::string vertex = cpp_name(kernel.vertex);
    if (kernel.together) {
      const std::string tile = fresh("tile");
      mask_ = tile + ".active";
      out_.open("for (const Tile " + tile + " : " + tiles() + ")");
      out_.line("const Vertex " + vertex + " = " + tile + ".vertex;");
      read_ahead();
    } else {
      out_.open("for (const Vertex " + vertex + " : " + vertices() + ")");
    }
    for (const KernelArgument& argument : kernel.takes)
      if (appending(argument) != Appending::AtOnce)
        out_.line("turn(" + cpp_name(argument.name) + ");");
  }

  void close_kernel(const plan::Kernel& kernel) override {
    out_.close();
    if (is_of_parts()) out_.close();
    out_.close();
    if (kernel.called_by == plan::Caller::Both) print_launched(kernel);
  }

  /// Statements for threads whose mask holds; the others come along to help with edges.
  void alone(const KernelStmt& stmt) override {
    for (const auto& inside : stmt.body)
      if (inside->outlives)
        out_.line(cpp_type(inside->type) + " " + cpp_name(inside->symbol) + "{};");
    out_.open("if (" + mask_ + ")");
    for (const auto& inside : stmt.body) {
      if (inside->outlives)
        assign(*inside);
      else
        statement(*inside);
    }
    out_.close();
  }

  void branch(const KernelStmt& stmt) override {
    if (!stmt.together) return KernelPrinter::branch(stmt);
    const std::string outer = mask_;
    const std::string taken = fresh("takes_part");
    out_.line("const bool " + taken + " = " + outer + " && " + bracketed(*stmt.value) + ";");
    mask_ = taken;
    block(stmt.body);
    if (!stmt.otherwise.empty()) {
      mask_ = fresh("takes_other_part");
      out_.line("const bool " + mask_ + " = " + outer + " && !" + taken + ";");
      block(stmt.otherwise);
    }
    mask_ = outer;
  }

  void edges(const KernelStmt& loop) override {
    if (!loop.shared) return KernelPrinter::edges(loop);
    if (loop.shared->accumulator.empty())
      expand(loop);
    else if (loop.shared->ballots)
      elect(loop);
    else
      gather(loop);
  }

 private:
  /// A part of a loop that some variant launches by itself.
  void print_launched(const plan::Kernel& kernel) {
    std::string names;
    for (const KernelArgument& argument : kernel.takes) {
      names += (names.empty() ? "" : ", ") + parameter_name(argument);
      if (argument.kind == KernelArgument::Kind::Graph && !grid_part_.empty())
        names += ", whole_grid()";
    }
    out_.blank();
    out_.comment("The same, launched by itself.");
    open_function("__global__ void __launch_bounds__(kBlock) " + launched_name(plan_, kernel),
                  parameters());
    out_.line(cpp_name(kernel.name) + "(" + names + ");");
    out_.close();
  }

  // ---- names

  void note_names() {
    names_ = {"graph", "step", cpp_name(kernel_->vertex)};
    if (has_edge_attribute(plan_.program)) names_.insert(edge_variable(plan_.program));
    for (const ir::EdgeAttribute& column : plan_.program.edge_columns)
      names_.insert(cpp_name(column.name));
    for (const KernelArgument& argument : kernel_->takes) names_.insert(cpp_argument(argument));
    if (is_of_parts()) names_.insert({kPartArgument, kPartsArgument});
    plan::walk_statements(kernel_->body, [&](const KernelStmt& stmt) {
      if (!stmt.symbol.empty()) names_.insert(cpp_name(stmt.symbol));
      if (!stmt.slot.empty()) names_.insert(cpp_name(stmt.slot));
    });
    derived_.clear();
    for (const KernelArgument& argument : kernel_->takes)
      if (argument.kind == KernelArgument::Kind::Buffer)
        for (const char* suffix : suffixes(plan_.find_buffer(argument.name)->role)) {
          const std::string wanted = cpp_argument(argument) + suffix;
          derived_[wanted] = fresh(wanted);
        }
  }

  /// What belongs to a buffer in the kernel, where a state may have that name: "active_list".
  std::string derived(const std::string& name, const char* suffix) const {
    return derived_.at(name + suffix);
  }

  /// `wanted`, or with a number where the kernel has that name.
  std::string fresh(const std::string& wanted) {
    std::string name = cpp_name(wanted);
    for (unsigned number = 2; !names_.insert(name).second; ++number)
      name = wanted + "_" + std::to_string(number);
    return name;
  }

  // ---- parameters

  std::vector<std::string> parameters() const {
    std::vector<std::string> texts;
    for (const KernelArgument& argument : kernel_->takes)
      texts.push_back(parameter_type(argument) + " " + parameter_name(argument));
    return texts;
  }

  std::string parameter_type(const KernelArgument& argument) const {
    switch (argument.kind) {
      case KernelArgument::Kind::Graph:
        return "const Graph";
      case KernelArgument::Kind::List:
        return "const VertexList";
      case KernelArgument::Kind::Part:
        return "const VertexParts";
      case KernelArgument::Kind::Start:
        return "const Vertex";
      case KernelArgument::Kind::Buffer:
        return buffer_type(argument);
      default:
        return "const " + cpp_type(argument.type);
    }
  }

  std::string buffer_type(const KernelArgument& argument) const {
    const plan::Buffer& buffer = *plan_.find_buffer(argument.name);
    switch (buffer.role) {
      case plan::BufferRole::Bitmap:
        return "const Bitmap";
      case plan::BufferRole::Worklist:
      case plan::BufferRole::Sorted:
        return "const Worklist";
      case plan::BufferRole::Flag:
        return "const Flag";
      case plan::BufferRole::Order:
        return "const VertexOrder";
      case plan::BufferRole::Slots:
        return "const MessageSlots";
      case plan::BufferRole::Hubs:
        return "const HubOrder";
      case plan::BufferRole::Ballots:
        return "const " + ballots_type(buffer);
      case plan::BufferRole::Counter:
        return "const Counter";
      case plan::BufferRole::Threshold:
        return "const Threshold";
      case plan::BufferRole::Scalar:
        return "const Scalar<" + cpp_type(buffer.type) + ">";
      default:
        return (argument.written ? "" : "const ") + element_type(buffer) + "*";
    }
  }

  /// What each thread keeps a part of has the plain name; what the parts go to has another.
  std::string parameter_name(const KernelArgument& argument) const {
    if (argument.kind == KernelArgument::Kind::Part) return kPartsArgument;
    const std::string name = cpp_argument(argument);
    if (argument.kind != KernelArgument::Kind::Buffer) return name;
    switch (plan_.find_buffer(argument.name)->role) {
      case plan::BufferRole::Counter:
        return derived(name, kCounter);
      case plan::BufferRole::Scalar:
        return derived(name, kScalar);
      case plan::BufferRole::Threshold:
        return argument.written ? derived(name, kWord) : name;
      case plan::BufferRole::Worklist:
        return appending(argument) != Appending::AtOnce ? derived(name, kList) : name;
      default:
        return name;
    }
  }

  Appending appending(const KernelArgument& argument) const {
    return appending_of(plan_, *kernel_, argument);
  }

  /// Vertices that warps or blocks keep to themselves for a while. What stands last ends first: the
  /// next kernel waits for its list, and nobody for counts.
  void declare_appenders(const plan::Kernel& kernel) {
    unsigned number = 0;
    for (const KernelArgument& argument : kernel.takes) {
      const Appending how = appending(argument);
      if (how == Appending::AtOnce) continue;
      const std::string name = cpp_name(argument.name);
      const bool by_block = how == Appending::ByBlock;
      const std::string visited =
          by_block && kernel.domain == plan::Domain::Worklist ? ", " + list_name() : "";
      out_.line((by_block ? "BlockAppender<" : "Appender<") + std::to_string(number++) + "> " +
                name + "(" + derived(name, kList) + visited + ");");
    }
  }

  /// Counts and reductions that each thread keeps to itself for a while.
  void own_part(const KernelArgument& argument) {
    if (argument.kind != KernelArgument::Kind::Buffer) return;
    const plan::Buffer& buffer = *plan_.find_buffer(argument.name);
    const std::string name = cpp_name(argument.name);
    if (buffer.role == plan::BufferRole::Counter)
      out_.line("Tally " + name + "(" + derived(name, kCounter) + ");");
    if (buffer.role == plan::BufferRole::Threshold && argument.written)
      out_.line("Samples " + name + "(" + derived(name, kWord) + ", " + rank_text(*kernel_) + ");");
    if (buffer.role != plan::BufferRole::Scalar) return;
    const KernelStmt* fold = nullptr;
    plan::walk_statements(kernel_->body, [&](const KernelStmt& stmt) {
      if (stmt.op == KernelOp::ReduceInto && stmt.buffer == argument.name) fold = &stmt;
    });
    if (fold == nullptr) return;
    const std::string type = cpp_type(buffer.type);
    out_.line("Reduction<" + type + ", " + operator_name(fold->combine) + "> " + name + "(" +
              derived(name, kScalar) + ", {}, " + identity_text(fold->combine, buffer.type) +
              grid_part_ + ");");
  }

  // ---- domains

  std::string vertices() const {
    switch (kernel_->domain) {
      case plan::Domain::AllVertices:
        return kernel_->order.empty() ? "all_vertices(graph" + grid_part_ + ")"
                                      : "listed(" + cpp_name(kernel_->order) + ")";
      case plan::Domain::OneVertex:
        return std::string("only(graph, ") + kStartArgument + grid_part_ + ")";
      case plan::Domain::Sample:
        return "sampled(" + cpp_name(kernel_->list) + ", " + count_text(*kernel_->start) + ")";
      default:
        return "listed(" + list_name() + grid_part_ + ")";
    }
  }

  std::string tiles() const {
    switch (kernel_->domain) {
      case plan::Domain::AllVertices:
        return "tiles(graph" + grid_part_ + ")";
      case plan::Domain::OneVertex:
        return std::string("tile_of(graph, ") + kStartArgument + grid_part_ + ")";
      default:
        return "tiles(" + list_name() + (donations_.empty() ? "" : ", " + donations_) + ")";
    }
  }

  /// The rows that every vertex of the graph will fold.
  void read_ahead() {
    if (kernel_->domain != plan::Domain::AllVertices || !grid_part_.empty()) return;
    for (const auto& stmt : kernel_->body)
      if (stmt->shared && stmt->shared->way == plan::Sharing::Rows)
        return out_.line("read_ahead(graph, " + edges_text(*stmt) + ", " +
                         cpp_name(kernel_->vertex) + ");");
  }

  // "in_turn(parts, [&](const Vertex v) { return colour[v] < 0; })": who may take part.
  std::string parts_in_turn() const {
    const std::string asked = kernel_->start == nullptr
                                  ? ""
                                  : ", [&](const Vertex " + cpp_name(kernel_->vertex) +
                                        ") { return " + expr_text(*kernel_->start) + "; }";
    return std::string("in_turn(") + kPartsArgument + asked + ")";
  }
  std::string list_name() const { return is_of_parts() ? kPartArgument : cpp_name(kernel_->list); }
  bool is_of_parts() const {
    return kernel_->domain == plan::Domain::Part || kernel_->domain == plan::Domain::Rest;
  }

  // ---- code that all threads of a block go through together

  void assign(const KernelStmt& stmt) {
    const Origin origin(out_, stmt.location);
    const std::string value = expr_text(*stmt.value);
    const std::string slot =
        stmt.op == KernelOp::Take ? cpp_name(stmt.buffer) + "[" + expr_text(*stmt.index) + "]" : "";
    out_.line(cpp_name(stmt.symbol) + " = " +
              (slot.empty() ? value : "take(" + slot + ", " + value + ")") + ";");
  }

  static std::string bracketed(const ir::Expr& expr) {
    const bool loose = expr.op == ir::Op::Or || expr.op == ir::Op::Select;
    return loose ? "(" + expr_text(expr) + ")" : expr_text(expr);
  }

  /// What the function of an edge takes.
  std::string edge_parameters(const KernelStmt& loop) const {
    std::string text = "Vertex " + cpp_name(kernel_->vertex) + ", Vertex " + cpp_name(loop.symbol);
    if (reads_edge(loop))
      text += ", " + edge_type(plan_.program, "") + " " + edge_variable(plan_.program);
    if (!loop.slot.empty()) text += ", EdgeIndex " + cpp_name(loop.slot);
    const plan::SharedEdges& form = *loop.shared;
    if (form.ballots)
      text += ", Vote<" + ballot_type(loop) + ">& " + cpp_name(form.accumulator);
    else if (!form.accumulator.empty())
      text += ", " + cpp_type(form.accumulator_type) + "& " + cpp_name(form.accumulator);
    for (const plan::KeptValue& value : form.kept)
      text += ", " + cpp_type(value.type) + " " + cpp_name(value.symbol);
    return text;
  }

  /// `expand_mixed(out_edges(graph), v, tile.active, keep(x), `
  std::string shared_call(const KernelStmt& loop, const std::string& verb) const {
    std::string kept;
    for (const plan::KeptValue& value : loop.shared->kept)
      kept += (kept.empty() ? "" : ", ") + cpp_name(value.symbol);
    const bool donated = loop.shared->way == plan::Sharing::Grid;
    return verb + "(" + (donated ? donations_ + ", " : "") + edges_text(loop) + ", " +
           cpp_name(kernel_->vertex) + ", " + mask_ + ", keep(" + kept + "), ";
  }
  static std::string edges_text(const KernelStmt& loop) {
    return edges_name(loop) + "(graph" + slots_text(loop) + ")";
  }

  /// Of the values that the loop's ballots compare.
  std::string ballot_type(const KernelStmt& loop) const {
    return cpp_type(plan_.find_buffer(loop.buffer)->type);
  }

  /// The function of an edge gives its vote.
  void elect(const KernelStmt& loop) {
    const plan::SharedEdges& form = *loop.shared;
    const bool elects = *form.ballots == KernelOp::Vote;
    const std::string found = fresh(form.accumulator + "_found");
    out_.open("const " + (elects ? "Winner<" + ballot_type(loop) + ">" : "Different") + " " +
              found + " = " + shared_call(loop, elects ? "most_frequent" : "different_values") +
              cpp_name(loop.buffer) + ", [&](" + edge_parameters(loop) + ")");
    name_columns(loop);
    votes_into_ = cpp_name(form.accumulator);
    block(loop.body);
    out_.close(");");
    out_.line("if (" + mask_ + ") " + (elects ? "elect" : "count_different") + "(" + found + ", " +
              cpp_name(form.accumulator) + ");");
  }

  void expand(const KernelStmt& loop) {
    out_.open(shared_call(loop, "expand_" + way(loop.shared->way)) + "[&](" +
              edge_parameters(loop) + ")");
    name_columns(loop);
    block(loop.body);
    out_.close(");");
  }

  /// The function of an edge says whether further edges can matter.
  void gather(const KernelStmt& loop) {
    const plan::SharedEdges& form = *loop.shared;
    const std::string found = fresh(form.accumulator + "_found");
    const std::string empty = empty_text(loop);
    const std::string combine =
        operator_object(form.combine, cpp_type(form.accumulator_type), empty);
    out_.open("const " + cpp_type(form.accumulator_type) + " " + found + " = " +
              shared_call(loop, (form.leaves ? "search_" : "gather_") + way(form.way)) + combine +
              ", " + empty + ", [&](" + edge_parameters(loop) + ")");
    name_columns(loop);
    leave_edges_ = "return false;";
    gathered_ = form.accumulator;
    block(loop.body);
    leave_edges_ = "break;";
    gathered_.clear();
    if (loop.body.empty() || loop.body.back()->op != KernelOp::LeaveEdges)
      out_.line("return true;");
    out_.close(");");
    const std::string fold = "accumulate_" + combine_suffix(form.combine) + "(" +
                             cpp_name(form.accumulator) + ", " + found +
                             (form.combine == ir::Combine::Any ? ", " + empty : "") + ")";
    out_.line("if (" + mask_ + ") " + fold + ";");
  }

  /// What a fold of no edges gives.
  static std::string empty_text(const KernelStmt& loop) {
    const plan::SharedEdges& form = *loop.shared;
    std::string text;
    if (form.combine == ir::Combine::Any)
      plan::walk_statements(loop.body, [&](const KernelStmt& stmt) {
        if (stmt.op == KernelOp::Accumulate && stmt.symbol == form.accumulator)
          text = expr_text(*stmt.identity);
      });
    return text.empty() ? identity_text(form.combine, form.accumulator_type) : text;
  }

  static std::string way(plan::Sharing sharing) {
    switch (sharing) {
      case plan::Sharing::Warp:
        return "by_warp";
      case plan::Sharing::Block:
        return "by_block";
      case plan::Sharing::Mixed:
        return "mixed";
      case plan::Sharing::Edge:
        return "by_edge";
      case plan::Sharing::Auto:
        return "auto";
      case plan::Sharing::AutoAll:
        return "auto_all";
      case plan::Sharing::Grid:
        return "grid";
      case plan::Sharing::Rows:
        return "rows";
    }
    return "";
  }

  const plan::Kernel* kernel_ = nullptr;
  std::string grid_part_;  // of a reduction that is a part: its last argument
  std::string mask_;       // of the threads that have a vertex here
  std::string donations_;  // what the kernel's blocks offer each other; empty: nothing
  std::unordered_set<std::string> names_;                 // of the kernel's parameters and locals
  std::unordered_map<std::string, std::string> derived_;  // "active_list" -> a name of its own
};

}  // namespace

bool goes_through_rows(const plan::Kernel& kernel) { return shares(kernel, plan::Sharing::Rows); }

bool donates_lists(const plan::Kernel& kernel) { return shares(kernel, plan::Sharing::Grid); }

void print_cuda_kernels(Writer& out, const plan::Plan& plan, const EmitOptions& options) {
  CudaKernelPrinter printer(out, plan, options);
  for (const plan::Kernel& kernel : plan.kernels) printer.print(kernel);
  for (const plan::PhasePlan& phase : plan.phases)
    if (phase.loop) FusedSteps(plan, phase).print_kernel(out);
  for (const RoundsCode& rounds : rounds_of(plan)) rounds.print_kernel(out);
}

}  // namespace vertigo::compiler::emit
