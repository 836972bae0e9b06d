#include "host/arguments.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "host/option_table.h"
#include "host/text.h"
#include "host/values.h"
#include "vertigo/core/error.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/id_text.h"
#include "vertigo/graph/lines.h"

namespace vertigo::host {
namespace {

// Of lines that quotes join: more than any id.
constexpr std::size_t kLongestOpenLine = 2 * graph::kLongestId + 1024;

std::string option_of(std::string_view declared) { return "--" + option_name(declared); }

// The words of a line, blanks or commas between them; nothing where quotes are not closed in it, or
// a word goes on behind them.
std::optional<std::vector<graph::Word>> words_of(std::string_view text) {
  constexpr std::string_view kSeparators = " \t\r\n,";
  std::vector<graph::Word> words;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kSeparators), text.size()));
    if (text.empty()) return words;
    auto word = graph::take_word(text, kSeparators);
    if (!word) return std::nullopt;
    words.push_back(*std::move(word));
  }
}

bool odd_quotes(std::string_view text) { return std::ranges::count(text, '"') % 2 != 0; }

// Calls `use(words, place)` for every line of the file that is neither blank nor a comment. A line
// end in quotes does not end the line.
template <class Use>
void for_each_line(const std::string& path, const Use& use) {
  graph::LineReader lines(path);
  while (const auto first = lines.next()) {
    std::string line(*first);
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.front() == '%') continue;
    const std::string place = path + ":" + std::to_string(lines.line());
    bool open = odd_quotes(line);
    while (open && line.size() <= kLongestOpenLine) {
      const auto next = lines.next();
      if (!next) break;
      open = !odd_quotes(*next);
      line += '\n';
      line += *next;
    }
    const auto words = words_of(line);
    if (!words)
      throw Error(ExitCode::InputRefused,
                  open ? "quotes are opened and not closed" : "a word goes on behind its quotes",
                  place);
    use(*words, place);
  }
}

// The errors of a value that stands in a file are about the file, not about the usage.
template <class Parse>
auto at_place(const std::string& place, const Parse& parse) {
  try {
    return parse();
  } catch (const Error& error) {
    throw Error(ExitCode::InputRefused, error.message(), place);
  }
}

Value parse_parameter(std::string_view text, ScalarKind kind, const std::string& option) {
  Value value;
  std::string why;
  if (!parse_scalar(text, kind, value, why))
    throw Error(ExitCode::Usage, option + ": '" + std::string(text) + "' " + why);
  return value;
}

// The words between commas on a command line.
std::vector<graph::Word> words_of_list(std::string_view text, const std::string& option) {
  std::vector<graph::Word> words;
  for (;;) {
    auto word = graph::take_word(text, ",");
    if (!word)
      throw Error(ExitCode::Usage,
                  option + ": quotes are not closed, or a word goes on behind them");
    words.push_back(*std::move(word));
    if (text.empty()) return words;
    text.remove_prefix(1);
  }
}

// An id alone holds commas and blanks as it likes.
graph::Word word_of_id(const std::string& text, const std::string& option) {
  if (!text.starts_with('"')) return {text, false};
  std::vector<graph::Word> words = words_of_list(text, option);
  if (words.size() != 1) throw Error(ExitCode::Usage, option + ": expected one id");
  return words.front();
}

std::vector<Vertex> parse_list(const std::string& text, const graph::Graph& graph,
                               const std::string& option) {
  std::vector<Vertex> vertices;
  const auto add = [&](const graph::Word& word) {
    const Vertex vertex = parse_vertex(word, graph, option);
    if (vertex == kNoVertex) throw Error(ExitCode::Usage, option + ": none is no vertex of a list");
    vertices.push_back(vertex);
  };
  if (text.starts_with("@")) {
    for_each_line(text.substr(1), [&](const auto& words, const std::string& place) {
      at_place(place, [&] { std::ranges::for_each(words, add); });
    });
  } else {
    std::ranges::for_each(words_of_list(text, option), add);
  }
  if (vertices.empty())
    throw Error(ExitCode::InputRefused, option + ": the list is empty", text.substr(1));
  std::ranges::sort(vertices);
  vertices.erase(std::ranges::unique(vertices).begin(), vertices.end());
  return vertices;
}

void store(std::byte* to, const Value& value) {
  with_kind(value.kind, [&]<class T>(T) {
    const T typed = value.as<T>();
    std::memcpy(to, &typed, sizeof(T));
  });
}

