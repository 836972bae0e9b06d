#pragma once
// Kernels as C++. The statements are printed here, the same for every target; a target says how a
// kernel, its domain and an edge loop begin and end.

#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/KernelArguments.h"
#include "compiler/emit/common/SourceLines.h"
#include "compiler/emit/common/Writer.h"

namespace vertigo::compiler::emit {

class KernelPrinter {
 public:
  KernelPrinter(Writer& out, const plan::Plan& plan, const EmitOptions& options)
      : out_(out), plan_(plan), options_(options), source_(options.source_text) {}
  virtual ~KernelPrinter() = default;

  void print(const plan::Kernel& kernel);

 protected:
  /// Opens the function and whatever runs its body for every vertex of the domain.
  virtual void open_kernel(const plan::Kernel& kernel) = 0;
  virtual void close_kernel(const plan::Kernel& kernel) = 0;
  /// What threads go through together, by default as if each were alone.
  virtual void edges(const plan::KernelStmt& loop);
  virtual void branch(const plan::KernelStmt& stmt);
  void store(const plan::KernelStmt& stmt);
  virtual void alone(const plan::KernelStmt& stmt) { block(stmt.body); }

  void statement(const plan::KernelStmt& stmt);
  void block(const plan::Block& block);
  /// What a thread keeps of messages while their receiver stays the same.
  void declare_held(const plan::Kernel& kernel);
  /// `name(first, second, …)` over several lines where one is too short.
  void open_function(const std::string& head, const std::vector<std::string>& parameters);

  /// `for …` range of the loop's edges, "out_edges" and the like.
  static std::string edges_name(const plan::KernelStmt& loop);
  /// What stands behind the graph where the loop asks for more than ends: ", slots".
  static std::string slots_text(const plan::KernelStmt& loop);
  /// Names what the body reads of the record that the edge comes with, if that is a record.
  void name_columns(const plan::KernelStmt& loop);

  Writer& out_;
  const plan::Plan& plan_;
  const EmitOptions& options_;
  std::string leave_edges_ = "break;";
  /// The accumulator whose part a thread folds for itself: what it changes is asked later.
  std::string gathered_;
  /// What the threads that share a loop vote into; "": the ballots of the loop.
  std::string votes_into_;

 private:
  void open_edges(const plan::KernelStmt& loop);
  void declaration(const plan::KernelStmt& stmt);
  void combine_into(const plan::KernelStmt& stmt);
  /// `call;`, or `if (call) { body }`.
  void call_then_body(const std::string& call, const plan::KernelStmt& stmt);
  /// The value that a statement combines, as its operator takes it.
  std::string combined_text(const plan::KernelStmt& stmt) const;
  std::string combine_call(const plan::KernelStmt& stmt, const std::string& prefix,
                           const std::string& slot, const std::string& suffix) const;

  SourceLines source_;
  std::unordered_map<const plan::KernelStmt*, std::string> held_;  ///< of the kernel
};

/// As a count: 64 bits, unsigned.
std::string count_text(const ir::Expr& expr);

/// Of a kernel over a sample: which of the largest samples its threshold becomes.
std::string rank_text(const plan::Kernel& kernel);

/// "min", "sum", …, "with" for a function of the program.
std::string combine_suffix(ir::Combine combine);

}  // namespace vertigo::compiler::emit
