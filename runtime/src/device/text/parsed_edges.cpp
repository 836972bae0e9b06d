#include "parsed_edges.h"

#include <bit>
#include <utility>

#include "../lists/held_lists.h"
#include "../lists/rows.h"
#include "../prepare/sorting.h"
#include "ids.h"
#include "lines.h"

namespace vertigo::gpu::text {

namespace {

using graph::DeviceDoubt;
using graph::TextWeights;
using lists::DeviceArray;
using lists::HeldLists;
using lists::Seen;
using lists::SharedDevice;

constexpr const char* kParse = "parse a text";
constexpr const char* kSort = "sort the edges of a text";

/// A value on the device.
template <class T>
DeviceArray<T> stored(const T& value, cudaStream_t stream) {
  DeviceArray<T> place(1, kParse);
  check(cudaMemcpyAsync(place.data(), &value, sizeof value, cudaMemcpyHostToDevice, stream),
        kParse);
  check(cudaStreamSynchronize(stream), kParse);
  return place;
}

class ParsedEdges final : public graph::DeviceEdges {
 public:
  ParsedEdges(unsigned device, const graph::EdgeText& text)
      : shared_(std::make_shared<SharedDevice>(device)) {
    parse(text);
  }

  std::uint64_t count() const override { return count_; }
  std::uint32_t smallest_id() const override { return static_cast<std::uint32_t>(told_.smallest); }
  std::uint32_t largest_id() const override { return static_cast<std::uint32_t>(told_.largest); }
  bool has_reals() const override { return has_reals_; }
  std::vector<std::uint64_t> ids_that_appear() override;
  graph::ListFacts sort(const graph::IdNumbers& numbers) override;
  std::shared_ptr<const graph::DeviceLists> keep() override;

 private:
  void parse(const graph::EdgeText& text);
  DeviceArray<char> send(const graph::EdgeText& text);
  void find_and_parse_lines(const Characters& characters, const graph::EdgeText& text);
  Told parse_lines(const Characters& characters, const Shape& shape, Weight weight,
                   const std::uint64_t* firsts);
  void number(const graph::IdNumbers& numbers);
  void sort_unless_sorted(Vertex vertices);
  Edges edges() const { return {ids_.data(), count_}; }
  cudaStream_t stream() const { return shared_->device.stream; }

