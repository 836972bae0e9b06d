#include "compiler/emit/cuda/Appending.h"

namespace vertigo::compiler::emit {

using plan::KernelOp;
using plan::KernelStmt;

namespace {

/// What a kernel appends to a list.
struct Appended {
  bool own = false;        ///< its own vertex, outside loops over edges
  bool together = false;   ///< in a loop over edges that a block goes through together
  bool any_other = false;  ///< what is not its own
};

void note_appended(const plan::Block& block, const std::string& list, const std::string& own,
                   const KernelStmt* edges, Appended& appended) {
  for (const auto& stmt : block) {
    if (stmt->op == KernelOp::Append && stmt->buffer == list) {
      const bool is_own =
          edges == nullptr && stmt->value->op == ir::Op::BoundVertex && stmt->value->vertex == own;
      (is_own ? appended.own : appended.any_other) = true;
      if (edges != nullptr && edges->shared) appended.together = true;
    }
    const KernelStmt* const inside = stmt->op == KernelOp::ForEdges ? stmt.get() : edges;
    note_appended(stmt->body, list, own, inside, appended);
    note_appended(stmt->otherwise, list, own, inside, appended);
  }
}

bool visits_many(const plan::Kernel& kernel) {
  switch (kernel.domain) {
    case plan::Domain::AllVertices:
    case plan::Domain::Worklist:
    case plan::Domain::Part:
    case plan::Domain::Rest:
      return true;
    default:
      return false;
  }
}

}  // namespace

Appending appending_of(const plan::Plan& plan, const plan::Kernel& kernel,
                       const plan::KernelArgument& argument) {
  if (argument.kind != plan::KernelArgument::Kind::Buffer ||
      plan.find_buffer(argument.name)->role != plan::BufferRole::Worklist)
    return Appending::AtOnce;
  // What it reads itself must be there at once.
  if (!visits_many(kernel) || argument.name == kernel.list) return Appending::AtOnce;
  Appended appended;
  note_appended(kernel.body, argument.name, kernel.vertex, nullptr, appended);
  if (appended.own && !appended.any_other) return Appending::ByWarp;
  return kernel.together && appended.together ? Appending::ByBlock : Appending::AtOnce;
}

}  // namespace vertigo::compiler::emit
