#pragma once
// Hybrid transfer management (HyTGraph): edges stay in host memory, and launch by launch those of
// the active vertices come to the device, partition by partition in the way that costs least. A
// launch that reads edges becomes several: one for all partitions that are on the device, one for
// those that kernels read over the link, and one for each that is brought.

#include <chrono>
#include <optional>
#include <vector>

#include "../arrays.h"
#include "active.h"
#include "cost.h"
#include "edge_store.h"
#include "experience.h"
#include "lanes.h"
#include "ledger.h"
#include "link.h"
#include "vertigo/device/session.cuh"
#include "vertigo/host/program.h"
#include "vertigo/trace/stage.h"

namespace vertigo::gpu::hybrid {

class HybridTransfer {
 public:
  /// `along`: the directions that launches will ask for. `asked`: Auto, or one way wherever it can
  /// be had. `lists`: of both directions on the host.
  HybridTransfer(const graph::Graph& graph, const HostLists (&lists)[kDirections], Along along,
                 host::Transfer asked, detail::Device& device);
  ~HybridTransfer();
  HybridTransfer(const HybridTransfer&) = delete;

  /// Declares what it needs; edges get what is left of the memory. `host_memory`: what edges from a
  /// file may take on the host; 0: what is free.
  void declare(detail::Arrays& arrays, std::uint64_t host_memory);
  /// After everything is allocated. `whole`: all edges by their addresses for the device.
  /// `kept`: the folder in which runs keep what they have found out about the machine; empty: none.
  void prepare(const detail::HeldEdges& whole, std::uint64_t memory_for_edges,
               const std::string& kept, std::uint64_t host_memory);

  /// Begins the tasks of a launch over the listed vertices, or where `list` is null over all.
  void begin(Along along, const Worklist* list);
  /// The next task of the launch, whose kernel is to be launched on stream() before the next call;
  /// false where there is none left. `length`: of its list.
  bool next(detail::Task& task, std::uint32_t& length);
  /// For the kernel of the task at hand; between launches the session's.
  cudaStream_t stream() const { return stream_; }

  void begin_run() {
    ledger_ = shown_ = {};
    began_.reset();
  }
  /// What was moved, and what the choice stood on; one line.
  std::string in_words() const;
  /// What the link can do, in one line; empty where nobody asked.
  std::string link_in_words() const;
  /// When the link was measured; nothing where that was not needed.
  const std::optional<trace::Stage>& measurement() const { return measurement_; }
  /// What was moved since this was asked the last time, or since the run began.
  std::vector<trace::Moved> moved_since_shown();

 private:
  /// A launch's part. Those that need no slot come first.
  struct Planned {
    Way way = Way::ZeroCopy;
    std::size_t partition = 0;  ///< that it brings
    Vertex first = 0;           ///< of a launch over all vertices: those of this task
    Vertex last = 0;
    std::uint32_t begin = 0;  ///< of a launch over a list: in the sorted list
    std::uint32_t count = 0;
    std::size_t count_at = 0;  ///< where the tables have the count
    int slots[kDirections] = {EdgeStore::kNone, EdgeStore::kNone};
    std::uint64_t gathered = 0;  ///< vertices with a list in the slots
    std::uint64_t useful = 0;    ///< bytes that the kernel reads of what comes from a file
    EdgeStore::Sent sent;        ///< of that
  };

  /// A partition's way by the model.
  struct Choice {
    Way way = Way::ZeroCopy;
    double seconds = 0;           ///< that it takes, where the model was asked
    double seconds_in_place = 0;  ///< read over the link
  };

  bool reads(unsigned direction) const { return reads_[direction]; }
  unsigned directions() const { return unsigned{reads_[0]} + unsigned{reads_[1]}; }
  unsigned most_directions() const { return unsigned{uses_[0]} + unsigned{uses_[1]}; }
  bool is_on_file() const { return store_.file() != nullptr; }
  std::uint64_t edge_bytes() const { return sizeof(Vertex) + attribute_bytes_; }

  bool is_resident(std::size_t partition) const;
  bool is_in_slots(std::size_t partition) const;
  Choice choose(std::size_t partition, const Activity& active) const;
  /// Of every partition in the launch at hand, whose vertices have been counted. Takes the time of
  /// the launch before, and begins that of this one.
  std::vector<Way> choose_ways();

  void plan_all();
  void plan_listed(const Worklist& list);
  void measure(const Worklist& list);
  void sort(const Worklist& list, const std::vector<std::uint32_t>& task_of);
  void fetch_marks(const Worklist& list);
  /// Puts what lies in slots in front of what has to be brought, and fills the free slots.
  void start_transfers();
  void note(Way way, std::size_t partition, const Activity& active);
  /// The same of a partition whose edges are on file, when it is on its way.
  void note_from_file(const Planned& task);
  /// Reading begins for the tasks that will want it.
  void expect_from_file();
  std::uint64_t edge_bytes_of(std::size_t partition) const;

  bool may_fill_ahead(const Planned& task) const;
  bool fill_slots(Planned& task);
  void release(Planned& task);
  detail::HeldLists lists(const Planned& task, unsigned direction) const;
  void show(const Planned& task, detail::Task& to) const;

  const graph::Graph& graph_;
  const unsigned attribute_bytes_;
  const bool uses_[kDirections];
  const host::Transfer asked_;
  detail::Device& device_;
  const Partitions partitions_;
  Lanes lanes_;
  EdgeStore store_;
  LinkRates rates_;
  std::optional<trace::Stage> measurement_;
  Ledger ledger_;
  Ledger shown_;  ///< as it was when a step was last shown
  Experience experience_;
  std::optional<std::chrono::steady_clock::time_point> began_;  ///< the launch that is to teach

  // On the device.
  Vertex* begins_ = nullptr;
  Activity* activity_ = nullptr;
  std::uint32_t* tables_ = nullptr;  ///< tasks of partitions; cursors and counts of tasks
  Vertex* sorted_ = nullptr;
  Bitmap marks_;
  std::byte* memory_ = nullptr;
  // Pinned.
  Activity* seen_activity_ = nullptr;
  std::uint32_t* sent_tables_ = nullptr;
  std::uint32_t* seen_marks_ = nullptr;

  // Of the launch at hand.
  bool reads_[kDirections] = {};
  std::optional<Worklist> list_;  ///< a slice is gone when its tasks run
  bool is_sorted_ = false;
  std::vector<Planned> tasks_;
  std::size_t transfers_ = 0;  ///< number of the first task that needs slots
  std::size_t filled_ = 0;     ///< tasks before this one have theirs
  std::size_t at_ = 0;         ///< the next task to hand out
  cudaStream_t stream_;
};

}  // namespace vertigo::gpu::hybrid
