#pragma once
// The device memory that edges in host memory are given: the partitions at the beginning of the
// graph, which stay, and slots through which the others pass.

#include <vector>

#include "../device.h"
#include "../held_edges.h"
#include "file_pieces.h"
#include "gather.h"
#include "partitions.h"

namespace vertigo::gpu::hybrid {

inline constexpr unsigned kDirections = 2;  // out, in

class EdgeStore {
 public:
  static constexpr int kNone = -1;

  /// `lists`: the edges of both directions on the host, those of the second where somebody reads
  /// them. `on_file`: where the edges themselves are; null: with the lists.
  EdgeStore(const Partitions& partitions, const HostLists (&lists)[kDirections],
            std::shared_ptr<const graph::EdgesOnFile> on_file, detail::Device& device);
  ~EdgeStore();
  EdgeStore(const EdgeStore&) = delete;

  /// Takes the memory. `whole`: all edges by their addresses for the device, in pinned memory.
  /// `uses`: the directions that will be asked for. `keeps`: some partitions may stay.
  /// `host_memory`: what edges from a file may take; 0: what is free.
  void prepare(const detail::HeldEdges& whole, std::byte* memory, std::uint64_t bytes,
               const bool (&uses)[kDirections], bool keeps, std::uint64_t host_memory);
  /// Null where the edges are in memory.
  FilePieces* file() const { return file_.get(); }

  /// Partitions 0 .. resident(direction) - 1 stay on the device.
  std::size_t resident(unsigned direction) const { return resident_[direction].partitions; }
  std::size_t slots() const { return slots_.size(); }
  /// The slot that holds the partition as a whole.
  int find(unsigned direction, std::size_t partition) const;

  /// A slot that no task holds, taken; kNone where there is none. One whose partition was used
  /// longest ago.
  int take();
  /// Takes the slot for a task that reads what it holds.
  void take(int slot) { slots_[slot].taken = true; }
  struct Sent {
    bool from_file = false;  ///< read for this
    double waited = 0;       ///< seconds, for the file
  };
  /// Starts to copy a partition into a slot that is taken.
  Sent send(int slot, unsigned direction, std::size_t partition);
  /// The same of the lists of its vertices whose bits are set, which are gathered first; how many
  /// there are.
  Gathered send_gathered(int slot, unsigned direction, std::size_t partition,
                         const std::uint32_t* bits);
  /// What is launched on the stream after this finds the slot filled.
  void await(int slot, std::size_t gathered_vertices, cudaStream_t stream);
  /// After the last launch that reads the slot, which is on the stream.
  void release(int slot, cudaStream_t stream);

  /// Pinned memory of a slot's size from which gathered lists leave; for a trial before they do.
  void* outbox() { return next_outbox().memory; }

  detail::HeldLists resident_lists(unsigned direction) const;
  detail::HeldLists lists(int slot) const;
  /// Of a slot with gathered lists.
  Vertex* gathered_vertices(int slot) const;

  const HostLists& on_host(unsigned direction) const { return lists_[direction]; }
  const detail::HeldLists& whole(unsigned direction) const {
    return direction == 1 ? whole_.in : whole_.out;
  }

 private:
  struct Resident {
    std::size_t partitions = 0;
    Vertex* targets = nullptr;
    std::byte* attributes = nullptr;
  };
  struct Slot {
    std::byte* memory = nullptr;
    unsigned direction = 0;
    std::size_t partition = 0;
    bool whole = false;     ///< holds all lists of the partition
    bool gathered = false;  ///< holds some
    bool taken = false;
    std::uint64_t last_use = 0;
    cudaEvent_t copied = nullptr;  ///< on the stream of copies
    cudaEvent_t used = nullptr;    ///< on the stream of the task that read it
  };
  /// Pinned memory from which gathered lists leave the host.
  struct Outbox {
    std::byte* memory = nullptr;
    cudaEvent_t sent = nullptr;
  };

  unsigned attribute_bytes() const { return lists_[0].attribute_bytes; }
  void keep_from_file(unsigned direction);
  Sent copy_from_file(std::byte* targets, std::byte* attributes, const FilePieces::Name& name,
                      cudaStream_t stream);
  void keep(unsigned direction, std::byte* memory, std::uint64_t bytes);
  void make_slots(std::byte* memory, std::size_t count);
  void copy(void* to, const void* from, std::uint64_t bytes) const;
  SlotLayout layout(const Slot& slot) const;
  Piece piece(const Slot& slot) const { return partitions_.piece(slot.partition, slot.direction); }
  Outbox& next_outbox();

  const Partitions& partitions_;
  const HostLists lists_[kDirections];
  const std::unique_ptr<FilePieces> file_;
  const bool has_attributes_;
  detail::Device& device_;
  detail::HeldEdges whole_;
  Resident resident_[kDirections];
  std::vector<Slot> slots_;
  std::uint64_t uses_ = 0;
  cudaStream_t copies_ = nullptr;
  Outbox outboxes_[2];
  unsigned turn_ = 0;
  Gatherer gatherer_;
};

}  // namespace vertigo::gpu::hybrid
