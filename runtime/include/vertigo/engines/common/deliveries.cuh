#pragma once
// Messages that an engine delivers one by one to receivers in memory, whose inboxes others deliver
// to at the same time.
//
// wide64 is added to memory by compare-and-swap, which is repeated while others are faster: a hub
// that thousands send to is a queue. float64 is added by the memory itself. So numbers that float64
// holds are added up as float64, beside the inboxes, and only those beyond it in the inboxes (H200,
// rmat 22 17: 5.8 million deliveries took 0.89 ms by compare-and-swap alone).

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// Where messages wait. `Program` is an engine's.
template <class Program>
struct Inboxes {
  using Message = decltype(Program{}.identity());

  Message* slots = nullptr;
  double* doubles = nullptr;  ///< by vertex, of the same messages, where `in_doubles`

  /// Whether messages are sums of wide64.
  __host__ __device__ __forceinline__ static bool in_doubles() {
    return __is_same(Message, Wide64) && Program{}.sums();
  }

  __device__ __forceinline__ void clear(Vertex v) const {
    if (in_doubles()) doubles[v] = 0;
  }

  __device__ __forceinline__ void deliver(const Program& program, Vertex u, Message message) const {
    if constexpr (__is_same(Message, Wide64)) {
      if (in_doubles() && message.is_near()) {
        atomicAdd(doubles + u, message.near_value());
        return;
      }
    }
    program.deliver(u, message);
  }

  /// What was delivered to v; nobody delivers meanwhile.
  __device__ __forceinline__ Message read(const Program& program, Vertex v) const {
    if constexpr (__is_same(Message, Wide64)) {
      if (in_doubles()) return program.combine(slots[v], Message::from_near(doubles[v]));
    }
    return slots[v];
  }
};

template <class Program>
void declare_inboxes(Session& session, Inboxes<Program>& inboxes) {
  if (inboxes.in_doubles())
    session.declare(inboxes.doubles, session.vertex_count(), "messages added as float64");
}

}  // namespace vertigo::gpu
