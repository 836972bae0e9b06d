#include "compiler/passes/Schedule.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "compiler/passes/toplan/engines/Engines.h"
#include "compiler/support/NearMiss.h"
#include "llvm/ADT/StringExtras.h"

namespace vertigo::compiler::passes {

namespace {

class ScheduleReader {
 public:
  ScheduleReader(std::uint32_t file, const ir::Program& program,
                 diag::DiagnosticEngine& diagnostics, const ExpressionReader& expressions)
      : file_(file),
        text_(diagnostics.source(file)),
        program_(program),
        diagnostics_(diagnostics),
        expressions_(expressions) {}

  Schedule read() {
    skip_blanks();
    bool block = false;
    if (rest().starts_with("schedule") && !is_word(at(8)) && at(8) != '.') {
      next_ += 8;
      skip_blanks();
      if (!expect('{', "'{'")) return {};
      block = true;
      skip_blanks();
    }
    while (next_ < text_.size() && at() != '}') {
      if (!read_pin()) return {};
      skip_blanks();
      if (at() == ',' || at() == ';') {
        ++next_;
        skip_blanks();
      } else if (next_ < text_.size() && at() != '}') {
        unexpected("',' or ';'");
        return {};
      }
    }
    if (block && !expect('}', "'}'")) return {};
    skip_blanks();
    if (next_ < text_.size()) unexpected("the end of the schedule");
    return std::move(pins_);
  }

