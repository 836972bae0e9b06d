#include "compiler/passes/toplan/KeepCounts.h"

#include <utility>

#include "compiler/passes/toplan/LowerExpr.h"
#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

ExprPtr edge_at_hand() {
  auto place = std::make_unique<ir::Expr>();
  place->op = Op::EdgeAtHand;
  place->type = ir::ScalarKind::UInt64;
  return place;
}

/// A kernel over all edges, from each of their ends.
class EdgeKernel {
 public:
  EdgeKernel(KernelContext& context, const std::string& comment)
      : context_(context), names_(context) {
    kernel_.comment = comment;
    kernel_.balance = plan::Balance::Auto;
    kernel_.vertex = names_.fresh("u");
    other_ = names_.fresh("v");
    loop_ = &add(kernel_.body, for_edges(kernel_.vertex, ir::EdgeDirection::Out, other_));
    place_ = name_places(context, names_, *loop_);
  }

  Block& body() { return loop_->body; }
  Block& at_first_end() {
    return add(body(), when(holds(Op::LessEqual, vertex(kernel_.vertex), vertex(other_)))).body;
  }
  const std::string& own() const { return kernel_.vertex; }
  const std::string& other() const { return other_; }
  ExprPtr place() const { return local(place_, ir::ScalarKind::UInt64); }
  /// Whether the edge at hand is chosen, as its states are now; or the one that is asked about.
  ExprPtr is_chosen(Block& before, bool asked_about = false) {
    Bindings bound;
    bound.own = kernel_.vertex;
    bound.edge_from = kernel_.vertex;
    bound.edge_to = other_;
    bound.edge_place = place_;
    bound.chooses = asked_about;
    return ExprLowering(context_, names_, std::move(bound))
        .lower(*context_.kept_choice()->condition, before);
  }
  /// Whether the edge at hand counted, and is no longer chosen.
  ExprPtr has_fallen(Block& before) {
    ExprPtr counted = load_edge(context_.counted(), ir::ScalarKind::Bool, place());
    return both(std::move(counted), negated(is_chosen(before)));
  }
  plan::Kernel take(const std::string& name) {
    settle_places(*loop_, place_);
    kernel_.name = name;
    return std::move(kernel_);
  }

 private:
  KernelContext& context_;
  LocalNames names_;
  plan::Kernel kernel_;
  plan::KernelStmt* loop_ = nullptr;
  std::string other_;
  std::string place_;
};

plan::Kernel counting(KernelContext& context) {
  EdgeKernel edges(context,
                   "Counts for every edge, from the end that comes first, the neighbours "
                   "that its ends share over edges that count.");
  add(edges.body(), store_edge(context.counted(), edges.place(), edges.is_chosen(edges.body())));
  Block& first = edges.at_first_end();
  auto shared = std::make_unique<ir::Expr>();
  shared->op = Op::CommonNeighbours;
  shared->type = ir::ScalarKind::Int64;
  shared->operands.push_back(vertex(edges.own()));
  shared->operands.push_back(vertex(edges.other()));
  shared->operands.push_back(edges.is_chosen(first, true));
  add(first, store_edge(context.kept_counts(), edges.place(),
                        unary(Op::Cast, std::move(shared), ir::ScalarKind::Int32)));
  return edges.take("count_common");
}

plan::Kernel uncounting(KernelContext& context) {
  EdgeKernel edges(context,
                   "Takes the triangles of edges that fell out of the numbers of the edges "
                   "that are left; several fall at once, so atomics.");
  Block& first = edges.at_first_end();
  Block& fallen = add(first, when(edges.has_fallen(first))).body;
  plan::KernelStmtPtr uncount = store_edge(
      context.kept_counts(), edge_place(edges.own(), edges.other()), edges.is_chosen(fallen, true));
  uncount->op = plan::KernelOp::Uncount;
  uncount->identity = load_edge(context.counted(), ir::ScalarKind::Bool, edge_at_hand());
  add(fallen, std::move(uncount));
  return edges.take("uncount_fallen");
}

plan::Kernel noting(KernelContext& context) {
  EdgeKernel edges(context, "Notes which edges no longer count.");
  Block& fallen = add(edges.body(), when(edges.has_fallen(edges.body()))).body;
  add(fallen, store_edge(context.counted(), edges.place(), boolean(false)));
  return edges.take("note_fallen");
}

}  // namespace

plan::Action count_common(KernelContext& context) {
  return launch(context.kernel("count_common", [&] { return counting(context); }));
}

std::vector<plan::Action> uncount_fallen(KernelContext& context) {
  return {launch(context.kernel("uncount_fallen", [&] { return uncounting(context); })),
          launch(context.kernel("note_fallen", [&] { return noting(context); }))};
}

}  // namespace vertigo::compiler::toplan
