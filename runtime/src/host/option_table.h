#pragma once
// Every option that all generated binaries have, in one table: the parser registers it, --help
// prints it, near misses are searched in it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::host {

enum class OptionGroup : std::uint8_t { Program, Result, Execution, Reading, Study, Information };

struct OptionRow {
  std::string name;   ///< long name without dashes
  char short_name;    ///< 0: none
  std::string value;  ///< placeholder of its value; empty: a flag
  std::string help;
  OptionGroup group;
};

/// Options of every binary.
std::span<const OptionRow> common_options();

/// Names under which the program's parameters and vertex inputs appear, in that order: their own,
/// or "parameter-NAME" where the own name is taken by an option of every binary.
std::string option_name(std::string_view declared);

/// The other spelling of an option's name, with '-' for '_' but for those in front: no option
/// begins with '---'.
std::string dashed_name(std::string_view name);

/// common_options() and the program's own, which come first.
std::vector<OptionRow> all_options(const ProgramInfo& info);

/// The text of --help; `binary` is how it was called.
std::string help_text(const ProgramInfo& info, std::string_view binary);

}  // namespace vertigo::host
