#include "compiler/passes/toplan/AskAgain.h"

#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::toplan {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using plan::Block;

namespace {

const Expr* part_of(const Expr& reduction, std::size_t place) {
  return place < reduction.operands.size() ? reduction.operands[place].get() : nullptr;
}

bool reads_vertices_alone(const Expr& reduction) {
  for (const std::size_t place : {0U, 1U}) {
    const Expr* const part = part_of(reduction, place);
    if (part != nullptr && passes::has_node(*part, [](const Expr& node) {
          return node.op == Op::EdgeAttribute || node.op == Op::CommonNeighbours ||
                 node.op == Op::ReduceNeighbours || node.op == Op::ReduceCommon ||
                 node.op == Op::Inbox;
        }))
      return false;
  }
  return true;
}

/// The reduction that one neighbour settles, so that the conjunct does not hold; null: none.
const Expr* failed_by_one(const Expr& conjunct) {
  const bool negated = conjunct.op == Op::Not;
  const Expr& reduction = negated ? *conjunct.operands[0] : conjunct;
  const bool settles = reduction.op == Op::ReduceNeighbours &&
                       reduction.reduction == (negated ? ir::Reduction::Any : ir::Reduction::All);
  return settles && reads_vertices_alone(reduction) ? &reduction : nullptr;
}

/// What the neighbour that is in the way is like.
ExprPtr objection(const Expr& reduction) {
  ExprPtr value = reduction.operands[0]->clone();
  if (reduction.reduction == ir::Reduction::All) value = negated(std::move(value));
  const Expr* const chosen = part_of(reduction, 1);
  return chosen == nullptr ? std::move(value) : ir::both(chosen->clone(), std::move(value));
}

ExprPtr nobody() {
  auto none = std::make_unique<Expr>();
  none->op = Op::NoVertex;
  none->type = ir::ScalarKind::Vertex;
  return none;
}

class Question {
 public:
  Question(PhaseKernels& kernels, const Expr& reduction, ExprLowering& lowering,
           const std::string& v)
      : kernels_(kernels),
        reduction_(reduction),
        lowering_(lowering),
        v_(v),
        objection_(objection(reduction)),
        remembered_(kernels.context().remembered(kernels.phase().name)),
        found_(lowering.names().fresh("objector")) {}

  Block& run(Block& block) {
    forget_at_first();
    add(block, accumulator(found_, nobody()));
    ask_remembered(block);
    search(add(block, when(holds(Op::Equal, found(), nobody()))).body);
    return add(block, when(holds(Op::Equal, found(), nobody()))).body;
  }

 private:
  void forget_at_first() {
    kernels_.context().launch_after_initialization(launch(kernels_.kernel("forget_neighbours", [&] {
      plan::Kernel kernel =
          kernels_.frame("Nobody has been in anybody's way.", plan::Domain::AllVertices);
      LocalNames names(kernels_.context());
      kernel.vertex = names.fresh(kernel.vertex);
      add(kernel.body, store(remembered_, kernel.vertex, nobody()));
      return kernel;
    })));
  }

  void ask_remembered(Block& block) {
    const std::string before = lowering_.names().fresh("objector_before");
    add(block, let(before, load(remembered_, ir::ScalarKind::Vertex, v_)));
    Block& known = add(block, when(holds(Op::NotEqual, vertex(before), nobody()))).body;
    kernels_.count_edge(known);
    note(known, before);
  }

  void search(Block& block) {
    const std::string u = lowering_.names().fresh(reduction_.symbol);
    if (reduction_.direction != ir::EdgeDirection::Out)
      kernels_.context().plan().needs_transpose = true;
    plan::KernelStmt& loop = add(block, for_edges(v_, reduction_.direction, u));
    loop.location = reduction_.location;
    loop.once_if_symmetric = reduction_.direction == ir::EdgeDirection::Both;
    kernels_.count_edge(loop.body);
    Block& inside = note(loop.body, u);
    add(inside, when(holds(Op::NotEqual, found(), nobody()))).body.push_back(leave_edges());
    add(block, store(remembered_, v_, found()));
  }

  /// Whether `u` is in the way; the block where it is.
  Block& note(Block& block, const std::string& u) {
    lowering_.bindings().vertices[reduction_.symbol] = u;
    ExprPtr test = lowering_.lower(*objection_, block);
    lowering_.bindings().vertices.erase(reduction_.symbol);
    Block& inside = add(block, when(std::move(test))).body;
    plan::KernelStmt& noted = add(inside, accumulate(found_, ir::Combine::Any, vertex(u)));
    noted.type = ir::ScalarKind::Vertex;
    noted.identity = nobody();
    return inside;
  }

  ExprPtr found() const { return local(found_, ir::ScalarKind::Vertex); }

  PhaseKernels& kernels_;
  const Expr& reduction_;
  ExprLowering& lowering_;
  const std::string& v_;
  const ExprPtr objection_;
  const std::string remembered_;
  const std::string found_;
};

}  // namespace

std::optional<AskedAgain> find_asked_again(const Expr& condition) {
  AskedAgain result;
  for (const Expr* part : passes::conjuncts(condition)) {
    const Expr* const reduction = result.reduction == nullptr ? failed_by_one(*part) : nullptr;
    if (reduction != nullptr)
      result.reduction = reduction;
    else
      result.others =
          result.others ? ir::both(std::move(result.others), part->clone()) : part->clone();
  }
  if (result.reduction == nullptr) return std::nullopt;
  return result;
}

Block& ask_again(PhaseKernels& kernels, const Expr& reduction, ExprLowering& lowering,
                 const std::string& v, Block& block) {
  return Question(kernels, reduction, lowering, v).run(block);
}

}  // namespace vertigo::compiler::toplan
