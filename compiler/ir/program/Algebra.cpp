#include "compiler/ir/program/Algebra.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace vertigo::ir {
namespace {

constexpr auto spellings(Order) {
  return std::to_array<std::pair<Order, std::string_view>>(
      {{Order::StepOrdered, "step-ordered"}, {Order::Asserted, "asserted"}, {Order::Free, "free"}});
}
constexpr auto spellings(Form) {
  return std::to_array<std::pair<Form, std::string_view>>({{Form::None, "none"},
                                                           {Form::Improvement, "improvement"},
                                                           {Form::Union, "union"},
                                                           {Form::Accumulation, "accumulation"}});
}
constexpr auto spellings(Linearity) {
  return std::to_array<std::pair<Linearity, std::string_view>>(
      {{Linearity::No, "no"}, {Linearity::Yes, "yes"}, {Linearity::Affine, "affine"}});
}
constexpr auto spellings(Labels) {
  return std::to_array<std::pair<Labels, std::string_view>>(
      {{Labels::No, "false"}, {Labels::OfSymmetric, "on-symmetric-graphs"}, {Labels::Yes, "true"}});
}
constexpr auto spellings(Activity) {
  return std::to_array<std::pair<Activity, std::string_view>>(
      {{Activity::Iterative, "iterative"}, {Activity::Traversal, "traversal"}});
}
constexpr auto spellings(Cycles) {
  return std::to_array<std::pair<Cycles, std::string_view>>(
      {{Cycles::None, "none"},
       {Cycles::OverNegativeWeights, "over-negative-weights"},
       {Cycles::Any, "any"}});
}
constexpr auto spellings(Difference) {
  return std::to_array<std::pair<Difference, std::string_view>>(
      {{Difference::Rounding, "rounding"},
       {Difference::Bounded, "bounded"},
       {Difference::ByGraph, "by-graph"}});
}

/// What a truth value is called under one key.
struct Truth {
  std::string_view yes, no;
};
constexpr Truth kTruth = {"true", "false"};
constexpr Truth kHeld = {"held", "failed"};
constexpr Truth kAvailable = {"available", "unavailable"};
constexpr Truth kNonNegative = {"non-negative", "unknown"};

std::string spelled(bool value, Truth words) { return std::string(value ? words.yes : words.no); }

template <class Value>
std::string spelled(Value value) {
  for (const auto& [known, word] : spellings(Value{}))
    if (known == value) return std::string(word);
  return "";
}

bool take(std::string_view word, Truth words, bool& value) {
  value = word == words.yes;
  return value || word == words.no;
}

template <class Value>
bool take(std::string_view word, Value& value) {
  for (const auto& [known, spelling] : spellings(Value{}))
    if (spelling == word) {
      value = known;
      return true;
    }
  return false;
}

template <class Value>
bool take(const Fact& fact, Found<Value>& found) {
  found.reason = fact.reason;
  return take(fact.value, found.value);
}
bool take(const Fact& fact, Truth words, Found<bool>& found) {
  found.reason = fact.reason;
  return take(fact.value, words, found.value);
}

// Keys that end in a name or a number.
constexpr std::string_view kObligation = "obligation.";
constexpr std::string_view kTargets = "state_of_inbox.";
constexpr std::string_view kCoefficient = "linear.coefficient.";

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(", "), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return names;
}

/// The place of a send; as many as a program may have.
std::optional<std::size_t> number_in(std::string_view digits) {
  constexpr std::size_t kMost = 1'000'000;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && number < kMost ? std::optional(number) : std::nullopt;
}

Accumulated& accumulated(Algebra& algebra) {
  if (!algebra.accumulated) algebra.accumulated.emplace();
  return *algebra.accumulated;
}

/// False where the value is none of the key's; nothing where the key is unknown.
std::optional<bool> taken(const Fact& fact, Algebra& algebra) {
  const std::string_view key = fact.key;
  if (key == "order") return take(fact, algebra.order);
  if (key == "form") return take(fact.value, algebra.form);
  if (key == "kind") return take(fact, algebra.activity);
  if (key == "uniform_cost") return take(fact, kTruth, algebra.uniform_cost);
  if (key == "label_propagation") return take(fact, algebra.label_propagation);
  if (key == "payload") return take(fact, kAvailable, algebra.states_tell);
  if (key == "linear") return take(fact, algebra.linear);
  if (key == "cycles") return take(fact, algebra.cycles);
  if (key == "signs") return take(fact, kNonNegative, accumulated(algebra).nonnegative);
  if (key == "difference") return take(fact, accumulated(algebra).difference);
  if (key == "threshold") {
    accumulated(algebra).threshold = fact.value;
  } else if (key.starts_with(kObligation)) {
    Obligation obligation{std::string(key.substr(kObligation.size())), false, fact.reason};
    if (!take(fact.value, kHeld, obligation.held)) return false;
    algebra.obligations.push_back(std::move(obligation));
  } else if (key.starts_with(kTargets)) {
    algebra.inbox = key.substr(kTargets.size());
    algebra.targets = names_in(fact.value);
  } else if (key.starts_with(kCoefficient)) {
    const std::optional<std::size_t> send = number_in(key.substr(kCoefficient.size()));
    if (!send) return std::nullopt;
    if (algebra.coefficients.size() <= *send) algebra.coefficients.resize(*send + 1);
    algebra.coefficients[*send] = {fact.value, fact.reason};
  } else {
    return std::nullopt;
  }
  return true;
}

}  // namespace

std::vector<Fact> facts_of(const Algebra& algebra) {
  std::vector<Fact> facts;
  const auto state = [&](std::string key, std::string value, std::string reason = "") {
    facts.push_back({std::move(key), std::move(value), std::move(reason)});
  };
  const auto found = [&](std::string key, const auto& what) {
    state(std::move(key), spelled(what.value), what.reason);
  };
  const auto truth = [&](std::string key, const Found<bool>& what, Truth words) {
    state(std::move(key), spelled(what.value, words), what.reason);
  };
  for (const Obligation& obligation : algebra.obligations)
    state(std::string(kObligation) + obligation.name, spelled(obligation.held, kHeld),
          obligation.reason);
  found("order", algebra.order);
  state("form", spelled(algebra.form));
  if (!algebra.targets.empty())
    state(std::string(kTargets) + algebra.inbox, joined(algebra.targets));
  for (std::size_t i = 0; i < algebra.coefficients.size(); ++i) {
    if (algebra.coefficients[i].value.empty()) continue;
    state(std::string(kCoefficient) + std::to_string(i), algebra.coefficients[i].value,
          algebra.coefficients[i].reason);
  }
  if (!algebra.linear.reason.empty()) found("linear", algebra.linear);
  truth("uniform_cost", algebra.uniform_cost, kTruth);
  found("label_propagation", algebra.label_propagation);
  if (algebra.cycles.value != Cycles::None) found("cycles", algebra.cycles);
  found("kind", algebra.activity);
  truth("payload", algebra.states_tell, kAvailable);
  if (algebra.accumulated) {
    state("threshold", algebra.accumulated->threshold);
    truth("signs", algebra.accumulated->nonnegative, kNonNegative);
    found("difference", algebra.accumulated->difference);
  }
  return facts;
}

FactRead read_fact(const Fact& fact, Algebra& algebra) {
  const std::optional<bool> read = taken(fact, algebra);
  if (!read) return FactRead::Unknown;
  return *read ? FactRead::Taken : FactRead::Malformed;
}

}  // namespace vertigo::ir
