#include "compiler/emit/common/Names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vertigo/engines/engines.h"

namespace vertigo::compiler::emit {

using ir::ScalarKind;

namespace {

// Sorted: words of C++20, names of CUDA and POSIX that are macros or types, what generated code
// calls. What it calls for an operator stands in Ops.def, and operators of engines in their
// contracts.
// clang-format off
constexpr std::array kTaken = std::to_array<std::string_view>({
    "AdjacencyView", "Along", "And", "Any", "Ballots", "BallotsBuffer", "Bitmap", "BothRanges", "ColourClasses", "Column", "Counter", "Different", "Donations", "Edge", "EdgeColumns",
    "EdgeIndex", "Error", "FewClasses", "Flag", "Graph", "GraphView", "GridPart", "Held", "LoopMemory", "Max", "MessageSlots", "Min", "NULL",
    "NoAttribute", "NoWeight", "OfBlock", "Or", "Packed", "Phase", "ProgramInfo", "ProgramTables", "Reduction",
    "RegisterTarget", "Registration", "RequirementInfo", "RoundLoop", "RoundMemory", "RoundPart", "Rounds", "Samples", "Scalar", "ScalarKind", "Session", "StepLoop",
    "Sum", "Tally", "Threshold", "Tile", "Tuple", "Value", "Vertex", "VertexList", "VertexOrder", "VertexPart",
    "Vote", "Winner", "Worklist", "Xor", "accumulate_and", "accumulate_any", "accumulate_max", "accumulate_min",
    "accumulate_or", "accumulate_sum", "accumulate_with", "accumulate_xor", "activate", "alignas",
    "alignof", "all_vertices", "allocate_buffers", "and", "and_eq", "append", "asm", "assert",
    "auto", "barrier", "begin_phase", "begin_steps", "begin_update", "better", "bitand", "bitor", "blockDim", "blockIdx", "block_parts", "bool", "both_edges",
    "both_edges_once", "both_neighbours", "both_neighbours_once", "break", "case", "catch",
    "changed_over", "char", "char16_t", "char32_t", "char8_t", "class", "clear_all", "clear_bit",
    "clear_listed", "co_await", "co_return", "co_yield", "collect_results", "collect_states", "combine_and",
    "combine_and_joined", "combine_any", "combine_any_joined", "combine_max", "combine_max_joined", "combine_min",
    "combine_min_joined", "combine_or", "combine_or_joined", "combine_sum", "combine_sum_joined", "combine_with",
    "combine_with_joined", "combine_xor", "combine_xor_joined",
    "common_neighbours", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "count_different",
    "convert", "copy", "copy_all", "count", "cpu", "current_chunk", "current_thread",
    "declare_buffers", "decltype", "default", "delete", "different_values", "do", "double", "double2",
    "double4", "dynamic_cast", "edge_at_hand", "edge_index", "edge_place", "elect", "element_offset", "else", "end_phase", "end_step",
    "end_update", "enter", "enum", "errno", "execute", "exp", "expand_auto", "expand_auto_all", "expand_by_block", "expand_by_edge",
    "expand_by_warp", "expand_grid", "expand_mixed", "explicit", "export", "extern", "false", "fill_all", "float", "float2", "float3", "float4",
    "for", "for_each_given", "for_each_left", "for_each_listed", "for_each_sampled", "for_each_vertex",
    "for_one_vertex", "friend", "gather_auto", "gather_by_block", "gather_by_warp", "gather_grid", "gather_mixed", "gather_rows", "get", "global_nanoseconds", "goto",
    "gpu", "graph", "gridDim", "hold", "host", "if", "in_degree", "in_each_block", "in_edges",
    "in_neighbours", "info", "index_in", "inline", "int", "int2", "int3", "int4", "isfinite",
    "isinf", "isnan", "kAllColours", "kBlock", "kDerivedColours", "kInfinity", "kInfo", "kLowest", "kNoLimit", "kNoVertex", "kPlan",
    "kProgramIr", "keep", "key", "launch_cooperative", "launch_part", "leave", "limit_of", "linux", "listed",
    "load_relaxed", "log", "long", "main", "major", "makedev", "messages_of", 
    "minor", "most_frequent", "most_resident_blocks", "mutable", "namespace",
    "new", "next_step", "noexcept", "not", "not_eq", "nullptr", "only",
    "operator", "or", "or_eq", "out_degree", "out_edges", "out_edges_of", "out_neighbours", "part", "phase",
    "phase_run", "private", "protected", "public", "raise", "raise_once", "random_unit", "reduce_and", "reduce_common",
    "reduce_max", "reduce_min", "reduce_or", "reduce_sum", "reduction_parts", "register", "registration",
    "reinterpret_cast", "renew", "request", "requires", "result", "result_of", "return", "row_blocks", "run", "sample",
    "sampled", "search_auto", "search_by_block", "search_by_warp", "search_mixed", "session", "set_bit", "set_initial_states", "shared_out", "short", "signbit",
    "signed", "sizeof", "sqrt", "start_vertex", "static", "static_assert",
    "static_cast", "std", "stderr", "stdin", "stdout", "step", "store_relaxed", "struct",
    "swap", "switch", "take", "target", "template", "test_and_set",
    "test_bit", "this", "threadIdx", "thread_local", "throw", "tile_of", "tiles", "trace", "true",
    "try", "typedef", "typeid", "typename", "union", "unix", "unsigned", "using", "value_of",
    "vertices", "vertigo", "view", "virtual", "void", "volatile", "vote", "warpSize", "was_stopped", "wchar_t",
    "while", "whole_grid", "xor", "xor_eq",
});
// clang-format on

// INT_MAX, EOF, M_PI: macros of headers have no small letters.
bool could_be_macro(std::string_view name) {
  return name.size() > 1 && std::none_of(name.begin(), name.end(),
                                         [](unsigned char c) { return std::islower(c) != 0; });
}

// Asked of every name at every place where it stands: one look, not one for each list.
std::unordered_set<std::string_view> taken_names() {
  std::unordered_set<std::string_view> names(kTaken.begin(), kTaken.end());
  for (const engines::Contract& engine : engines::kContracts)
    names.insert(std::begin(engine.operators), std::end(engine.operators));
  for (const std::string_view function : ir::functions_of_ops()) names.insert(function);
  names.erase("");
  return names;
}

bool is_taken(std::string_view name) {
  static const std::unordered_set<std::string_view> taken = taken_names();
  return taken.contains(name);
}

}  // namespace

std::string cpp_name(const std::string& name) {
  // Names with two underscores, or one before a capital, belong to the implementation.
  std::string result = name;
  for (std::size_t at; (at = result.find("__")) != std::string::npos;) result.replace(at, 2, "_u");
  if (result.starts_with('_')) result = "u" + result;
  // Other names that end in an underscore are the emitter's own.
  if (result.ends_with('_')) result += "u";
  return is_taken(result) || could_be_macro(result) ? result + "_" : result;
}

namespace {

// All names that cpp_name() makes this one of: as many as two to the power of how often "_u" stands
// in it, times a few.
std::vector<std::string> originals_of(const std::string& name) {
  std::vector<std::string> names = {name};
  const auto add = [&](const auto& change) {
    for (std::size_t i = names.size(); i-- > 0;)
      if (std::string other = names[i]; change(other)) names.push_back(std::move(other));
  };
  for (std::size_t at = name.find("_u"); at != std::string::npos; at = name.find("_u", at + 1))
    add([&](std::string& other) {
      other[at + 1] = '_';
      return true;
    });
  add([](std::string& other) { return other.starts_with("u_") && !other.erase(0, 1).empty(); });
  add([](std::string& other) {
    const bool has_more = other.ends_with('_') || other.ends_with("_u");
    if (has_more) other.pop_back();
    return has_more;
  });
  std::erase_if(names, [&](const std::string& other) { return cpp_name(other) != name; });
  return names;
}

// Few enough that their originals are few.
bool has_many_underscores(const std::string& name) {
  constexpr int kMost = 6;
  int count = 0;
  for (std::size_t at = name.find("_u"); at != std::string::npos; at = name.find("_u", at + 1))
    ++count;
  return count > kMost;
}

}  // namespace

std::string free_name(const plan::Plan& plan, const std::string& wanted) {
  // Of names that end in an underscore, cpp_name() gives those alone whose rest is a word of C++.
  if (has_many_underscores(wanted)) return wanted + "_";
  const ir::Program& program = plan.program;
  const auto is_known = [&](const std::string& name) {
    return program.parameters.find(name) != nullptr || program.states.find(name) != nullptr ||
           program.functions.find(name) != nullptr || plan.buffers.find(name) != nullptr ||
           plan.kernels.find(name) != nullptr || plan.reductions.find(name) != nullptr;
  };
  std::string name = wanted;
  while (std::ranges::any_of(originals_of(name), is_known)) name += "_";
  return name;
}

std::string type_name(const std::string& name) {
  std::string result;
  bool capital = true;
  for (const char c : name) {
    if (c == '_') {
      capital = true;
      continue;
    }
    result += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    capital = false;
  }
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0)
    result = "Program" + result;
  return cpp_name(result);
}

