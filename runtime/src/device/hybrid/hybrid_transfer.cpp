#include "hybrid_transfer.h"

#include <algorithm>
#include <utility>

#include "../check.h"
#include "vertigo/graph/part.h"

namespace vertigo::gpu::hybrid {

namespace {

constexpr const char* kPurpose = "choose how edges come to the device";

bool has(Along along, unsigned direction) {
  return along == Along::Both || along == (direction == 0 ? Along::Out : Along::In);
}

std::uint64_t bytes_of_edges(const graph::Graph& graph, unsigned attribute_bytes) {
  return graph.edge_count * (sizeof(Vertex) + attribute_bytes);
}

template <class T>
void pin(T*& place, std::uint64_t count) {
  const std::uint64_t bytes = std::max<std::uint64_t>(count, 1) * sizeof(T);
  check(cudaMallocHost(reinterpret_cast<void**>(&place), bytes),
        "pin " + in_words(bytes) + " of host memory");
}

std::uint64_t words_of_bits(Vertex vertices) { return (std::uint64_t{vertices} + 31) / 32; }

}  // namespace

HybridTransfer::HybridTransfer(const graph::Graph& graph, const HostLists (&lists)[kDirections],
                               Along along, host::Transfer asked, detail::Device& device)
    : graph_(graph),
      attribute_bytes_(lists[0].attribute_bytes),
      // The in-edges of a symmetric graph are its out-edges.
      uses_{has(along, 0) || graph.symmetric, has(along, 1) && !graph.symmetric},
      asked_(asked),
      device_(device),
      partitions_(graph, attribute_bytes_, partition_bytes(bytes_of_edges(graph, attribute_bytes_)),
                  graph.on_file ? Partitions::Slots::ForAll : Partitions::Slots::ForMost),
      store_(partitions_, lists, graph.on_file, device),
      stream_(device.stream) {}

HybridTransfer::~HybridTransfer() {
  lanes_.finish();
  cudaStreamSynchronize(device_.stream);
  for (void* const memory : {static_cast<void*>(seen_activity_), static_cast<void*>(sent_tables_),
                             static_cast<void*>(seen_marks_)})
    if (memory != nullptr) cudaFreeHost(memory);
}

void HybridTransfer::declare(detail::Arrays& arrays, std::uint64_t host_memory) {
  const std::uint64_t count = partitions_.count();
  const auto declare_one = [&](auto*& place, const char* name, std::uint64_t elements) {
    arrays.declare(reinterpret_cast<void**>(&place), name, elements * sizeof(*place));
  };
  arrays.declare_filled(reinterpret_cast<void**>(&begins_), "partitions",
                        partitions_.begins().data(), partitions_.begins().size() * sizeof(Vertex));
  declare_one(activity_, "active edges by partition", count);
  declare_one(tables_, "tasks of a step", 3 * count + 4);
  declare_one(sorted_, "active vertices by task", graph_.vertex_count);
  declare_one(marks_.words, "marks of active vertices", words_of_bits(graph_.vertex_count));
  std::uint64_t edges = 0;
  for (const bool used : uses_) edges += used ? bytes_of_edges(graph_, attribute_bytes_) : 0;
  constexpr std::uint64_t kSlots = 4;
  arrays.memory.declare_rest(reinterpret_cast<void**>(&memory_), "edges at hand",
                             partitions_.slot_bytes() * (is_on_file() ? most_directions() : 1),
                             edges + kSlots * partitions_.slot_bytes());
  if (is_on_file())
    arrays.memory.note_on_host("edges on their way from the file",
                               store_.file()->planned_bytes(most_directions(), host_memory));
}

void HybridTransfer::prepare(const detail::HeldEdges& whole, std::uint64_t memory_for_edges,
                             const std::string& kept, std::uint64_t host_memory) {
  lanes_.prepare();
  pin(seen_activity_, partitions_.count());
  pin(sent_tables_, 3 * partitions_.count() + 4);
  pin(seen_marks_, words_of_bits(graph_.vertex_count));
  const bool keeps = asked_ == host::Transfer::Auto;
  // Edges on file come in one way.
  if (memory_for_edges > 0 && graph_.edge_count > 0 && !is_on_file()) {
    const unsigned direction = uses_[0] ? 0 : 1;
    const double begin = trace::process_seconds();
    const detail::HeldLists& edges = direction == 0 ? whole.out : whole.in;
    rates_ = link_rates({.host = store_.on_host(direction).targets,
                         .on_device = edges.targets,
                         .host_bytes = graph_.edge_count * sizeof(Vertex) / kLineBytes * kLineBytes,
                         .device = memory_,
                         .device_bytes = memory_for_edges,
                         .pinned = store_.outbox(),
                         .pinned_bytes = partitions_.slot_bytes()},
                        device_.most_blocks, device_.stream, kept);
    if (!rates_.kept) measurement_ = {"measure the link", begin, trace::process_seconds()};
  }
  store_.prepare(whole, memory_, memory_for_edges, uses_, keeps, host_memory);
}

// What goes which way.

bool HybridTransfer::is_resident(std::size_t partition) const {
  for (unsigned d = 0; d < kDirections; ++d)
    if (reads(d) && partition >= store_.resident(d)) return false;
  return true;
}

bool HybridTransfer::is_in_slots(std::size_t partition) const {
  for (unsigned d = 0; d < kDirections; ++d)
    if (reads(d) && store_.find(d, partition) == EdgeStore::kNone) return false;
  return true;
}

HybridTransfer::Choice HybridTransfer::choose(std::size_t partition, const Activity& active) const {
  if (is_resident(partition)) return {Way::Resident, 0, 0};
  if (is_on_file()) return {Way::Filter, 0, 0};
  Piece all;  // of both directions where both are read
  bool fits = store_.slots() >= directions();
  for (unsigned d = 0; d < kDirections; ++d) {
    if (!reads(d)) continue;
    const Piece piece = partitions_.piece(partition, d != 0);
    fits = fits && partitions_.fits_slot(piece);
    all.end += piece.edges();
  }
  const double in_place = cost(Way::ZeroCopy, all, active, attribute_bytes_, rates_);
  if (!fits) return {Way::ZeroCopy, in_place, in_place};
  switch (asked_) {
    case host::Transfer::Filter:
      return {Way::Filter, 0, 0};
    case host::Transfer::Compaction:
      return {!list_ ? Way::Filter : Way::Compaction, 0, 0};
    case host::Transfer::ZeroCopy:
      return {Way::ZeroCopy, 0, 0};
    default:
      break;
  }
  // What a launch over all vertices will not read is not known beforehand.
  if (!list_) return {Way::Filter, 0, 0};
  if (is_in_slots(partition)) return {Way::Filter, 0, in_place};
  const Way way =
      cheapest(all, active, attribute_bytes_, rates_, {.filter = true, .compaction = true});
  return {way, cost(way, all, active, attribute_bytes_, rates_), in_place};
}

void HybridTransfer::note(Way way, std::size_t partition, const Activity& active) {
  const std::uint64_t useful = active.edges * edge_bytes();
  std::uint64_t moved = 0;
  if (way == Way::Filter && is_on_file() && !is_in_slots(partition)) return;
  if (way == Way::ZeroCopy) moved = active.lines * kLineBytes * edge_bytes() / sizeof(Vertex);
  if (way == Way::Compaction)
    moved = useful + active.vertices * (sizeof(Vertex) + sizeof(std::uint32_t));
  if (way == Way::Filter)
    for (unsigned d = 0; d < kDirections; ++d)
      if (reads(d) && store_.find(d, partition) == EdgeStore::kNone)
        moved += partitions_.piece(partition, d != 0).edges() * edge_bytes();
  ledger_.add(way, moved, useful);
}

std::uint64_t HybridTransfer::edge_bytes_of(std::size_t partition) const {
  std::uint64_t bytes = 0;
  for (unsigned d = 0; d < kDirections; ++d)
    if (reads(d)) bytes += partitions_.piece(partition, d != 0).edges() * edge_bytes();
  return bytes;
}

void HybridTransfer::note_from_file(const Planned& task) {
  ledger_.add(task.sent.from_file ? Way::FromFile : Way::Filter, edge_bytes_of(task.partition),
              task.useful, task.sent.waited);
}

void HybridTransfer::begin(Along along, const Worklist* list) {
  reads_[0] = has(along, 0) || graph_.symmetric;
  reads_[1] = has(along, 1) && !graph_.symmetric;
  list_ = list == nullptr ? std::nullopt : std::optional(*list);
  is_sorted_ = false;
  tasks_.clear();
  at_ = transfers_ = filled_ = 0;
  if (list == nullptr)
    plan_all();
  else
    plan_listed(*list);
  if (tasks_.size() > 1) lanes_.fork(device_.stream);
  start_transfers();
}

void HybridTransfer::plan_all() {
  began_.reset();
  std::vector<Planned> transfers;
  for (std::size_t p = 0; p < partitions_.count(); ++p) {
    Activity all;
    for (unsigned d = 0; d < kDirections; ++d)
      if (reads(d)) all.edges += partitions_.piece(p, d != 0).edges();
    all.lines = all.edges * sizeof(Vertex) / kLineBytes + 1;
    const Way way = choose(p, all).way;
    note(way, p, all);
    Planned task;
    task.way = way;
    task.partition = p;
    task.useful = all.edges * edge_bytes();
    task.first = partitions_.begins()[p];
    task.last = partitions_.begins()[p + 1];
    if (way == Way::Filter) {
      transfers.push_back(task);
    } else if (!tasks_.empty() && tasks_.back().way == way && tasks_.back().last == task.first) {
      tasks_.back().last = task.last;
    } else {
      tasks_.push_back(task);
    }
  }
  transfers_ = tasks_.size();
  tasks_.insert(tasks_.end(), transfers.begin(), transfers.end());
}

std::vector<Way> HybridTransfer::choose_ways() {
  std::vector<Way> ways(partitions_.count(), Way::Resident);
  double by_model = 0;
  double in_place = 0;
  for (std::size_t p = 0; p < partitions_.count(); ++p) {
    if (seen_activity_[p].vertices == 0) continue;
    const Choice choice = choose(p, seen_activity_[p]);
    ways[p] = choice.way;
    by_model += choice.seconds;
    in_place += choice.seconds_in_place;
  }
  const auto now = std::chrono::steady_clock::now();
  if (began_) experience_.learn(std::chrono::duration<double>(now - *began_).count());
  began_ = now;
  if (asked_ != host::Transfer::Auto || is_on_file() ||
      experience_.choose(by_model, in_place) == Experience::Mode::ByModel)
    return ways;
  for (Way& way : ways)
    if (way != Way::Resident) way = Way::ZeroCopy;
  return ways;
}

void HybridTransfer::plan_listed(const Worklist& list) {
  measure(list);  // waits for what was launched before
  const std::vector<Way> ways = choose_ways();
  // The two tasks that need no slot, and one for each partition that is brought.
  std::vector<std::uint32_t> task_of(partitions_.count(), 0);
  Planned still[2];
  still[0].way = Way::Resident;
  still[1].way = Way::ZeroCopy;
  std::vector<Planned> transfers;
  bool gathers = false;
  constexpr std::uint32_t kResident = 0;
  constexpr std::uint32_t kOverLink = 1;
  constexpr std::uint32_t kFirstTransfer = 2;
  for (std::size_t p = 0; p < partitions_.count(); ++p) {
    const Activity& active = seen_activity_[p];
    if (active.vertices == 0) continue;
    const Way way = ways[p];
    note(way, p, active);
    const auto count = static_cast<std::uint32_t>(active.vertices);
    if (way == Way::Resident || way == Way::ZeroCopy) {
      task_of[p] = way == Way::Resident ? kResident : kOverLink;
      still[task_of[p]].count += count;
      continue;
    }
    gathers = gathers || way == Way::Compaction;
    task_of[p] = kFirstTransfer + static_cast<std::uint32_t>(transfers.size());
    Planned& task = transfers.emplace_back();
    task.way = way;
    task.partition = p;
    task.count = count;
    task.useful = active.edges * edge_bytes();
  }
  tasks_.assign(still, still + 2);
  tasks_.insert(tasks_.end(), transfers.begin(), transfers.end());
  // A list of which all is read in one place need not be sorted.
  const auto holds = [](const Planned& task) { return task.count > 0; };
  if (std::ranges::count_if(tasks_, holds) > 1 || !transfers.empty()) sort(list, task_of);
  if (gathers) fetch_marks(list);
  transfers_ = static_cast<std::size_t>(std::ranges::count_if(still, holds));
  std::erase_if(tasks_, [&](const Planned& task) { return !holds(task); });
}

void HybridTransfer::measure(const Worklist& list) {
  const std::uint64_t bytes = partitions_.count() * sizeof(Activity);
  check(cudaMemsetAsync(activity_, 0, bytes, device_.stream), kPurpose);
  const detail::HeldLists& first = store_.whole(reads(0) ? 0 : 1);
  launch_measure(device_.most_blocks, device_.stream, list,
                 {begins_, static_cast<std::uint32_t>(partitions_.count())},
                 {first.offsets, directions() == 2 ? store_.whole(1).offsets : nullptr}, activity_);
  check(cudaGetLastError(), kPurpose);
  check(cudaMemcpyAsync(seen_activity_, activity_, bytes, cudaMemcpyDeviceToHost, device_.stream),
        kPurpose);
  check(cudaStreamSynchronize(device_.stream), kPurpose);
}

void HybridTransfer::sort(const Worklist& list, const std::vector<std::uint32_t>& task_of) {
  // The tables of the launch before have been read: measure() waited for the stream.
  const std::size_t parts = task_of.size();
  std::ranges::copy(task_of, sent_tables_);
  std::uint32_t* const cursors = sent_tables_ + parts;
  std::uint32_t* const counts = cursors + tasks_.size();
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    Planned& task = tasks_[i];
    task.begin = cursors[i] = begin;
    counts[i] = task.count;
    task.count_at = parts + tasks_.size() + i;
    begin += task.count;
  }
  check(cudaMemcpyAsync(tables_, sent_tables_, (parts + 2 * tasks_.size()) * sizeof(std::uint32_t),
                        cudaMemcpyHostToDevice, device_.stream),
        kPurpose);
  launch_sort(device_.most_blocks, device_.stream, list,
              {begins_, static_cast<std::uint32_t>(parts)},
              {tables_, tables_ + parts, static_cast<std::uint32_t>(tasks_.size())}, sorted_);
  check(cudaGetLastError(), kPurpose);
  is_sorted_ = true;
}

