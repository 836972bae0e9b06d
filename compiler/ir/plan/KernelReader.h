#pragma once
// The kernels of textual Plan IR, and their statements.

#include "compiler/ir/plan/HostReader.h"

namespace vertigo::plan {

class KernelReader {
 public:
  KernelReader(ir::TokenStream& tokens, ir::ExprReader& exprs, HostReader& host)
      : tokens_(tokens), exprs_(exprs), host_(host) {}

  /// After "kernel".
  Kernel read();
  Block read_block();
  ir::Combine read_combine();

 private:
  void read_domain(Kernel& kernel);
  KernelStmtPtr read_stmt();
  void read_head(KernelStmt& stmt);
  void read_operands(KernelStmt& stmt);
  SharedEdges read_shared();

  ir::TokenStream& tokens_;
  ir::ExprReader& exprs_;
  HostReader& host_;
};

}  // namespace vertigo::plan
