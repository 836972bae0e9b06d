#pragma once
// Resolves the phases of a program.

#include "messages.h"

namespace vertigo::reference {

/// The states of a run, one allocation per element.
class StateStorage {
 public:
  /// Allocates every state, binds it in the resolver and computes its initial values, in the order
  /// of declaration; vertex inputs come from the arguments where they are given.
  explicit StateStorage(Context& context);
  StateStorage(const StateStorage&) = delete;

  /// A second copy of the state that a phase writes to while neighbours read the first.
  std::vector<ColumnRef> shadow(const std::string& name);
  /// The same of an edge state.
  ColumnRef edge_shadow(const std::string& name);
  /// Moves the columns out: outputs first, in their order, then the rest.
  std::vector<Column> take_columns();

 private:
  struct Entry {
    ir::Type type;
    std::vector<std::vector<std::byte>> columns, shadow;
  };
  struct EdgeEntry {
    ScalarKind kind = ScalarKind::Int32;
    std::vector<std::byte> column, shadow;
  };
  void initialise(Context& context, const ir::State& state, Entry& entry);
  void initialise(Context& context, const ir::EdgeState& state);

  const ir::Program& program_;
  Vertex vertex_count_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, EdgeEntry> edge_entries_;
};

/// The code of one phase. Host variables that it reads must be bound.
PhaseCode resolve_phase(Context& context, StateStorage& states, MessageTables& messages,
                        const ir::Phase& phase);

}  // namespace vertigo::reference