void HybridTransfer::fetch_marks(const Worklist& list) {
  const std::uint64_t bytes = words_of_bits(graph_.vertex_count) * sizeof(std::uint32_t);
  check(cudaMemsetAsync(marks_.words, 0, bytes, device_.stream), kPurpose);
  launch_mark(device_.most_blocks, device_.stream, list, marks_);
  check(cudaGetLastError(), kPurpose);
  check(cudaMemcpyAsync(seen_marks_, marks_.words, bytes, cudaMemcpyDeviceToHost, device_.stream),
        kPurpose);
  check(cudaStreamSynchronize(device_.stream), kPurpose);
}

// How it gets there.

void HybridTransfer::start_transfers() {
  const auto transfers = tasks_.begin() + static_cast<std::ptrdiff_t>(transfers_);
  const auto by_way = [&](const Planned& task) {
    if (task.way == Way::Compaction) return 2;  // the host gathers while the link is busy
    return is_in_slots(task.partition) ? 0 : 1;
  };
  std::stable_sort(transfers, tasks_.end(),
                   [&](const Planned& a, const Planned& b) { return by_way(a) < by_way(b); });
  for (auto task = transfers; task != tasks_.end() && by_way(*task) == 0; ++task)
    for (unsigned d = 0; d < kDirections; ++d)
      if (reads(d)) store_.take(task->slots[d] = store_.find(d, task->partition));
  if (is_on_file()) expect_from_file();
  filled_ = transfers_;
  while (filled_ < tasks_.size() && may_fill_ahead(tasks_[filled_]) && fill_slots(tasks_[filled_]))
    ++filled_;
}

