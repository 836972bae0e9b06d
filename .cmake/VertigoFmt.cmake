# vertigo_fmt(RESULT FORMATTING INCLUDES...): whether the file FORMATTING makes all that programs need of the fmt that is
# installed, whose headers lie in INCLUDES. Another version of fmt may leave more to such a file.
function(vertigo_fmt result formatting)
  set(program "\
#include <fmt/chrono.h>
#include <iterator>
int main(int count, char** words) {
  std::string text = fmt::format(\"{:>{}} {:.3f} {:#x} {}\", words[0], count, count * 0.1, count, 0.1f * count);
  fmt::format_to(std::back_inserter(text), \"{:g} {:016x} {:%F}\", 1.5 * count, 7u, fmt::localtime(count));
  return text.empty();
}
")
  try_compile(VERTIGO_FMT_ONCE SOURCES ${formatting} SOURCE_FROM_VAR probe.cpp program
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${ARGN}" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  set(${result} ${VERTIGO_FMT_ONCE} PARENT_SCOPE)
endfunction()
