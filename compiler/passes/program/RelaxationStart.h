#pragma once
// How a phase begins that stands for a loop which relaxes, where it is known what the vertices
// hold: all but those that it starts hold the worst value that there is.

#include <optional>
#include <vector>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/RelaxationPlaces.h"

namespace vertigo::compiler::passes {

/// Whether `expr`, a function of the inbox, is no better than the identity where the inbox holds
/// it: `inbox + weight` stays `inf`.
bool keeps_identity(const ir::Expr& expr, const ir::Message& message);

/// Which vertices begin with something else than the worst value, of a state that begins as
/// `value`.
ir::ExprPtr begins_better(const ir::Expr& value, const ir::Expr& worst);

/// The parameter in `v == $source`, which the user must give, so that there is such a vertex; null
/// where `condition` is something else.
const ir::Expr* given_vertex(const ir::Expr& condition, const ir::Program& program);

class RelaxationStart {
 public:
  struct Found {
    ir::ExprPtr worst;
    ir::Start start;
  };

  struct Sent {
    const ir::Stmt* send;
    bool of_present;  ///< not of vertices that hold the identity
  };

  RelaxationStart(const ir::Message& message, bool falls, Surroundings around,
                  std::vector<Sent> sends)
      : message_(message), falls_(falls), around_(std::move(around)), sends_(std::move(sends)) {}

  /// Nothing where a vertex that holds the worst value might have a better one to send.
  std::optional<Found> find(const KnownBeginning& beginning) const;

 private:
  bool may_stay(const ir::Expr& worst) const;
  ir::Start start(const ir::Expr& value, const ir::Expr& worst) const;

  const ir::Message& message_;
  bool falls_;
  Surroundings around_;
  std::vector<Sent> sends_;
};

}  // namespace vertigo::compiler::passes
