#pragma once
// A decision of the compiler: what was chosen, on what evidence, what else could have been, and how
// to overrule it.
// `--explain` prints these, `--schedule` pins them, the emitted file's header lists them.

#include <string>
#include <vector>

namespace vertigo::plan {

struct Alternative {
  std::string value;
  bool legal = true;
  std::string reason;  ///< why it was not taken, or the rule that forbids it
  bool operator==(const Alternative&) const = default;
};

struct Decision {
  std::string pass;     ///< "choose-direction"
  std::string subject;  ///< phase name, or "program"
  std::string key;      ///< "direction": the key of --schedule
  std::string value;
  std::string reason;
  std::vector<Alternative> alternatives;
  bool pinned = false;  ///< by --schedule, a schedule file or an edited plan
  bool operator==(const Decision&) const = default;
};

}  // namespace vertigo::plan
