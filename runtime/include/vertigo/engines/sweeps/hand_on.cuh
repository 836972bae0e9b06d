#pragma once
// What is left to do of a loop of sweeps whose inboxes are asked again: the messages of its last
// level, which no level of the loop collects, are delivered.

#include "vertigo/engines/sweeps/loop.cuh"

namespace vertigo::gpu::sweeps {

/// What vertices sent, where each value has the number of its run beside it.
template <class Message>
struct OfRuns {
  const gpu::detail::SentValue<Message>* sent;

  __device__ __forceinline__ Message operator[](Vertex v) const {
    return gpu::detail::bits_as<Message>(static_cast<gpu::detail::Word<Message>>(sent[v].bits));
  }
};

/// `sent`: by vertex. A warp takes 32 vertices, or a piece of a hub.
template <class Program, class Attribute, class Level, class Sent>
__global__ void __launch_bounds__(kBlock)
    hand_on_last(const __grid_constant__ Loop<Program, Attribute> loop, Level last, Sent sent) {
  using Message = decltype(Program{}.identity());
  const gpu::detail::Warps warps;
  const auto deliver = [&](Vertex v, Vertex u, const Message& message) {
    if (loop.program.hands_on(v, u)) loop.program.deliver(u, message);
  };
  for (std::uint64_t base = std::uint64_t{warps.number} * kWarp; base < loop.vertex_count;
       base += std::uint64_t{warps.count} * kWarp) {
    const auto v = static_cast<Vertex>(base + lane());
    gpu::detail::Stretch list{0, 0};
    Message message{};
    if (base + lane() < loop.vertex_count && loop.program.level_of(v) == last) {
      list = gpu::detail::list_of(loop.along, v);
      message = sent[v];
      if (list.end - list.begin >= kHubEdges) list.end = list.begin;
    }
    if (!__any_sync(kAllLanes, list.begin != list.end)) continue;
    gpu::detail::share_out(loop.along.targets, list.begin,
                           static_cast<unsigned>(list.end - list.begin),
                           [&](Vertex u, unsigned owner, bool valid) {
                             const Vertex from = shuffle(v, owner);
                             const Message value = shuffle(message, owner);
                             if (valid) deliver(from, u, value);
                           });
  }
  gpu::detail::PiecesOfWarp pieces(loop.along_hubs);
  HubPiece piece;
  while (pieces.next([&](Vertex hub) { return loop.program.level_of(hub) == last; }, piece)) {
    const Message message = sent[piece.hub];
    const gpu::detail::Stretch list = gpu::detail::list_of(loop.along, piece);
    for (EdgeIndex e = list.begin + lane(); e < list.end; e += kWarp)
      deliver(piece.hub, loop.along.targets[e], message);
  }
}

}  // namespace vertigo::gpu::sweeps
