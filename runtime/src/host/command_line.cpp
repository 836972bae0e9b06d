#include "host/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <vector>

#include "host/option_table.h"
#include "host/text.h"
#include "vertigo/core/error.h"

namespace vertigo::host {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ExitCode::Usage, message); }

std::vector<std::string> spellings(const std::vector<OptionRow>& rows) {
  std::vector<std::string> names;
  for (const OptionRow& row : rows) names.push_back("--" + row.name);
  return names;
}

// `-output x` would be read as `-o utput x`, and the graph's name as a result to overwrite.
void refuse_single_dashes(const std::vector<OptionRow>& rows, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;
    if (word.size() < 3 || word[0] != '-' || word[1] == '-') continue;
    const std::string name = "-" + std::string(word.substr(0, word.find('=')));
    if (std::ranges::any_of(rows, [&](const OptionRow& row) { return "--" + row.name == name; }))
      refuse("unknown option " + std::string(word) + "; long options have two dashes: " + name);
  }
}

// `--source= -q`, as a script writes it with an empty variable: the parser would take the next
// word.
void refuse_empty_values(const std::vector<OptionRow>& rows, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;
    if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
    std::string name(word.substr(2, word.size() - 3));
    std::ranges::replace(name, '-', '_');
    for (const OptionRow& row : rows) {
      std::string underscored = row.name;
      std::ranges::replace(underscored, '-', '_');
      if (underscored == name && !row.value.empty())
        refuse("--" + row.name + " needs a value: --" + row.name + " " + row.value);
    }
  }
}

// `--least -inf`: the parser of command lines takes a dash and a letter for an option.
std::vector<std::string> with_lowest_values(const std::vector<OptionRow>& rows, int argc,
                                            const char* const* argv) {
  std::vector<std::string> words;
  bool only_names = false;  // behind `--`
  for (int i = 1; i < argc; ++i) {
    only_names = only_names || argv[i] == std::string_view("--");
    const bool is_value =
        argv[i] == std::string_view("-inf") && !words.empty() && !only_names &&
        std::ranges::any_of(rows, [&](const OptionRow& row) {
          return row.group == OptionGroup::Program &&
                 (words.back() == "--" + row.name || words.back() == "--" + dashed_name(row.name));
        });
    if (is_value)
      words.back() += "=-inf";
    else
      words.emplace_back(argv[i]);
  }
  return words;
}

void refuse_extras(const std::vector<OptionRow>& rows, const std::vector<std::string>& extras,
                   const std::set<std::string>& only_names) {
  for (const std::string& extra : extras) {
    if (extra == "--" || !extra.starts_with("-")) continue;
    if (only_names.contains(extra))
      refuse("unexpected argument '" + extra + "': what stands behind -- is no option");
    const std::string name = extra.substr(0, extra.find('='));
    refuse("unknown option " + name + suggestion(name, spellings(rows)));
  }
  for (const std::string& extra : extras)
    if (extra != "--") refuse("unexpected argument '" + extra + "'; one graph is read");
}

/// Words behind `--`, which are no options.
std::set<std::string> names_behind_dashes(int argc, const char* const* argv) {
  const char* const* const end = argv + argc;
  const char* const* dashes =
      std::find_if(argv, end, [](const char* word) { return word == std::string_view("--"); });
  return dashes == end ? std::set<std::string>{} : std::set<std::string>(dashes + 1, end);
}

struct Slot {
  std::string value;
  bool given = false;
  CLI::Option* option = nullptr;
};

void register_option(CLI::App& app, const OptionRow& row, Slot& slot) {
  std::string names = "--" + row.name;
  if (row.short_name != 0) names += std::string(",-") + row.short_name;
  const std::string dashed = dashed_name(row.name);
  if (dashed != row.name) names += ",--" + dashed;
  slot.option = row.value.empty() ? app.add_flag(names, slot.given)
                                  : app.add_option(names, slot.value)->expected(1);
}

std::string wording(const CLI::ParseError& error, const std::vector<OptionRow>& rows,
                    const std::map<std::string, Slot>& slots) {
  for (const OptionRow& row : rows) {
    const CLI::Option& option = *slots.at(row.name).option;
    const std::string name = "--" + row.name;
    if (!std::string_view(error.what()).starts_with(name + ":") &&
        std::string_view(error.what()).find(name + " ") == std::string_view::npos)
      continue;
    if (option.count() > 1) return name + " is given twice";
    if (!row.value.empty()) return name + " needs a value: " + name + " " + row.value;
    return name + " takes no value";
  }
  return printable(error.what());
}

}  // namespace

CommandLine parse_command_line(const ProgramInfo& info, int argc, const char* const* argv) {
  const std::vector<OptionRow> rows = all_options(info);
  refuse_single_dashes(rows, argc, argv);
  refuse_empty_values(rows, argc, argv);

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, Slot> slots;
  for (const OptionRow& row : rows) register_option(app, row, slots[row.name]);
  CommandLine line;
  line.binary = argc > 0 ? argv[0] : std::string(info.name);
  std::string graph;
  CLI::Option* graph_option = app.add_option("GRAPH", graph);
  std::vector<std::string> words = with_lowest_values(rows, argc, argv);
  std::ranges::reverse(words);
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    refuse(wording(error, rows, slots));
  }
  refuse_extras(rows, app.remaining(), names_behind_dashes(argc, argv));

  const std::vector<std::string> names = spellings(rows);
  for (const OptionRow& row : rows) {
    const Slot& slot = slots.at(row.name);
    if (slot.option->count() == 0) continue;
    // `--output --quiet`: a value was forgotten, and nobody means a file of that name.
    if (std::ranges::find(names, slot.value) != names.end())
      refuse("--" + row.name + " needs a value: --" + row.name + " " + row.value);
    // The parser counts flags, and refuses only values that are given twice.
    if (slot.option->count() > 1) refuse("--" + row.name + " is given twice");
    if (!row.value.empty())
      line.values[row.name] = slot.value;
    else if (slot.given)
      line.values[row.name] = "";
  }
  if (graph_option->count() > 0) line.graph = graph;
  return line;
}

}  // namespace vertigo::host
