#include "edge_store.h"

#include <algorithm>

#include "../check.h"
#include "active.h"
#include "vertigo/core/error.h"

namespace vertigo::gpu::hybrid {

namespace {

/// While kernels read some slots, copies fill the others.
constexpr std::size_t kMostSlots = 8;

constexpr const char* kPurpose = "bring edges to the device";

}  // namespace

EdgeStore::EdgeStore(const Partitions& partitions, const HostLists (&lists)[kDirections],
                     std::shared_ptr<const graph::EdgesOnFile> on_file, detail::Device& device)
    : partitions_(partitions),
      lists_{lists[0], lists[1]},
      file_(on_file ? std::make_unique<FilePieces>(on_file, partitions) : nullptr),
      has_attributes_(on_file ? on_file->weights().has_value() : lists[0].attributes != nullptr),
      device_(device) {}

EdgeStore::~EdgeStore() {
  if (copies_ != nullptr) {
    cudaStreamSynchronize(copies_);
    cudaStreamDestroy(copies_);
  }
  cudaStreamSynchronize(device_.stream);
  for (const Slot& slot : slots_)
    for (const cudaEvent_t event : {slot.copied, slot.used})
      if (event != nullptr) cudaEventDestroy(event);
  for (const Outbox& outbox : outboxes_) {
    if (outbox.sent != nullptr) cudaEventDestroy(outbox.sent);
    if (outbox.memory != nullptr) cudaFreeHost(outbox.memory);
  }
}

void EdgeStore::prepare(const detail::HeldEdges& whole, std::byte* memory, std::uint64_t bytes,
                        const bool (&uses)[kDirections], bool keeps, std::uint64_t host_memory) {
  whole_ = whole;
  check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "create a stream");
  const std::uint64_t slot = partitions_.slot_bytes();
  if (slot == 0) return;
  const std::uint64_t fit = bytes / slot;
  const unsigned directions = unsigned{uses[0]} + unsigned{uses[1]};
  if (file_) {
    if (fit < directions)
      throw Error(ExitCode::OutOfMemory,
                  "cannot allocate " + in_words(directions * slot) + " for edges from the file");
    file_->prepare(directions, host_memory);
  }
  // What stays saves more than what passes, as long as copies and kernels can take turns.
  const std::uint64_t wanted = keeps ? std::max<std::uint64_t>(2, fit / 2) : kMostSlots;
  const auto count = static_cast<std::size_t>(std::min({fit, wanted, std::uint64_t{kMostSlots}}));
  make_slots(memory, count);
  if (!keeps) return;
  std::byte* rest = memory + count * slot;
  std::uint64_t left = bytes - count * slot;
  std::uint64_t edges[kDirections] = {};
  for (unsigned d = 0; d < kDirections; ++d)
    if (uses[d]) edges[d] = partitions_.piece(partitions_.count() - 1, d != 0).end;
  // Both directions in proportion.
  const double share = edges[0] + edges[1] == 0 ? 0
                                                : static_cast<double>(edges[0]) /
                                                      static_cast<double>(edges[0] + edges[1]);
  const auto of_out = static_cast<std::uint64_t>(share * static_cast<double>(left)) / 128 * 128;
  if (uses[0]) keep(0, rest, of_out);
  if (uses[1]) keep(1, rest + of_out, left - of_out);
  check(cudaStreamSynchronize(device_.stream), kPurpose);
}

void EdgeStore::make_slots(std::byte* memory, std::size_t count) {
  slots_.resize(count);
  for (Slot& slot : slots_) {
    slot.memory = memory;
    memory += partitions_.slot_bytes();
    slot.copied = make_event();
    slot.used = make_event();
  }
}

