#include "host/program_choice.h"

#include <algorithm>
#include <optional>

#include "host/text.h"
#include "vertigo/core/error.h"

namespace vertigo::host {
namespace {

// Before a program is chosen nobody knows its options; what follows `--` is no option of any.
std::span<const char* const> options_of(int argc, const char* const* argv) {
  if (argc < 2) return {};
  const std::span words(argv + 1, argv + argc);
  const auto end = std::ranges::find(words, std::string_view("--"),
                                     [](const char* word) { return std::string_view(word); });
  return words.first(static_cast<std::size_t>(end - words.begin()));
}

std::optional<std::string_view> asked_for(int argc, const char* const* argv) {
  constexpr std::string_view kOption = "--program";
  const auto words = options_of(argc, argv);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == kOption)
      return i + 1 < words.size() ? std::string_view(words[i + 1]) : std::string_view();
    if (word.starts_with(kOption) && word.substr(kOption.size()).starts_with('='))
      return word.substr(kOption.size() + 1);
  }
  return std::nullopt;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const Targets* find(std::span<const Targets> programs, std::string_view name) {
  const auto found =
      std::ranges::find(programs, name, [](const Targets& program) { return program.info().name; });
  return found == programs.end() ? nullptr : &*found;
}

std::string help_text(std::span<const Targets> programs, std::string_view binary) {
  std::string text = "usage: " + printable(binary) +
                     " --program NAME GRAPH [options]\n\nThis binary holds several programs. " +
                     "--program NAME --help says what each takes.\n\n";
  std::vector<std::vector<std::string>> lines;
  for (const Targets& program : programs)
    lines.push_back(
        {"  " + std::string(program.info().name), printable(program.info().source_file)});
  return text + format_table(lines, {false, false});
}

}  // namespace

std::vector<std::string> names_of(std::span<const Targets> programs) {
  std::vector<std::string> names;
  for (const Targets& program : programs) names.emplace_back(program.info().name);
  return names;
}

const Targets* choose_program(std::span<const Targets> programs, int argc,
                              const char* const* argv) {
  if (const auto name = asked_for(argc, argv); name && !name->empty()) {
    const Targets* const found = find(programs, *name);
    if (found != nullptr) return found;
    const std::vector<std::string> names = names_of(programs);
    throw Error(ExitCode::Usage, "--program: '" + std::string(*name) + "' is not " +
                                     alternatives(names) + suggestion(*name, names));
  }
  if (programs.size() == 1) return &programs.front();
  return argc > 0 ? find(programs, file_name(argv[0])) : nullptr;
}

std::string version_text(const Targets& program) {
  const ProgramInfo& info = program.info();
  std::string text = std::string(info.name) + " from " + printable(info.source_file) +
                     ", compiled by vertigo " + std::string(info.compiler_version);
  if (!info.options.empty()) text += " with " + printable(info.options);
  text += "\ntargets:";
  if (program.cpu != nullptr) text += " cpu";
  if (program.gpu != nullptr) text += " gpu";
  return text + "\n";
}

std::string text_about(std::span<const Targets> programs, int argc, const char* const* argv) {
  const auto is_there = [&](std::initializer_list<std::string_view> spellings) {
    return std::ranges::any_of(options_of(argc, argv), [&](std::string_view word) {
      return std::ranges::find(spellings, word) != spellings.end();
    });
  };
  if (is_there({"--help", "-h"})) return help_text(programs, argc > 0 ? argv[0] : "");
  std::string text;
  if (is_there({"--version"}))
    for (const Targets& program : programs) text += version_text(program);
  return text;
}

}  // namespace vertigo::host