// What the host would have to do or to wait for waits until it is the task's turn: the kernels of
// those before it are launched first.
bool HybridTransfer::may_fill_ahead(const Planned& task) const {
  if (task.way != Way::Filter) return false;
  for (unsigned d = 0; d < kDirections; ++d)
    if (is_on_file() && reads(d) && task.slots[d] == EdgeStore::kNone &&
        !store_.file()->is_read({d, task.partition}))
      return false;
  return true;
}

void HybridTransfer::expect_from_file() {
  std::vector<FilePieces::Name> names;
  for (std::size_t i = transfers_; i < tasks_.size(); ++i)
    for (unsigned d = 0; d < kDirections; ++d)
      if (reads(d) && tasks_[i].slots[d] == EdgeStore::kNone)
        names.push_back({d, tasks_[i].partition});
  store_.file()->expect(std::move(names));
}

bool HybridTransfer::fill_slots(Planned& task) {
  bool is_sent = false;
  for (unsigned d = 0; d < kDirections; ++d) {
    if (!reads(d) || task.slots[d] != EdgeStore::kNone) continue;
    task.slots[d] = store_.take();
    if (task.slots[d] == EdgeStore::kNone) return false;
    if (task.way == Way::Filter) {
      const EdgeStore::Sent sent = store_.send(task.slots[d], d, task.partition);
      task.sent = {task.sent.from_file || sent.from_file, task.sent.waited + sent.waited};
      is_sent = true;
    } else
      task.gathered = store_.send_gathered(task.slots[d], d, task.partition, seen_marks_).vertices;
  }
  if (is_sent && is_on_file()) note_from_file(task);
  return true;
}

