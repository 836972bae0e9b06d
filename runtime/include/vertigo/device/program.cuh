#pragma once
// How a generated CUDA file introduces itself: host::ProgramInfo spelled without the standard
// library, whose headers would double the time that nvcc takes. The library turns it into what the
// command line reads (vertigo/host/program.h, where every field is explained).

#include <initializer_list>

#include "vertigo/core/scalar.h"

namespace vertigo::gpu {

class Session;

template <class T>
using ListOf = std::initializer_list<T>;

struct ParameterInfo {
  const char* name;
  ScalarKind kind;
  bool is_list = false;
  const char* default_text = "";
};

struct VertexInputInfo {
  const char* name;
  ScalarKind kind;
  const char* default_text = "";
};

struct EdgeAttributeInfo {
  const char* name;
  ScalarKind kind;
  const char* default_text = "";
};

/// One entry per element of the state's type.
struct Kinds {
  static constexpr unsigned kMost = 16;
  ScalarKind kinds[kMost] = {};
  unsigned count = 0;

  constexpr Kinds(ListOf<ScalarKind> list) {
    for (const ScalarKind kind : list) kinds[count++] = kind;
  }
};

struct OutputInfo {
  const char* state;
  Kinds kinds;
  double tolerance = 0;
};

struct ReportInfo {
  const char* name;
  ScalarKind kind;
};

struct RequirementInfo {
  enum class Kind : std::uint8_t { Symmetric, NonNegativeWeights, NoDuplicates } kind;
  const char* reason;
  const char* attribute = "";  ///< of NonNegativeWeights: which of ProgramTables::edge_columns
};

struct PhaseInfo {
  const char* name;
  unsigned first_variant;  ///< index into ProgramTables::variants
  unsigned variant_count;
  unsigned preferred;  ///< counted from first_variant
};

struct VariantInfo {
  const char* name;
  const char* reason;
  bool deterministic = true;       ///< no floating sum depends on the order of threads
  bool prepares = false;           ///< its kernels need something that is made of the graph first
  bool balanced_by_graph = false;  ///< its kernels follow --balance
  bool non_negative = false;       ///< only for graphs without a negative weight
  bool symmetric = false;          ///< only for symmetric graphs
  bool no_duplicates = false;      ///< only for graphs without parallel edges
  const char* parts = "whole";     ///< or "none", "out", "in", "both": host::EdgeParts
  const char* colours = "";        ///< host::VariantInfo::colours
};

struct ProgramTables {
  const char* name;
  const char* source_file;
  const char* compiler_version;
  const char* options;
  const char* program_ir;  ///< packed (vertigo/core/packed_text.h), as the plan
  const char* plan;
  ListOf<ParameterInfo> parameters;
  ListOf<VertexInputInfo> vertex_inputs;
  ListOf<EdgeAttributeInfo> edge;               ///< at most one
  ListOf<EdgeAttributeInfo> edge_columns = {};  ///< host::ProgramInfo::edge_columns
  ListOf<OutputInfo> outputs;
  ListOf<ReportInfo> reports;
  ListOf<RequirementInfo> requirements;
  ListOf<PhaseInfo> phases;
  ListOf<VariantInfo> variants;  ///< of all phases, one after the other
  bool needs_transpose = false;
  bool all_schedules = false;     ///< every legal variant is compiled
  const char* prepare = "auto";   ///< or "always", "never"
  const char* transfer = "auto";  ///< or "resident", "zero-copy", "filter", "compaction"
};

/// Introduces the program of this binary before main begins.
class Registration {
 public:
  /// `architectures`: the compute capabilities that the file is compiled for (900: 9.0), ascending;
  /// the last one also as PTX.
  Registration(const ProgramTables& info, void (*run)(Session&), ListOf<int> architectures);
};

}  // namespace vertigo::gpu