void EdgeStore::keep(unsigned direction, std::byte* memory, std::uint64_t bytes) {
  Resident& resident = resident_[direction];
  std::uint64_t edges = 0;
  for (; resident.partitions < partitions_.count(); ++resident.partitions) {
    const std::uint64_t end = partitions_.piece(resident.partitions, direction != 0).end;
    if (SlotLayout(0, end, attribute_bytes()).bytes > bytes) break;
    edges = end;
  }
  if (resident.partitions == 0) return;
  const SlotLayout layout(0, edges, attribute_bytes());
  resident.targets = reinterpret_cast<Vertex*>(memory + layout.targets);
  resident.attributes = memory + layout.attributes;
  if (file_) return keep_from_file(direction);
  const detail::HeldLists& from = whole(direction);
  const auto bring = [&](void* to, const void* source, std::uint64_t size) {
    check(cudaMemcpyAsync(to, source, size, cudaMemcpyDefault, device_.stream), kPurpose);
  };
  bring(resident.targets, from.targets, edges * sizeof(Vertex));
  if (from.attributes != nullptr)
    bring(resident.attributes, from.attributes, edges * attribute_bytes());
}

void EdgeStore::keep_from_file(unsigned direction) {
  const Resident& resident = resident_[direction];
  std::vector<FilePieces::Name> names;
  for (std::size_t p = 0; p < resident.partitions; ++p) names.push_back({direction, p});
  file_->expect(names);
  for (const FilePieces::Name& name : names) {
    const EdgeIndex begin = partitions_.piece(name.partition, direction != 0).begin;
    copy_from_file(reinterpret_cast<std::byte*>(resident.targets + begin),
                   resident.attributes + begin * attribute_bytes(), name, device_.stream);
  }
}

EdgeStore::Sent EdgeStore::copy_from_file(std::byte* targets, std::byte* attributes,
                                          const FilePieces::Name& name, cudaStream_t stream) {
  const std::uint64_t edges = partitions_.piece(name.partition, name.direction != 0).edges();
  const FilePieces::Held held = file_->take(name);
  const auto bring = [&](void* to, const void* from, std::uint64_t bytes) {
    if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), kPurpose);
  };
  bring(targets, held.targets, edges * sizeof(Vertex));
  if (has_attributes_) bring(attributes, held.attributes, edges * attribute_bytes());
  file_->sent(held.piece, stream);
  return {held.was_read, held.waited};
}

int EdgeStore::find(unsigned direction, std::size_t partition) const {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].whole && slots_[i].direction == direction && slots_[i].partition == partition)
      return static_cast<int>(i);
  return kNone;
}

int EdgeStore::take() {
  int best = kNone;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (!slots_[i].taken && (best == kNone || slots_[i].last_use < slots_[best].last_use))
      best = static_cast<int>(i);
  if (best != kNone) slots_[best].taken = true;
  return best;
}

void EdgeStore::copy(void* to, const void* from, std::uint64_t bytes) const {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, copies_), kPurpose);
}

SlotLayout EdgeStore::layout(const Slot& slot) const {
  const Piece of = piece(slot);
  return {of.vertices(), of.edges(), attribute_bytes()};
}

EdgeStore::Sent EdgeStore::send(int number, unsigned direction, std::size_t partition) {
  Slot& slot = slots_[number];
  slot.direction = direction;
  slot.partition = partition;
  slot.whole = true;
  slot.gathered = false;
  const Piece all = piece(slot);
  const SlotLayout at = layout(slot);
  const detail::HeldLists& from = whole(direction);
  check(cudaStreamWaitEvent(copies_, slot.used), kPurpose);
  if (file_) {
    const Sent sent = copy_from_file(slot.memory + at.targets, slot.memory + at.attributes,
                                     {direction, partition}, copies_);
    check(cudaEventRecord(slot.copied, copies_), kPurpose);
    return sent;
  }
  copy(slot.memory + at.targets, from.targets + all.begin, all.edges() * sizeof(Vertex));
  if (from.attributes != nullptr)
    copy(slot.memory + at.attributes,
         static_cast<const std::byte*>(from.attributes) + all.begin * attribute_bytes(),
         all.edges() * attribute_bytes());
  check(cudaEventRecord(slot.copied, copies_), kPurpose);
  return {};
}

EdgeStore::Outbox& EdgeStore::next_outbox() {
  Outbox& outbox = outboxes_[turn_];
  turn_ ^= 1;
  if (outbox.memory == nullptr) {
    const std::uint64_t bytes = std::max<std::uint64_t>(partitions_.slot_bytes(), 1);
    check(cudaMallocHost(reinterpret_cast<void**>(&outbox.memory), bytes),
          "pin " + in_words(partitions_.slot_bytes()) + " of host memory");
    outbox.sent = make_event();
  }
  check(cudaEventSynchronize(outbox.sent), kPurpose);
  return outbox;
}

