#include "host/values.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "host/text.h"
#include "vertigo/core/error.h"
#include "vertigo/core/wide_text.h"

namespace vertigo::host {
namespace {

char* copy(char* to, std::string_view text) { return std::ranges::copy(text, to).out; }

template <class T>
char* write_number(char* to, T value) {
  if (value == kInfinity<T>) return copy(to, "inf");
  if constexpr (std::is_signed_v<T>)
    if (value == kLowest<T>) return copy(to, "-inf");
  return std::to_chars(to, to + kLongestValue, value).ptr;
}

template <class T>
bool parse_integer(std::string_view text, ScalarKind kind, Value& value, std::string& why) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  if (text == "inf" || (text == "-inf" && std::is_signed_v<T>)) {
    value = {kind, static_cast<Wide>(text == "inf" ? kInfinity<T> : kLowest<T>)};
    return true;
  }
  T number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc::result_out_of_range && end == text.data() + text.size()) {
    why = "does not fit " + std::string(kind_name(kind));
    return false;
  }
  if (code != std::errc{} || end != text.data() + text.size()) {
    why = std::is_signed_v<T> ? "is not a whole number" : "is not a whole number from 0";
    return false;
  }
  value = {kind, static_cast<Wide>(number)};
  return true;
}

template <class T>
bool parse_floating(std::string_view text, ScalarKind kind, Value& value, std::string& why) {
  if (text == "inf" || text == "-inf") {
    value = {kind, text == "inf" ? double{INFINITY} : -double{INFINITY}};
    return true;
  }
  T number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc::result_out_of_range && end == text.data() + text.size()) {
    why = "does not fit " + std::string(kind_name(kind));
    return false;
  }
  // from_chars reads "nan" and "infinity"; the language knows neither word.
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) {
    why = "is not a number";
    return false;
  }
  value = {kind, static_cast<double>(number)};
  return true;
}

bool parse_wide(std::string_view text, Value& value, std::string& why) {
  Wide64 number = kInfinity<Wide64>;
  if (text == "-inf") number = -number;
  if (text != "inf" && text != "-inf") {
    const WideText outcome = read_wide(text, number);
    if (outcome == WideText::OutOfRange) why = "does not fit wide64";
    if (outcome == WideText::NotANumber) why = "is not a number";
    if (outcome != WideText::Read) return false;
  }
  value = {ScalarKind::Wide64, number};
  return true;
}

std::string range_of(const graph::Graph& graph) {
  if (graph.vertex_count == 0) return "the graph is empty";
  return "its ids run from " + graph.ids.label(0) + " to " +
         graph.ids.label(graph.vertex_count - 1);
}

// `above`: the first vertex whose id is larger.
std::string neighbours_of(const graph::Graph& graph, std::uint64_t above) {
  if (above == 0 || above >= graph.vertex_count) return "";
  const auto vertex = static_cast<Vertex>(above);
  return ", next to it " + graph.ids.label(vertex - 1) + " and " + graph.ids.label(vertex);
}

Vertex find_number(const std::string& text, const graph::Graph& graph, std::string_view what) {
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool whole = end == text.data() + text.size();
  if (text.empty() || !whole || (code != std::errc{} && code != std::errc::result_out_of_range))
    throw Error(ExitCode::Usage, std::string(what) + ": '" + graph::shown(text) +
                                     "' is no vertex id (a whole number from 0)");
  if (code == std::errc::result_out_of_range) id = std::numeric_limits<std::uint64_t>::max();
  if (const auto vertex = graph.ids.to_internal(id)) return *vertex;
  const auto ids = graph.ids.ids();
  throw Error(ExitCode::InputRefused,
              std::string(what) + ": the graph has no vertex " + text + "; " + range_of(graph) +
                  neighbours_of(graph, static_cast<std::uint64_t>(
                                           std::ranges::upper_bound(ids, id) - ids.begin())));
}

Vertex find_text(const std::string& text, const graph::Graph& graph, std::string_view what) {
  if (const auto vertex = graph.ids.find(text)) return *vertex;
  throw Error(ExitCode::InputRefused,
              std::string(what) + ": the graph has no vertex '" + graph::shown(text) + "'; " +
                  range_of(graph) + neighbours_of(graph, graph.ids.texts().lower_bound(text)));
}

}  // namespace

bool is_floating(ScalarKind kind) {
  return kind == ScalarKind::Float32 || kind == ScalarKind::Float64 || kind == ScalarKind::Wide64;
}

bool parse_scalar(std::string_view text, ScalarKind kind, Value& value, std::string& why) {
  switch (kind) {
    case ScalarKind::Bool:
      if (text != "true" && text != "false") {
        why = "is neither true nor false";
        return false;
      }
      value = {kind, text == "true"};
      return true;
    case ScalarKind::Int32:
      return parse_integer<std::int32_t>(text, kind, value, why);
    case ScalarKind::Int64:
      return parse_integer<std::int64_t>(text, kind, value, why);
    case ScalarKind::UInt32:
      return parse_integer<std::uint32_t>(text, kind, value, why);
    case ScalarKind::UInt64:
      return parse_integer<std::uint64_t>(text, kind, value, why);
    case ScalarKind::Float32:
      return parse_floating<float>(text, kind, value, why);
    case ScalarKind::Float64:
      return parse_floating<double>(text, kind, value, why);
    case ScalarKind::Wide64:
      return parse_wide(text, value, why);
    case ScalarKind::Vertex:
      break;
  }
  why = "is a vertex, which only a graph can resolve";
  return false;
}

Vertex parse_vertex(const graph::Word& word, const graph::Graph& graph, std::string_view what) {
  if (word.text == "none" && !word.quoted) return kNoVertex;
  return graph.ids.is_text() ? find_text(word.text, graph, what)
                             : find_number(word.text, graph, what);
}

char* write_value(char* to, bool value) { return copy(to, value ? "true" : "false"); }
char* write_value(char* to, std::int32_t value) { return write_number(to, value); }
char* write_value(char* to, std::int64_t value) { return write_number(to, value); }
char* write_value(char* to, std::uint32_t value) { return write_number(to, value); }
char* write_value(char* to, std::uint64_t value) { return write_number(to, value); }
char* write_value(char* to, float value) { return write_number(to, value); }
char* write_value(char* to, double value) { return write_number(to, value); }
char* write_value(char* to, Wide64 value) { return write_wide(to, value); }

void append_vertex(std::string& to, Vertex vertex, const graph::IdMap& ids) {
  if (vertex == kNoVertex)
    to += "none";
  else
    ids.append_id(vertex, to);
}

std::string to_text(const Value& value, const graph::IdMap& ids) {
  std::string text;
  if (value.kind == ScalarKind::Vertex)
    append_vertex(text, value.as<Vertex>(), ids);
  else
    with_kind(value.kind, [&]<class T>(T) { append_value(text, value.as<T>()); });
  return text;
}

}  // namespace vertigo::host
