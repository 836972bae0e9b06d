#pragma once
// What the link between a host and its device and the host's cores can do, as it was measured, and
// how that is kept for later runs in the folder for caches.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vertigo::execute {

/// Bytes a second where nothing else is said.
struct LinkRates {
  double copy = 0;            ///< pinned host memory to the device, in large pieces
  double copy_start = 0;      ///< seconds before the first byte of a piece
  double read_long = 0;       ///< kernels that read long lists in host memory
  double read_short = 0;      ///< one line of 128 bytes here and one there
  double gather_long = 0;     ///< all cores of the host copying lists of 1,024 bytes from anywhere
  double gather_short = 0;    ///< of 64 bytes
  double seconds = 0;         ///< that it took to find out
  std::uint64_t piece = 0;    ///< bytes of the largest copy that was made for it
  std::int64_t measured = 0;  ///< when: seconds since 1970
  bool kept = false;          ///< by an earlier run, and read
};

/// What rates depend on, besides the host that the process runs on.
struct Machine {
  std::string device;  ///< its name
  std::string bus;     ///< where it is plugged in
  int driver = 0;      ///< versions, as CUDA counts them
  int runtime = 0;
  int threads = 0;  ///< that gather lists
};

/// Of KeptTexts: the rates of links.
inline constexpr std::string_view kKeptRates = "link";

/// The machine and the host in words that are no secret: under which the rates are kept.
std::string key_of(const Machine& machine);

std::string kept_form(const LinkRates& rates);
/// Nothing where the form is not that, or says what no machine does.
std::optional<LinkRates> rates_of(std::string_view form);

/// What is kept for a measurement that would copy pieces of `piece` bytes; nothing where there is
/// none, or where it was made with smaller pieces: they tell less. Never throws.
std::optional<LinkRates> find_rates(const std::string& folder, const std::string& key,
                                    std::uint64_t piece);
/// Keeps them where that can be done. Never throws: rates that are not kept are measured again.
void keep_rates(const std::string& folder, const std::string& key, const LinkRates& rates);

/// "copies 55.0 GB/s after 9.1 us, …; measured in 8.2 ms", or "…; kept from 2026-11-25 22:30 UTC".
std::string in_words(const LinkRates& rates);

}  // namespace vertigo::execute
