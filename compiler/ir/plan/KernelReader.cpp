#include "compiler/ir/plan/KernelReader.h"

#include "compiler/ir/program/Spelling.h"

namespace vertigo::plan {

Kernel KernelReader::read() {
  Kernel kernel;
  kernel.name = tokens_.expect_name("the name of a kernel");
  tokens_.expect_word("over");
  read_domain(kernel);
  tokens_.expect_word("as");
  kernel.vertex = tokens_.expect_name("the name of the vertex");
  if (kernel.domain == Domain::Part && tokens_.take_word("with")) kernel.start = exprs_.read();
  tokens_.expect_word("balance");
  kernel.balance = read_one_of(tokens_, kBalances,
                               "'thread', 'warp', 'block', 'mixed', 'edge', 'sorted' or 'auto'");
  if (tokens_.take_word("by")) kernel.order = tokens_.expect_name("an order");
  kernel.at_ends = tokens_.take_word("at_ends");
  kernel.together = tokens_.take_word("together");
  if (tokens_.take_word("called_by"))
    kernel.called_by = read_one_of(tokens_, kCallers, "'host', 'loop' or 'both'");
  if (tokens_.take_word("takes")) kernel.takes = host_.read_arguments();
  kernel.comment = host_.read_because();
  kernel.location = host_.read_location();
  kernel.body = read_block();
  return kernel;
}

void KernelReader::read_domain(Kernel& kernel) {
  if (tokens_.take_word("worklist")) {
    kernel.domain = Domain::Worklist;
    kernel.list = tokens_.expect_name("a worklist");
  } else if (tokens_.take_word("slice")) {
    kernel.domain = Domain::Worklist;
    kernel.start = exprs_.read();
    tokens_.expect_word("of");
    kernel.list = tokens_.expect_name("a sorted buffer");
  } else if (tokens_.take_word("sample")) {
    kernel.domain = Domain::Sample;
    kernel.list = tokens_.expect_name("a worklist");
    tokens_.expect_word("from");
    kernel.start = exprs_.read();
  } else if (tokens_.take_word("part") || tokens_.peek().text == "rest") {
    kernel.domain = tokens_.take_word("rest") ? Domain::Rest : Domain::Part;
    tokens_.expect_word("of");
    kernel.list = tokens_.expect_name("a buffer of parts");
  } else if (tokens_.take_word("vertex")) {
    kernel.domain = Domain::OneVertex;
    kernel.start = exprs_.read();
  } else if (tokens_.take_word("list")) {
    kernel.domain = Domain::VertexList;
    tokens_.expect_mark("$");
    kernel.list = tokens_.expect_name("a parameter");
  } else {
    tokens_.expect_word("all");
  }
}

Block KernelReader::read_block() {
  tokens_.expect_mark("{");
  const ir::NestingGuard guard(exprs_.depth(), tokens_);
  Block block;
  while (!tokens_.take_mark("}")) block.push_back(read_stmt());
  return block;
}

KernelStmtPtr KernelReader::read_stmt() {
  auto stmt = std::make_unique<KernelStmt>();
  stmt->op = read_one_of(tokens_, kKernelOps, "a statement of a kernel");
  read_head(*stmt);
  read_operands(*stmt);
  stmt->location = host_.read_location();
  if (tokens_.take_mark(";")) return stmt;
  stmt->body = read_block();
  if (tokens_.take_word("else")) stmt->otherwise = read_block();
  return stmt;
}

void KernelReader::read_head(KernelStmt& stmt) {
  switch (stmt.op) {
    case KernelOp::Let:
    case KernelOp::Accumulator:
    case KernelOp::Accumulate:
    case KernelOp::Take:
    case KernelOp::ForMessages:
    case KernelOp::Vote:
    case KernelOp::Distinguish:
      stmt.symbol = tokens_.expect_name("a name");
      return;
    case KernelOp::If:
      stmt.value = exprs_.read();
      return;
    case KernelOp::ForEdges: {
      stmt.symbol = tokens_.expect_name("the name of the neighbour");
      stmt.direction = host_.read_direction();
      tokens_.expect_mark("(");
      stmt.vertex = tokens_.expect_name("the name of a vertex");
      tokens_.expect_mark(")");
      if (tokens_.take_word("place")) stmt.slot = tokens_.expect_name("the name of a place");
      if (tokens_.take_word("slot")) {
        stmt.slot = tokens_.expect_name("the name of a slot");
        tokens_.expect_word("in");
        stmt.slots = tokens_.expect_name("a buffer of slots");
      }
      if (tokens_.take_word("hubs")) stmt.hubs = tokens_.expect_name("a buffer of hubs");
      return;
    }
    default:
      return;
  }
}

void KernelReader::read_operands(KernelStmt& stmt) {
  if (tokens_.take_word("at")) stmt.buffer = tokens_.expect_name("the name of a buffer");
  if (tokens_.take_mark("[")) {
    stmt.index = exprs_.read();
    tokens_.expect_mark("]");
  }
  if (tokens_.take_mark(":")) stmt.type = exprs_.read_type();
  if (tokens_.take_word("by")) {
    stmt.combine = read_combine();
    if (stmt.combine == ir::Combine::Function) stmt.function = tokens_.expect_name("a function");
  }
  if (tokens_.take_mark("=")) stmt.value = exprs_.read();
  if (tokens_.take_word(stmt.op == KernelOp::Uncount ? "before" : "identity"))
    stmt.identity = exprs_.read();
  if (tokens_.take_word("changed")) stmt.changed = tokens_.expect_name("a name");
  stmt.atomic = tokens_.take_word("atomic");
  stmt.joined = tokens_.take_word("joined");
  stmt.once_if_symmetric = tokens_.take_word("once_if_symmetric");
  stmt.outlives = tokens_.take_word("outlives");
  stmt.together = tokens_.take_word("together");
  if (tokens_.take_word("shared")) stmt.shared = read_shared();
}

ir::Combine KernelReader::read_combine() {
  const auto combine = ir::find_combine(tokens_.peek().text);
  if (!combine) tokens_.fail_expected("a combine operator");
  tokens_.take();
  return *combine;
}

// After "shared".
SharedEdges KernelReader::read_shared() {
  SharedEdges edges;
  edges.way = read_one_of(tokens_, kSharings, "how edges are shared");
  if (tokens_.take_word("into")) {
    edges.accumulator = tokens_.expect_name("an accumulator");
    tokens_.expect_mark(":");
    edges.accumulator_type = exprs_.read_type();
    tokens_.expect_word("by");
    if (tokens_.take_word("votes"))
      edges.ballots = KernelOp::Vote;
    else if (tokens_.take_word("distinct"))
      edges.ballots = KernelOp::Distinguish;
    else
      edges.combine = read_combine();
    edges.leaves = tokens_.take_word("until_settled");
  }
  if (!tokens_.take_word("keeps")) return edges;
  do {
    KeptValue value;
    value.symbol = tokens_.expect_name("a local");
    tokens_.expect_mark(":");
    value.type = exprs_.read_type();
    edges.kept.push_back(std::move(value));
  } while (tokens_.take_mark(","));
  return edges;
}

}  // namespace vertigo::plan
