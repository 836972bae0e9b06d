#pragma once
// Short spellings for the expressions and statements that build-kernels makes.

#include <string>
#include <utility>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

// Expressions.
ir::ExprPtr local(std::string name, ir::Type type);
ir::ExprPtr vertex(std::string name);
/// buffer[at]; `relaxed`: another thread may write it meanwhile.
ir::ExprPtr load(std::string buffer, ir::Type type, const std::string& at, bool relaxed = false);
/// Where the edge between the two vertices stands in the list of the first.
ir::ExprPtr edge_place(const std::string& from, const std::string& to);
/// buffer[place] of an edge.
ir::ExprPtr load_edge(std::string buffer, ir::Type type, ir::ExprPtr place);
/// The value of the threshold.
ir::ExprPtr threshold_value(std::string threshold);
ir::ExprPtr test_bit(std::string bitmap, const std::string& at);
using ir::boolean;
ir::ExprPtr number(ir::ScalarKind kind, std::int64_t value);
ir::ExprPtr unary(ir::Op op, ir::ExprPtr operand, ir::Type type);
ir::ExprPtr binary(ir::Op op, ir::ExprPtr a, ir::ExprPtr b, ir::Type type);
/// Comparison or logical connection: the result is bool.
ir::ExprPtr holds(ir::Op op, ir::ExprPtr a, ir::ExprPtr b);
using ir::both;
/// `a || b`; a null operand stands for false.
ir::ExprPtr either(ir::ExprPtr a, ir::ExprPtr b);
/// `!a`; of a negation what it negates, of an inequality the equality.
ir::ExprPtr negated(ir::ExprPtr a);
/// Degree of `of` in the direction, as an int64.
ir::ExprPtr degree(const std::string& of, ir::EdgeDirection direction);

/// The value that a reduction of no elements has: 0, inf, the lowest value, false, true.
ir::ExprPtr empty_value(ir::Reduction reduction, const ir::Type& type);
/// What a state holds at `none`: `inf`, `none`, false.
ir::ExprPtr state_of_none(const ir::Type& type);
ir::ExprPtr lowest(const ir::Type& type);

// Statements.
plan::KernelStmtPtr let(std::string symbol, ir::ExprPtr value);
plan::KernelStmtPtr accumulator(std::string symbol, ir::ExprPtr value);
plan::KernelStmtPtr accumulate(std::string symbol, ir::Combine combine, ir::ExprPtr value);
plan::KernelStmtPtr store(std::string buffer, const std::string& at, ir::ExprPtr value,
                          bool relaxed = false);
/// buffer[place of the edge] = value.
plan::KernelStmtPtr store_edge(std::string buffer, ir::ExprPtr place, ir::ExprPtr value);
plan::KernelStmtPtr when(ir::ExprPtr condition, plan::Block body = {});
plan::KernelStmtPtr for_edges(std::string of, ir::EdgeDirection direction, std::string neighbour);
/// The messages in `buffer` for the vertex `receiver`.
plan::KernelStmtPtr for_messages(std::string buffer, std::string symbol, ir::Type type,
                                 const std::string& receiver);
plan::KernelStmtPtr append(std::string worklist, const std::string& what);
plan::KernelStmtPtr set_bit(std::string bitmap, const std::string& at);
plan::KernelStmtPtr clear_bit(std::string bitmap, const std::string& at);
plan::KernelStmtPtr raise(std::string flag);
plan::KernelStmtPtr count(std::string counter, ir::ExprPtr value);
plan::KernelStmtPtr leave_edges();
/// A vote for the value, in a loop that has ballots.
/// Of a reduction that compares values.
plan::KernelStmtPtr vote(ir::Reduction reduction, std::string result, ir::ExprPtr value);
/// A sample for the threshold; the `rank`-th largest of them is its value.
plan::KernelStmtPtr sampled(std::string threshold, std::int64_t rank, ir::ExprPtr worth);

/// Puts the statement at the end of the block and returns it.
plan::KernelStmt& add(plan::Block& block, plan::KernelStmtPtr stmt);

}  // namespace vertigo::compiler::toplan