 private:
  llvm::StringRef rest() const { return text_.substr(next_); }
  char at(std::size_t ahead = 0) const {
    return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\0';
  }
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool is_positive_number(const std::string& word) {
    double value = 0;
    return is_digit(word.front()) && !llvm::StringRef(word).getAsDouble(value) && value > 0 &&
           std::isfinite(value);
  }
  SourceRange range(std::size_t begin, std::size_t end) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), file_};
  }

  void skip_blanks() {
    for (;;) {
      while (std::isspace(static_cast<unsigned char>(at())) != 0) ++next_;
      if (!rest().starts_with("//")) return;
      while (next_ < text_.size() && at() != '\n') ++next_;
    }
  }

  void unexpected(llvm::StringRef wanted) {
    std::size_t end = next_;
    while (is_word(end < text_.size() ? text_[end] : '\0')) ++end;
    end = std::min(std::max(end, next_ + 1), text_.size());
    const std::string found =
        next_ < text_.size() ? "'" + text_.slice(next_, end).str() + "'" : std::string("the end");
    diagnostics_.report(diag::ScheduleSyntax, range(next_, end), wanted, found);
  }

  bool expect(char mark, llvm::StringRef wanted) {
    if (at() != mark) {
      unexpected(wanted);
      return false;
    }
    ++next_;
    return true;
  }

  bool read_word(std::string& word, SourceRange& place, llvm::StringRef wanted) {
    const std::size_t begin = next_;
    // A dot between two digits belongs to a number; elsewhere it parts phase and key.
    while (is_word(at()) ||
           (at() == '.' && next_ > begin && is_digit(text_[next_ - 1]) && is_digit(at(1))))
      ++next_;
    if (next_ == begin) {
      unexpected(wanted);
      return false;
    }
    word = text_.slice(begin, next_).str();
    place = range(begin, next_);
    return true;
  }

  bool read_pin() {
    Pin pin;
    SourceRange key_place;
    SourceRange phase_place;
    if (!read_word(pin.key, key_place, "a key, such as 'direction'")) return false;
    if (at() == '.') {
      ++next_;
      pin.phase = pin.key;
      phase_place = key_place;
      if (!read_word(pin.key, key_place, "a key, such as 'direction'")) return false;
    }
    skip_blanks();
    if (!expect('=', "'='")) return false;
    skip_blanks();
    if (const ScheduleKey* const key = find_schedule_key(pin.key);
        key != nullptr && key->expression)
      return read_expression(std::move(pin), *key, phase_place, key_place);
    SourceRange value_place;
    if (!read_word(pin.value, value_place, "a value")) return false;
    if (const auto value = read_axis_value(pin.key, pin.value)) pin.value = *value;
    pin.range = (phase_place.valid() ? phase_place : key_place).joined(value_place);
    if (check(pin, phase_place, key_place, value_place))
      pins_.pin(pin.phase, pin.key, pin.value, pin.range);
    return true;
  }

  // Up to what ends a pin; a comma between brackets does not, nor does anything in a comment.
  SourceRange expression_place() const {
    std::size_t end = next_;
    for (int depth = 0; end < text_.size(); ++end) {
      if (text_.substr(end).starts_with("//")) end = text_.find('\n', end);
      if (end == llvm::StringRef::npos) break;
      const char c = text_[end];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == ';' || c == '}' || (c == ',' && depth <= 0)) break;
    }
    const llvm::StringRef written = text_.slice(next_, end).rtrim();
    return range(next_, next_ + written.size());
  }

  bool read_expression(Pin pin, const ScheduleKey& key, SourceRange phase_place,
                       SourceRange key_place) {
    const SourceRange place = expression_place();
    if (place.begin == place.end) {
      unexpected("a value");
      return false;
    }
    next_ = place.end;
    pin.value = on_one_line(text_.slice(place.begin, place.end));
    pin.range = (phase_place.valid() ? phase_place : key_place).joined(place);
    if (!pin.phase.empty() && !check_phase(pin, key, phase_place)) return true;
    if (std::ranges::find(key.values, pin.value) == key.values.end()) {
      pin.expression = expressions_(place);
      if (pin.expression == nullptr) return true;
    }
    pins_.pin(std::move(pin));
    return true;
  }

  // As decisions are shown: without comments, with one blank between words.
  static std::string on_one_line(llvm::StringRef text) {
    std::string line;
    while (!text.empty()) {
      const auto [first, rest] = text.split('\n');
      llvm::SmallVector<llvm::StringRef> words;
      llvm::SplitString(first.split("//").first, words);
      for (const llvm::StringRef word : words) line += (line.empty() ? "" : " ") + word.str();
      text = rest;
    }
    return line;
  }

  static std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  void suggest(diag::Report& report, SourceRange place, const std::string& word,
               const std::vector<std::string>& known, const std::string& what) {
    if (const auto near = near_miss(word, known)) report.fix(place, *near);
    report.note(what + ": " + listed(known));
  }

  bool check(const Pin& pin, SourceRange phase_place, SourceRange key_place,
             SourceRange value_place) {
    const ScheduleKey* const key = find_schedule_key(pin.key);
    if (key == nullptr) {
      std::vector<std::string> names;
      for (const ScheduleKey& known : schedule_keys()) names.emplace_back(known.key);
      suggest(diagnostics_.report(diag::UnknownScheduleKey, key_place, pin.key), key_place, pin.key,
              names, "the keys are");
      return false;
    }
    if (!pin.phase.empty() && !check_phase(pin, *key, phase_place)) return false;
    if (std::find(key->values.begin(), key->values.end(), pin.value) != key->values.end())
      return true;
    if (key->number && is_positive_number(pin.value)) return true;
    suggest(diagnostics_.report(diag::UnknownScheduleValue, value_place, pin.value, pin.key),
            value_place, pin.value, key->values,
            key->number ? "its values are positive numbers and" : "its values are");
    return false;
  }

  bool check_phase(const Pin& pin, const ScheduleKey& key, SourceRange place) {
    std::vector<std::string> names;
    for (const ir::Phase& phase : program_.phases) names.push_back(phase.name);
    if (program_.find_phase(pin.phase) == nullptr) {
      suggest(diagnostics_.report(diag::UnknownSchedulePhase, place, pin.phase), place, pin.phase,
              names, "the phases are");
      return false;
    }
    if (key.per_phase) return true;
    diagnostics_.report(diag::ScheduleOfProgram, place, pin.key);
    return false;
  }

  std::uint32_t file_;
  llvm::StringRef text_;
  const ir::Program& program_;
  diag::DiagnosticEngine& diagnostics_;
  const ExpressionReader& expressions_;
  std::size_t next_ = 0;
  Schedule pins_;
};

}  // namespace