void HybridTransfer::release(Planned& task) {
  for (const int slot : task.slots)
    if (slot != EdgeStore::kNone) store_.release(slot, stream_);
}

bool HybridTransfer::next(detail::Task& to, std::uint32_t& length) {
  if (at_ > 0) release(tasks_[at_ - 1]);
  // What was released is filled for a later task while this one's kernel runs.
  while (filled_ < tasks_.size() && (filled_ <= at_ || may_fill_ahead(tasks_[filled_])) &&
         fill_slots(tasks_[filled_]))
    ++filled_;
  if (at_ == tasks_.size()) {
    if (tasks_.size() > 1) lanes_.join(device_.stream);
    stream_ = device_.stream;
    return false;
  }
  if (tasks_.size() > 1) stream_ = lanes_.next();
  Planned& task = tasks_[at_++];
  for (const int slot : task.slots)
    if (slot != EdgeStore::kNone) store_.await(slot, task.gathered, stream_);
  show(task, to);
  length = task.count;
  return true;
}

detail::HeldLists HybridTransfer::lists(const Planned& task, unsigned direction) const {
  if (!reads(direction)) return store_.whole(direction);
  switch (task.way) {
    case Way::Resident:
      return store_.resident_lists(direction);
    case Way::ZeroCopy:
      return store_.whole(direction);
    default:
      return store_.lists(task.slots[direction]);
  }
}