Gathered EdgeStore::send_gathered(int number, unsigned direction, std::size_t partition,
                                  const std::uint32_t* bits) {
  Slot& slot = slots_[number];
  slot.direction = direction;
  slot.partition = partition;
  slot.whole = false;
  slot.gathered = true;
  const Piece all = piece(slot);
  const SlotLayout at = layout(slot);
  const HostLists& lists = lists_[direction];
  Outbox& outbox = next_outbox();
  const Gathered gathered = gatherer_.count(lists, all, bits);
  const auto place = [&](std::byte* memory, std::uint64_t offset) { return memory + offset; };
  gatherer_.gather(lists, all, bits,
                   {reinterpret_cast<Vertex*>(place(outbox.memory, at.vertices)),
                    reinterpret_cast<std::uint32_t*>(place(outbox.memory, at.begins)),
                    reinterpret_cast<Vertex*>(place(outbox.memory, at.targets)),
                    place(outbox.memory, at.attributes)});
  check(cudaStreamWaitEvent(copies_, slot.used), kPurpose);
  const auto send = [&](std::uint64_t offset, std::uint64_t bytes) {
    copy(slot.memory + offset, outbox.memory + offset, bytes);
  };
  send(at.vertices, gathered.vertices * sizeof(Vertex));
  send(at.begins, (gathered.vertices + 1) * sizeof(std::uint32_t));
  send(at.targets, gathered.edges * sizeof(Vertex));
  if (lists.attributes != nullptr) send(at.attributes, gathered.edges * attribute_bytes());
  check(cudaEventRecord(slot.copied, copies_), kPurpose);
  check(cudaEventRecord(outbox.sent, copies_), kPurpose);
  return gathered;
}

void EdgeStore::await(int number, std::size_t gathered, cudaStream_t stream) {
  const Slot& slot = slots_[number];
  check(cudaStreamWaitEvent(stream, slot.copied), kPurpose);
  if (!slot.gathered || gathered == 0) return;
  const SlotLayout at = layout(slot);
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((gathered + kBlock - 1) / kBlock, device_.most_blocks));
  launch_index(blocks, stream, gathered_vertices(number),
               reinterpret_cast<const std::uint32_t*>(slot.memory + at.begins),
               static_cast<std::uint32_t>(gathered), piece(slot).first,
               reinterpret_cast<EdgeIndex*>(slot.memory));
  check(cudaGetLastError(), kPurpose);
}

void EdgeStore::release(int number, cudaStream_t stream) {
  Slot& slot = slots_[number];
  slot.taken = false;
  slot.last_use = ++uses_;
  check(cudaEventRecord(slot.used, stream), kPurpose);
}

detail::HeldLists EdgeStore::resident_lists(unsigned direction) const {
  detail::HeldLists lists = whole(direction);
  lists.targets = resident_[direction].targets;
  if (has_attributes_) lists.attributes = resident_[direction].attributes;
  return lists;
}

detail::HeldLists EdgeStore::lists(int number) const {
  const Slot& slot = slots_[number];
  const SlotLayout at = layout(slot);
  const Piece all = piece(slot);
  const detail::HeldLists& from = whole(slot.direction);
  detail::HeldLists lists;
  lists.targets = reinterpret_cast<const Vertex*>(slot.memory + at.targets);
  if (has_attributes_) lists.attributes = slot.memory + at.attributes;
  if (slot.gathered) {
    lists.first = all.first;
    lists.offsets = reinterpret_cast<const EdgeIndex*>(slot.memory);
  } else {
    lists.base = all.begin;
    lists.offsets = from.offsets;
  }
  return lists;
}

Vertex* EdgeStore::gathered_vertices(int number) const {
  const Slot& slot = slots_[number];
  return reinterpret_cast<Vertex*>(slot.memory + layout(slot).vertices);
}

}  // namespace vertigo::gpu::hybrid
