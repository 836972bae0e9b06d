#pragma once
// Everything that a program generated for the CPU includes (docs/generated-primitives.md).

#include <chrono>
#include <span>
#include <string_view>

#include "vertigo/cpu/arithmetic.h"
#include "vertigo/cpu/atomics.h"
#include "vertigo/cpu/buffers.h"
#include "vertigo/cpu/frontier.h"
#include "vertigo/cpu/graph_view.h"
#include "vertigo/cpu/held.h"
#include "vertigo/cpu/intersect.h"
#include "vertigo/cpu/parallel.h"
#include "vertigo/cpu/reduce.h"
#include "vertigo/cpu/reduce_common.h"
#include "vertigo/cpu/threshold.h"
#include "vertigo/cpu/tuple.h"
#include "vertigo/execute/controlled.h"
#include "vertigo/host/generated.h"

namespace vertigo::cpu {

/// One column per element of the state.
template <class T>
inline void add_columns(std::vector<Column>& columns, const char* state,
                        std::initializer_list<ScalarKind> kinds, const VertexBuffer<T>& buffer) {
  host::add_record_columns(columns, state, kinds, ElementOffsets<T>::list(), buffer.values().data(),
                           buffer.values().size(), sizeof(T));
}

/// The user's values, where a file was given; else the initial ones stay.
template <class T>
inline void load_input(const host::RunRequest& request, const char* name, VertexBuffer<T>& buffer) {
  const Column* column = request.arguments.input(name);
  if (column == nullptr) return;
  const std::span<const T> values = column->as<T>();
  for (std::size_t i = 0; i < values.size() && i < buffer.values().size(); ++i)
    buffer.values()[i] = values[i];
}

}  // namespace vertigo::cpu