  std::shared_ptr<SharedDevice> shared_;
  std::uint64_t count_ = 0;
  Vertex vertices_ = 0;
  Told told_ = kNothingTold;
  bool has_reals_ = false;
  bool has_duplicates_ = false;
  DeviceArray<std::uint64_t> ids_;
  DeviceArray<std::uint64_t> weights_;  ///< bits of the weights; none where they are not kept
  DeviceArray<std::uint32_t> marks_;    ///< of the ids that appear
};

void ParsedEdges::parse(const graph::EdgeText& text) {
  const DeviceArray<char> characters = send(text);
  const trace::StageScope stage(*text.stages, "parse");
  find_and_parse_lines({characters.data(), text.bytes}, text);
}

DeviceArray<char> ParsedEdges::send(const graph::EdgeText& text) {
  const trace::StageScope stage(*text.stages, "send text");
  const std::uint64_t whole = chunks_of(text.bytes) * kChunk;
  DeviceArray<char> characters(whole, "hold a text");
  check(cudaMemsetAsync(characters.data() + text.bytes, '\n', whole - text.bytes, stream()),
        kParse);
  shared_->fill(characters.data(), text.deliver);
  return characters;
}

void ParsedEdges::find_and_parse_lines(const Characters& characters, const graph::EdgeText& text) {
  const Shape shape{{text.comments[0], text.comments[1]}, text.mark, text.first_id};
  const std::uint64_t chunks = chunks_of(characters.size);
  const DeviceArray<std::uint64_t> firsts(chunks + 1, kParse);
  {
    const DeviceArray<std::uint32_t> counts(chunks + 1, kParse);
    launch_count(stream(), characters, shape, counts.data());
    prepare::WorkingMemory memory(stream());
    prepare::exclusive_sum(memory, counts.data(), firsts.data(), chunks + 1);
    count_ = lists::fetched(firsts.data() + chunks, stream(), kParse);
  }
  ids_ = DeviceArray<std::uint64_t>(count_, kParse);
  if (text.keep_weights) weights_ = DeviceArray<std::uint64_t>(count_, kParse);
  const bool reals = text.weights == TextWeights::Reals && text.keep_weights;
  Weight weight = text.weights == TextWeights::None ? Weight::None
                  : reals                           ? Weight::Reals
                                                    : Weight::Integers;
  told_ = parse_lines(characters, shape, weight, firsts.data());
  if (told_.fractions != 0 && text.weights == TextWeights::Integers)
    throw DeviceDoubt{"a weight is a fraction"};
  if (told_.fractions != 0 && text.keep_weights && !reals) {
    weight = Weight::Reals;
    told_ = parse_lines(characters, shape, weight, firsts.data());
  }
  has_reals_ = weight == Weight::Reals;
}

Told ParsedEdges::parse_lines(const Characters& characters, const Shape& shape, Weight weight,
                              const std::uint64_t* firsts) {
  const DeviceArray<Told> place = stored(kNothingTold, stream());
  launch_parse(stream(), characters, shape, weight, firsts, {ids_.data(), weights_.data()},
               place.data());
  const Told told = lists::fetched(place.data(), stream(), kParse);
  if (told.doubt != kNothingTold.doubt)
    throw DeviceDoubt{"the line at byte " + std::to_string(told.doubt) +
                      " of its edges is not of the plain form"};
  return told;
}

std::vector<std::uint64_t> ParsedEdges::ids_that_appear() {
  std::vector<std::uint64_t> bits(std::uint64_t{largest_id()} / 64 + 1);
  const std::uint64_t bytes = bits.size() * sizeof bits[0];
  marks_ = DeviceArray<std::uint32_t>(2 * bits.size(), kSort);
  check(cudaMemsetAsync(marks_.data(), 0, bytes, stream()), kSort);
  launch_mark(stream(), edges(), marks_.data());
  shared_->fetch(bits.data(), marks_.data(), bytes);
  return bits;
}

void ParsedEdges::number(const graph::IdNumbers& numbers) {
  if (!numbers.by_rank) {
    if (numbers.shift != 0) launch_shift(stream(), edges(), numbers.shift);
    return;
  }
  const std::uint64_t words = words_of(largest_id());
  const DeviceArray<std::uint32_t> counts(words, kSort);
  const DeviceArray<std::uint32_t> ranks(words, kSort);
  launch_count_bits(stream(), marks_.data(), words, counts.data());
  prepare::WorkingMemory memory(stream());
  prepare::exclusive_sum(memory, counts.data(), ranks.data(), words);
  launch_rank(stream(), edges(), marks_.data(), ranks.data());
  memory.finish(kSort);
}

void ParsedEdges::sort_unless_sorted(Vertex vertices) {
  const auto descents = lists::zeros<unsigned long long>(1, stream(), kSort);
  launch_count_descents(stream(), edges(), descents.data());
  if (lists::fetched(descents.data(), stream(), kParse) == 0) return;
  const auto bits = static_cast<unsigned>(std::bit_width(vertices - 1));
  DeviceArray<std::uint64_t> spare_ids(count_, kSort);
  DeviceArray<std::uint64_t> spare_weights;
  if (weights_.data() != nullptr) spare_weights = DeviceArray<std::uint64_t>(count_, kSort);
  prepare::WorkingMemory memory(stream());
  prepare::TwoArrays<std::uint64_t> ids{ids_.data(), spare_ids.data()};
  prepare::TwoArrays<std::uint64_t> weights{weights_.data(), spare_weights.data()};
  // Least significant first: by target, and stably by source.
  for (const unsigned first_bit : {0u, 32u}) {
    if (weights_.data() == nullptr)
      prepare::sort_keys(memory, ids, count_, first_bit, first_bit + bits);
    else
      prepare::sort_pairs(memory, ids, weights, count_, first_bit, first_bit + bits);
  }
  memory.finish(kSort);
  if (ids.now != ids_.data()) ids_.swap(spare_ids);
  if (weights.now != weights_.data()) weights_.swap(spare_weights);
}

graph::ListFacts ParsedEdges::sort(const graph::IdNumbers& numbers) {
  vertices_ = numbers.vertices;
  if (count_ == 0) return {};
  number(numbers);
  marks_.free();
  sort_unless_sorted(vertices_);
  const auto seen = lists::zeros<Seen>(1, stream(), kSort);
  lists::launch_look(stream(), edges(), seen.data());
  const Seen found = lists::fetched(seen.data(), stream(), kParse);
  has_duplicates_ = found.duplicates > 0;
  return {found.self_loops, found.duplicates};
}

std::shared_ptr<const graph::DeviceLists> ParsedEdges::keep() {
  auto offsets = std::make_shared<DeviceArray<EdgeIndex>>(std::uint64_t{vertices_} + 1, kSort);
  lists::launch_offsets(stream(), edges(), vertices_, offsets->data());
  auto targets = std::make_shared<DeviceArray<Vertex>>(count_, kSort);
  lists::launch_targets(stream(), edges(), targets->data());
  check(cudaStreamSynchronize(stream()), kSort);
  ids_.free();
  std::optional<HeldLists::Column> weights;
  if (weights_.data() != nullptr)
    weights = {has_reals_ ? ScalarKind::Float64 : ScalarKind::Int64,
               std::make_shared<DeviceArray<std::byte>>(std::move(weights_).as<std::byte>())};
  return std::make_shared<const HeldLists>(shared_, vertices_, count_, std::move(targets),
                                           std::move(weights), has_duplicates_, std::move(offsets));
}

}  // namespace

std::unique_ptr<graph::DeviceEdges> parse(unsigned device, const graph::EdgeText& text) {
  return std::make_unique<ParsedEdges>(device, text);
}

}  // namespace vertigo::gpu::text
