#pragma once
// Messages along both directions of edges, for engines whose messages may come twice: what the
// rooms ask of operators, and the same on the CPU. On the GPU: device.cuh.

namespace vertigo::engines {

/// Whether messages go along out-edges and in-edges: the program has a constant `sends_both`.
template <class Program>
inline constexpr bool kSendsBoth = [] {
  if constexpr (requires { Program::sends_both; })
    return Program::sends_both;
  else
    return false;
}();

/// The same operators, on a graph in which every edge has its reverse.
template <class Operators>
struct OneWay : Operators {
  static constexpr bool sends_both = false;
};

}  // namespace vertigo::engines
