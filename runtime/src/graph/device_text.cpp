#include "device_text.h"

#include <utility>

#include "device_lists_of_file.h"

namespace vertigo::graph {
bool parse_on_device(TextBlocks& blocks, const ReadContext& context, EdgeText shape,
                     RawGraph& raw) {
  const RawFile* const file = blocks.stream().plain();
  if (context.device == nullptr || file == nullptr) return false;
  if (!file->ends_with('\n')) throw DeviceDoubt{"its last line has no end"};
  const std::uint64_t begin = blocks.offset();
  if (begin == file->size()) throw DeviceDoubt{"nothing follows its header"};
  shape.bytes = file->size() - begin;
  shape.deliver = deliver_from(*file, begin, shape.bytes);
  shape.keep_weights = shape.weights != TextWeights::None && !context.options.ignore_weights;
  shape.stages = &context.report.stages;
  raw.on_device = context.device->parse(shape);
  blocks.take_rest();
  file->require_unchanged();
  context.report.reading.by = Reading::By::Device;
  return true;
}

IdRange id_range(const RawGraph& raw) {
  if (!raw.on_device) return id_range(raw.runs);
  if (raw.on_device->count() == 0) return {};
  return {raw.on_device->smallest_id(), raw.on_device->largest_id()};
}

IdIndex index_of_appearing(const RawGraph& raw) {
  if (!raw.on_device) return IdIndex::of_runs(raw.runs);
  if (raw.on_device->count() == 0) return IdIndex(std::vector<std::uint64_t>());
  const std::uint64_t largest = raw.on_device->largest_id();
  if (!bit_set_pays(largest, raw.on_device->count())) throw DeviceDoubt{"its ids leave large gaps"};
  return IdIndex::of_bits(raw.on_device->ids_that_appear(), largest);
}

Adjacency lists_of_device(RawGraph& raw, const ReadContext& context, Vertex vertices,
                          const IdIndex* index, std::uint64_t shift) {
  DeviceEdges& edges = *raw.on_device;
  const IdRange range = id_range(raw);
  IdNumbers numbers{vertices, index != nullptr && !index->is_contiguous(),
                    static_cast<std::uint32_t>(index != nullptr ? index->smallest() : shift)};
  const bool named = range.smallest <= range.largest;
  if (named && !numbers.by_rank &&
      (range.smallest < numbers.shift || range.largest - numbers.shift >= vertices))
    throw DeviceDoubt{"an edge names a vertex that is not there"};
  std::vector<trace::Stage>& stages = context.report.stages;
  const ListFacts facts = [&] {
    const trace::StageScope stage(stages, "sort");
    return edges.sort(numbers);
  }();
  RowFacts& rows = raw.facts.emplace();
  rows.self_loops = facts.self_loops;
  rows.duplicates = facts.duplicates;
  return adjacency_of(edges.keep());
}

}  // namespace vertigo::graph
