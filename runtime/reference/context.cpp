#include "context.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "arithmetic.h"
#include "vertigo/core/error.h"
#include "vertigo/core/wide_text.h"

namespace vertigo::reference {
namespace {

std::optional<ScalarKind> weight_kind(const ir::Program& program) {
  if (!program.edge) return std::nullopt;
  return program.edge->kind;
}

}  // namespace

Context::Context(const ir::Program& program, const host::RunRequest& request)
    : program(program),
      request(request),
      graph(request.graph, weight_kind(program)),
      resolver(program, graph) {
  bind_parameters();
}

void Context::grow_frame() {
  const std::size_t wanted = resolver.make_frame().slots.size();
  if (frame.slots.size() < wanted) frame.slots.resize(wanted);
}

std::vector<Word> Context::evaluate_now(const ir::Expr& expr, const ir::Type& type) {
  const Nodes nodes = resolver.resolve_as(expr, type);
  grow_frame();
  std::vector<Word> words;
  for (const Node* node : nodes) words.push_back(evaluate(node, frame));
  return words;
}

void Context::bind_parameters() {
  for (const ir::Parameter& parameter : program.parameters) {
    if (parameter.is_list) {
      std::vector<Vertex>& list = lists[parameter.name];
      try {
        const auto given = request.arguments.list(parameter.name);
        list.assign(given.begin(), given.end());
        resolver.bind_list(parameter.name, &list);
      } catch (const std::out_of_range&) {
        throw Error(ExitCode::InputRefused, "parameter '" + parameter.name + "' is missing");
      }
      for (const Vertex v : list) check_vertex(parameter, v);
      // A list names a set: who is named twice is started once.
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      continue;
    }
    const Word word = parameter_word(parameter);
    const unsigned slot = resolver.new_slots(1);
    grow_frame();
    frame[slot] = word;
    resolver.bind_parameter(parameter.name, parameter.kind, slot);
    if (parameter.kind == ScalarKind::Vertex) check_vertex(parameter, from_word<Vertex>(word));
  }
}

Word Context::parameter_word(const ir::Parameter& parameter) {
  if (request.arguments.has(parameter.name))
    return word_of(request.arguments.value(parameter.name), parameter.kind);
  if (parameter.initial) return evaluate_now(*parameter.initial, parameter.kind).front();
  throw Error(ExitCode::InputRefused, "parameter '" + parameter.name + "' is missing");
}

void Context::check_vertex(const ir::Parameter& parameter, Vertex v) const {
  if (v == kNoVertex || v < vertex_count()) return;
  throw Error(ExitCode::InputRefused,
              "parameter '" + parameter.name + "' names no vertex of the graph");
}

std::string Context::input_name(Vertex v) const { return v == kNoVertex ? "none" : graph.label(v); }

Word word_of(const Value& value, ScalarKind kind) {
  return with_type(kind, [&]<class T>() {
    return std::visit([](auto stored) { return to_word(convert<T>(stored)); }, value.data);
  });
}

Value value_of(Word word, ScalarKind kind) {
  Value value;
  value.kind = kind;
  with_type(kind, [&]<class T>() {
    const T scalar = from_word<T>(word);
    if constexpr (std::same_as<T, bool> || std::same_as<T, Wide64>)
      value.data = scalar;
    else if constexpr (std::floating_point<T>)
      value.data = static_cast<double>(scalar);
    else if constexpr (std::is_signed_v<T>)
      value.data = static_cast<std::int64_t>(scalar);
    else
      value.data = static_cast<std::uint64_t>(scalar);
  });
  return value;
}

std::string describe_number(ScalarKind kind, Word word) {
  if (kind == ScalarKind::Bool) return word != 0 ? "true" : "false";
  if (kind == ScalarKind::Vertex && from_word<Vertex>(word) == kNoVertex) return "none";
  return with_type(kind, [&]<class T>() -> std::string {
    const T value = from_word<T>(word);
    if (value == kInfinity<T>) return "inf";
    if constexpr (std::same_as<T, Wide64>) {
      char text[kLongestWide];
      return std::string(text, write_wide(text, value));
    } else if constexpr (std::floating_point<T>) {
      char text[64];
      const auto end = std::to_chars(text, text + sizeof(text), value);
      return std::string(text, end.ptr);
    } else {
      if (std::is_signed_v<T> && value == kLowest<T>) return "-inf";
      return std::to_string(value);
    }
  });
}

namespace {

std::string describe_scalar(const Context& context, ScalarKind kind, Word word) {
  if (kind == ScalarKind::Vertex) return context.input_name(from_word<Vertex>(word));
  return describe_number(kind, word);
}

}  // namespace

std::string describe(const Context& context, const ir::Type& type, const Word* words) {
  if (type.is_scalar()) return describe_scalar(context, type.scalar(), words[0]);
  std::string text = "(";
  for (std::size_t i = 0; i < type.elements.size(); ++i)
    text += (i == 0 ? "" : ", ") + describe_scalar(context, type.elements[i], words[i]);
  return text + ")";
}

}  // namespace vertigo::reference
