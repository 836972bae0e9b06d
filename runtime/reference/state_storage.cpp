#include <algorithm>

#include "arithmetic.h"
#include "phase_code.h"
#include "vertigo/core/error.h"
#include "vertigo/core/value.h"

namespace vertigo::reference {
namespace {

std::vector<ColumnRef> references(const ir::Type& type,
                                  std::vector<std::vector<std::byte>>& columns) {
  std::vector<ColumnRef> refs;
  for (std::size_t i = 0; i < columns.size(); ++i)
    refs.push_back({columns[i].data(), type.elements[i]});
  return refs;
}

std::vector<std::vector<std::byte>> allocate(const ir::Type& type, Vertex vertex_count) {
  std::vector<std::vector<std::byte>> columns;
  // Never empty, so that a column of an empty graph has an address.
  for (const ScalarKind kind : type.elements)
    columns.emplace_back(std::max<std::size_t>(1, vertex_count * size_of(kind)));
  return columns;
}

void copy_input(const Column& input, const ColumnRef& target, Vertex vertex_count) {
  if (input.size() != vertex_count)
    throw Error(ExitCode::InputRefused, "vertex input '" + input.name + "' has " +
                                            std::to_string(input.size()) + " values for " +
                                            std::to_string(vertex_count) + " vertices");
  with_type(input.kind, [&]<class From>() {
    with_type(target.kind, [&]<class To>() {
      const auto* from = reinterpret_cast<const From*>(input.bytes.data());
      for (Vertex v = 0; v < vertex_count; ++v)
        static_cast<To*>(target.data)[v] = convert<To>(from[v]);
    });
  });
}

}  // namespace

StateStorage::StateStorage(Context& context)
    : program_(context.program), vertex_count_(context.vertex_count()) {
  for (const ir::EdgeState& state : program_.edge_states) initialise(context, state);
  for (const ir::State& state : program_.states) {
    Entry& entry = entries_[state.name];
    entry.type = state.type;
    entry.columns = allocate(state.type, vertex_count_);
    initialise(context, state, entry);
  }
}

void StateStorage::initialise(Context& context, const ir::State& state, Entry& entry) {
  const std::vector<ColumnRef> columns = references(state.type, entry.columns);
  const Column* input = state.is_input ? context.request.arguments.input(state.name) : nullptr;
  if (input != nullptr) {
    copy_input(*input, columns.at(0), vertex_count_);
  } else {
    context.resolver.push_scope();
    const unsigned self = context.resolver.bind_vertex("self");
    const Nodes initial = context.resolver.resolve_as(*state.initial, state.type);
    context.resolver.pop_scope();
    context.grow_frame();
    for (Vertex v = 0; v < vertex_count_; ++v) {
      context.frame[self] = v;
      for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i].store(v, evaluate(initial[i], context.frame));
    }
  }
  // Bound after its own initial value, which may read the states before it and not itself.
  context.resolver.bind_state(state.name, {state.type, columns, columns});
}

void StateStorage::initialise(Context& context, const ir::EdgeState& state) {
  EdgeEntry& entry = edge_entries_[state.name];
  const EdgeIndex edges = context.graph.edge_count();
  entry.kind = state.kind;
  entry.column.resize(std::max<std::size_t>(1, edges * size_of(state.kind)));
  const ColumnRef column{entry.column.data(), state.kind};
  const Word initial = context.evaluate_now(*state.initial, state.kind).front();
  for (EdgeIndex e = 0; e < edges; ++e) column.store_at(e, initial);
  context.resolver.bind_edge_state(state.name, {column, column});
}

ColumnRef StateStorage::edge_shadow(const std::string& name) {
  EdgeEntry& entry = edge_entries_.at(name);
  entry.shadow.resize(entry.column.size());
  return {entry.shadow.data(), entry.kind};
}

std::vector<ColumnRef> StateStorage::shadow(const std::string& name) {
  Entry& entry = entries_.at(name);
  if (entry.shadow.empty()) entry.shadow = allocate(entry.type, vertex_count_);
  return references(entry.type, entry.shadow);
}

std::vector<Column> StateStorage::take_columns() {
  std::vector<Column> result;
  const auto take = [&](const std::string& name) {
    Entry& entry = entries_.at(name);
    for (std::size_t i = 0; i < entry.columns.size(); ++i) {
      Column column;
      column.name = entry.type.is_tuple() ? name + "." + std::to_string(i) : name;
      column.kind = entry.type.elements[i];
      const std::vector<std::byte>& values = entry.columns[i];
      column.bytes.assign(
          values.begin(),
          values.begin() + static_cast<std::ptrdiff_t>(vertex_count_ * size_of(column.kind)));
      result.push_back(std::move(column));
    }
    entry.columns.clear();
  };
  for (const ir::Output& output : program_.outputs) take(output.state);
  for (const ir::State& state : program_.states) take(state.name);
  return result;
}

}  // namespace vertigo::reference
