#include "vertigo/execute/link_rates.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <exception>

#include "vertigo/core/kept_text.h"

namespace vertigo::execute {

namespace {

// Rates that a machine of today or of the next years has, in bytes a second.
constexpr double kLeastRate = 1e3;
constexpr double kMostRate = 1e14;
constexpr double kMostSeconds = 60;

struct Field {
  std::string_view name;
  double LinkRates::* place;
  double least;
  double most;
};
constexpr std::array kFields{
    Field{"copy", &LinkRates::copy, kLeastRate, kMostRate},
    Field{"copy-start", &LinkRates::copy_start, 0, kMostSeconds},
    Field{"read-long", &LinkRates::read_long, kLeastRate, kMostRate},
    Field{"read-short", &LinkRates::read_short, kLeastRate, kMostRate},
    Field{"gather-long", &LinkRates::gather_long, kLeastRate, kMostRate},
    Field{"gather-short", &LinkRates::gather_short, kLeastRate, kMostRate},
    Field{"seconds", &LinkRates::seconds, 0, kMostSeconds},
};

/// Takes "NAME NUMBER\n" from the front of `form`; false where it does not begin so.
template <class Number>
bool take(std::string_view& form, std::string_view name, Number& number) {
  if (!form.starts_with(name) || !form.substr(name.size()).starts_with(' ')) return false;
  form.remove_prefix(name.size() + 1);
  const auto [end, code] = std::from_chars(form.data(), form.data() + form.size(), number);
  if (code != std::errc{}) return false;
  form.remove_prefix(static_cast<std::size_t>(end - form.data()));
  if (!form.starts_with('\n')) return false;
  form.remove_prefix(1);
  return true;
}

std::string rate_in_words(double rate) { return fmt::format("{:.3g} GB/s", rate / 1e9); }

}  // namespace

std::string key_of(const Machine& machine) {
  utsname host{};
  if (::uname(&host) != 0) host = {};
  std::string key = "link 1, vertigo " VERTIGO_VERSION "\n";
  for (const std::string& word : {machine.device, machine.bus, std::string(host.nodename),
                                  std::string(host.release), std::string(host.machine)})
    key += fmt::format("{}:{}\n", word.size(), word);
  return key + fmt::format("{} {} {} {}\n", machine.driver, machine.runtime, machine.threads,
                           ::geteuid());
}

std::string kept_form(const LinkRates& rates) {
  std::string form = fmt::format("measured {}\npiece {}\n", rates.measured, rates.piece);
  for (const Field& field : kFields) form += fmt::format("{} {}\n", field.name, rates.*field.place);
  return form;
}

std::optional<LinkRates> rates_of(std::string_view form) {
  // Until the year 9999, as dates are written.
  constexpr std::int64_t kLatest = 253402300799;
  LinkRates rates;
  if (!take(form, "measured", rates.measured) || !take(form, "piece", rates.piece))
    return std::nullopt;
  if (rates.measured < 0 || rates.measured > kLatest) return std::nullopt;
  for (const Field& field : kFields) {
    double& value = rates.*field.place;
    // What is no number lies in no range.
    if (!take(form, field.name, value) || !(value >= field.least && value <= field.most))
      return std::nullopt;
  }
  if (!form.empty()) return std::nullopt;
  rates.kept = true;
  return rates;
}

std::optional<LinkRates> find_rates(const std::string& folder, const std::string& key,
                                    std::uint64_t piece) {
  if (folder.empty()) return std::nullopt;
  try {
    const std::optional<std::string> form = KeptTexts(folder, kKeptRates).find(key);
    if (!form) return std::nullopt;
    const std::optional<LinkRates> rates = rates_of(*form);
    if (!rates || rates->piece < piece) return std::nullopt;
    return rates;
  } catch (const std::exception&) {
    return std::nullopt;  // measuring takes milliseconds
  }
}

void keep_rates(const std::string& folder, const std::string& key, const LinkRates& rates) {
  if (folder.empty()) return;
  try {
    (void)KeptTexts(folder, kKeptRates).store(key, kept_form(rates));
  } catch (const std::exception&) {
  }
}

std::string in_words(const LinkRates& rates) {
  const std::string spent = fmt::format("{:.3g} ms", rates.seconds * 1e3);
  return fmt::format(
      "copies {} after {:.3g} us, kernels read {} to {}, the host gathers {} to {}; {}",
      rate_in_words(rates.copy), rates.copy_start * 1e6, rate_in_words(rates.read_short),
      rate_in_words(rates.read_long), rate_in_words(rates.gather_short),
      rate_in_words(rates.gather_long),
      rates.kept ? fmt::format("kept from {:%Y-%m-%d %H:%M} UTC, when measuring took {}",
                               fmt::gmtime(static_cast<std::time_t>(rates.measured)), spent)
                 : "measured in " + spent);
}

}  // namespace vertigo::execute
