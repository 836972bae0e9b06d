#pragma once
// Where a program reads and writes what a loop of the host level is about, looked up once; and what
// a state holds where the loop begins.

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

class RelaxationPlaces {
 public:
  /// In the order of the text.
  using Place = std::size_t;
  static constexpr Place kNowhere = std::numeric_limits<Place>::max();

  /// Statements of the host level that read, or run a phase that does.
  struct Uses {
    std::size_t number = 0;
    Place first = kNowhere;
  };

  /// Statements that are taken out of the program must outlive this.
  explicit RelaxationPlaces(const ir::Program& program);

  Place of(const ir::Stmt& stmt) const { return places_.at(&stmt); }
  /// Whether the statement stood in the program then.
  bool knows(const ir::Stmt& stmt) const { return places_.contains(&stmt); }
  std::size_t runs_of(const std::string& phase) const;
  Uses readers_of_state(const std::string& state) const { return find(state_readers_, state); }
  Uses readers_of_variable(const std::string& name) const { return find(host_readers_, name); }
  Uses writers_of(const std::string& state) const { return find(state_writers_, state); }
  /// Whether a result, or the initial value of another state.
  bool is_output(const std::string& state) const { return outputs_.contains(state); }
  bool read_by_initials(const std::string& state) const { return initials_.contains(state); }
  /// The same of the statements of a loop, and of its condition.
  std::size_t readers_within(const ir::Stmt& loop, const std::string& name, bool is_state) const;

 private:
  struct Read {
    std::set<std::string> states, variables;
  };

  void number(const std::vector<ir::StmtPtr>& body);
  Read read_by(const ir::Stmt& stmt) const;
  static Uses find(const std::map<std::string, Uses>& uses, const std::string& name);

  std::map<const ir::Stmt*, Place> places_;
  std::map<std::string, Read> phases_;
  std::map<std::string, std::set<std::string>> written_;  // by a phase
  std::map<std::string, std::size_t> runs_;
  std::map<std::string, Uses> state_readers_, host_readers_, state_writers_;
  std::set<std::string> outputs_, initials_;
};

/// What all vertices hold in a state where a statement begins.
struct KnownBeginning {
  /// Over `kOwn`, of what nobody changes until then; null where it is not known.
  ir::ExprPtr value;
  /// Updates right before the statement that give the state its value and do nothing else, by
  /// their place in the list, the last one first.
  std::vector<std::size_t> updates;
  /// Nothing but `updates` has written the state, and nobody has read it, since the program began.
  bool is_first_use = false;
};

/// Of statement number `which` of `body`, which stands in a loop where `in_loop`.
KnownBeginning find_beginning(const ir::Program& program, const RelaxationPlaces& places,
                              const std::vector<ir::StmtPtr>& body, std::size_t which, bool in_loop,
                              const std::string& state);

}  // namespace vertigo::compiler::passes
