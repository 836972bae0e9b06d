#include "vertigo/device/session.cuh"

#include <algorithm>
#include <utility>

#include "actions.h"
#include "check.h"
#include "preparation.h"
#include "state.h"
#include "vertigo/core/error.h"
#include "vertigo/core/parallel.h"
#include "vertigo/device/prepare.cuh"
#include "vertigo/graph/graph.h"
#include "vertigo/trace/profiler.h"

namespace vertigo::gpu {

using detail::State;

namespace {

/// Steps of a device loop that a trace shows; later ones are counted.
constexpr std::uint32_t kMostRecords = 1u << 16;

std::uint64_t bitmap_bytes(Vertex vertices) {
  return (std::uint64_t{vertices} + 31) / 32 * sizeof(std::uint32_t);
}

void store_value(void* to, const Value& value) {
  switch (value.kind) {
    case ScalarKind::Bool:
      *static_cast<bool*>(to) = value.as<bool>();
      break;
    case ScalarKind::Int32:
      *static_cast<std::int32_t*>(to) = value.as<std::int32_t>();
      break;
    case ScalarKind::Int64:
      *static_cast<std::int64_t*>(to) = value.as<std::int64_t>();
      break;
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      *static_cast<std::uint32_t*>(to) = value.as<std::uint32_t>();
      break;
    case ScalarKind::UInt64:
      *static_cast<std::uint64_t*>(to) = value.as<std::uint64_t>();
      break;
    case ScalarKind::Float32:
      *static_cast<float*>(to) = value.as<float>();
      break;
    case ScalarKind::Float64:
      *static_cast<double*>(to) = value.as<double>();
      break;
    case ScalarKind::Wide64:
      *static_cast<Wide64*>(to) = value.as<Wide64>();
      break;
  }
}

Value load_value(const void* from, ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return {kind, *static_cast<const bool*>(from)};
    case ScalarKind::Int32:
      return {kind, std::int64_t{*static_cast<const std::int32_t*>(from)}};
    case ScalarKind::Int64:
      return {kind, std::int64_t{*static_cast<const std::int64_t*>(from)}};
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return {kind, std::uint64_t{*static_cast<const std::uint32_t*>(from)}};
    case ScalarKind::UInt64:
      return {kind, std::uint64_t{*static_cast<const std::uint64_t*>(from)}};
    case ScalarKind::Float32:
      return {kind, double{*static_cast<const float*>(from)}};
    case ScalarKind::Wide64:
      return {kind, *static_cast<const Wide64*>(from)};
    case ScalarKind::Float64:
      break;
  }
  return {kind, *static_cast<const double*>(from)};
}

unsigned blocks_for(std::uint64_t vertices, unsigned most) {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>((vertices + kBlock - 1) / kBlock, 1, most));
}

// A short list is spread over a quarter of the device, for the sake of long lists of edges.
unsigned blocks_for_list(std::uint32_t length, unsigned most) {
  return std::min(std::max(length / kBlock + 1, std::min(length, most / 4)), most);
}

}  // namespace

cudaStream_t Session::stream() const {
  return state_.transfer ? state_.transfer->stream() : state_.device.stream;
}
Vertex Session::vertex_count() const { return state_.request.graph.vertex_count; }
EdgeIndex Session::edge_count() const { return host_graph().edge_count; }

bool Session::lists_ascend_by_weight(bool in) const {
  const graph::Graph& graph = host_graph();
  return in && !graph.symmetric ? graph.prepared.weight_sorted_in.has_value()
                                : graph.prepared.weight_sorted_out.has_value();
}

unsigned Session::variant(unsigned phase) const {
  return static_cast<unsigned>(state_.choose(phase).variant);
}

// Buffers.

void Session::declare_graph(Vertex& vertices, EdgeIndex& edges, bool& symmetric) {
  vertices = vertex_count();
  edges = edge_count();
  symmetric = state_.request.graph.symmetric;
}

void Session::declare_edges(const detail::GraphPlaces& places, bool transpose) {
  if (!state_.edges) state_.hold_edges(places, transpose);
}

void Session::share_lists(Sharing& out, Sharing* in) {
  const graph::Graph& graph = state_.request.graph;
  const EdgeIndex longest_out = graph.out.longest_list();
  out = sharing_of(state_.request.balance, longest_out);
  state_.balance = "longest out-list " + in_words(out, longest_out);
  if (in == nullptr) return declare_board(out.by_grid);
  const EdgeIndex longest_in = graph.symmetric ? longest_out : graph.in().longest_list();
  *in = sharing_of(state_.request.balance, longest_in);
  state_.balance += "; longest in-list " + in_words(*in, longest_in);
  declare_board(std::min(out.by_grid, in->by_grid));
}