std::string cpp_type(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return "bool";
    case ScalarKind::Int32:
      return "std::int32_t";
    case ScalarKind::Int64:
      return "std::int64_t";
    case ScalarKind::UInt32:
      return "std::uint32_t";
    case ScalarKind::UInt64:
      return "std::uint64_t";
    case ScalarKind::Float32:
      return "float";
    case ScalarKind::Float64:
      return "double";
    case ScalarKind::Wide64:
      return "Wide64";
    case ScalarKind::Vertex:
      return "Vertex";
  }
  return "void";
}

std::string cpp_type(const ir::Type& type) {
  if (type.is_none()) return "void";
  if (type.is_scalar()) return cpp_type(type.scalar());
  return "Tuple<" + element_types(type) + ">";
}

std::string element_types(const ir::Type& type) {
  std::string text;
  for (const ScalarKind kind : type.elements) text += (text.empty() ? "" : ", ") + cpp_type(kind);
  return text;
}

std::string kind_name(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return "ScalarKind::Bool";
    case ScalarKind::Int32:
      return "ScalarKind::Int32";
    case ScalarKind::Int64:
      return "ScalarKind::Int64";
    case ScalarKind::UInt32:
      return "ScalarKind::UInt32";
    case ScalarKind::UInt64:
      return "ScalarKind::UInt64";
    case ScalarKind::Float32:
      return "ScalarKind::Float32";
    case ScalarKind::Float64:
      return "ScalarKind::Float64";
    case ScalarKind::Wide64:
      return "ScalarKind::Wide64";
    case ScalarKind::Vertex:
      return "ScalarKind::Vertex";
  }
  return "";
}

