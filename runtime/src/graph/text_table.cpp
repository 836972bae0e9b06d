#include "text_table.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <random>

#include "declared.h"
#include "vertigo/core/parallel.h"

namespace vertigo::graph {
namespace {

// Differs from run to run, so that no file can be made whose ids all fall into one slot. Numbers do
// not depend on it.
std::uint64_t hash_seed() {
  static const std::uint64_t seed = (std::uint64_t{std::random_device{}()} << 32) | 1;
  return seed;
}

std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = hash_seed() ^ text.size();
  const auto mix = [&](std::uint64_t word) {
    const auto product = static_cast<unsigned __int128>(hash ^ word) * (kMultiplier ^ hash_seed());
    hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), bytes);
    mix(word);
    text.remove_prefix(bytes);
  }
  mix(kMultiplier);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

// The first bytes of a text as a number that compares as they do; decides most comparisons.
struct SortKey {
  std::uint64_t prefix;
  Vertex number;
};

std::uint64_t prefix_of(std::string_view text) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof prefix; ++i) {
    prefix = prefix << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  }
  return prefix;
}

// Sorts pieces in parallel and merges them; keys differ, so the result is the same for any number
// of threads.
template <class Less>
void sort_keys(std::vector<SortKey>& keys, const Less& less) {
  const std::size_t pieces =
      std::min<std::size_t>(static_cast<std::size_t>(thread_count()), keys.size() / 65536 + 1);
  const auto bound = [&](std::size_t piece) {
    return keys.begin() +
           static_cast<std::ptrdiff_t>(keys.size() * std::min(piece, pieces) / pieces);
  };
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    std::sort(bound(piece), bound(piece + 1), less);
  }
  for (std::size_t width = 1; width < pieces; width *= 2) {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t piece = 0; piece < pieces; piece += 2 * width) {
      std::inplace_merge(bound(piece), bound(piece + width), bound(piece + 2 * width), less);
    }
  }
}

}  // namespace

Vertex TextTable::intern(std::string_view text) {
  if (2 * hashes_.size() >= slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != kNoVertex; slot = (slot + 1) & mask) {
    const Vertex number = slots_[slot];
    if (hashes_[number] == hash && (*this)[number] == text) return number;
  }
  if (size() == kMostVertices) return kNoVertex;
  const auto number = static_cast<Vertex>(size());
  slots_[slot] = number;
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  offsets_.push_back(bytes_.size());
  hashes_.push_back(hash);
  return number;
}

void TextTable::grow() {
  slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), kNoVertex);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t number = 0; number < hashes_.size(); ++number) {
    std::size_t slot = hashes_[number] & mask;
    while (slots_[slot] != kNoVertex) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<Vertex>(number);
  }
}

std::vector<Vertex> TextTable::in_order() const {
  std::vector<SortKey> keys(size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = {prefix_of((*this)[i]), static_cast<Vertex>(i)};
  }
  sort_keys(keys, [this](const SortKey& a, const SortKey& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : (*this)[a.number] < (*this)[b.number];
  });
  std::vector<Vertex> order(keys.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].number;
  return order;
}

TextIds TextTable::to_ids(const std::vector<Vertex>& order) const {
  std::vector<std::uint64_t> offsets(order.size() + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    offsets[i + 1] = offsets[i] + (*this)[order[i]].size();
  std::vector<char> bytes(offsets.back());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view text = (*this)[order[i]];
    std::copy(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
  }
  return {std::move(bytes), std::move(offsets)};
}

std::optional<std::vector<std::uint64_t>> TextTable::as_numbers() const {
  std::vector<std::uint64_t> numbers(size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = printed_number((*this)[i]);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  return numbers;
}

std::optional<std::uint64_t> printed_number(std::string_view text) {
  if (text.empty() || text.size() > 20 || (text.front() == '0' && text.size() > 1)) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace vertigo::graph