void Session::declare_board(unsigned by_grid) {
  if ((!state_.has_loop && !state_.has_classes) || by_grid == kNoList) return;
  declare(state_.board.donations, kDonations, "long lists that blocks offer each other");
  declare(state_.board.offered, kBoardWords, "what was offered");
}

void Session::declare_loop(std::uint32_t** word) {
  state_.has_loop = true;
  declare_word(word);
}

void Session::declare_ids(std::uint64_t& first_id, const std::uint64_t** ids) {
  const graph::IdMap& map = state_.request.graph.ids;
  first_id = map.base();
  if (map.is_contiguous()) return;
  auto** const place = const_cast<void**>(reinterpret_cast<const void**>(ids));
  state_.arrays.declare_filled(place, "input ids", map.ids().data(), map.ids().size_bytes());
}

void Session::declare_array(void** place, const char* name, std::uint64_t bytes, bool zeroed) {
  state_.arrays.declare(place, name, bytes);
  if (zeroed) state_.arrays.zero(place, bytes);
}

void Session::declare_long_array(void** place, const char* name, std::uint64_t bytes) {
  state_.arrays.declare(place, name, bytes, Home::EitherMade);
}
void Session::declare_packed(Vertex*& ids, std::uint64_t count, const char* name,
                             std::uint64_t packed) {
  state_.arrays.memory.declare_packed(reinterpret_cast<void**>(&ids), name, count * sizeof(Vertex),
                                      packed);
}
void* Session::lend(std::uint64_t bytes, const char* name) {
  return state_.arrays.pin(bytes, name);
}
void Session::once_prepared(void (*act)(Session&, void*), void* of) {
  state_.once_prepared.push_back({act, of});
}
std::uint64_t Session::left_memory() const {
  return state_.arrays.memory.left(state_.request.device_memory, state_.plan.edges);
}
void* Session::take_left(std::uint64_t bytes) { return state_.arrays.memory.take_left(bytes); }
void Session::note_placement(const char* words) { state_.arrays.memory.note(words); }

std::uint64_t Session::edges_at_a_time() const {
  constexpr std::uint64_t kMany = 1u << 26;
  constexpr std::uint64_t kFew = 1u << 22;
  return keeps_edges() ? kMany : kFew;
}
bool Session::keeps_edges() const { return state_.plan.edges == Edges::OnDevice; }

void Session::reserve(const char* name, std::uint64_t bytes) {
  state_.arrays.memory.reserve(name, bytes);
}
std::uint64_t Session::spare_memory() const {
  return state_.arrays.memory.spare(state_.request.device_memory);
}

void Session::declare(Bitmap& bitmap, const char* name) {
  declare_array(reinterpret_cast<void**>(&bitmap.words), name, bitmap_bytes(vertex_count()));
}

void Session::declare(Worklist& list, const char* name) {
  declare_array(reinterpret_cast<void**>(&list.items), name, sizeof(Vertex) * vertex_count());
  declare_word(&list.count);
}

void Session::declare(VertexList& list, const char* parameter) {
  const auto vertices = state_.request.arguments.list(parameter);
  list.count = static_cast<std::uint32_t>(vertices.size());
  list.on_host = vertices.data();
  auto** const place = const_cast<void**>(reinterpret_cast<const void**>(&list.items));
  state_.arrays.declare_filled(place, parameter, vertices.data(), vertices.size_bytes());
}

void Session::declare_word(std::uint32_t** place) {
  state_.arrays.declare_word(reinterpret_cast<void**>(place));
}
void Session::declare_word(unsigned long long** place) {
  state_.arrays.declare_word(reinterpret_cast<void**>(place));
}

bool Session::allocate() {
  state_.arrays.declare_words();
  if (state_.dry_run) {
    state_.footprint =
        state_.arrays.memory.footprint(state_.request.device_memory, state_.plan.edges);
    return false;
  }
  const trace::ProfilerRange range("transfer");
  const auto begin = trace::process_seconds();
  state_.arrays.allocate(state_.request.device_memory, state_.plan.edges);
  state_.show_edges();
  check(cudaStreamSynchronize(state_.device.stream), "copy the graph to the device");
  state_.run.result.timing.transfer += state_.run.spent("send", begin);
  return true;
}