Value input_value(const graph::Word& word, ScalarKind kind, const graph::Graph& graph,
                  const std::string& option) {
  if (kind == ScalarKind::Vertex) return {kind, std::uint64_t{parse_vertex(word, graph, option)}};
  return parse_parameter(word.text, kind, option);
}

Column read_input(const VertexInputInfo& input, const std::string& path,
                  const graph::Graph& graph) {
  const std::string option = option_of(input.name);
  const std::size_t size = size_of(input.kind);
  Column column{std::string(input.name), input.kind, {}};
  column.bytes.resize(graph.vertex_count * size, std::byte{0});
  std::vector<bool> given(graph.vertex_count, false);
  if (!input.default_text.empty()) {
    const Value otherwise =
        input_value({std::string(input.default_text)}, input.kind, graph, option);
    for (Vertex v = 0; v < graph.vertex_count; ++v) store(&column.bytes[v * size], otherwise);
  }
  for_each_line(path, [&](const auto& words, const std::string& place) {
    at_place(place, [&] {
      if (words.size() != 2)
        throw Error(ExitCode::InputRefused, option + ": a line is `vertex value`, this one has " +
                                                counted(words.size(), "word"));
      const Vertex vertex = parse_vertex(words[0], graph, option);
      if (vertex == kNoVertex) throw Error(ExitCode::InputRefused, option + ": none is no vertex");
      if (given[vertex])
        throw Error(ExitCode::InputRefused,
                    option + ": vertex " + graph.ids.label(vertex) + " has a value already");
      given[vertex] = true;
      store(&column.bytes[vertex * size], input_value(words[1], input.kind, graph, option));
    });
  });
  const auto missing = std::ranges::find(given, false);
  if (input.default_text.empty() && missing != given.end())
    throw Error(ExitCode::InputRefused,
                option + ": vertex " +
                    graph.ids.label(static_cast<Vertex>(missing - given.begin())) +
                    " has no value, and the program's initial value is no constant",
                path);
  return column;
}

}  // namespace

void check_arguments(const ProgramInfo& info, const CommandLine& line) {
  for (const ParameterInfo& parameter : info.parameters) {
    const std::string option = option_of(parameter.name);
    const std::string text =
        line.get(option_name(parameter.name), std::string(parameter.default_text));
    if (text.empty())
      throw Error(ExitCode::Usage, line.has(option_name(parameter.name))
                                       ? option + ": the value is empty"
                                       : option + " is required: " + option + " " +
                                             (parameter.is_list ? "ID,..."
                                              : parameter.kind == ScalarKind::Vertex
                                                  ? "ID"
                                                  : std::string(kind_name(parameter.kind))));
    if (parameter.is_list || parameter.kind == ScalarKind::Vertex) {
      if (text.starts_with("@") && parameter.is_list) continue;
      // `none` only where the source provides for it: elsewhere a program would start at no vertex.
      if (text == "none" && parameter.default_text == "none") continue;
      for (const graph::Word& word : parameter.is_list ? words_of_list(text, option)
                                                       : std::vector{word_of_id(text, option)}) {
        const std::string& id = word.text;
        if (id.empty()) throw Error(ExitCode::Usage, option + ": a vertex id is empty");
        // Whether a file's ids are numbers is known when it is read.
        const bool numbers = graph::is_generator_expression(line.graph.value_or(""));
        if ((numbers && id.find_first_not_of("0123456789") != id.npos) ||
            (id == "none" && !word.quoted))
          throw Error(ExitCode::Usage, option + ": '" + graph::shown(id) +
                                           "' is no vertex id (a whole number from 0)");
      }
    } else {
      parse_parameter(text, parameter.kind, option);
    }
  }
}

Arguments bind_arguments(const ProgramInfo& info, const CommandLine& line,
                         const graph::Graph& graph) {
  Arguments arguments;
  for (const ParameterInfo& parameter : info.parameters) {
    const std::string option = option_of(parameter.name);
    const std::string text =
        line.get(option_name(parameter.name), std::string(parameter.default_text));
    const std::string name(parameter.name);
    if (parameter.is_list)
      arguments.set_list(name, parse_list(text, graph, option));
    else if (parameter.kind == ScalarKind::Vertex)
      arguments.set(name, {ScalarKind::Vertex,
                           std::uint64_t{parse_vertex(word_of_id(text, option), graph, option)}});
    else
      arguments.set(name, parse_parameter(text, parameter.kind, option));
  }
  for (const VertexInputInfo& input : info.vertex_inputs)
    if (line.has(option_name(input.name)))
      arguments.set_input(read_input(input, line.get(option_name(input.name)), graph));
  return arguments;
}

}  // namespace vertigo::host
