#include "vertigo/core/header_function.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace vertigo {

namespace {

struct Known {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, const HeaderFunction*> functions;  ///< by program
};

// Tables are added by static initialisers, in no order.
Known& known() {
  static Known all;
  return all;
}

}  // namespace

void add_header_functions(const char* program, const HeaderFunction* functions, std::size_t count) {
  const std::lock_guard lock(known().mutex);
  for (std::size_t i = 0; i < count; ++i)
    known().functions.emplace(std::pair(program, functions[i].name), &functions[i]);
}

const HeaderFunction* find_header_function(const char* program, const char* name) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().functions.find({program, name});
  return found == known().functions.end() ? nullptr : found->second;
}

}  // namespace vertigo