void HybridTransfer::show(const Planned& task, detail::Task& to) const {
  const auto show_lists = [&](const detail::HeldLists& lists, detail::TaskLists& place) {
    if (lists.offsets == nullptr) return;
    place.offsets = graph::as_whole(lists.offsets, lists.first);
    place.targets = graph::as_whole(lists.targets, lists.base);
    place.attributes = lists.attributes == nullptr
                           ? nullptr
                           : graph::as_whole(static_cast<const std::byte*>(lists.attributes),
                                             lists.base * attribute_bytes_);
  };
  show_lists(lists(task, 0), to.out);
  if (graph_.symmetric)
    to.in = to.out;
  else
    show_lists(lists(task, 1), to.in);
  to.first = task.first;
  to.last = task.last;
  if (!list_) return;
  to.list = *list_;
  if (!is_sorted_) return;
  to.list.items = sorted_ + task.begin;
  to.list.count = tables_ + task.count_at;
}

std::vector<trace::Moved> HybridTransfer::moved_since_shown() {
  return ledger_.since(std::exchange(shown_, ledger_));
}

std::string HybridTransfer::link_in_words() const {
  return rates_.piece == 0 ? "" : execute::in_words(rates_);
}

std::string HybridTransfer::in_words() const {
  if (ledger_.is_empty()) return "";
  return ledger_.in_words();
}

}  // namespace vertigo::gpu::hybrid
