#include "compiler/emit/common/Names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "compiler/emit/common/TypeNames.h"
#include "vertigo/engines/engines.h"

namespace vertigo::compiler::emit {

using ir::ScalarKind;

namespace {

// Sorted: words of C++20, names of CUDA and POSIX that are macros or types, what generated code
// calls. What it calls for an operator stands in Ops.def, and operators of engines in their
// contracts.
// clang-format off
constexpr std::array kTaken = std::to_array<std::string_view>({
    "AdjacencyView", "Along", "And", "Any", "Appender", "Ballots", "BallotsBuffer", "Bitmap", "BitmapBuffer", "BlockAppender", "BothRanges", "Clock", "ColourClasses", "Column", "Counter", "CounterBuffer", "Different",
    "Donations", "Edge", "EdgeColumns", "EdgeIndex", "Error", "FewClasses", "Flag", "FlagBuffer", "Graph", "GraphView", "GridPart", "Held", "HubOrder", "HubOrderBuffer", "LoopMemory", "Max",
    "MessageSlots", "Min", "NULL", "NoAttribute", "NoWeight", "OfBlock", "Or", "Packed", "Phase", "ProgramInfo", "ProgramTables", "Reach", "Reduction",
    "RegisterTarget", "Registration", "RequirementInfo", "RoundLoop", "RoundMemory", "RoundPart", "Rounds", "Samples", "Scalar", "ScalarBuffer", "ScalarKind",
    "Session", "Slices", "SortedVertices", "StepLoop", "Sum", "Tally", "Threshold", "Tile", "Tuple", "Value", "Vertex", "VertexBuffer", "VertexList", "VertexOrder",
    "VertexPart", "Vote", "Winner", "Worklist", "WorklistBuffer", "Xor", "accumulate_and", "accumulate_any", "accumulate_max", "accumulate_min", "accumulate_or",
    "accumulate_sum", "accumulate_with", "accumulate_xor", "activate", "add_columns", "alignas", "alignof", "all_vertices", "alloca", "allocate_buffers", "and",
    "and_eq", "append", "asm", "assert", "assert_perror", "auto", "barrier", "be16toh", "be32toh", "be64toh", "begin_phase", "begin_steps",
    "begin_update", "better", "bitand", "bitor", "blockDim", "blockIdx", "block_parts", "bool", "both_edges", "both_edges_once", "both_neighbours",
    "both_neighbours_once", "break", "case", "catch", "changed_over", "char", "char16_t", "char32_t", "char8_t", "class", "clear_all", "clear_bit",
    "clear_listed", "co_await", "co_return", "co_yield", "collect_results", "collect_states", "columns", "combine_and", "combine_and_joined", "combine_any",
    "combine_any_joined", "combine_max", "combine_max_joined", "combine_min", "combine_min_joined", "combine_or", "combine_or_joined", "combine_sum",
    "combine_sum_joined", "combine_with", "combine_with_joined", "combine_xor", "combine_xor_joined", "common_neighbours", "compl", "concept",
    "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "convert", "copy", "copy_all", "count", "count_different", "cpu",
    "current_chunk", "current_thread", "declare_buffers", "decltype", "default", "delete", "different_values", "do", "double", "double2", "double4",
    "dynamic_cast", "edge_at_hand", "edge_index", "edge_place", "elect", "element_offset", "else", "end_phase", "end_step", "end_update", "enter",
    "enum", "errno", "execute", "exp", "expand_auto", "expand_auto_all", "expand_by_block", "expand_by_edge", "expand_by_warp", "expand_grid",
    "expand_mixed", "explicit", "export", "extern", "false", "fill_all", "float", "float2", "float3", "float4", "for", "for_each_given",
    "for_each_left", "for_each_listed", "for_each_sampled", "for_each_vertex", "for_max", "for_min", "for_one_vertex", "friend", "gather_auto", "gather_by_block",
    "gather_by_warp", "gather_grid", "gather_mixed", "gather_rows", "get", "global_nanoseconds", "goto", "gpu", "graph", "gridDim", "hold", "host",
    "htobe16", "htobe32", "htobe64", "htole16", "htole32", "htole64", "if", "in_degree", "in_each_block", "in_edges", "in_neighbours", "index_in",
    "info", "inline", "int", "int2", "int3", "int4", "is_end", "isalnum_l", "isalpha_l", "isascii", "isascii_l", "isblank_l", "iscntrl_l",
    "isdigit_l", "isfinite", "isgraph_l", "isinf", "islower_l", "isnan", "isprint_l", "ispunct_l", "isspace_l", "issubnormal", "isupper_l",
    "isxdigit_l", "kAllColours", "kBlock", "kDerivedColours", "kInfinity", "kInfo", "kLowest", "kNoLimit", "kNoVertex", "kPlan", "kProgramIr", "keep",
    "key", "launch_cooperative", "launch_part", "le16toh", "le32toh", "le64toh", "leave", "limit_of", "linux", "list_item", "list_size", "listed", "load_relaxed", "log",
    "long", "main", "major", "makedev", "math_errhandling", "messages_of", "minor", "most_frequent", "most_resident_blocks", "mutable", "namespace",
    "new", "next_step", "noexcept", "not", "not_eq", "nullptr", "offsetof", "only", "operator", "or", "or_eq", "out_degree", "out_edges",
    "out_edges_of", "out_neighbours", "part", "phase", "phase_run", "prepare", "private", "protected", "pthread_cleanup_pop", "pthread_cleanup_pop_restore_np",
    "pthread_cleanup_push", "pthread_cleanup_push_defer_np", "public", "raise", "raise_once", "random_unit", "read_ahead", "reduce_and", "reduce_common",
    "reduce_max", "reduce_min", "reduce_or", "reduce_sum", "reduction_parts", "register", "registration", "reinterpret_cast", "renew", "request",
    "requires", "result", "result_of", "result_or", "return", "row_blocks", "run", "sample", "sampled", "sched_priority", "search_auto", "search_by_block",
    "search_by_warp", "search_mixed", "session", "set_bit", "set_initial_states", "shared_out", "short", "signbit", "signed", "sizeof", "slice_of",
    "sqrt", "start_vertex", "static", "static_assert", "static_cast", "std", "stderr", "stdin", "stdout", "step", "store_relaxed", "strdupa",
    "strndupa", "struct", "swap", "switch", "take", "target", "template", "test_and_set", "test_bit", "this", "threadIdx", "thread_local", "throw",
    "tile_of", "tiles", "toascii", "toascii_l", "trace", "true", "try", "turn", "typedef", "typeid", "typename", "union", "unix", "unsigned", "using",
    "value_of", "vertices", "vertigo", "view", "virtual", "void", "volatile", "vote", "warpSize", "was_stopped", "wchar_t", "while", "whole_grid",
    "xor", "xor_eq",
});
// clang-format on

// INT_MAX, EOF, M_PI: macros of headers have no small letters, but for CUDA's, cudaStreamDefault.
bool could_be_macro(std::string_view name) {
  if (name.starts_with("cuda")) return true;
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

namespace {

// Names with two underscores, or one before a capital, belong to the implementation. Those that end
// in one are the emitters' own.
bool has_odd_underscore(std::string_view name) {
  return name.starts_with('_') || name.ends_with('_') || name.find("__") != std::string_view::npos;
}

// With a letter behind each underscore, and one before the first: no other name becomes this one.
std::string with_letters(std::string_view name) {
  std::string result;
  if (name.starts_with('_')) {
    result = "u_0";
    name.remove_prefix(1);
  }
  for (const char c : name) result += c == '_' ? "_u" : std::string(1, c);
  return result;
}

std::string without_letters(std::string_view name) {
  std::string result;
  if (name.starts_with("u_0")) {
    result = "_";
    name.remove_prefix(3);
  }
  for (std::size_t i = 0; i < name.size(); ++i) {
    result += name[i];
    if (name[i] == '_') ++i;
  }
  return result;
}

}  // namespace

// One name of C++ for each name of a program: a name with odd underscores gets one at its end, as
// a word of C++ does, and its letters are in no such word.
std::string cpp_name(const std::string& name) {
  if (has_odd_underscore(name)) return with_letters(name) + "_";
  return is_taken(name) || could_be_macro(name) ? name + "_" : name;
}

namespace {

/// The name that cpp_name() makes this one of; nothing where there is none.
std::optional<std::string> original_of(const std::string& name) {
  if (cpp_name(name) == name) return name;
  if (!name.ends_with('_')) return std::nullopt;
  const std::string rest = name.substr(0, name.size() - 1);
  for (std::string original : {rest, without_letters(rest)})
    if (cpp_name(original) == name) return original;
  return std::nullopt;
}

}  // namespace

std::string free_name(const plan::Plan& plan, const std::string& wanted) {
  const ir::Program& program = plan.program;
  const auto is_known = [&](const std::optional<std::string>& name) {
    return name &&
           (program.parameters.find(*name) != nullptr || program.states.find(*name) != nullptr ||
            program.functions.find(*name) != nullptr || plan.buffers.find(*name) != nullptr ||
            plan.kernels.find(*name) != nullptr || plan.reductions.find(*name) != nullptr);
  };
  // What is made of names may be a name already: "Session_".
  std::string name = original_of(wanted) ? wanted : cpp_name(wanted);
  while (is_known(original_of(name))) name += name.ends_with('_') ? "own_" : "_";
  return name;
}

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// As in "forward" and "main_2": no two such names have the same type.
bool is_of_plain_words(std::string_view name) {
  if (has_odd_underscore(name)) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (std::isupper(static_cast<unsigned char>(name[i])) != 0) return false;
    if (!is_digit(name[i]) || (i > 0 && is_digit(name[i - 1]))) continue;
    if (i < 2 || name[i - 1] != '_' || is_digit(name[i - 2])) return false;
  }
  return true;
}

}  // namespace

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
  if (result.empty() || is_digit(result.front())) result = "Program" + result;
  return cpp_name(result);
}

std::string type_of_phase(const plan::Plan& plan, const std::string& phase) {
  const std::string type = type_name(phase);
  if (is_of_plain_words(phase)) return type;
  const auto is_of_other = [&](const ir::Phase& other) {
    return other.name != phase && type_name(other.name) == type;
  };
  if (std::ranges::none_of(plan.program.phases, is_of_other)) return type;
  const auto place = plan.program.phases.find(phase) - &plan.program.phases.front();
  // type_name() leaves no underscore between others, so that no phase's type is this one.
  return type + (type.ends_with('_') ? "" : "_") + std::to_string(place);
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