std::string element_type(const plan::Buffer& buffer) {
  if (!buffer.packed) return cpp_type(buffer.type);
  return "Packed<" + element_types(buffer.type) + ">";
}

std::string along_text(const plan::Buffer& buffer) {
  return buffer.once_if_symmetric ? "Along::Both, true" : along_text(buffer.direction);
}

std::string along_text(ir::EdgeDirection direction) {
  switch (direction) {
    case ir::EdgeDirection::Out:
      return "Along::Out";
    case ir::EdgeDirection::In:
      return "Along::In";
    case ir::EdgeDirection::Both:
      return "Along::Both";
  }
  return "";
}

std::string ballots_type(const plan::Buffer& buffer) {
  return "Ballots<" + cpp_type(buffer.type) + ">";
}

bool has_role(const plan::Plan& plan, plan::BufferRole role) {
  return std::any_of(plan.buffers.begin(), plan.buffers.end(),
                     [&](const plan::Buffer& buffer) { return buffer.role == role; });
}

bool has_operation(const plan::Plan& plan, plan::KernelOp op) {
  bool found = false;
  for (const plan::Kernel& kernel : plan.kernels)
    plan::walk_statements(kernel.body,
                          [&](const plan::KernelStmt& stmt) { found = found || stmt.op == op; });
  return found;
}

std::string find_counter(const plan::Plan& plan, const std::string& purpose) {
  for (const plan::Buffer& buffer : plan.buffers)
    if (buffer.role == plan::BufferRole::Counter && buffer.of == purpose)
      return cpp_name(buffer.name);
  return "";
}

}  // namespace vertigo::compiler::emit