namespace {

std::vector<ScheduleKey> make_schedule_keys() {
  std::vector<std::string> variants;
  for (const ExecutionPath& path : kExecutionPaths) variants.push_back(spelling(path));
  variants.push_back(spelling(Hybrid{}));
  for (const toplan::EngineRule& engine : toplan::engines()) variants.push_back(engine.name());
  return {
      {"loop", "rewrite-relaxations", true, {"phase", "rounds"}},
      {"asking", "tell-neighbours", true, {"told", "asked"}},
      {"common", "number-edges", true, {"by-edge", "lists"}},
      {"label-propagation", "rewrite-label-propagation", true,
       toplan::values_of_choice("label-propagation")},
      {"linear-fixpoint", "accelerate-linear-fixpoint", true,
       toplan::values_of_choice("linear-fixpoint")},
      {"timing", "choose-consistency", true, {"sync", "async", "coloured"}},
      {"colours", "choose-consistency", true, {"auto", "all"}, true},
      {"direction", "choose-direction", true, {"push", "pull"}},
      {"activation", "choose-activation", true, {"data-driven", "topology-driven"}},
      {"order", "order-paths", true, toplan::values_of_choice("order")},
      {"importance", "order-paths", true, {"degree"}, false, true},
      {"hub-share", "order-paths", true, {"derived"}, true},
      {"hub-sample", "order-paths", true, {"derived"}, true},
      {"hub-turns", "order-paths", true, {"derived"}, true},
      {"variant", "list-variants", true, variants},
      {"controller", "choose-controller", true, {"fixed", "iterative", "traversal"}},
      {"schedules", "choose-schedules", false, {"needed", "all"}},
      {"domain", "choose-domain", true, {"slice", "list", "all"}},
      {"balance",
       "choose-balance",
       true,
       {"auto", "rows", "thread", "warp", "block", "mixed", "edge", "sorted"}},
      {"senders", "choose-senders", true, {"carried", "once", "per-edge"}},
      {"delivery", "choose-delivery", true, {"at-once", "apart"}},
      {"snapshots", "choose-snapshots", true, {"trade", "listed", "copy"}},
      {"priority", "choose-priority", true, {"none", "near-far", "delta", "threshold"}},
      {"threshold-rank", "choose-priority", true, {"512"}, true},
      {"threshold-list", "choose-priority", true, {"16384"}, true},
      {"delta", "choose-priority", true, {"derived"}, true},
      {"core", "choose-priority", true, {"auto", "always", "never"}},
      {"fusion", "fuse-iterations", true, {"launch", "persistent"}},
      {"counts", "choose-counts", false, {"kept", "anew"}},
      {"hubs", "choose-hubs", false, {"together", "scattered"}},
      {"rounds", "choose-rounds", false, {"device", "host"}},
      {"layout", "plan-layout", false, {"arrays", "packed", "message-buffer"}},
      {"transfer",
       "choose-transfer",
       false,
       {"auto", "resident", "zero-copy", "filter", "compaction"}},
      {"preparation", "choose-preparation", false, {"none", "auto", "always", "never"}},
  };
}

}  // namespace

const std::vector<ScheduleKey>& schedule_keys() {
  static const std::vector<ScheduleKey> keys = make_schedule_keys();
  return keys;
}

const ScheduleKey* find_schedule_key(const std::string& key) {
  const auto& keys = schedule_keys();
  const auto found =
      std::ranges::find_if(keys, [&](const ScheduleKey& known) { return known.key == key; });
  return found == keys.end() ? nullptr : &*found;
}

Schedule Schedule::read(std::uint32_t file, const ir::Program& program,
                        diag::DiagnosticEngine& diagnostics, const ExpressionReader& expressions) {
  return ScheduleReader(file, program, diagnostics, expressions).read();
}

const Pin* Schedule::find(const std::string& phase, const std::string& key) const {
  const Pin* found = nullptr;
  for (const Pin& pin : pins_) {
    if (pin.key != key || (!pin.phase.empty() && pin.phase != phase)) continue;
    if (found != nullptr && !found->phase.empty() && pin.phase.empty()) continue;
    found = &pin;
  }
  return found;
}

void Schedule::pin(const std::string& phase, const std::string& key, const std::string& value,
                   SourceRange range) {
  // A path stands for the three choices that it is made of, so that their passes agree with it.
  if (const auto path = key == "variant" ? read_path(value) : std::nullopt)
    for (const AxisValue& choice : choices_of(*path))
      pins_.push_back({phase, std::string(choice.axis), std::string(choice.value), range});
  pins_.push_back({phase, key, value, range});
}

void Schedule::add(const Schedule& other) {
  pins_.insert(pins_.end(), other.pins_.begin(), other.pins_.end());
}

}  // namespace vertigo::compiler::passes