void Session::begin_preparation() {
  trace::push_range("preparation");
  state_.run.start = trace::process_seconds();
}

void Session::end_preparation() {
  for (const auto& [act, of] : state_.once_prepared) act(*this, of);
  check(cudaStreamSynchronize(state_.device.stream), "prepare the graph");
  trace::pop_range();
  state_.run.result.timing.preparation += state_.run.spent("prepare", state_.run.start);
}

bool Session::begin_run() {
  if (state_.is_last_run()) return false;
  state_.begin_run();
  return true;
}

void Session::end_run() { state_.finish_run(); }

void Session::declare(StepLog& log, const char* name) {
  log.capacity = state_.request.trace == nullptr ? 0 : kMostRecords;
  declare_array(reinterpret_cast<void**>(&log.totals), name, sizeof(LoopTotals));
  if (log.capacity > 0)
    declare_array(reinterpret_cast<void**>(&log.records), "trace of the loop",
                  sizeof(StepRecord) * log.capacity);
}

std::uint64_t Session::message_room(Along along, bool once_if_symmetric) {
  const trace::ProfilerRange range("preparation");
  const auto begin = trace::process_seconds();
  const std::uint64_t room = prepare::message_room(state_.request.graph, along, once_if_symmetric);
  state_.run.result.timing.preparation += state_.run.spent("prepare", begin);
  return room;
}
unsigned Session::message_passes(Along along, bool once_if_symmetric) const {
  return prepare::message_passes(state_.request.graph, along, once_if_symmetric);
}

void Session::count_preparation(double seconds) { state_.run.result.timing.preparation += seconds; }
std::uint64_t Session::longest_list(Along along, bool once_if_symmetric) const {
  const graph::Graph& graph = state_.request.graph;
  const bool one = once_if_symmetric && graph.symmetric;
  const EdgeIndex out = along == Along::In && !graph.symmetric ? 0 : graph.out.longest_list();
  if (along == Along::Out || one) return out;
  const EdgeIndex in = graph.symmetric ? out : graph.in().longest_list();
  return along == Along::In ? in : out + in;
}

bool Session::may_order_hubs(Along along) const {
  return vertex_count() != 0 && state_.plan.room == Room::Ample && keeps_edges() &&
         state_.request.prepare != host::Prepare::Never &&
         (state_.request.prepare == host::Prepare::Always ||
          prepare::may_have_hubs(vertex_count(), longest_list(along, false)));
}
bool Session::order_hubs(bool pays) {
  const bool orders = pays || state_.request.prepare == host::Prepare::Always;
  state_.balance += orders ? "; values for neighbours by degree" : "";
  return orders;
}

const graph::Graph& Session::host_graph() const {
  return state_.shown != nullptr ? *state_.shown : state_.request.graph;
}
bool Session::is_deep(bool estimated) const {
  return gpu::is_deep(state_.request.diameter, estimated);
}
unsigned Session::runs() const { return state_.request.runs; }

// What the user asked for.

void Session::read_parameter(const char* name, void* value, ScalarKind) const {
  store_value(value, state_.request.arguments.value(name));
}

const host::RunRequest& Session::request() const { return state_.request; }

void Session::note_paths(const char* words) {
  state_.paths += (state_.paths.empty() ? "" : "; ") + std::string(words);
}

void Session::load_input(void* values, const char* name, unsigned size) {
  const Column* const column = state_.request.arguments.input(name);
  if (column == nullptr) return;
  if (column->bytes.size() != std::uint64_t{size} * vertex_count())
    throw Error(ExitCode::Other, std::string("vertex input '") + name + "' has the wrong size");
  state_.device.staging.to_device(values, column->bytes.data(), column->bytes.size(),
                                  state_.device.stream);
}

// Actions.

bool Session::begin_tasks(Along along, const Worklist* list) {
  if (!state_.transfer) return false;
  state_.transfer->begin(along, list);
  return true;
}

bool Session::next_task(detail::Task& task) {
  std::uint32_t length = 0;
  if (!state_.transfer->next(task, length)) return false;
  if (task.list.count != nullptr) {
    state_.run.known_list = task.list.count;
    state_.run.known_length = length;
  }
  return true;
}

