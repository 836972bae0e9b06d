#pragma once
// What emitted host code of every target needs beyond program.h: small conversions between the
// program's own types and those of the boundary.

#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vertigo/core/packed_text.h"
#include "vertigo/execute/phase_run.h"
#include "vertigo/host/program.h"

namespace vertigo::host {

/// The text that the build linked in, or "" where the file was compiled by itself.
inline std::string_view text_of(const char* source) {
  return source == nullptr ? std::string_view() : std::string_view(source);
}

/// A scalar result.
template <class T>
inline void report(RunResult& result, const char* name, ScalarKind kind, T value) {
  Value& stored = result.reports[name];
  stored.kind = kind;
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, Wide64>)
    stored.data = value;
  else if constexpr (std::is_floating_point_v<T>)
    stored.data = static_cast<double>(value);
  else if constexpr (std::is_signed_v<T>)
    stored.data = static_cast<std::int64_t>(value);
  else
    stored.data = static_cast<std::uint64_t>(value);
}

/// One phase of the summary; those that did not run are left out.
inline void add_phase(RunResult& result, const execute::PhaseTotals& totals) {
  if (!totals.ran) return;
  result.converged = result.converged && totals.converged;
  result.phases.push_back({.phase = std::string(totals.phase),
                           .schedule = std::string(totals.variant),
                           .reason = totals.reason,
                           .steps = totals.steps,
                           .edges = totals.edges,
                           .active_vertices = totals.active_vertices});
}

/// One column per element of `stride` bytes-wide records; each element lies `offsets` bytes behind
/// the beginning of its record.
void add_record_columns(std::vector<Column>& columns, const char* state,
                        std::initializer_list<ScalarKind> kinds,
                        std::span<const std::size_t> offsets, const void* records,
                        std::size_t count, std::size_t stride);

}  // namespace vertigo::host