unsigned Session::blocks() const { return blocks_for(vertex_count(), state_.device.most_blocks); }
unsigned Session::blocks_in_turn() const {
  // More do not help: each warp adds what it counted to totals that are shared.
  constexpr unsigned kTurns = 4;
  return blocks_for(vertex_count(), kTurns * state_.device.most_blocks);
}
unsigned Session::blocks(const Worklist& list) const {
  if (state_.run.known_list != list.count) return blocks_in_turn();
  return blocks_for_list(state_.run.known_length, state_.device.most_blocks);
}
unsigned Session::blocks(const VertexParts& parts) const {
  return blocks_for_list(parts.longest, state_.device.most_blocks);
}
unsigned Session::blocks(const VertexList& list) const {
  return blocks_for(list.count, state_.device.most_blocks);
}
unsigned Session::reduction_blocks() const { return reduction_blocks_for(vertex_count()); }

void Session::launched(const char* kernel) {
  check(cudaGetLastError(), std::string("launch kernel '") + kernel + "'");
}

void Session::clear(const Bitmap& bitmap) {
  check(cudaMemsetAsync(bitmap.words, 0, bitmap_bytes(vertex_count()), state_.device.stream),
        "clear a bitmap");
}
// A loop of steps has used the words beside it too.
void Session::clear_word(const void* word, const char* what) {
  constexpr std::uint64_t kGroup = kTurns * sizeof(std::uint64_t);
  const std::uint64_t place = reinterpret_cast<std::uint64_t>(word);
  check(cudaMemsetAsync(reinterpret_cast<void*>(place / kGroup * kGroup), 0, kGroup,
                        state_.device.stream),
        what);
}
void Session::clear(const Worklist& list) {
  if (state_.run.known_list == list.count) state_.run.known_list = nullptr;
  clear_word(list.count, "clear a worklist");
}
void Session::clear(const Flag& flag) { clear_word(flag.word, "lower a flag"); }
void Session::clear(const Counter& counter) { clear_word(counter.total, "clear a counter"); }
void Session::clear_bytes(void* values, std::uint64_t bytes) {
  check(cudaMemsetAsync(values, 0, bytes, state_.device.stream), "clear an engine's counters");
}
void Session::clear_listed(const Bitmap& bitmap, const Worklist& list) {
  launch_clear_listed(blocks(list), state_.device.stream, bitmap, list);
  launched("clear_listed_bits");
}
void Session::fill(const Worklist& list) {
  if (state_.run.known_list == list.count) state_.run.known_list = nullptr;
  launch_fill(blocks(), state_.device.stream, list, vertex_count());
  launched("list_all_vertices");
}
void Session::raise(const Flag& flag) {
  clear(flag);
  check(cudaMemsetAsync(flag.word, 1, sizeof(*flag.word), state_.device.stream), "raise a flag");
}
void Session::copy_bytes(void* to, const void* from, std::uint64_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, state_.device.stream),
        "copy on the device");
}
void Session::write_bytes(void* to, const void* from, std::uint64_t bytes) {
  // From pageable memory: CUDA has copied it by the time it returns.
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, state_.device.stream),
        "copy to the device");
}
void Session::read_bytes(void* to, const void* from, std::uint64_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, state_.device.stream),
        "copy from the device");
  check(cudaStreamSynchronize(state_.device.stream), "run the kernels");
}

// Results.

void Session::add_output(const char* column, const void* values, unsigned stride, unsigned offset,
                         ScalarKind kind) {
  const bool is_result = state_.run.seen == nullptr;
  if (is_result) state_.finish_run();
  if (is_result && !state_.is_last_run()) return;
  const trace::ProfilerRange range("transfer");
  const auto begin = trace::process_seconds();
  Column result{.name = column, .kind = kind, .bytes = {}};
  const std::uint64_t size = size_of(kind);
  const std::uint64_t count = vertex_count();
  result.bytes.resize(count * size);
  if (stride == size) {
    state_.device.staging.from_device(
        values, count * size, state_.device.stream,
        [&](const std::byte* piece, std::uint64_t at, std::uint64_t bytes) {
          copy_in_parallel(result.bytes.data() + at, piece, bytes);
        });
  } else {
    std::vector<std::byte> tuples(count * stride);
    read_bytes(tuples.data(), values, tuples.size());
    for (std::uint64_t v = 0; v < count; ++v)
      std::copy_n(tuples.data() + v * stride + offset, size, result.bytes.data() + v * size);
  }
  if (!is_result) return state_.run.seen->push_back(std::move(result));
  state_.run.result.states.push_back(std::move(result));
  state_.run.result.timing.transfer += state_.run.spent("fetch", begin);
}

void Session::add_report(const char* name, const void* value, ScalarKind kind) {
  state_.run.result.reports[name] = load_value(value, kind);
}

}  // namespace vertigo::gpu
